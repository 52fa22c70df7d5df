import type { Run } from './run.ts'
import { scoreResponse } from './score.ts'

export interface RescoreResult {
  readonly responses: number
  /** Responses whose newest score differs from the one before, or that had none. */
  readonly changed: number
  readonly scorers: { readonly [task: string]: number }
}

/**
 * Reads and grades every response again, offline, by the parsers installed now. Scores of other scorer versions stay;
 * tables read the newest.
 *
 * @example
 * import { openRun, rescoreRun, type RunContext, withRun } from '@touchstone-eval/touchstone/node'
 *
 * export const rescore = async (dir: string, context: RunContext) =>
 *   withRun(await openRun(dir, context, { mode: 'write' }), (run) => rescoreRun(run))
 */
export async function rescoreRun(run: Run, onProgress?: (responses: number) => void): Promise<RescoreResult> {
  const scorers: { [task: string]: number } = {}
  let responses = 0
  let changed = 0
  for await (const page of run.ledger.responses()) {
    const events = page.map(({ cell, item, shared, response }) => {
      const task = run.sources.scorer(item.source)
      scorers[task.name] = task.scorerVersion
      const outcome = scoreResponse(task, run.sources.problem(item, shared), response)
      return { kind: 'score', cell, scored: { scorer: task.scorerVersion, outcome } } as const
    })
    const before = run.ledger.outcomes(page[0]?.cell ?? 0, page.at(-1)?.cell ?? 0)
    for (const { cell, scored } of events) if (before.get(cell) !== JSON.stringify(scored.outcome)) changed++
    await run.ledger.commit(events)
    responses += page.length
    onProgress?.(responses)
  }
  return { responses, changed, scorers }
}
