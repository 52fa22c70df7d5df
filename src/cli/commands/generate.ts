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
  const isPart = manifest.groups.count < all && options.shard === undefined
  printText(
    context,
    `${options.out}: ${plural(manifest.count, 'item')} in ${isPart ? `${manifest.groups.count} of ${all} groups` : plural(manifest.groups.count, 'group')}; ${empty}`,
    ...(isPart
      ? [`a dataset holds the first indices; for items from all groups: touchstone run ${name} --count N`]
      : []),
    `root ${manifest.root}`,
    `next: touchstone verify ${options.out}`,
  )
}
