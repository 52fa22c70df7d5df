import { describe, expect, it } from 'vitest'
import { tokensOf } from '../../../src/libraries/grammars/pcfg/index.ts'
import { languageOf } from '../../../src/tasks/proficiency/languages/compiled.ts'
import { discriminate, itemsOf } from './run.ts'

interface Twin {
  readonly shared: { readonly grammar: string; readonly examples: readonly string[] }
  readonly given: { readonly text: string }
  readonly answer: { readonly source: string | null; readonly edits: readonly unknown[] }
}
const read = (item: unknown) => item as Twin

/** Counts of k-grams with both boundaries, by a sliding window over a padded list. */
function counts(text: string, k: number): ReadonlyMap<string, number> {
  const all = [...Array(k - 1).fill('^'), ...text.split(' '), ...Array(k - 1).fill('$')]
  const out = new Map<string, number>()
  for (let i = 0; i + k <= all.length; i++) {
    const gram = all.slice(i, i + k).join()
    out.set(gram, (out.get(gram) ?? 0) + 1)
  }
  return out
}

describe('twins', () => {
  const languages = ['g1', 'g5', 'g7']
  const items = itemsOf(discriminate, {
    languages,
    repetitions: 1,
    examples: [2],
    tests: 14,
    distances: [0, 'twin'],
  })
  const twins = items.filter((item) => item.features['kind'] === 'twin')

  it('have the k-gram counts of the string of the language with their number, and lie outside', () => {
    expect(twins.length).toBeGreaterThan(languages.length * 12)
    for (const item of twins) {
      const { given, answer, shared } = read(item)
      const member = items.find(
        ({ features }) =>
          features['kind'] === 'inside' &&
          features['language'] === item.features['language'] &&
          features['test'] === item.features['test'],
      )
      expect(answer.source).toBe(read(member).given.text)
      const order = item.features['order'] as number
      for (let k = 1; k <= order; k++) expect(counts(given.text, k)).toEqual(counts(answer.source ?? '', k))
      const language = languageOf(shared.grammar)
      expect(language.accepts(tokensOf(language.grammar, given.text) ?? [])).toBe(false)
      expect(item.features['edit']).toBe(`exchange-${order}`)
      expect(shared.examples).not.toContain(given.text)
    }
  })

  /** Trained on all other pairs of the language, answers and all; grams are summed in one order, so equal counts give equal sums. */
  it.each([1, 2, 3])(
    'naive Bayes on their k-grams up to %d is right on half of them exactly, whatever it was taught',
    (most) => {
      const pairs = twins
        .filter((item) => (item.features['order'] as number) >= most)
        .map((item) => ({
          language: item.features['language'],
          outside: read(item).given.text,
          inside: read(item).answer.source ?? '',
        }))
      expect(pairs.length).toBeGreaterThan(30)
      const grams = (text: string) =>
        Array.from({ length: most }, (_, i) =>
          [...counts(text, i + 1)].map(([gram, n]) => [`${i} ${gram}`, n] as const),
        )
          .flat()
          .sort(([a], [b]) => (a < b ? -1 : 1))
      let right = 0
      for (const pair of pairs) {
        const taught = pairs.filter((other) => other !== pair && other.language === pair.language)
        const table = (side: 'inside' | 'outside') => {
          const out = new Map<string, number>()
          for (const other of [...taught, pair])
            for (const [gram, n] of grams(other[side])) out.set(gram, (out.get(gram) ?? 0) + n)
          return out
        }
        const [yes, no] = [table('inside'), table('outside')]
        const score = (text: string) =>
          grams(text).reduce(
            (sum, [gram, n]) => sum + n * Math.log(((yes.get(gram) ?? 0) + 1) / ((no.get(gram) ?? 0) + 1)),
            0,
          )
        const [member, twin] = [score(pair.inside), score(pair.outside)]
        right += member > twin ? 1 : member === twin ? 0.5 : 0
      }
      expect(right / pairs.length).toBe(0.5)
    },
  )

  it('the oracle counts for itself: a claim of more than is so is refused', () => {
    for (const item of twins.slice(0, 20)) {
      const { shared, given, answer } = item as never as { shared: never; given: never; answer: object }
      expect(discriminate.oracle({ shared, given }, answer as never)).toBe(true)
      const { twin } = answer as { twin: { order: number } }
      const same = (k: number) => {
        const { given: own, answer: truth } = read(item)
        return [...counts(truth.source ?? '', k)].every(([gram, n]) => counts(own.text, k).get(gram) === n)
      }
      for (const order of [twin.order + 1, twin.order + 20])
        expect(discriminate.oracle({ shared, given }, { ...answer, twin: { ...twin, order } } as never)).toBe(
          same(order),
        )
    }
  })

  it('are not offered of a language that short n-grams tell: empty indices say why, and the members are asked', () => {
    const grammar = "S -> 'a' S [0.5] | 'b' [0.5]"
    const config = { repetitions: 1, examples: [1], tests: 3, distances: [0, 'twin'] }
    const source = discriminate.source(
      discriminate.configure({ ...config, languages: [{ name: 'x', grammar }, 'g4'] }),
      {
        split: 'test',
        seed: '1',
      },
    )
    const all = Array.from({ length: source.layout.size as number }, (_, index) => source.item(index))
    const empty = all.filter((item) => item.kind !== 'item')
    expect(empty).toHaveLength(all.length / 2)
    for (const item of empty) expect(item).toMatchObject({ proved: false, reason: expect.stringMatching(/too few/u) })
  })

  it('are refused beside the published split, which fixes their members', () => {
    expect(() => discriminate.configure({ disjoint: 'published', distances: [0, 'twin'] })).toThrow(/set disjoint/u)
  })
})

it('a string was edited from one that may be tested and is not in the context', () => {
  const items = itemsOf(discriminate, { languages: ['g2', 'g4'], repetitions: 3, examples: [32], tests: 12 })
  for (const item of items) {
    const { answer, shared } = read(item)
    if (answer.source !== null) expect(shared.examples).not.toContain(answer.source)
  }
})

it('the published split fills every cell where a likely string takes most of a side', () => {
  const config = { languages: ['g2'], repetitions: 3, examples: [32], tests: 450, distances: [0] }
  expect(itemsOf(discriminate, { ...config, disjoint: 'published' })).toHaveLength(3 * 450)
})
