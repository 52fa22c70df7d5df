import { describe, expect, it } from 'vitest'
import type { Request } from '../../../src/core/index.ts'
import type { Bounds } from '../../../src/models/index.ts'
import { callBounds, reserveCost } from '../../../src/runner/money/cost-reservation.ts'
import type { Sources } from '../../../src/runner/plan/sources.ts'

const chat: Request = { kind: 'chat', messages: [{ role: 'user', content: 'äb' }] }
const score: Request = { kind: 'score', context: 'äb', text: 'c' }
const asked = (request: Request, choices?: readonly string[]): Sources =>
  ({
    request: () => request,
    task: () => (choices === undefined ? {} : { choices: () => choices }),
  }) as unknown as Sources
const cell = { item: { source: 0, given: {} }, shared: {}, style: 'plain' } as Parameters<typeof callBounds>[2]
const model = (kind: 'chat' | 'score', price: object | null = { input: 2, output: 3 }) =>
  ({ model: { kind }, spec: { price } }) as unknown as Parameters<typeof callBounds>[1]
const bounds = (kind: 'chat' | 'score', request: Request, choices?: readonly string[]): Bounds =>
  callBounds(asked(request, choices), model(kind), cell, { maxTokens: 7 } as Parameters<typeof callBounds>[3])

describe('what is set aside for a call', () => {
  it('of a chat is its bytes with a template, and the output that it may bring', () => {
    const { input, output } = bounds('chat', chat)
    expect(output).toBe(7)
    expect(input).toBeGreaterThan(3)
    // A byte more is a token more at most.
    const longer = bounds('chat', { kind: 'chat', messages: [{ role: 'user', content: 'äbc' }] })
    expect(longer.input - input).toBe(1)
  })

  it('of a scored string is one string, sent as often as a batch is halved', () => {
    expect(bounds('score', score)).toEqual({
      input: 5 * bounds('chat', { ...chat, messages: [...chat.messages, { role: 'user', content: 'c' }] }).input,
      output: 5,
    })
  })

  it('of a question asked by scores is every choice, one where they are not known', () => {
    const one = bounds('score', chat)
    expect(one.output).toBe(5)
    expect(bounds('score', chat, ['Yes', 'No', 'Unknown'])).toEqual({ input: 3 * one.input, output: 3 * 5 })
    // Choices do not matter to what is one string.
    expect(bounds('score', score, ['Yes', 'No', 'Unknown'])).toEqual(bounds('score', score))
  })

  it('is nothing where there is no price, and the price of all of it where there is', () => {
    const settings = { maxTokens: 7 } as Parameters<typeof reserveCost>[3]
    expect(reserveCost(asked(chat), model('chat', null), cell, settings)).toEqual({ maxUsd: 0, bounds: null })
    const { maxUsd, bounds: all } = reserveCost(asked(chat), model('chat'), cell, settings)
    expect(maxUsd).toBe(((all?.input ?? 0) * 2 + 7 * 3) / 1e6)
  })
})
