import type { FlagsOf, generateFlags } from '../command-flags.ts'
import { specFromFlags } from '../configuration.ts'
import { interruptible } from '../interrupt.ts'
import { labOfTasks } from '../lab.ts'
import { type Context, plural, printJson, printText } from '../output.ts'
import { progress } from '../progress.ts'

export default async function generate(
  context: Context,
  { json, plugins, preset, config, set, ...options }: FlagsOf<typeof generateFlags>,
  name: string,
): Promise<void> {
  const lab = await labOfTasks({ plugins }, [name])
  const spec = await specFromFlags(lab.task(name), { preset, config, set })
  const bar = progress(context, `generate ${name}`)
  const manifest = await interruptible(
    context,
    (signal) => lab.generate({ ...options, task: name, ...spec, onProgress: bar.update, signal }),
    'stopping; the unfinished dataset is deleted (Ctrl-C again: stop at once)',
  ).finally(bar.end)
  if (json) return printJson(context, manifest)
  const { proved, notFound: gaveUp } = manifest.empty
  const empty =
    proved + gaveUp === 0
      ? 'no empty indices'
      : `empty indices: ${proved} proved, ${gaveUp} where the search limit was reached`
  const { layout } = lab.task(name).source(manifest.config, { split: manifest.split, seed: 1 })
  const all = layout.perGroup === undefined || layout.size === null ? 0 : Math.ceil(layout.size / layout.perGroup)
  const { count } = manifest.groups
  const isPart = count < all && options.shard === undefined
  const groups = isPart ? ` in ${count} of ${all} groups` : count === 0 ? '' : ` in ${plural(count, 'group')}`
  printText(
    context,
    `${options.out}: ${plural(manifest.count, 'item')}${groups}; ${empty}`,
    ...(isPart
      ? [`a dataset holds the first indices; for items from all groups: touchstone run ${name} --count N`]
      : []),
    `root ${manifest.root}`,
    `next: touchstone verify ${options.out}`,
  )
}
