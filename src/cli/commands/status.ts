import { join } from 'node:path'
import { buildCommand } from '@stricli/core'
import type { Context } from '../context.ts'
import { inStore, storedRun } from '../mirror.ts'
import { aligned, print, printJson } from '../output.ts'
import { runContext } from '../runs.ts'
import { jsonFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const status = buildCommand<Flags, [string], Context>({
  docs: { brief: 'Where a run stands, and who works on it' },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ brief: 'The run folder, or store:RUN', parse: text, placeholder: 'run' }],
    },
    flags: { json: jsonFlag, plugin: pluginFlag },
  },
  async func(flags, dir) {
    if (inStore(dir)) return storedStatus(this, dir, flags.json)
    const { MOVED_MARK, openRun, RUN_FILES, withRun } = await import('../../runner/index.ts')
    const { lockHolder } = await import('../../store/index.ts')
    const run = await openRun(dir, await runContext(flags.plugin, dir), { mode: 'read' })
    await withRun(run, async (open) => {
      const counts = await open.ledger.counts()
      const holder = lockHolder(join(dir, RUN_FILES.lock))
      const moved = await open.ledger.meta(MOVED_MARK)
      const batches = await open.ledger.openBatches()
      const { name, models, sources } = open.file
      if (flags.json)
        return printJson(this, {
          schema: 'touchstone/status/1',
          run: dir,
          name,
          counts,
          batches,
          holder,
          usd: open.ledger.spent(),
        })
      print(
        this,
        `${name} (${dir})`,
        ...aligned([
          ...Object.entries(counts).map(([state, count]) => [`  ${state}`, String(count)]),
          ...batches.map(({ model, lines, remote, intended }) => [
            '  batch',
            `${model}: ${lines} lines since ${new Date(intended).toISOString()}, ${remote ?? 'not known to be there yet'}`,
          ]),
          ['  models', models.map((model) => model.name).join(', ')],
          ['  items', sources.map((source) => `${source.task} ${source.label}`).join(', ')],
          ...(moved === null || moved === '' ? [] : [['  cells in', `${moved}: touchstone worker --status`]]),
          ['  held by', holder === null ? 'nobody' : JSON.stringify(holder)],
        ]),
      )
    })
  },
})

/** Where a run in a store stands, as the store says. */
async function storedStatus(context: Context, path: string, json: boolean): Promise<void> {
  const { run, place, store } = await storedRun(context, path)
  await using open = store
  const [counts, usd] = await Promise.all([open.counts(), open.spent()])
  if (json) return printJson(context, { schema: 'touchstone/status/1', run, place, counts, usd })
  print(
    context,
    `${run} in ${place}: $${usd.toFixed(4)}`,
    ...aligned(Object.entries(counts).map(([state, count]) => [`  ${state}`, String(count)])),
  )
}
