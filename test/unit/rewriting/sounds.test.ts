import { describe, expect, it } from 'vitest'
import { below, namedStream, pick } from '../../../src/core/index.ts'
import { Derivations, interactionsOf } from '../../../src/libraries/rewriting/sounds/apply.ts'
import {
  applyLaw,
  applyLaws,
  baseSounds,
  changed,
  historyOf,
  isOf,
  lawSize,
  MAX_WORD,
  parseLaw,
  plainSymbol,
  printLaw,
  type SoundLaw,
  sitesOf,
  soundOf,
  wordOf,
  wordText,
} from '../../../src/libraries/rewriting/sounds/index.ts'
import { states } from '../../../src/tasks/pbebench/sound-change/oracle.ts'
import { drawLanguage, drawWords } from '../../../src/tasks/pbebench/sound-change/sampling/language.ts'
import { naturalChanges } from '../../../src/tasks/pbebench/sound-change/sampling/natural-laws.ts'

function law(text: string): SoundLaw {
  const read = parseLaw(text)
  if (read.kind === 'none') throw new Error(`${text}: ${read.reason}`)
  return read.law
}
const made = (laws: readonly string[], word: string): string => wordText(applyLaws(laws.map(law), wordOf(word)) ?? [])

describe('sounds', () => {
  it('are each described by terms that no other base sound has together', () => {
    const described = baseSounds.map(({ symbol }) => [...soundOf(symbol).terms].sort().join())
    expect(new Set(described).size).toBe(baseSounds.length)
  })

  it('become others by terms, and stay where there is no such sound', () => {
    const cases: readonly (readonly [string, readonly string[], string])[] = [
      ['p', ['voiced'], 'b'],
      ['b', ['fricative'], 'β'],
      ['k', ['postalveolar', 'affricate'], 'tʃ'],
      ['n', ['velar'], 'ŋ'],
      ['u', ['front'], 'y'],
      ['a', ['long'], 'aː'],
      ['aː', ['nasalised'], 'ãː'],
      ['m', ['voiceless'], 'm'],
      ['a', ['velar'], 'a'],
      ['ʘ', ['voiced'], 'ʘ'],
    ]
    for (const [from, terms, to] of cases) expect(changed(soundOf(from), terms).symbol).toBe(to.normalize('NFD'))
  })

  it('are written one way', () => {
    expect(['t͡ʃ', 'ɡ', 'ãː', 'aː̃', 'ç'].map(plainSymbol)).toEqual(['tʃ', 'g', 'a\u0303ː', 'a\u0303ː', 'ç'])
    expect(isOf(soundOf('t͡ʃ'), ['affricate', 'coronal', 'obstruent', '-voiced'])).toBe(true)
    expect(isOf(soundOf('ʘ'), ['-voiced'])).toBe(false)
  })
})

describe('laws', () => {
  it('are read as they are written, and what is none is refused with a reason', () => {
    for (const text of naturalChanges.flatMap(({ changes }) => changes.flatMap(({ laws }) => laws.map(printLaw))))
      expect(printLaw(law(text))).toBe(text)
    expect(printLaw(law(' [+voice  plosive]->[-voice]/_# '))).toBe('[voiced stop] > [voiceless] / _ #')
    expect(printLaw(law('0 → e / # _ s'))).toBe('∅ > e / # _ s')
    // What is written is written again as it was, not only read alike.
    for (const text of [
      'V > ∅ / C _',
      '[consonant voiced] > s / # V {a i} _ h #',
      '[vowel] > a'.replace('[vowel]', 'V'),
      'p t > b / _ #',
      'p p p p > ∅',
      `{${'p '.repeat(39)}t} > a`,
      '[voiced voiced voiced voiced voiced voiced voiced stop] > p',
    ])
      expect(printLaw(law(text))).toBe(text)
    for (const text of [
      `{${'p '.repeat(40)}t} > a`,
      '[voiced voiced voiced voiced voiced voiced voiced voiced stop] > p',
      'p > t t t t t',
      'p > b / a a a a a _',
      'p > b / _ a a a a a',
      'p > b / a # _',
      'p > b / _ # a',
      'p > b / # # _',
      '# p > b',
      'p > b #',
      'p ∅ > b',
      '[] > p',
      '{} > p',
      'p > b / [purple] _',
      'p t > [voiced]',
      '{p t} > {b d g}',
      '[stop] > {b d}',
      '',
      'p',
      'p > ',
      '∅ > ∅',
      'p > [obstruent]',
      'p > b / V',
      'p > b / V # _ V',
      'p b > [voiced]',
      '{p t} > {b}',
      'p > {b}',
      '[purple] > p',
      'X > p',
      'p > b / V _ V _ V',
      'k > tʃ / _ (i|e)',
      'p > b / V _ (C)',
      'p > b / V _ (voiceless stop)',
      'p > b / _ C*V',
      'p > b / Vː _',
      `${'p '.repeat(5)}> b`,
      `p > ${'b'.repeat(500)}`,
    ])
      expect(parseLaw(text)).toMatchObject({ kind: 'none', reason: expect.stringMatching(/./) })
  })

  it.each([
    ['p > h / #_', 'p > h / # _'],
    ['p > h / # __', 'p > h / # _'],
    ['t>d/V__V', 't > d / V _ V'],
    ['*p > *h / ##_', 'p > h / # _'],
    ['**p → h / _#**', 'p > h / _ #'],
    ['p \\to h', 'p > h'],
    ['p,t,k > b,d,g / _ i, e', '{p t k} > {b d g} / _ {i e}'],
    ['*p, *t > h', '{p t} > h'],
    ['a: > a / _ e:', 'aː > a / _ eː'],
    ['p > h (2)', 'p > h'],
    ['p --> h', 'p > h'],
    ['p ⇒ h', 'p > h'],
    ['h < *p / #_', 'p > h / # _'],
    ['i > Ø / _CV', 'i > ∅ / _ C V'],
    ['C > ∅ / CC_', 'C > ∅ / C C _'],
    ['/p/ > [f] / #_', 'p > f / # _'],
    ['V > ∅ / word-finally', 'V > ∅ / _ #'],
    ['s > z / intervocalically', 's > z / V _ V'],
    ['a > e / V—V', 'a > e / V _ V'],
    ['[high] > [close\u2013mid] / _C#', '[high] > [close-mid] / _ C #'],
    ['p > h / # _  (word-initial)', 'p > h / # _'],
    ['p > h / # _   # devoicing', 'p > h / # _'],
    ['p > h / #_ // initial', 'p > h / # _'],
    ['p > h / # _.', 'p > h / # _'],
    ['p > h, everywhere', 'p > h'],
  ])('are read as handbooks write them: %j', (text, normal) => {
    expect(printLaw(law(text))).toBe(normal)
  })

  it.each([
    ['N > m / _ p', '"N"'],
    ['p > h / (C) _', '"("'],
    ['p > h / $_', '"$"'],
    ['p > h (word-initially)', 'narrows'],
    ['p > h / _ V, except after s', 'narrows'],
    ['p > h / _ V (only in verbs)', 'narrows'],
    ['p > q > r', 'A > B'],
  ])('name what is not understood in %j', (text, part) => {
    expect(parseLaw(text)).toMatchObject({ kind: 'none', reason: expect.stringContaining(part) })
  })

  it('apply everywhere at once, between neighbours as they were', () => {
    expect(made(['V > ∅ / V C _'], 'a p a t a k a')).toBe('a p t k')
    expect(made(['a > e / a _'], 'a a a')).toBe('a e e')
    expect(made(['a a > i'], 'a a a')).toBe('i a')
    expect(made(['∅ > e / # _ s C', 's > h / _ #'], 's t a s')).toBe('e s t a h')
    expect(made(['k > tʃ / _ [front]', '[short] > [long] / _ h C', 'h > ∅ / V _'], 'k i h t o k')).toBe('tʃ iː t o k')
    expect(made(['{p t k} > {f θ x}'], 'p a t a k')).toBe('f a θ a x')
    expect(made(['V > ∅ / _ #', '[voiced obstruent] > [voiceless] / _ #'], 't a b a')).toBe('t a p')
    expect(made(['[voiced obstruent] > [voiceless] / _ #', 'V > ∅ / _ #'], 't a b a')).toBe('t a b')
  })

  it('that make a word too long have no result', () => {
    const grow = law('∅ > a a a a')
    expect(applyLaw(grow, wordOf('p a'))).toHaveLength(14)
    expect(applyLaws([grow, grow, grow, grow], wordOf('p a'))).toBeNull()
    expect(
      applyLaw(
        grow,
        Array.from({ length: MAX_WORD }, () => 'a'),
      ),
    ).toBeNull()
  })

  it('leave a word of the greatest length, and read a law of the greatest length', () => {
    const longest = Array.from({ length: MAX_WORD }, () => 'a')
    expect(applyLaw(law('a > e'), longest)).toEqual(longest.map(() => 'e'))
    expect(applyLaw(law('a > e e / # _'), longest)).toBeNull()
    expect(applyLaw(law('a > e e / # _'), longest.slice(1))).toHaveLength(MAX_WORD)
    const padded = (length: number) => 'p > b'.padEnd(length)
    expect([parseLaw(padded(400)).kind, parseLaw(padded(401)).kind]).toEqual(['law', 'none'])
  })

  it('have a history, of every word until it outgrows its bound', () => {
    const laws = ['a > e', '∅ > a a a a', '∅ > a a a a', '∅ > a a a a', 'a > e'].map(law)
    const states = historyOf(laws, wordOf(' p  a '))
    expect(states.map((word) => word?.length)).toEqual([2, 2, 14, 74, undefined, undefined])
    expect(states[1]).toEqual(['p', 'e'])
    expect(states.slice(4)).toEqual([null, null])
  })

  it('are as long as what they say', () => {
    expect(lawSize(law('∅ > e / # p _ V #'))).toBe(6)
    expect(lawSize(law('[voiceless stop] > [voiced] / V _ V'))).toBe(5)
    expect(lawSize(law('V > ∅ / _ #'))).toBe(3)
    expect(lawSize(law('{p t} > {b d}'))).toBe(4)
  })

  it('feed, bleed and counter one another as the textbooks say', () => {
    const met = (first: string, second: string, word: string) =>
      Object.entries(new Derivations([law(first), law(second)], [wordOf(word)]).pair(0, 1).words)
        .filter(([, count]) => count > 0)
        .map(([name]) => name)
    const [loss, devoicing] = ['V > ∅ / _ #', '[voiced obstruent] > [voiceless] / _ #']
    expect(met(loss, devoicing, 't a b a')).toEqual(['feeding'])
    expect(met(devoicing, loss, 't a b a')).toEqual(['counterfeeding'])
    expect(met('k > tʃ / _ i', 'i > ∅ / _ #', 'a k i')).toEqual(['counterbleeding'])
    expect(met('i > ∅ / _ #', 'k > tʃ / _ i', 'a k i')).toEqual(['bleeding'])
    expect(met('p > t', 'k > g', 'p a k')).toEqual([])
  })
})

describe('pairs of laws', () => {
  const counts = (laws: readonly string[], words: readonly string[], earlier: number, later: number) =>
    new Derivations(laws.map(law), words.map(wordOf)).pair(earlier, later)

  it('are counted by word, with the laws between applied and those after not', () => {
    const laws = ['p > t', 't > s / _ #', 's > h', 'h > ∅']
    const words = ['a p', 'a t', 'p a', 'a s']
    const none = { feeding: 0, bleeding: 0, counterfeeding: 0, counterbleeding: 0 }
    expect(counts(laws, words, 0, 1)).toEqual({ earlier: 0, later: 1, words: { ...none, feeding: 1 } })
    expect(counts(laws, words, 0, 2).words).toEqual({ ...none, feeding: 1 })
    expect(counts(laws, words, 1, 2).words).toEqual({ ...none, feeding: 2 })
    expect(counts(laws, words, 2, 3).words).toEqual({ ...none, feeding: 3 })
    expect(counts(['s > h', 't > s'], words, 0, 1).words).toEqual({ ...none, counterfeeding: 1 })
  })

  it('say nothing of a word that outgrows its bound, on one way or on both', () => {
    const none = { feeding: 0, bleeding: 0, counterfeeding: 0, counterbleeding: 0 }
    const grow = '∅ > a a a a'
    const long = Array.from({ length: 60 }, () => 'a').join(' ')
    expect(counts([grow, 'a > e'], [long], 0, 1).words).toEqual(none)
    expect(counts([grow, 'a > e', 'e > i'], [long], 1, 2).words).toEqual(none)
    expect(counts(['a > e', grow], [long], 0, 1).words).toEqual(none)
  })

  it('that interact are told apart from those that do not', () => {
    const pairs = interactionsOf(['p > t', 't > s / _ #', 'k > x'].map(law), ['a p', 'a k'].map(wordOf))
    expect(pairs.map(({ earlier, later }) => [earlier, later])).toEqual([[0, 1]])
  })
})

/** Places of laws, drawn without regard to sense. */
const PLACES =
  'p t k b s h a i u e aː ã tʃ V C [voiceless] [voiced] [stop] [front] [high] [long] [nasal] [labial] [-labial] [-voiced consonant] {p t k} {a i}'.split(
    /(?<!\[[^\]]*|\{[^}]*) /u,
  )
const MADE = 'b d x e iː ə [voiced] [voiceless] [fricative] [long] [front] [velar] [nasalised] [high] {b d g}'.split(
  /(?<!\{[^}]*) /u,
)

it('application agrees with regular expressions written apart, on laws and words without sense', () => {
  const stream = namedStream('test/sounds/agreement')
  let [compared, changedWords] = [0, 0]
  for (let round = 0; round < 4000; round++) {
    const some = (list: readonly string[], most: number) =>
      Array.from({ length: below(stream, most + 1) }, () => pick(stream, list)).join(' ')
    const edges = below(stream, 4)
    const text = `${some(PLACES, 2) || '∅'} > ${some(MADE, 2) || '∅'} / ${edges === 1 ? '# ' : ''}${some(PLACES, 2)} _ ${some(PLACES, 2)}${edges === 2 ? ' #' : ''}`
    const read = parseLaw(text)
    if (read.kind === 'none') continue
    const words = drawWords(stream, drawLanguage(stream), 12)
    const expected = words.map((word) => {
      const after = applyLaw(read.law, word)
      return after === null ? null : wordText(after)
    })
    expect(states([printLaw(read.law)], words.map(wordText))[0], printLaw(read.law)).toEqual(expected)
    compared++
    changedWords += expected.filter((word, i) => word !== wordText(words[i] ?? [])).length
  }
  expect(compared).toBeGreaterThan(1500)
  expect(changedWords).toBeGreaterThan(600)
})

it('what two laws do to one another is as defined: places after some laws, less those after others', () => {
  const stream = namedStream('test/sounds/derivations')
  const all = [
    'V > ∅ / _ #',
    'V > ∅ / V C _ C V',
    '∅ > a / _ #',
    '[voiced obstruent] > [voiceless] / _ #',
    '[voiceless stop] > [voiced] / V _ V',
    '[voiced stop] > [fricative] / V _ V',
    'k > ʔ',
    't > k',
    'k > tʃ / _ i',
    'e > i',
  ].map(law)
  let seen = 0
  for (let round = 0; round < 60; round++) {
    const laws = Array.from({ length: 4 }, () => pick(stream, all))
    const words = drawWords(stream, drawLanguage(stream), 8)
    const places = (of: SoundLaw, before: readonly SoundLaw[], word: readonly string[]) =>
      sitesOf(of, applyLaws(before, word) ?? []).length
    const derivations = new Derivations(laws, words)
    for (const [later, b] of laws.entries())
      for (const [earlier, a] of laws.slice(0, later).entries()) {
        const [before, between] = [laws.slice(0, earlier), laws.slice(earlier + 1, later)]
        const made = words.map((word) =>
          Math.sign(places(b, [...before, a, ...between], word) - places(b, [...before, ...between], word)),
        )
        const missed = words.map((word) => Math.sign(places(a, [...before, b], word) - places(a, before, word)))
        const count = (signs: readonly number[], sign: number) => signs.filter((one) => one === sign).length
        const expected = {
          feeding: count(made, 1),
          bleeding: count(made, -1),
          counterfeeding: count(missed, 1),
          counterbleeding: count(missed, -1),
        }
        const found = derivations.pair(earlier, later).words
        expect(found).toEqual(expected)
        const met = Object.values(found).some((one) => one > 0)
        expect(derivations.meet(earlier, later)).toBe(met)
        if (met) seen++
      }
  }
  expect(seen).toBeGreaterThan(50)
})
