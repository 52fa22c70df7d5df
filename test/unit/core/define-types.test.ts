import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ChatTask, defineTask, type LoglikelihoodTask, type Parsers } from '../../../src/core/index.ts'

// What the compiler refuses: each `@ts-expect-error` fails the type check once its mistake is let through.

const parsers: Parsers<null, string, string> = {
  strict: (text) => ({ kind: 'extracted', answer: text, rule: 'all', span: [0, text.length] }),
  lenient: (text) => ({ kind: 'extracted', answer: text, rule: 'all', span: [0, text.length] }),
}

const common = {
  name: 'toy/types',
  summary: 'no item is ever drawn',
  version: 1,
  scorerVersion: 1,
  promptVersion: 1,
  config: z.strictObject({}),
  presets: {},
  features: z.object({}),
  layout: () => ({
    size: null,
    strata: [{}],
    layout: 'none',
    at: () => ({ stratum: 0, unit: 0, group: 0, ordinal: 0 }),
  }),
  draw: () => ({ kind: 'unreachable', proved: true, reason: 'a toy' }),
  styles: ['plain'],
  oracle: () => true,
  witness: () => null,
  check: () => true,
  analyses: [],
} as const satisfies Partial<ChatTask<object, null, null, string, string>>

const chat = { request: () => ({ kind: 'chat', messages: [] }) } as const satisfies Partial<
  ChatTask<object, null, null, string, string>
>
const scored = {
  request: () => ({ kind: 'score', context: '', text: 'x' }),
  metrics: () => ({ loss: 0 }),
} as const satisfies Partial<LoglikelihoodTask<object, null, null, string, string>>
const noGold = 'a toy'
const grade = () => ({ value: 1 })

describe('the types of defineTask', () => {
  it('take a task that is answered and one that is scored', () => {
    expect(defineTask({ ...common, ...chat, parsers, grade, gold: () => 'x' }).name).toBe('toy/types')
    expect(defineTask({ ...common, ...chat, parsers, grade, noGold }).name).toBe('toy/types')
    expect(defineTask({ ...common, ...scored, noGold }).name).toBe('toy/types')
  })

  it('refuse what the laws would refuse', () => {
    // @ts-expect-error a name is family/task
    expect(() => defineTask({ ...common, ...scored, noGold, name: 'types' })).toThrow('family/task')
    // @ts-expect-error neither parsers nor measure
    expect(() => defineTask({ ...common, ...chat, noGold })).toThrow('neither parsers')
    // @ts-expect-error parsers and no grade
    expect(() => defineTask({ ...common, ...chat, parsers, noGold })).toThrow('no grade')
    // @ts-expect-error no gold and no reason
    expect(() => defineTask({ ...common, ...chat, parsers, grade })).toThrow('neither gold')
  })

  it('keep a chat apart from a score', () => {
    // @ts-expect-error words are asked for and never read
    expect(() => defineTask({ ...common, ...scored, ...chat, noGold })).not.toThrow()
    // @ts-expect-error log-probabilities are asked for and read as words
    expect(() => defineTask({ ...common, request: scored.request, parsers, grade, noGold })).not.toThrow()
    // @ts-expect-error both kinds at once
    expect(() => defineTask({ ...common, ...scored, parsers, grade, noGold })).toThrow('both parsers')
  })
})

describe('the types of features', () => {
  const { features: _none, draw: _never, ...rest } = { ...common, ...chat, parsers, grade, noGold }
  const features = z.object({ length: z.int(), label: z.enum(['even', 'odd']), depth: z.int().nullable() })
  const drawn = { kind: 'drawn', given: 'x', answer: 'y' } as const

  it('take what is declared, with no cast', () => {
    expect(
      defineTask({
        ...rest,
        features,
        draw: () => ({ ...drawn, features: { length: 1, label: 'even', depth: null } }),
      }).name,
    ).toBe('toy/types')
    expect(
      defineTask({
        ...rest,
        features,
        draw: (_config, _shared, at) =>
          at.ordinal > 2
            ? { kind: 'unreachable', proved: true, reason: 'a toy' }
            : at.ordinal > 1
              ? { ...drawn, features: { length: 1, label: 'even', depth: 2 } }
              : { ...drawn, features: { length: 1, label: 'odd', depth: null } },
      }).name,
    ).toBe('toy/types')
  })

  it('refuse what is not declared, not given, or of another type', () => {
    const undeclared = defineTask({
      ...rest,
      features,
      // @ts-expect-error `extra` is not declared
      draw: (_config) => ({ ...drawn, features: { length: 1, label: 'even', depth: null, extra: 3 } }),
    })
    const sometimes = defineTask({
      ...rest,
      features,
      draw: (_config, _shared, at) =>
        // @ts-expect-error `extra` is not declared, though only some items have it
        at.ordinal > 1
          ? { ...drawn, features: { length: 1, label: 'even', depth: null, extra: 3 } }
          : { ...drawn, features: { length: 1, label: 'odd', depth: null } },
    })
    const missing = defineTask({
      ...rest,
      features,
      // @ts-expect-error `depth` is declared and never given
      draw: (_config) => ({ ...drawn, features: { length: 1, label: 'even' } }),
    })
    const other = defineTask({
      ...rest,
      features,
      // @ts-expect-error `label` is one of two words
      draw: (_config) => ({ ...drawn, features: { length: 1, label: 'none', depth: null } }),
    })
    const list = defineTask({
      ...rest,
      // @ts-expect-error a feature is a number, a text, a truth value or null
      features: z.object({ lengths: z.array(z.int()) }),
      draw: () => ({ kind: 'unreachable', proved: true, reason: 'a toy' }),
    })
    // A schema is not run on items: the names are checked again where an item is made, for tasks in JavaScript.
    expect([undeclared, sometimes, missing, other, list].map((task) => task.name)).toEqual(Array(5).fill('toy/types'))
  })
})
