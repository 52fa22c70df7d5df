import { join } from 'node:path'
import { refusePlugins, UsageError } from '../../core/index.ts'
import type { PostgresStore } from '../../store/index.ts'
import { needTask } from '../calls/open-models.ts'
import { openRun, type Run, type RunContext, withRun } from '../folder/run.ts'
import { mirrorRun } from '../moving/mirror.ts'
import { plannedWith } from '../moving/worker.ts'
import { type Seal, sealOf } from './seal.ts'
import { type RunFault, type RunVerification, verifyRun } from './verify-run.ts'

/** A run in a shared store, and where a copy of it may be made. */
export interface StoredRun {
  readonly store: PostgresStore
  /** Host and database, for messages. */
  readonly place: string
  /** An empty folder: only what is copied afresh is what the database holds now. */
  readonly scratch: string
}

/**
 * Checks a run where it is: the chain of responses in the database, and everything else that is checked of a run, on a copy made
 * for it.
 *
 * @throws UsageError where a task of the run is not installed.
 */
export const verifyStored = (stored: StoredRun, context: RunContext): Promise<RunVerification> =>
  onCopy(stored, context, (verification) => verification)

/**
 * The seal of a run that workers finished, the same that the run has when it is pulled. It is verified first.
 *
 * @throws UsageError where it is not finished, or not as its records say.
 */
export const sealStored = (stored: StoredRun, context: RunContext): Promise<Seal> =>
  onCopy(stored, context, ({ mismatches, problems }, run) => {
    if (mismatches > 0)
      throw new UsageError(
        `${stored.place} holds a run that is not sealed, it has ${mismatches} mismatches (touchstone verify): ${problems[0]?.message}`,
      )
    refusePlugins(run.file.plugins ?? [], context.plugins ?? [], 'this command')
    return sealOf(run)
  })

async function onCopy<T>(
  { store, place, scratch }: StoredRun,
  context: RunContext,
  use: (verification: RunVerification, run: Parameters<typeof sealOf>[0]) => T | Promise<T>,
): Promise<T> {
  const chain = await store.checkChain()
  const money = await moneyFault(store)
  const { dir } = await mirrorRun(store, join(scratch, 'run'), place, context)
  return withRun(await openRun(dir, context, { mode: 'read' }), async (run) => {
    const verification = await verifyRun(run)
    // What is missing at the end of a chain, its copy does not show.
    const told = verification.problems.some(({ check }) => check === 'chain')
    const chainFaults: readonly RunFault[] =
      chain.kind === 'whole' || told
        ? []
        : [{ check: 'chain', message: `the chain of responses is broken: ${chain.message}` }]
    const faults = [...chainFaults, ...money, ...(await tasksFault(store, run))]
    return use(
      {
        ...verification,
        mismatches: verification.mismatches + faults.length,
        problems: [...faults, ...verification.problems],
      },
      run,
    )
  })
}

/** Does the store tell workers the versions that run.json has, and the scorer that scores here? */
async function tasksFault(store: PostgresStore, { file, context }: Run): Promise<readonly RunFault[]> {
  const said = await plannedWith(store)
  const fault = (message: string): readonly RunFault[] => [{ check: 'plan', message }]
  if (said === null)
    return fault('the store does not say with which versions of its tasks the run was planned: workers are refused')
  for (const { kind, task, version, wording } of file.sources) {
    const { scorer } = needTask(context.tasks, task)
    const own = said[task]
    for (const [what, here, where] of [
      // What was imported may be of any version.
      ['version', kind === 'generated' ? version : own?.version, 'run.json'],
      ['wording', wording, 'run.json'],
      ['scorer', scorer, 'what is installed'],
    ] as const)
      if (own?.[what] !== here)
        return fault(
          `the store says that ${task} has ${what} ${own?.[what] ?? 'none'}, ${where} that it has ${here}: workers are refused`,
        )
  }
  return []
}

/** Less than any call costs: what is below it comes of the order in which sums are made. */
const SMALLEST_USD = 1e-6

/** Is what counts against the budget what the attempts come to? */
async function moneyFault(store: PostgresStore): Promise<readonly RunFault[]> {
  const sums = await store.booked()
  if (sums === null || Math.abs(sums.booked - sums.owed) <= SMALLEST_USD) return []
  const { booked, owed } = sums
  return [{ check: 'money', message: `$${booked.toFixed(6)} are booked, and attempts come to $${owed.toFixed(6)}` }]
}
