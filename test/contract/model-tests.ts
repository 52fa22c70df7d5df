import { expect, it } from 'vitest'
import type { Model } from '../../src/models/index.ts'
import { parityCall } from './parity-call.ts'

/** What every model that answers the parity task must do. `open` is called once a test. */
export function modelTests(open: () => Promise<Model>): void {
  const using = async (work: (model: Model) => Promise<void>): Promise<void> => {
    const model = await open()
    try {
      await work(model)
    } finally {
      await model.close?.()
    }
  }

  it('answers with text, a finish and counts that are counts', () =>
    using(async (model) => {
      const reply = await model.call(parityCall(), AbortSignal.timeout(20_000))
      expect(reply).toMatchObject({ kind: 'answer', text: expect.stringMatching(/Yes|No/u) })
      if (reply.kind !== 'answer') return
      expect(['stop', 'truncated', 'refused', 'unknown']).toContain(reply.finish)
      for (const count of Object.values(reply.usage)) expect(Number.isSafeInteger(count) && count >= 0).toBe(true)
      if (reply.raw !== null) JSON.parse(reply.raw)
    }))

  it('answers many calls at once, each its own', () =>
    using(async (model) => {
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, i) => model.call(parityCall(i), AbortSignal.timeout(20_000))),
      )
      expect(replies.map((reply) => reply.kind)).toEqual(Array.from({ length: 8 }, () => 'answer'))
    }))

  it('names settings it ignores by the names of the experiment', () =>
    using(async (model) => {
      const settings = {
        temperature: 0.5,
        topP: 0.9,
        topK: 20,
        maxTokens: 10,
        seed: 1,
        effort: 'low',
        thinkingBudget: 1024,
      } as const
      const reply = await model.call(parityCall(0, { settings }), AbortSignal.timeout(20_000))
      expect(reply.kind).toBe('answer')
      // What is more is why, in brackets.
      const ignored = reply.kind === 'answer' ? reply.ignored.map((name) => name.replace(/ \(.*$/u, '')) : []
      expect(Object.keys(settings)).toEqual(expect.arrayContaining(ignored))
    }))

  it('never throws when it is aborted', () =>
    using(async (model) => {
      const reply = await model.call(parityCall(), AbortSignal.abort())
      expect(['answer', 'failure']).toContain(reply.kind)
      if (reply.kind === 'failure') expect(reply).toMatchObject({ code: 'aborted', retry: 'never' })
    }))

  it('has a name, a route and room for at least one call', () =>
    using((model) => {
      expect(model.name).toMatch(/^[a-z-]+(:|$)/u)
      expect(model.route).not.toBe('')
      expect(model.concurrency.start).toBeGreaterThanOrEqual(1)
      expect(model.concurrency.most).toBeGreaterThanOrEqual(model.concurrency.start)
      return Promise.resolve()
    }))
}
