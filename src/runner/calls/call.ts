import { hash } from 'node:crypto'
import { type Call, type Failure, failure, type Model, type Reply, type Settings } from '../../models/index.ts'
import type { LeasedCell, RunEvent, StoredResponse } from '../../store/index.ts'
import type { Asking } from '../folder/run.ts'
import type { RunFile } from '../folder/run-file.ts'
import { type Booking, owedFor } from '../money/cost-reservation.ts'
import type { RunModel } from '../plan/resolve.ts'
import { scoreResponse } from '../scoring/score.ts'

/** One call, made and timed. */
export interface CallResult {
  readonly reply: Reply
  /** Ms UTC when it began, and when it ended by a clock that never jumps. */
  readonly started: number
  readonly ended: number
}

interface OpenCall {
  readonly controller: AbortController
  readonly unpaid: boolean
  scores: boolean
}

/** How long scored requests under way may take where a run is told to stop, in ms. */
const GRACE_MS = 1000

/** Calls under way, so that all can be aborted at once. */
export class OpenCalls {
  private readonly open = new Set<OpenCall>()

  abortAll(): void {
    for (const { controller } of this.open) controller.abort(new DOMException('the run was aborted', 'AbortError'))
  }

  /** Breaks off what is computed here, and soon what scores given strings: it is short, or there is much of it under way. */
  breakOff(): void {
    const stopped = (): DOMException => new DOMException('the run was stopped', 'AbortError')
    for (const { controller, unpaid } of this.open) if (unpaid) controller.abort(stopped())
    setTimeout(() => {
      for (const { controller, scores } of this.open) if (scores) controller.abort(stopped())
    }, GRACE_MS).unref()
  }

  /**
   * Asks a model about a cell, for at most `seconds`. Total: what is thrown on the way is a failure.
   *
   * @param priced - money is set aside for it.
   */
  async ask(
    run: Asking,
    model: Model,
    cell: LeasedCell,
    settings: Settings,
    seconds: number,
    priced: boolean,
  ): Promise<CallResult> {
    const controller = new AbortController()
    const timer = setTimeout(
      () => controller.abort(new DOMException(`no complete response within ${seconds} s`, 'TimeoutError')),
      Math.min(seconds * 1000, 2 ** 31 - 1),
    )
    const open: OpenCall = { controller, unpaid: model.unpaid === true && !priced, scores: model.kind === 'score' }
    this.open.add(open)
    const started = Date.now()
    const from = performance.now()
    try {
      const reply = await withCall(run, cell, settings, (call) => {
        open.scores ||= call.request.kind === 'score'
        return model.ask(call, controller.signal)
      })
      const ms = reply.recorded?.ms ?? Math.round(performance.now() - from)
      return { reply: withoutSecrets(run, reply), started, ended: started + ms }
    } finally {
      clearTimeout(timer)
      this.open.delete(open)
    }
  }
}

/** Terminals and other workers are told what a provider refused with, and some name the key in it. */
const withoutSecrets = ({ redact }: Asking, reply: Reply): Reply =>
  reply.kind === 'failure' ? { ...reply, message: redact.shapes(reply.message) } : reply

/** Does something with the call that a cell stands for. Total: what is thrown on the way is a failure of the task. */
export async function withCall<T>(
  run: Asking,
  cell: LeasedCell,
  settings: Settings,
  work: (call: Call) => Promise<T>,
): Promise<T | Failure> {
  const { item, shared, style, sample } = cell
  try {
    const task = run.sources.task(item.source)
    const source = run.sources.list[item.source]
    const request = run.sources.request(item, shared, style)
    return await work({
      task,
      item: item.id,
      config: source?.kind === 'generated' ? source.config : null,
      style,
      sample,
      settings,
      request,
      question: { shared, given: item.given },
      draws: (name) => run.sources.draws(item, name, sample),
      problem: () => run.sources.problem(item, shared),
      attemptId: attemptId(run.file, cell.id, cell.attempt),
    })
  } catch (error) {
    return failure('threw', error instanceof Error ? `${error.name}: ${error.message}` : String(error), 'never', {
      boundary: 'task',
    })
  }
}

/** What the ledger keeps of an answer: secrets replaced first, so that spans are offsets into the stored text. */
export function responseEvent(
  run: Asking,
  model: RunModel,
  cell: LeasedCell,
  result: CallResult,
  booked: Booking,
): Extract<RunEvent, { kind: 'response' }> {
  const { reply, started, ended } = result
  if (reply.kind === 'failure') throw new TypeError('a failure is not a response')
  const { usage, refused, usd: owed } = owedFor(model.price, reply.usage, booked)
  const cached = reply.recorded?.source === 'cache'
  const usd = cached ? 0 : owed
  const response: StoredResponse = {
    finish: reply.finish,
    text: run.redact.known(reply.text),
    reasoning: reply.reasoning,
    logprobs: reply.logprobs,
    // An answer that does not say what it used, or says what cannot be, may have cost all that was set aside for it.
    usage: {
      ...usage,
      ...(usd !== undefined ? { usd } : booked.most > 0 ? { usdAtMost: booked.most } : {}),
      ...(refused.length > 0 ? { refused } : {}),
      ...(cached ? { cached } : {}),
    },
    raw: reply.raw,
  }
  const task = run.sources.task(cell.item.source)
  const outcome = scoreResponse(task, run.sources.problem(cell.item, cell.shared), response)
  return {
    kind: 'response',
    cell: cell.id,
    attempt: cell.attempt,
    started,
    ended,
    http: reply.http,
    requestId: reply.requestId,
    response,
    scored: { scorer: task.scorer, outcome },
  }
}

/** What the ledger keeps of a failure. `usd`: what it cost, where that is more than was booked. */
export function failureEvent(cell: LeasedCell, result: CallResult, final: boolean, usd?: number): RunEvent {
  const { reply, started, ended } = result
  if (reply.kind === 'answer') throw new TypeError('an answer is not a failure')
  const { http, requestId, boundary, code, message, free, body } = reply
  return {
    kind: 'failure',
    cell: cell.id,
    attempt: cell.attempt,
    started,
    ended,
    http,
    requestId,
    final,
    boundary,
    code,
    message,
    free,
    ...(free || usd === undefined ? {} : { usd }),
    body,
  }
}

/**
 * The name of an attempt for the outside: unique, and telling nothing of the item to who does not hold run.json, by whose
 * `id` a provider's log is matched with the ledger.
 */
export const attemptId = (file: Pick<RunFile, 'id' | 'created'>, cell: number, attempt: number): string =>
  hash('sha256', `${file.id ?? file.created}/${cell}/${attempt}`, 'hex').slice(0, 32)
