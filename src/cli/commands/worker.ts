import process from 'node:process'
import { buildCommand } from '@stricli/core'
import type { StoreStatus, Worked } from '../../lab/index.ts'
import { wayFlags } from '../asking.ts'
import type { Context } from '../context.ts'
import { exits } from '../exits.ts'
import { keepOwnHeapSmall } from '../heap.ts'
import { labOfTasks } from '../lab.ts'
import { countOf, MAX_CALLS } from '../numbers.ts'
import { aligned, note, print, printJson } from '../output.ts'
import { batchRows, execute, exitAs, stoppedLines } from '../runs.ts'
import { storeFlag } from '../stored.ts'
import { jsonFlag, lostFlag, pluginFlag, text } from '../words.ts'

interface Flags {
  readonly store?: string
  readonly run?: string
  readonly concurrency?: number
  readonly poll?: number
  readonly wait: boolean
  readonly lost?: readonly string[]
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
        brief: 'Only the run of this id, or the start of it; left out: all of the store',
      },
      concurrency: {
        kind: 'parsed',
        parse: countOf(8, MAX_CALLS),
        optional: true,
        brief: 'Most calls at once to one provider',
      },
      poll: wayFlags.poll,
      wait: {
        kind: 'boolean',
        default: true,
        brief: 'Wait for batches; --no-wait: a worker begun later collects them',
      },
      lost: lostFlag,
      status: { kind: 'boolean', default: false, brief: 'Only say where the runs stand' },
      json: jsonFlag,
      plugin: pluginFlag,
    },
  },
  async func({ store, run, concurrency, poll, wait, lost, status, json, plugin = [] }) {
    const which = { ...(store === undefined ? {} : { store }), ...(run === undefined ? {} : { run }) }
    if (status) {
      // Without a lab: it is asked again and again, beside workers that take all cores.
      const { statusOfStore } = await import('../../lab/shared.ts')
      const standing = await statusOfStore(process, which)
      return json ? printJson(this, standing) : told(this, standing)
    }
    keepOwnHeapSmall(this)
    const lab = await labOfTasks({ plugin })
    const worked = await execute(this, ({ stop, abort, onProgress }) =>
      lab.work({
        ...which,
        stop,
        abort,
        onProgress,
        onRun: (name) => note(this, `working on ${name}`),
        wait,
        ...(concurrency === undefined ? {} : { concurrency }),
        ...(poll === undefined ? {} : { poll }),
        ...(lost === undefined ? {} : { lost }),
      }),
    )
    if (worked.refused.length > 0) this.process.exitCode = exits.usage
    for (const { run: name, message } of worked.refused) note(this, `${name} is left out: ${message}`)
    for (const result of worked.runs) exitAs(this, result)
    if (json) return printJson(this, worked)
    told(this, worked)
    for (const line of worked.runs.flatMap(whyNot)) print(this, line)
  },
})

/** Why a worker ended though cells wait. */
function whyNot({ status, counts, stopped, doubts }: Worked['runs'][number]): readonly string[] {
  if (counts.waiting + counts.leased + counts.batched === 0) return doubts
  const money =
    '  the next call could cost more than the limit leaves: touchstone pull RUN, then resume it with --max-usd MORE'
  const batches = '  batches are with their providers; to collect them: touchstone worker'
  return [
    ...doubts,
    ...stoppedLines(stopped, 'touchstone worker'),
    ...(status === 'budget' ? [money] : []),
    ...(status === 'submitted' ? [batches] : []),
  ]
}

function told(context: Context, found: StoreStatus | Worked): void {
  for (const each of found.runs) {
    const { run, counts, usd } = each
    const rows = Object.entries(counts).map(([state, count]) => [`  ${state}`, String(count)])
    const batches = 'batches' in each ? batchRows(each.batches) : []
    print(context, `${run}: $${usd.toFixed(4)}`, ...aligned(rows, [1]), ...aligned(batches))
  }
}
