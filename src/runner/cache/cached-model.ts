import { hash } from 'node:crypto'
import { failure, type Model, type ModelFacts } from '../../models/index.ts'
import type { RunModel } from '../plan/resolve.ts'
import { type AnswerCache, answerKey, type Kept } from './answer-cache.ts'

/** A model that looks for stored responses first, and stores new ones. */
export function cachedModel(model: Model, spec: RunModel, cache: AnswerCache): Model {
  const { mostOutput, check, close } = model
  const failures = new Map<string, Kept[]>()
  const server = hash('sha256', model.route, 'hex')
  return {
    ...model,
    ...(mostOutput === undefined ? {} : { mostOutput: (settings) => mostOutput.call(model, settings) }),
    ...(check === undefined ? {} : { check: (task) => check.call(model, task) }),
    ...(close === undefined ? {} : { close: () => close.call(model) }),
    async ask(call, signal) {
      const key = answerKey(spec, call)
      const found = await cache.find(key)
      if (found !== null && found.reply.kind === 'answer' && (found.server ?? server) === server)
        return { ...found.reply, recorded: { ms: found.ms, source: 'cache' } }
      const from = performance.now()
      const reply = await model.ask(call, signal)
      const ms = Math.round(performance.now() - from)
      if (
        reply.kind === 'answer' ||
        (reply.retry === 'never' && reply.boundary === 'provider' && reply.code !== 'aborted')
      )
        await cache.keep(key, { reply, ms, server }, found === null)
      else if (reply.code !== 'aborted') {
        const tries = [...(failures.get(key) ?? []), { reply, ms }]
        failures.set(key, tries)
        await cache.keepTries(key, tries)
      }
      if (reply.kind === 'answer') failures.delete(key)
      return { ...reply, recorded: { ms, source: 'now' } }
    },
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
    byContext: false,
    async ask(call) {
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
    ask: async (call, signal) => ({ ...(await model.ask(call, signal)), recorded: { ms: 0, source: 'now' } }),
  }
}
