import { type ExecuteOptions, type ExecuteResult, executeRun } from './execute.ts'
import type { Run } from './run.ts'

/**
 * Puts failed cells back and makes their calls again; their earlier attempts stay on record.
 *
 * @param codes - only failures with one of these codes, e.g. `timeout`; left out: all.
 */
export async function retryFailed(
  run: Run,
  codes: readonly string[] | undefined,
  options: ExecuteOptions = {},
): Promise<ExecuteResult & { readonly retried: number }> {
  const retried = await run.ledger.retry(codes)
  return { ...(await executeRun(run, options)), retried }
}
