import { join } from 'node:path'
import { requireSamePlugins, UsageError } from '../../core/index.ts'
import { requireTask } from '../../runner/calls/open-models.ts'
import { openRun, type Run, type RunContext, withRun } from '../../runner/folder/run.ts'
import { mirrorRun } from '../../runner/moving/transfer.ts'
import { plannedWith } from '../../runner/moving/worker.ts'
import type { SharedRunStore } from '../../store/index.ts'
import { type Seal, sealOf } from './seal.ts'
import { type RunFault, type RunVerification, verifyRun } from './verify-run.ts'

/** A run in a shared store, and a folder for a copy of it. */
export interface StoredRun {
  readonly store: SharedRunStore
  /** Host and database, for messages. */
  readonly place: string
  /** An empty folder: only a fresh copy is what the database holds now. */
  readonly scratch: string
}

/**
 * Verifies a run in a store: the chain of responses in the database, and everything else on a fresh copy.
 *
 * @throws UsageError if a task of the run is not installed
 */
export const verifyStored = (stored: StoredRun, context: RunContext): Promise<RunVerification> =>
  onCopy(stored, context, (verification) => verification)

/**
 * The seal of a finished run in a store, equal to the one after a pull. It is verified first.
 *
 * @throws UsageError if it is not finished, or contradicts its records
 */
export const sealStored = (stored: StoredRun, context: RunContext): Promise<Seal> =>
  onCopy(stored, context, ({ mismatches, problems }, run) => {
    if (mismatches > 0)
      throw new UsageError(
        `${stored.place} holds a run that is not sealed, it has ${mismatches} mismatches (touchstone verify): ${problems[0]?.message}`,
      )
    requireSamePlugins(run.file.plugins ?? [], context.plugins ?? [], 'this command')
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
    // A copy does not show what is missing at the end of the chain.
    const isReported = verification.problems.some(({ check }) => check === 'chain')
    const chainFaults: readonly RunFault[] =
      chain.kind === 'whole' || isReported
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

/** Do the versions in the store agree with run.json, and with the installed scorer? */
async function tasksFault(store: SharedRunStore, { file, context }: Run): Promise<readonly RunFault[]> {
  const planned = await plannedWith(store)
  const fault = (message: string): readonly RunFault[] => [{ check: 'plan', message }]
  if (planned === null)
    return fault('the store does not say with which versions of its tasks the run was planned: workers are refused')
  for (const { kind, task, version, promptVersion } of file.sources) {
    const { scorerVersion } = requireTask(context.tasks, task)
    const own = planned[task]
    for (const [what, here, where] of [
      // What was imported may be of any version.
      ['version', kind === 'generated' ? version : own?.version, 'run.json'],
      ['promptVersion', promptVersion, 'run.json'],
      ['scorerVersion', scorerVersion, 'what is installed'],
    ] as const)
      if (own?.[what] !== here)
        return fault(
          `the store says that ${task} has ${what} ${own?.[what] ?? 'none'}, ${where} that it has ${here}: workers are refused`,
        )
  }
  return []
}

/** Less than any call costs: smaller differences come from the order of summation. */
const MIN_USD = 1e-6

/** Does the booked sum agree with the attempts? */
async function moneyFault(store: SharedRunStore): Promise<readonly RunFault[]> {
  const sums = await store.bookedAndCost()
  if (sums === null || Math.abs(sums.booked - sums.cost) <= MIN_USD) return []
  const { booked, cost } = sums
  return [{ check: 'money', message: `$${booked.toFixed(6)} are booked, and attempts come to $${cost.toFixed(6)}` }]
}
