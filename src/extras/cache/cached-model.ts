import { hash } from 'node:crypto'
import { failure, type Model, type ModelCall, type ModelFacts, type ModelReply } from '../../models/index.ts'
import type { RunModel } from '../../runner/plan/resolve.ts'
import { type AnswerCache, answerKey, type Kept } from './answer-cache.ts'

/** A model that looks for stored responses first, and stores new ones. */
export function cachedModel(model: Model, spec: RunModel, cache: AnswerCache): Model {
  const { maxOutput, check, close, wire } = model
  const failures = new Map<string, Kept[]>()
  const server = hash('sha256', model.route, 'hex')

  /** The stored response; null: none of this server. */
  async function kept(call: ModelCall): Promise<ModelReply | null> {
    const found = await cache.find(answerKey(spec, call))
    if (found === null || found.reply.kind === 'failure' || (found.server ?? server) !== server) return null
    return { ...found.reply, recorded: { ms: found.ms, source: 'cache' } }
  }

  async function keep(call: ModelCall, make: () => Promise<ModelReply>): Promise<ModelReply> {
    const key = answerKey(spec, call)
    const first = (await cache.find(key)) === null
    const from = performance.now()
    const reply = await make()
    const ms = Math.round(performance.now() - from)
    if (
      reply.kind === 'answer' ||
      (reply.retry === 'never' && reply.boundary === 'provider' && reply.code !== 'aborted')
    )
      await cache.keep(key, { reply, ms, server }, first)
    else if (reply.code !== 'aborted') {
      const tries = [...(failures.get(key) ?? []), { reply, ms }]
      failures.set(key, tries)
      await cache.keepTries(key, tries)
    }
    if (reply.kind === 'answer') failures.delete(key)
    return { ...reply, recorded: { ms, source: 'now' } }
  }

  return {
    ...model,
    ...(maxOutput === undefined ? {} : { maxOutput: (settings) => maxOutput.call(model, settings) }),
    ...(check === undefined ? {} : { check: (task) => check.call(model, task) }),
    ...(close === undefined ? {} : { close: () => close.call(model) }),
    async call(call, signal) {
      return (await kept(call)) ?? keep(call, () => model.call(call, signal))
    },
    ...(wire === undefined
      ? {}
      : {
          wire: {
            ...wire,
            encode: async (call) => (await kept(call)) ?? wire.encode(call),
            decode: (call, response) => keep(call, () => wire.decode(call, response)),
          },
        }),
  }
}

/** A model of which only stored responses exist: it needs no key and no network. */
export function recordedModel(spec: RunModel, cache: AnswerCache, facts: ModelFacts): Model {
  const played = new Map<string, number>()
  return {
    ...facts,
    name: spec.spec,
    route: spec.spec,
    concurrency: { start: 16, most: 16 },
    reusesContext: false,
    async call(call) {
      const key = answerKey(spec, call)
      const before = played.get(key) ?? 0
      const again = (await cache.tries(key))[before]
      if (again?.reply.kind === 'failure') {
        played.set(key, before + 1)
        // A stored failure needs no wait.
        return { ...again.reply, waitMs: 0, recorded: { ms: again.ms, source: 'record' } }
      }
      played.delete(key)
      const found = await cache.find(key)
      if (found === null) {
        const what = `${spec.spec} to ${call.item} in style ${call.style}, sample ${call.sample}`
        const missing = failure('not-recorded', `no answer of ${what}, is kept`, 'never', {
          boundary: 'runner',
          free: true,
        })
        return { ...missing, recorded: { ms: 0, source: 'record' } }
      }
      const { reply, ms } = found
      return { ...reply, recorded: { ms, source: 'record' } }
    },
  }
}

/** A model whose times mean nothing: it takes none, so that a repeated run is equal to the last byte. */
export function untimedModel(model: Model): Model {
  return {
    ...model,
    check: (task) => model.check?.(task),
    close: () => model.close?.() ?? Promise.resolve(),
    call: async (call, signal) => ({ ...(await model.call(call, signal)), recorded: { ms: 0, source: 'now' } }),
  }
}
