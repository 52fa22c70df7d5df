import { buildCommand } from '@stricli/core'
import { UsageError } from '../../core/index.ts'
import type { Context } from '../context.ts'
import { aligned, note, print, printJson } from '../output.ts'
import { execute, exitAs, runContext } from '../runs.ts'
import { storeFlag, storePlace, storeUrl } from '../store.ts'
import { jsonFlag, pluginFlag, text, wholeNumber } from '../words.ts'

interface Flags {
  readonly store?: string
  readonly run?: string
  readonly concurrency?: number
  readonly status: boolean
  readonly json: boolean
  readonly plugin?: readonly string[]
}

export const worker = buildCommand<Flags, [], Context>({
  docs: {
    brief: 'Work on the runs of a PostgreSQL store, beside any number of other workers',
    fullDescription:
      'touchstone push RUN puts a run there, touchstone pull RUN brings it back. A worker ends when nothing waits; ' +
      'one that dies loses nothing: what it held is asked by others after a minute.',
  },
  parameters: {
    flags: {
      store: storeFlag,
      run: {
        kind: 'parsed',
        parse: text,
        optional: true,
        brief: 'Only the run of this name; left out: all of the store',
      },
      concurrency: { kind: 'parsed', parse: wholeNumber, optional: true, brief: 'Most calls at once to one provider' },
      status: { kind: 'boolean', default: false, brief: 'Only say where the runs stand' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func(flags) {
    const { workOnShared } = await import('../../runner/index.ts')
    const { noRedaction, PostgresStore } = await import('../../store/index.ts')
    const url = storeUrl(flags.store, this.process.env ?? {})
    const runs = flags.run === undefined ? await PostgresStore.runs(url) : [flags.run]
    if (runs.length === 0) throw new UsageError(`${storePlace(url)} holds no run: touchstone push RUN puts one there`)
    const redact = { known: noRedaction, shapes: noRedaction }
    const results = []
    for (const run of runs) {
      await using store = await PostgresStore.open(url, run, { redact, mode: 'open' })
      if (flags.status) {
        results.push({ run, counts: await store.counts(), usd: await store.spent() })
        continue
      }
      note(this, `working on ${run}`)
      const context = await runContext(flags.plugin)
      const result = await execute(this, (options) =>
        workOnShared(store, context, {
          stop: options.stop,
          abort: options.abort,
          onProgress: options.onProgress,
          ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
        }),
      )
      results.push({ run, ...result })
      exitAs(this, result)
      if (result.status === 'interrupted') break
    }
    if (flags.json) return printJson(this, { schema: 'touchstone/worker/1', runs: results })
    for (const { run, counts, usd } of results)
      print(
        this,
        `${run}: $${usd.toFixed(4)}`,
        ...aligned(
          Object.entries(counts).map(([state, count]) => [`  ${state}`, String(count)]),
          [1],
        ),
      )
  },
})
