import { describe, expect, it } from 'vitest'
import { type VerdictInput, verdictOf } from '../../../src/report/index.ts'

const input: VerdictInput = {
  a: 'cyk',
  b: 'bigram',
  difference: { value: 0.5, low: 0.42, high: 0.58 },
  p: 0.0001,
  pairs: 6,
  items: 298,
  onlyA: 149,
  onlyB: 0,
  bothCorrect: 149,
  groups: 40,
  groupsForA: 40,
  groupsForB: 0,
  groupNoun: 'grammars',
  minimumDetectable: 0.06,
  itemsNeeded: 10,
}

describe('a verdict', () => {
  it('names the better model, effect, interval, p and size', () => {
    expect(verdictOf(input)).toEqual({
      kind: 'better',
      winner: 'a',
      text: 'cyk is better than bigram: +0.50 accuracy [+0.42, +0.58], p < 0.001 (adjusted for 6 pairs), 298 items in 40 grammars.',
    })
  })

  it('is the same from the other side', () => {
    const { difference, a, b, onlyA, onlyB } = input
    const swapped = verdictOf({
      ...input,
      a: b,
      b: a,
      onlyA: onlyB,
      onlyB: onlyA,
      groupsForA: 0,
      groupsForB: 40,
      difference: { value: -difference.value, low: -difference.high, high: -difference.low },
    })
    expect(swapped).toEqual({ ...verdictOf(input), winner: 'b' })
  })

  it('of few groups says what it assumes, and what would settle it without', () => {
    const { kind, text } = verdictOf({ ...input, groups: 4, groupsForA: 4, p: 0.013, pairs: 1 })
    expect(kind).toBe('better')
    expect(text).toContain('varies over grammars like a beta distribution')
    expect(text).toContain('All 4 grammars favour cyk (p = 0.13 by their signs alone, the least that 4 can give)')
    expect(text).toContain('item by item 149 to 0')
    expect(text).toContain('8 grammars would settle it')
  })

  it('that is open says why, and what would settle it', () => {
    const open = { ...input, difference: { value: 0.08, low: -0.017, high: 0.177 }, p: 0.106 }
    expect(verdictOf({ ...open, itemsNeeded: 399 })).toMatchObject({
      kind: 'inconclusive',
      winner: null,
      text: 'Inconclusive: cyk − bigram = +0.080 [−0.017, +0.18], p = 0.11 (adjusted for 6 pairs). About 400 more items would detect this difference (80 % power).',
    })
    expect(verdictOf({ ...open, minimumDetectable: 0.04 }).kind).toBe('no-difference')
    expect(verdictOf({ ...open, groups: 4 }).text).toContain('only 4 independent grammars')
    expect(verdictOf({ ...open, groups: 1 }).kind).toBe('one-group')
  })

  it('of equal answers is a tie', () => {
    const tied = { ...input, onlyA: 0, onlyB: 0, difference: { value: 0, low: -0.01, high: 0.01 }, p: 1 }
    expect(verdictOf({ ...tied, bothCorrect: 298 }).text).toBe(
      'Tied: both answer all 298 items correctly. Use a harder preset.',
    )
    expect(verdictOf(tied).text).toBe('Tied: cyk and bigram agree on all 298 items (149 correct).')
  })

  it('of one planned comparison says that it is not adjusted', () => {
    expect(verdictOf({ ...input, pairs: 1, unadjusted: true }).text).toContain('(one planned comparison, not adjusted)')
  })

  it('of items that are their own groups counts items only', () => {
    expect(verdictOf({ ...input, groups: 298 }).text).toMatch(/298 items\.$/)
  })
})
