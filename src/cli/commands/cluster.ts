import type { clusterFlags, clusterMergeFlags, FlagsOf } from '../command-flags.ts'
import { labOf, labOfTasks } from '../lab.ts'
import { type Context, print, printJson } from '../output.ts'

type Flags = FlagsOf<typeof clusterFlags>

async function move(
  context: Context,
  { json, plugins, store }: Flags,
  dir: string,
  direction: 'push' | 'pull',
): Promise<void> {
  const moved = await (await labOfTasks({ plugins }))[direction](dir, { store })
  if (json) return printJson(context, { schema: `touchstone/${direction}/1`, dir, ...moved })
  const { calls, waiting } = moved
  const next =
    direction === 'push'
      ? `touchstone cluster worker, on any machine; then touchstone cluster pull ${dir}`
      : `touchstone report ${dir}`
  print(context, `${direction}ed ${calls} calls, ${waiting} pending`, '', `next: ${next}`)
}

export const push = (context: Context, flags: Flags, dir: string): Promise<void> => move(context, flags, dir, 'push')
export const pull = (context: Context, flags: Flags, dir: string): Promise<void> => move(context, flags, dir, 'pull')

export async function merge(
  context: Context,
  { json, plugins, out }: FlagsOf<typeof clusterMergeFlags>,
  ...folders: readonly string[]
): Promise<void> {
  const merged = await (await labOf({ plugins })).merge(folders, out)
  if (json) return printJson(context, merged)
  if (merged.schema === 'touchstone/merged-run/1')
    return print(
      context,
      `${out}: ${merged.responses} responses in ${merged.calls} calls from ${merged.shards} shards`,
      merged.waiting > 0
        ? `next: touchstone resume ${out} (${merged.waiting} calls are pending)`
        : `next: touchstone report ${out}`,
    )
  const { count, first, indices, root } = merged
  print(
    context,
    `${out}: ${count} items from ${folders.length} shards, indices ${first} to ${first + indices - 1}`,
    `root ${root}`,
  )
}
