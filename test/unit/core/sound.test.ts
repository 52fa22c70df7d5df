import { describe, expect, it } from 'vitest'
import parity from '../../../examples/parity.ts'
import { defineTask, type Json, type JsonObject, type TaskDefinition, type TaskSpec } from '../../../src/core/index.ts'

/** The shipped example with something changed that its author would have got wrong. */
const define = (change: { readonly [key in keyof TaskSpec<never, null, null, null, null>]?: unknown }) => () =>
  defineTask({ ...parity, ...change } as unknown as TaskDefinition<JsonObject, Json, Json, Json, Json>)

describe('defineTask refuses at once', () => {
  it.each([
    [{ name: 'bad name!' }, /a name is family\/task in lower-case letters.*got "bad name!"/],
    [{ name: 'parity' }, /a name is family\/task/],
    [{ name: `toy/${'x'.repeat(64)}` }, /at most 64/],
    [{ version: 0 }, /version is a whole number from 1, got 0/],
    [{ scorerVersion: 1.5 }, /scorerVersion is a whole number/],
    [{ parsers: undefined, grade: undefined }, /neither parsers .* nor metrics/],
    [{ grade: undefined }, /parsers and no grade/],
    [{ gold: undefined }, /neither gold .* nor noGold/],
    [{ styles: ['a', 'a'] }, /styles a stand there twice/],
  ])('%o', (change, message) => {
    expect(define(change)).toThrow(message)
  })

  it('and says all that is wrong in one go', () => {
    expect(define({ name: 'X', version: -1, gold: undefined })).toThrow(/family\/task[\s\S]*version[\s\S]*gold/)
  })

  it('nothing of a sound task', () => {
    expect(define({})).not.toThrow()
    expect(define({ gold: undefined, noGold: 'nobody knows' })).not.toThrow()
  })
})
