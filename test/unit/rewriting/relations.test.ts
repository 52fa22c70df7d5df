import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { below, between, Sfc32 } from '../../../src/core/index.ts'
import {
  bfccDag,
  cascadeCategory,
  categoryCode,
  categoryOf,
  countOverlapping,
  type Direction,
  exactEffect,
  exactRelations,
  paperBleeds,
  paperFeeds,
  type Rule,
  relate,
  relations,
  replaceAll,
} from '../../../src/libraries/rewriting/index.ts'
import { sample } from '../../nightly.ts'
import { stringsUpTo, tryAll } from './brute.ts'
import { pairs } from './pairs.ts'

describe('the released detector', () => {
  it.each(pairs)('%s -> %s against %s', (left, right, target, feeds, bleeds) => {
    expect([paperFeeds([left, right], target), paperBleeds([left, right], target)]).toEqual([feeds === 1, bleeds === 1])
  })
})

it('a released rule that deletes bleeds what stands in the midst of its left side', () => {
  expect(paperBleeds(['abc', ''], 'b')).toBe(true)
  expect(paperBleeds(['abc', ''], 'd')).toBe(false)
})

describe('the exact classifier', () => {
  it.each(pairs)('%s -> %s against %s', (left, right, target, _f, _b, feeds, bleeds) => {
    expect(exactRelations([left, right], target)).toEqual({ feeds: feeds === 1, bleeds: bleeds === 1 })
  })

  const all = (rule: Rule, target: string): boolean[] => [
    exactEffect(rule, target, 'feeds') !== null,
    exactEffect(rule, target, 'bleeds') !== null,
  ]

  it('says the same of a rule whose letters are renamed, and of another with equal lengths what is true of that one', () => {
    const text = (letters: string, minLength: number) =>
      fc.array(fc.constantFrom(...letters), { minLength, maxLength: 3 }).map((word) => word.join(''))
    const exact = relate('exact')
    fc.assert(
      fc.property(text('abc', 1), text('abc', 0), text('abc', 1), (left, right, target) => {
        const { feeds, bleeds } = exactRelations([left, right], target)
        const bits = Number(feeds) + 2 * Number(bleeds)
        const renamed = (word: string) => word.replaceAll(/./gu, (letter) => ({ a: 'y', b: 'a', c: 'ß' })[letter] ?? '')
        expect(exact([left, right], target)).toBe(bits)
        expect(exact([renamed(left), renamed(right)], renamed(target))).toBe(bits)
      }),
      { numRuns: 500 },
    )
  })

  it('agrees with trying every string, on every triple with sides up to 2 over three letters', () => {
    // A fourth letter stands for all others; witnesses of sides up to 2 need at most 5 letters.
    const strings = stringsUpTo('abcd', 5)
    const sides = stringsUpTo('abc', 2)
    let triples = 0
    for (const left of sides.slice(1))
      for (const target of sides.slice(1)) {
        // Up to renaming: letters appear in alphabetical order of first use.
        for (const right of sides) {
          if (!inOrder(left + target + right)) continue
          triples++
          const brute = tryAll(left, right, target, strings)
          const ours = all([left, right], target)
          if (brute.join() !== ours.join())
            expect({ left, right, target, ours }).toEqual({ left, right, target, ours: brute })
        }
      }
    expect(triples).toBeGreaterThan(300)
  })

  it('agrees with trying every string, on thousands of random triples with sides up to 3', () => {
    const stream = new Sfc32(1, 2, 3, 4)
    const word = (low: number) => {
      let out = ''
      for (let n = between(stream, low, 3); n > 0; n--) out += 'ab'[below(stream, 2)]
      return out
    }
    // Two letters and no third: the hardest case for a search, and 1,023 strings decide most triples.
    const short = stringsUpTo('ab', 9)
    const memory = new Map<string, readonly boolean[]>()
    for (let n = 0; n < sample({ nightly: 10_000, otherwise: 3000 }); n++) {
      const [left, right, target] = [word(1), word(0), word(1)]
      const key = `${left} ${right} ${target}`
      const ours = all([left, right], target)
      const brute = memory.get(key) ?? tryAll(left, right, target, short)
      memory.set(key, brute)
      // What a short string shows must be found; what is claimed beyond must be shown by the witness itself.
      for (let k = 0; k < 2; k++) if (brute[k]) expect([key, k, ours[k]]).toEqual([key, k, true])
      for (const [k, direction] of (['feeds', 'bleeds'] as const).entries()) {
        if (!ours[k] || brute[k]) continue
        const effect = exactEffect([left, right], target, direction)
        expect(effect?.witness.length ?? 0, `${key} ${direction}`).toBeGreaterThan(0)
      }
    }
  })

  it('shows every claim by a string that anyone can check', () => {
    const side = (min: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: min, maxLength: 4 })
    fc.assert(
      fc.property(side(1), side(0), side(1), fc.constantFrom<Direction>('feeds', 'bleeds'), (l, r, t, d) => {
        const effect = exactEffect([l, r], t, d)
        if (effect === null) return
        const before = countOverlapping(effect.witness, t)
        const after = countOverlapping(replaceAll(effect.witness, [l, r]), t)
        expect({ before, after }).toEqual({ before: effect.before, after: effect.after })
        expect(d === 'feeds' ? after > before : after < before).toBe(true)
      }),
      { numRuns: 3000, seed: 1 },
    )
  })

  it('says the same with and without a string that shows it, also where letters alone decide', () => {
    const side = (letters: readonly string[], minLength: number, maxLength: number) =>
      fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength })
    for (const [letters, longest, seed] of [
      [['a', 'b', 'c', 'd', 'e'], 3, 4],
      [['a', 'b', '𐐷'], 6, 5],
    ] as const)
      fc.assert(
        fc.property(side(letters, 1, longest), side(letters, 0, longest), side(letters, 1, longest), (l, r, t) => {
          const [feeds, bleeds] = (['feeds', 'bleeds'] as const).map((d) => exactEffect([l, r], t, d) !== null)
          expect(exactRelations([l, r], t)).toEqual({ feeds, bleeds })
        }),
        { numRuns: 3000, seed },
      )
  })

  it('refutes the exchange of sides: b to a bleeds ab, but a to b does not feed it', () => {
    expect(exactRelations(['b', 'a'], 'ab').bleeds).toBe(true)
    expect(exactRelations(['a', 'b'], 'ab').feeds).toBe(false)
  })
})

describe('cascades', () => {
  const cascade: readonly Rule[] = [
    ['z', 'xwy'],
    ['b', 'h'],
    ['g', 'vzw'],
  ]

  it('gives the published edges and category', () => {
    expect(bfccDag(cascade, 'paper')).toEqual([
      [0, ['N'], 1],
      [0, ['N'], 2],
      [1, ['N'], 0],
      [1, ['N'], 2],
      [2, ['F'], 0],
      [2, ['N'], 1],
    ])
    expect(categoryCode(cascadeCategory(cascade, 'paper'))).toBe('0010')
    expect(relations(cascade, 'paper')).toEqual([{ from: 2, to: 0, relation: 'CF' }])
  })

  it('has none between rules that share no letter, by either classifier', () => {
    const apart: readonly Rule[] = [
      ['ab', 'a'],
      ['cd', 'c'],
      ['ef', 'ee'],
    ]
    for (const classifier of ['paper', 'exact'] as const) expect(relations(apart, classifier)).toEqual([])
  })

  it('exchanges relations and counter-relations when the order is reversed', () => {
    const rule = fc.tuple(
      fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 3 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 3 }),
    )
    fc.assert(
      fc.property(
        fc.array(rule, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('paper', 'exact' as const),
        (rules, by) => {
          const [bits, back] = [cascadeCategory(rules, by), cascadeCategory([...rules].reverse(), by)]
          expect(back).toBe(((bits & 3) << 2) | (bits >> 2))
        },
      ),
      { numRuns: 300, seed: 2 },
    )
  })

  it('takes no code but four digits', () => {
    expect(() => categoryOf('21')).toThrow(/four digits/)
  })
})

function inOrder(text: string): boolean {
  let next = 97
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > next) return false
    if (code === next) next++
  }
  return true
}
