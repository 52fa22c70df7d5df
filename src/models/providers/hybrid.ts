import { type Task, UsageError } from '../../core/index.ts'
import { type Answer, type Call, failure, type Model, plainMaximum, type Reply } from '../model.ts'
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
  const { close, check, batching } = inner
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
    ...(batching === undefined ? {} : { batching }),
    check(task) {
      if (task.improve === undefined) throw new UsageError(cannotImprove(task))
      check?.call(inner, task)
    },
    async ask(call, signal) {
      // Before the model is asked: its answer would be paid for and of no use.
      if (call.task.improve === undefined || call.request.kind !== 'chat')
        return failure('not-supported', cannotImprove(call.task), 'never', {
          boundary: 'runner',
          free: true,
        })
      const reply = await inner.ask(call, signal)
      return reply.kind === 'failure' || reply.finish === 'refused' ? reply : improved(call, reply)
    },
    ...(close === undefined ? {} : { close: () => close.call(inner) }),
  }
}

const cannotImprove = (task: Task): string =>
  `${task.name} has no way to improve a response, which is what hybrid: does with one; name the model without "hybrid:"`

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
