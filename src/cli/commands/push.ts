import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { labOfTasks } from '../lab.ts'
import { print, printJson } from '../output.ts'
import { storeFlag } from '../stored.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly store?: string
  readonly json: boolean
  readonly plugin?: readonly string[]
}

const parameters = {
  positional: { kind: 'tuple', parameters: [{ brief: 'The run folder', parse: text, placeholder: 'run' }] },
  flags: { store: storeFlag, json: jsonFlag, plugin: pluginFlag },
} as const

/** What both directions share. */
async function move(context: Context, flags: Flags, dir: string, direction: 'push' | 'pull'): Promise<void> {
  const { store, json, plugin = [] } = flags
  const lab = await labOfTasks({ plugin })
  const moved = await lab[direction](dir, store === undefined ? {} : { store })
  if (json) return printJson(context, { schema: `touchstone/${direction}/1`, dir, ...moved })
  const { calls, waiting } = moved
  const [done, next] =
    direction === 'push'
      ? ['pushed', `touchstone worker, on any machine; then touchstone pull ${dir}`]
      : ['pulled', `touchstone report ${dir}`]
  print(context, `${done} ${calls} cells, ${waiting} wait`, '', `next: ${next}`)
}

export const push = buildCommand<Flags, [string], Context>({
  docs: { brief: 'Put the open cells of a run into a PostgreSQL store, for workers on many machines' },
  parameters,
  func(flags, dir) {
    return move(this, flags, dir, 'push')
  },
})

export const pull = buildCommand<Flags, [string], Context>({
  docs: { brief: 'Bring what workers did back into the run folder' },
  parameters,
  func(flags, dir) {
    return move(this, flags, dir, 'pull')
  },
})
