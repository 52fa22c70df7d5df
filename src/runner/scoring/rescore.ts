import { readBody } from '../../models/index.ts'
import { settingsIn } from '../../store/index.ts'
import { responseEvent } from '../calls/call.ts'
import type { Run } from '../folder/run.ts'
import { bookingOf } from '../money/cost-reservation.ts'
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
      scorers[task.name] = task.scorer
      const outcome = scoreResponse(task, run.sources.problem(item, shared), response)
      return { kind: 'score', cell, scored: { scorer: task.scorer, outcome } } as const
    })
    const before = run.ledger.outcomes(page[0]?.cell ?? 0, page.at(-1)?.cell ?? 0)
    for (const { cell, scored } of events) if (before.get(cell) !== JSON.stringify(scored.outcome)) changed++
    await run.ledger.commit(events)
    responses += page.length
    onProgress?.(responses)
  }
  return { responses, changed, scorers }
}

export interface RescueResult {
  /** Kept bodies of cells that have no response. */
  readonly bodies: number
  /** Cells that have one now. */
  readonly rescued: number
}

/**
 * Reads again what came of attempts whose answers could not be read, with more patience than a run has: nothing is asked
 * or paid. A cell that gets a response this way is done.
 */
export async function rescueRun(run: Run): Promise<RescueResult> {
  let bodies = 0
  const rescued = new Set<number>()
  for await (const page of run.ledger.unread()) {
    for (const unread of page) {
      bodies++
      const model = run.file.models.find(({ name }) => name === unread.model)
      const answer = rescued.has(unread.cell) ? null : readBody(unread.body(), true)
      if (answer === null || model === undefined) continue
      const { started, ended, http, requestId, most } = unread
      const reply = { ...answer, http, requestId }
      const cell = { ...unread, id: unread.cell, sample: 0 }
      const settings = settingsIn(unread.settings) as (typeof model.settings)[number]
      const { bounds } = bookingOf(run.sources, { model: { kind: 'chat' }, spec: model }, cell, settings)
      const event = responseEvent(run, model, cell, { reply, started, ended }, { most: most ?? 0, bounds })
      await run.ledger.commit([event])
      rescued.add(unread.cell)
    }
  }
  return { bodies, rescued: rescued.size }
}
