import type { ExecuteResult } from '../runner/index.ts'

/** How far a run of a store came. */
export type WorkedRun = { readonly run: string } & ExecuteResult

/**
 * Works on runs, one after another: what waits for batches, for hours maybe, waits beside the others and holds none of them up.
 *
 * @param work - on one run; `wait`: until its batches are over too.
 */
export async function workOnEach(
  runs: readonly string[],
  wait: boolean,
  work: (run: string, wait: boolean) => Promise<ExecuteResult>,
): Promise<readonly WorkedRun[]> {
  const worked: WorkedRun[] = []
  for (const run of runs) {
    const result = await work(run, wait && runs.length === 1)
    worked.push({ run, ...result })
    if (result.status === 'interrupted') return worked
  }
  if (!wait || runs.length === 1) return worked
  return await Promise.all(
    worked.map(async (one) => (one.counts.batched === 0 ? one : { run: one.run, ...(await work(one.run, true)) })),
  )
}
