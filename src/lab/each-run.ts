import { isUsageError } from '../core/index.ts'
import type { ExecuteResult } from '../runner/index.ts'

/** How far a run of a store came. */
export type WorkedRun = { readonly run: string } & ExecuteResult

/** A run of a store that cannot be worked on here, and why. */
export interface RefusedRun {
  readonly run: string
  readonly message: string
}

/**
 * Works on runs, one after another. None holds the others up: one that waits for batches, for hours maybe, waits beside them, and one
 * that is refused (pushed half, or by another version) is left out.
 *
 * @param work - on one run; `wait`: until its batches are over too.
 * @throws UsageError where all are refused
 */
export async function workOnEach(
  runs: readonly string[],
  wait: boolean,
  work: (run: string, wait: boolean) => Promise<ExecuteResult>,
): Promise<{ readonly runs: readonly WorkedRun[]; readonly refused: readonly RefusedRun[] }> {
  const worked: WorkedRun[] = []
  const refused: RefusedRun[] = []
  for (const run of runs) {
    try {
      worked.push({ run, ...(await work(run, wait && runs.length === 1)) })
    } catch (error) {
      if (!isUsageError(error) || refused.length === runs.length - 1) throw error
      refused.push({ run, message: error.message })
    }
    if (worked.at(-1)?.status === 'interrupted') return { runs: worked, refused }
  }
  if (!wait || runs.length === 1) return { runs: worked, refused }
  const ended = worked.map(async (one) =>
    one.counts.batched === 0 ? one : { run: one.run, ...(await work(one.run, true)) },
  )
  return { runs: await Promise.all(ended), refused }
}
