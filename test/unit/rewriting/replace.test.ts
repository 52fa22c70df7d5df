import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  applyRule,
  changedPerRule,
  complexity,
  countApart,
  countOverlapping,
  type Rule,
  replaceAll,
  runBounded,
  runCascade,
  symbolCount,
  traceCascade,
} from '../../../src/libraries/rewriting/index.ts'

describe('replaceAll', () => {
  it.each([
    ['aaa', 'aa', 'b', 'ba'],
    ['aaaa', 'aa', 'a', 'aa'],
    ['abab', 'ab', 'ba', 'baba'],
    ['abc', '', 'x', 'xaxbxcx'],
    ['', '', 'x', 'x'],
    ['a$b', '$', '$&', 'a$&b'],
    ['t͡sa', 't͡s', 's', 'sa'],
    ['😀a', '😀', 'b', 'ba'],
    ['😀', '', 'x', 'x😀x'],
    // Half of a pair is no occurrence.
    ['😀', '\ud83d', 'x', '😀'],
    ['a\ud83db', '\ud83d', 'x', 'axb'],
  ])('%j with %j to %j is %j', (text, left, right, expected) => {
    expect(replaceAll(text, [left, right])).toBe(expected)
  })

  it('equals split and join for every non-empty left side', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ŋ', '😀'), maxLength: 20 })
    fc.assert(
      fc.property(text, text, text, (word, left, right) => {
        fc.pre(left !== '')
        expect(replaceAll(word, [left, right])).toBe(word.split(left).join(right))
      }),
    )
  })
})

describe('cascades on many words', () => {
  const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n'), maxLength: 6 }), { maxLength: 8 })
  const side = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n'), maxLength: 3 })
  const rules = fc.array(fc.tuple(side, side), { maxLength: 4 })

  it('run word by word, whatever the words and rules hold', () => {
    fc.assert(
      fc.property(words, rules, (list, cascade) => {
        const apart = list.map((word) => cascade.reduce((now, rule) => replaceAll(now, rule), word))
        expect(runCascade(list, cascade)).toEqual(apart)
        expect(traceCascade(list, cascade).at(-1)).toEqual(apart)
      }),
      { numRuns: 500 },
    )
  })

  it('compose: running halves in turn is running the whole', () => {
    fc.assert(
      fc.property(words, rules, rules, (list, first, second) => {
        expect(runCascade(runCascade(list, first), second)).toEqual(runCascade(list, [...first, ...second]))
      }),
    )
  })

  it('are reversed by reversing words and rules, except where a left side overlaps itself', () => {
    const flip = (text: string) => [...text].reverse().join('')
    const overlaps = ([left]: Rule) => [...left].some((_, k) => k > 0 && left.startsWith(left.slice(k)))
    let exceptions = 0
    fc.assert(
      fc.property(words, rules, (list, cascade) => {
        fc.pre(cascade.every(([left]) => left !== ''))
        const there = runCascade(list, cascade).map(flip)
        const back = runCascade(
          list.map(flip),
          cascade.map(([left, right]): Rule => [flip(left), flip(right)]),
        )
        if (cascade.some(overlaps)) exceptions += there.join() === back.join() ? 0 : 1
        else expect(back).toEqual(there)
      }),
      { numRuns: 2000, seed: 3 },
    )
    expect(exceptions).toBeGreaterThan(0)
  })

  it('stop where words explode', () => {
    const tripling: Rule[] = Array.from({ length: 50 }, () => ['a', 'aaa'])
    expect(runBounded(['a', 'ba'], tripling)).toEqual({ kind: 'outgrown', rule: 11 })
    expect(() => runCascade(['a'], tripling)).toThrow(/outgrow/)
  })

  it('count what each rule changed', () => {
    const trace = traceCascade(
      ['ab', 'b', 'c'],
      [
        ['a', 'b'],
        ['b', 'c'],
        ['x', 'y'],
      ],
    )
    expect(trace).toEqual([
      ['ab', 'b', 'c'],
      ['bb', 'b', 'c'],
      ['cc', 'c', 'c'],
      ['cc', 'c', 'c'],
    ])
    expect(changedPerRule(trace)).toEqual([1, 2, 0])
    expect(
      complexity([
        ['a', 'bc'],
        ['t͡s', ''],
      ]),
    ).toBe(6)
    expect(applyRule([], ['a', 'b'])).toEqual([])
  })
})

describe('counting', () => {
  it('tells overlapping from separate occurrences', () => {
    expect([countOverlapping('aaaa', 'aa'), countApart('aaaa', 'aa')]).toEqual([3, 2])
  })
  it('counts code points', () => {
    expect([symbolCount('t͡s'), symbolCount('aː'), symbolCount('😀'), symbolCount('\ud83d')]).toEqual([3, 2, 1, 1])
  })

  it('counts half pairs as one each, at the edges of the ranges of halves too', () => {
    const unit = fc.constantFrom(0x61, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000)
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 6 }), (units) => {
        const text = String.fromCharCode(...units)
        expect(symbolCount(text)).toBe([...text].length)
      }),
      { numRuns: 2000, seed: 1 },
    )
  })
})
