import { type Message, type TokenLogprob, UsageError } from '../core/index.ts'
import { httpFailure, thrownFailure } from './failures.ts'
import {
  type Failure,
  failure,
  type Model,
  type ModelCall,
  type ModelReply,
  type ModelResponse,
  plainAnswer,
} from './model.ts'
import { ScoringError } from './scoring/error.ts'
import type { ScoringModel } from './scoring/model.ts'

/** A text for a model that only continues texts: the messages one after another and a cue for the answer. */
export const chatAsContext = (messages: readonly Message[]): string =>
  `${messages.map((message) => message.content).join('\n\n')}\n\nAnswer:`

export const total = (tokens: readonly TokenLogprob[]): number => tokens.reduce((sum, token) => sum + token.logprob, 0)

/** The choice with the greatest log-probability, the earlier one among equals; `logprobs` holds one entry a choice, in nats. */
export function bestChoice(choices: readonly string[], logprobs: readonly number[]): ModelResponse {
  let best = 0
  for (let i = 1; i < choices.length; i++) if ((logprobs[i] as number) > (logprobs[best] as number)) best = i
  return plainAnswer(choices[best] ?? '', {
    logprobs: choices.map((text, i) => ({ text, logprob: logprobs[i] as number })),
  })
}

function scoringFailure(error: unknown): Failure {
  if (!(error instanceof ScoringError)) return thrownFailure(error)
  const { fault, status, message, headers, unsent } = error
  if (unsent) return failure('connect', message, 'again', { free: true })
  if (fault === 'http')
    return status === null ? failure('cut', message, 'again') : httpFailure(status, message, headers)
  return failure(fault, message, fault === 'bad-answer' ? 'again' : 'never', { http: status })
}

const cannotAnswer = (model: string, task: string): string =>
  `${model} gives probabilities of texts, and the answers to ${task} are not closed: it needs a model that chats`

/** A generation setting means nothing to a model that gives probabilities. */
export const ignoredByScoring = (call: ModelCall): readonly string[] => Object.keys(call.settings)

/**
 * A model that gives probabilities of texts. Scored requests get the log-probabilities of their text; questions with
 * closed answers are answered by the likeliest of the task's `choices`.
 */
export function scoringModel(
  scorer: ScoringModel,
  route: Pick<Model, 'name' | 'route' | 'concurrency' | 'reusesContext' | 'remote' | 'probing' | 'isLocal'>,
): Model {
  const { close } = scorer
  const { name } = route
  return {
    kind: 'score',
    ...route,
    check(task) {
      if (task.choices === undefined && task.metrics === undefined) throw new UsageError(cannotAnswer(name, task.name))
    },
    async call(call, signal): Promise<ModelReply> {
      const { request } = call
      const ignored = ignoredByScoring(call)
      try {
        if (request.kind === 'score') {
          const [tokens] = await scorer.score([{ context: request.context, text: request.text }], signal)
          return plainAnswer('', { logprobs: tokens ?? [], ignored })
        }
        const choices = call.task.choices?.(call.question) ?? []
        if (choices.length === 0)
          return failure('not-supported', cannotAnswer(name, call.task.name), 'never', {
            boundary: 'runner',
            free: true,
          })
        const context = chatAsContext(request.messages)
        const scored = await scorer.score(
          choices.map((choice) => ({ context, text: ` ${choice}` })),
          signal,
        )
        return { ...bestChoice(choices, scored.map(total)), ignored }
      } catch (error) {
        const failed = scoringFailure(error)
        // Of several requests some may have been answered, and are paid.
        return request.kind === 'score' ? failed : { ...failed, free: false }
      }
    },
    ...(close === undefined ? {} : { close: () => close.call(scorer) }),
  }
}
