import { type Task, UsageError } from '../../core/index.ts'
import {
  type Failure,
  failure,
  type Model,
  type ModelCall,
  type ModelReply,
  type ModelResponse,
  plainMaximum,
} from '../model.ts'
import { costsMoney, factsOf, needsOf, openModel, type Provider } from '../provider.ts'

/**
 * Another model with the task's help: its response is handed to the task's `improve`. Options, settings and secrets are
 * those of the model inside, as are its usage, its failures and its refusals.
 */
export const hybrid: Provider = {
  name: 'hybrid',
  argument: 'PROVIDER:MODEL',
  summary: 'a model whose responses the task improves, e.g. by a search that begins from them',
  needs: needsOf,
  rewrites: true,
  costs: costsMoney,
  facts(argument, providers) {
    const { probing: _, ...facts } = factsOf(argument, providers)
    return { ...facts, kind: 'chat' }
  },
  open: async (argument, options, around, providers) =>
    hybridModel(await openModel(argument, options, providers, around)),
}

function hybridModel(inner: Model): Model {
  const { close, check, wire } = inner
  return {
    name: `hybrid:${inner.name}`,
    kind: 'chat',
    route: inner.route,
    concurrency: inner.concurrency,
    remote: inner.remote ?? false,
    isLocal: inner.isLocal ?? false,
    maxInput: (input, settings) => inner.maxInput?.(input, settings) ?? input,
    maxOutput: (settings) => (inner.maxOutput ?? plainMaximum)(settings),
    reusesContext: inner.reusesContext,
    ...(wire === undefined
      ? {}
      : {
          wire: {
            ...wire,
            encode: (call) => {
              const refused = unimprovable(call)
              return refused === null ? wire.encode(call) : Promise.resolve(refused)
            },
            decode: async (call, response) => improvedReply(call, await wire.decode(call, response)),
          },
        }),
    check(task) {
      if (task.improve === undefined) throw new UsageError(cannotImprove(task))
      check?.call(inner, task)
    },
    async call(call, signal) {
      return unimprovable(call) ?? improvedReply(call, await inner.call(call, signal))
    },
    ...(close === undefined ? {} : { close: () => close.call(inner) }),
  }
}

const cannotImprove = (task: Task): string =>
  `${task.name} has no way to improve a response, which is what hybrid: does with one; name the model without "hybrid:"`

/** Why no call is made: its response would be paid for and of no use. */
const unimprovable = ({ task, request }: ModelCall): Failure | null =>
  task.improve !== undefined && request.kind === 'chat'
    ? null
    : failure('not-supported', cannotImprove(task), 'never', { boundary: 'runner', free: true })

const improvedReply = (call: ModelCall, reply: ModelReply): ModelReply =>
  reply.kind === 'failure' || reply.finish === 'refused' ? reply : improved(call, reply)

/** The improved response; the model's own stays in `raw`. */
function improved(call: ModelCall, reply: ModelResponse): ModelReply {
  try {
    const text = call.task.improve?.(call.question, reply.text, call.draws('hybrid')) ?? reply.text
    if (text === reply.text) return reply
    return { ...reply, text, finish: 'stop', logprobs: null, raw: reply.raw ?? JSON.stringify({ text: reply.text }) }
  } catch (error) {
    return failure('improve-threw', String(error), 'never', { boundary: 'task', body: reply.raw ?? reply.text })
  }
}
