import { type ExecuteOptions, type ExecuteResult, executeRun } from './execute.ts'
import type { Run } from './run.ts'

/**
 * Puts failed cells back and makes their calls again; their earlier attempts stay on record.
 *
 * @param codes - only failures with one of these codes, e.g. `timeout`; left out: all.
 *
 * @example
 * import { openRun, retryFailed, type RunContext, withRun } from '@touchstone-eval/touchstone/node'
 *
 * export const again = async (dir: string, context: RunContext) =>
 *   withRun(await openRun(dir, context, { mode: 'write' }), (run) => retryFailed(run, ['timeout']))
 */
export async function retryFailed(
  run: Run,
  codes: readonly string[] | undefined,
  options: ExecuteOptions = {},
): Promise<ExecuteResult & { readonly retried: number }> {
  const retried = await run.ledger.retry(codes)
  return { ...(await executeRun(run, options)), retried }
}
