import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { print, printJson } from '../output.ts'
import { runContext } from '../runs.ts'
import { storeFlag, storePlace, storeUrl } from '../store.ts'
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
  const { openRun, pullRun, pushRun, withRun } = await import('../../runner/index.ts')
  const { PostgresStore } = await import('../../store/index.ts')
  const url = storeUrl(flags.store, context.process.env ?? {})
  const run = await openRun(dir, await runContext(flags.plugin, dir), { mode: 'write' })
  const moved = await withRun(run, (open) => {
    const mode = direction === 'push' ? 'make' : 'open'
    const store = (id: string) => PostgresStore.open(url, id, { redact: open.redact, mode })
    return direction === 'push' ? pushRun(open, store, storePlace(url)) : pullRun(open, store)
  })
  if (flags.json) return printJson(context, { schema: `touchstone/${direction}/1`, dir, ...moved })
  const next =
    direction === 'push' ? `touchstone worker, on any machine; then touchstone pull ${dir}` : `touchstone report ${dir}`
  print(
    context,
    `${direction === 'push' ? 'pushed' : 'pulled'} ${moved.cells} cells, ${moved.waiting} wait`,
    '',
    `next: ${next}`,
  )
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
