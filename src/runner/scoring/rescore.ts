import type { Outcome } from '../../core/index.ts'
import { readBody } from '../../models/index.ts'
import { settingsIn } from '../../store/index.ts'
import { responseEvent } from '../calls/call.ts'
import type { Run } from '../folder/run.ts'
import { reserveCost } from '../money/cost-reservation.ts'
import { readPeople, withTruth } from './people.ts'
import { scoreResponse } from './score.ts'

export interface RescoreResult {
  readonly responses: number
  /** Responses whose score differs from the newest one before, or that had none. */
  readonly changed: number
  readonly scorers: { readonly [task: string]: number }
}

/**
 * Scores every response again, offline, by the parsers installed now. Scores of other scorer versions stay; tables use the
 * newest.
 *
 * @example
 * import { openRun, rescoreRun, type RunContext, withRun } from '@touchstone-eval/touchstone/node'
 *
 * export const rescore = async (dir: string, context: RunContext) =>
 *   withRun(await openRun(dir, context, { mode: 'write' }), (run) => rescoreRun(run))
 */
export async function rescoreRun(run: Run, onProgress?: (responses: number) => void): Promise<RescoreResult> {
  const scorers: { [task: string]: number } = {}
  const people = readPeople(run.dir)
  let responses = 0
  let changed = 0
  for await (const page of run.ledger.responses()) {
    const before = run.ledger.outcomes(page[0]?.call ?? 0, page.at(-1)?.call ?? 0)
    const events = page.flatMap(({ call, item, shared, response }) => {
      const task = run.sources.scorer(item.source)
      const truth = people.get(call)
      // Scores of a log are not ours to repeat.
      const isGiven = task.asGiven === 'scores'
      if (isGiven && truth === undefined) return []
      scorers[task.name] = task.scorerVersion
      const found = isGiven
        ? (JSON.parse(before.get(call) ?? 'null') as Outcome)
        : scoreResponse(task, run.sources.problem(item, shared), response)
      return [
        { kind: 'score', call, scored: { scorer: task.scorerVersion, outcome: withTruth(found, truth) } } as const,
      ]
    })
    for (const { call, scored } of events) if (before.get(call) !== JSON.stringify(scored.outcome)) changed++
    await run.ledger.commit(events)
    responses += page.length
    onProgress?.(responses)
  }
  return { responses, changed, scorers }
}

export interface ReparseResult {
  /** Stored bodies of calls without a response. */
  readonly bodies: number
  /** Calls that have one now. */
  readonly reparsed: number
}

/**
 * Parses stored unreadable bodies again, more leniently than a run does: nothing is called or paid. A call that gets a
 * response this way is done.
 */
export async function reparseBodies(run: Run): Promise<ReparseResult> {
  let bodies = 0
  const rescued = new Set<number>()
  for await (const page of run.ledger.unparsedBodies()) {
    for (const body of page) {
      bodies++
      const model = run.file.models.find(({ name }) => name === body.model)
      const request = run.sources.request(body.item, body.shared, body.style)
      const messages = request.kind === 'chat' ? request.messages : []
      const answer = rescued.has(body.call) ? null : readBody(body.body(), true, messages)
      if (answer === null || model === undefined) continue
      const { started, ended, http, requestId, maxUsd } = body
      const reply = { ...answer, http, requestId }
      const call = { ...body, id: body.call, sample: 0 }
      const settings = settingsIn(body.settings) as (typeof model.settings)[number]
      const { bounds } = reserveCost(run.sources, { model: { kind: 'chat' }, spec: model }, call, settings)
      const event = responseEvent(run, model, call, { reply, started, ended }, { maxUsd: maxUsd ?? 0, bounds })
      await run.ledger.commit([event])
      rescued.add(body.call)
    }
  }
  return { bodies, reparsed: rescued.size }
}
