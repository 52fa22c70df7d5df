import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineTask, hint, isUsageError, nearest, type Outcome, statusOf, UsageError } from '../../../src/core/index.ts'
import necklace from '../../toys/necklace.ts'

const message = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    expect(isUsageError(error)).toBe(true)
    return (error as Error).message
  }
  throw new Error('nothing was thrown')
}

describe('configs', () => {
  it('are filled up with defaults and frozen', () => {
    const config = necklace.configure({ beads: 7 })
    expect(config).toEqual({ groups: 4, beads: 7, gap: 0.5, careless: false })
    expect(Object.isFrozen(config)).toBe(true)
  })

  it('with an unknown key name the nearest one', () => {
    expect(message(() => necklace.configure({ bead: 7 }))).toMatch(/toy\/necklace.*\n.*unknown key "bead".*"beads"/s)
    expect(message(() => necklace.configure({ colour: 1 }))).toMatch(/unknown key "colour"; keys here: groups, beads/)
  })

  it('with several mistakes name each with its path', () => {
    const text = message(() => necklace.configure({ beads: 'many', gap: 3, grops: 1 }))
    expect(text).toMatch(/beads: /)
    expect(text).toMatch(/gap: /)
    expect(text).toMatch(/"grops" \(did you mean "groups"\?\)/)
  })

  it('with a value that none of several forms takes say what each expected, and once what came', () => {
    const share = z.strictObject({ share: z.number() })
    const told = defineTask({
      ...necklace,
      config: z.strictObject({
        seed: z.union([z.int(), z.string()]).default(0),
        part: z.union([z.literal('all'), share, z.strictObject({ each: z.int() })]).default('all'),
        way: z
          .discriminatedUnion('kind', [z.object({ kind: z.literal('near') }), z.object({ kind: z.literal('far') })])
          .default({ kind: 'far' }),
      }),
      presets: {},
    } as never)
    const said = (config: object) => message(() => told.configure(config)).split('\n  ')[1]
    expect(said({ seed: [1] })).toBe('seed: expected a number or a text, got [1]')
    expect(said({ part: { share: 'x' } })).toBe('part.share: expected a number, got "x"')
    expect(said({ part: 3 })).toBe('part: expected all or a mapping, got 3')
    expect(said({ part: {} })).toBe(
      'part.share: expected a number, got nothing; or part.each: expected a number, got nothing',
    )
    expect(said({ part: { share: 1, each: 1 } })).toBe(
      'part: "each" does not go with the other keys; keys here: share, each',
    )
    expect(said({ part: { shrae: 1 } })).toBe(
      'part: unknown key "shrae" (did you mean "share"?); keys here: share, each',
    )
    expect(said({ way: { kind: 'fra' } })).toBe('way.kind: expected one of near, far, got "fra" (did you mean "far"?)')
  })

  it('with text that cannot be written are refused before an item is made of them', () => {
    const told = defineTask({
      ...necklace,
      config: z.strictObject({ title: z.string().default('') }),
      presets: {},
    } as never)
    expect(told.configure({ title: 'a\u{1f9ea}' })).toEqual({ title: 'a\u{1f9ea}' })
    expect(message(() => told.configure({ title: 'a\ud800' }))).toMatch(/^this config does not fit toy\/necklace:\n/)
  })

  it.each([null, 3, 'small', [], undefined])('are objects: %j is refused', (input) => {
    message(() => necklace.configure(input))
  })
})

describe('presets', () => {
  it('are found by name and alias, as whole configs', () => {
    expect(necklace.preset('small')).toEqual({ name: 'small', config: necklace.configure({}) })
    expect(necklace.preset('tiny').name).toBe('small')
  })

  it('that do not exist: the nearest and all others are named', () => {
    expect(message(() => necklace.preset('endles'))).toMatch(
      /no preset "endles" \(did you mean "endless"\?\).*small, endless/,
    )
  })
})

describe('nearest', () => {
  /** Levenshtein distance by its definition. */
  const distance = (a: string, b: string): number => {
    if (a === '' || b === '') return a.length + b.length
    const same = a[0] === b[0] ? 0 : 1
    return Math.min(distance(a.slice(1), b) + 1, distance(a, b.slice(1)) + 1, distance(a.slice(1), b.slice(1)) + same)
  }
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 })

  it('is a candidate at the least edit distance, if that is small enough to be a slip', () => {
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 5 }), (typed, candidates) => {
        const limit = Math.max(2, Math.floor(typed.length / 3))
        const best = nearest(typed, candidates)
        const least = Math.min(...candidates.map((candidate) => distance(typed, candidate)))
        if (least > limit) expect(best).toBeUndefined()
        else expect(distance(typed, best as string)).toBe(least)
      }),
      { numRuns: 200 },
    )
  })

  it('ends a sentence, or adds nothing to it', () => {
    expect(hint('seeed', ['seed', 'split'])).toBe(' (did you mean "seed"?)')
    expect(hint('xxxxxxxx', ['seed', 'split'])).toBe('')
  })
})

describe('usage errors', () => {
  it('are known by kind, not by class', () => {
    expect(isUsageError(new UsageError('x'))).toBe(true)
    expect(isUsageError(Object.assign(new Error('from another copy'), { kind: 'usage' }))).toBe(true)
    expect(isUsageError(new Error('x'))).toBe(false)
    expect(isUsageError({ kind: 'usage' })).toBe(false)
  })
})

describe('states', () => {
  const graded = { kind: 'graded', value: 1, answer: true, rule: 'x', span: [0, 1] } as const
  const answered = (finish: 'stop' | 'truncated' | 'refused' | 'unknown'): Outcome => ({
    kind: 'answered',
    finish,
    results: { strict: { kind: 'unparsed', reason: 'x' }, lenient: graded },
  })

  it('follow the order error, refused, truncated, unparsed, graded, by parser', () => {
    expect(statusOf({ kind: 'error', source: 'task', code: 'x', message: '' }, 'strict')).toBe('error')
    expect(statusOf({ kind: 'measured', values: {} }, 'strict')).toBe('loglikelihood')
    expect(statusOf(answered('refused'), 'lenient')).toBe('refused')
    expect(statusOf(answered('truncated'), 'lenient')).toBe('truncated')
    for (const finish of ['stop', 'unknown'] as const) {
      expect(statusOf(answered(finish), 'lenient')).toBe('graded')
      expect(statusOf(answered(finish), 'strict')).toBe('unparsed')
      expect(statusOf(answered(finish), 'absent')).toBe('unparsed')
    }
  })
})
