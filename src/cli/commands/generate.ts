import type { FlagsOf, generateFlags } from '../command-flags.ts'
import { specFromFlags } from '../configuration.ts'
import { interruptible } from '../interrupt.ts'
import { labOfTasks } from '../lab.ts'
import { type Context, plural, print, printJson } from '../output.ts'
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
  print(
    context,
    `${options.out}: ${plural(manifest.count, 'item')} in ${plural(manifest.groups.count, 'group')}; ${empty}`,
    `root ${manifest.root}`,
    `next: touchstone verify ${options.out}`,
  )
}
