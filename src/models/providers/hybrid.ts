import { type Task, UsageError } from '../../core/index.ts'
import { type Answer, type Call, type Failure, failure, type Model, plainMaximum, type Reply } from '../model.ts'
import { costsMoney, factsOf, openModel, type Provider, secretsOf } from '../provider.ts'

/**
 * Another model with the task's help: its response is handed to the task's `improve`. Options, settings and secrets are
 * those of the model inside, as are its usage, its failures and its refusals.
 */
export const hybrid: Provider = {
  name: 'hybrid',
  rest: 'PROVIDER:MODEL',
  summary: 'a model whose responses the task improves, e.g. by a search that begins from them',
  secrets: (options, rest, providers) => secretsOf(rest, options, providers),
  costs: costsMoney,
  facts(rest, providers) {
    const { probing: _, ...facts } = factsOf(rest, providers)
    return { ...facts, kind: 'chat' }
  },
  open: async (rest, options, around, providers) => hybridModel(await openModel(rest, options, providers, around)),
}

function hybridModel(inner: Model): Model {
  const { close, check, wire } = inner
  return {
    name: `hybrid:${inner.name}`,
    kind: 'chat',
    route: inner.route,
    concurrency: inner.concurrency,
    remote: inner.remote ?? false,
    unpaid: inner.unpaid ?? false,
    mostInput: (input, settings) => inner.mostInput?.(input, settings) ?? input,
    mostOutput: (settings) => (inner.mostOutput ?? plainMaximum)(settings),
    byContext: inner.byContext,
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
    async ask(call, signal) {
      return unimprovable(call) ?? improvedReply(call, await inner.ask(call, signal))
    },
    ...(close === undefined ? {} : { close: () => close.call(inner) }),
  }
}

const cannotImprove = (task: Task): string =>
  `${task.name} has no way to improve a response, which is what hybrid: does with one; name the model without "hybrid:"`

/** Why no call is made: its response would be paid for and of no use. */
const unimprovable = ({ task, request }: Call): Failure | null =>
  task.improve !== undefined && request.kind === 'chat'
    ? null
    : failure('not-supported', cannotImprove(task), 'never', { boundary: 'runner', free: true })

const improvedReply = (call: Call, reply: Reply): Reply =>
  reply.kind === 'failure' || reply.finish === 'refused' ? reply : improved(call, reply)

/** The improved answer; what the model itself said stays in `raw`. */
function improved(call: Call, reply: Answer): Reply {
  try {
    const text = call.task.improve?.(call.question, reply.text, call.draws('hybrid')) ?? reply.text
    if (text === reply.text) return reply
    return { ...reply, text, finish: 'stop', logprobs: null, raw: reply.raw ?? JSON.stringify({ text: reply.text }) }
  } catch (error) {
    return failure(
      'improve-threw',
      error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      'never',
      { boundary: 'task', body: reply.raw ?? reply.text },
    )
  }
}
