import { describe, expect, it } from 'vitest'
import { bucketsOfSplit, partitionBucket } from '../../../src/core/index.ts'
import { tokensOf } from '../../../src/libraries/grammars/pcfg/index.ts'
import { languageOf } from '../../../src/tasks/proficiency/languages/compiled.ts'
import { stringKey } from '../../../src/tasks/proficiency/languages/make.ts'
import { trainingSizes } from '../../../src/tasks/proficiency/languages/spec.ts'
import { maxTrainingSet, trainingTexts } from '../../../src/tasks/proficiency/training.ts'
import { discriminate, itemsOf } from './run.ts'

interface Shared {
  readonly language: string
  readonly grammar: string
  readonly examples: readonly string[]
  readonly held: readonly string[]
}
interface Given {
  readonly text: string
  readonly k: number
}
const small = { languages: ['g1', 'g3', 'g9'], repetitions: 2, examples: [1, 4], tests: 5 }
const sharedOf = (item: { shared: unknown }) => item.shared as Shared
const givenOf = (item: { given: unknown }) => item.given as Given
const region = (text: string) => partitionBucket('proficiency/string', stringKey(text))
const member = (item: { shared: unknown; given: unknown }) => {
  const language = languageOf(sharedOf(item).grammar)
  return language.accepts(tokensOf(language.grammar, givenOf(item).text) ?? [])
}

describe('items of the discriminative test', () => {
  const items = itemsOf(discriminate, small)

  it('fill the grid of languages, repetitions, k, tests and distances', () => {
    expect(items).toHaveLength(3 * 2 * 2 * 5 * 5)
    const cells = new Map<string, number>()
    for (const { features } of items) {
      const key = [
        features['language'],
        features['repetition'],
        features['k'],
        features['kind'],
        features['distance'],
      ].join()
      cells.set(key, (cells.get(key) ?? 0) + 1)
    }
    expect([...cells.values()].every((n) => n === 5)).toBe(true)
  })

  it('have contexts that begin one another, and the same test strings after every k', () => {
    const requests = items.map((item) => ({ item, request: discriminate.request(item, 'lines', null as never) }))
    const byTest = Map.groupBy(requests, ({ item: { group, features } }) =>
      [group, features['kind'], features['distance'], features['test']].join(),
    )
    for (const same of byTest.values()) {
      const [short, long] = same.toSorted((a, b) => givenOf(a.item).k - givenOf(b.item).k).map(({ request }) => request)
      if (short?.kind !== 'score' || long?.kind !== 'score') throw new Error('scored requests were expected')
      expect(long.context.startsWith(short.context)).toBe(true)
      expect(long.context.length).toBeGreaterThan(short.context.length)
      expect(long.text).toBe(short.text)
    }
  })

  it('are inside or outside as they say, away from the examples, with the distances they claim', () => {
    for (const item of items) {
      const { kind, distance, nearest } = item.features
      expect(member(item)).toBe(kind === 'inside')
      expect(sharedOf(item).examples).not.toContain(givenOf(item).text)
      if (kind === 'inside') expect(nearest).toBe(0)
      if (kind === 'edited') {
        expect(nearest).toBeGreaterThanOrEqual(1)
        expect(nearest).toBeLessThanOrEqual(distance as number)
        if (distance === 1) expect(nearest).toBe(1)
      }
    }
  })

  it('lie in the fence region of their split, examples in that of training', () => {
    for (const item of items) {
      expect(bucketsOfSplit('test')).toContain(region(givenOf(item).text))
      for (const example of sharedOf(item).examples) expect(bucketsOfSplit('train')).toContain(region(example))
    }
  })

  it('at distance `language` are exactly that far from the nearest string', () => {
    const exact = itemsOf(discriminate, { ...small, languages: ['g3'], nearest: 'language', distances: [1, 2, 3] })
    for (const { features } of exact) expect(features['nearest']).toBe(features['distance'])
  })

  it.each(['substitute', 'insert', 'delete'] as const)('of edit kind %s have only such edits', (edits) => {
    const only = itemsOf(discriminate, {
      languages: ['g5'],
      repetitions: 1,
      examples: [1],
      tests: 4,
      edits,
      distances: [1, 2],
    })
    for (const item of only) {
      const { answer } = item as unknown as { answer: { edits: { kind: string }[] } }
      expect(answer.edits.map((edit) => edit.kind)).toEqual(answer.edits.map(() => edits))
    }
  })

  it('of length-matched edits are as long as their source', () => {
    const matched = itemsOf(discriminate, {
      languages: ['g1', 'g5'],
      repetitions: 1,
      examples: [1],
      tests: 6,
      edits: 'length-matched',
      distances: [1, 2, 3],
    })
    for (const item of matched) {
      const { answer } = item as unknown as { answer: { source: string } }
      expect(givenOf(item).text.split(' ')).toHaveLength(answer.source.split(' ').length)
    }
  })

  it('of the published split come from its test side, examples from the other', () => {
    const published = itemsOf(discriminate, {
      languages: ['g4'],
      repetitions: 2,
      examples: [8],
      tests: 20,
      distances: [0],
      disjoint: 'published',
      pool: 200,
    })
    for (const item of published) {
      const { examples, held } = sharedOf(item)
      expect(held).toContain(givenOf(item).text)
      expect(held.filter((text) => examples.includes(text))).toEqual([])
    }
  })

  it('of random languages fence the grammar: other splits have other languages', () => {
    const languages = [{ name: 'fresh', random: { depth: 3 } }]
    const grammar = (split: string) =>
      sharedOf(itemsOf(discriminate, { languages, repetitions: 1, examples: [1], tests: 1 }, split)[0] as never).grammar
    expect(grammar('test')).not.toBe(grammar('train'))
    expect(grammar('test')).toBe(grammar('test'))
  })
})

describe('configurations that cannot work', () => {
  it.each([
    [{ languages: ['g10'] }, /expected one of g1, .*did you mean "g1"/u],
    [{ languages: [{ name: 'x', grammar: "S -> 'a' [0.5]" }] }, /language x: the probabilities of S sum to 0\.5/u],
    [{ languages: [{ name: 'x', grammar: "S -> S S [0.6] | 'a' [0.4]" }] }, /language x: .*no finite expected length/u],
    [{ languages: [{ name: 'x', grammar: "S -> 'a' [1]\nB -> 'b' [1]" }] }, /reaches B/u],
    [
      { languages: [{ name: 'x', grammar: "S -> 'a' S [0.5] | 'ab' [0.5]" }] },
      /is a prefix of "ab"; set format.separator/u,
    ],
    [{ languages: [{ name: 'x', preset: 'g9', learnt: 'g5' }] }, /it has no token .*9/u],
    [{ languages: [{ name: 'x', random: {}, learnt: 'g5' }] }, /learnt/u],
    [{ languages: ['g5'], examplesFrom: 'training', examples: [2000] }, /at most 1024 strings/u],
    [{ languages: ['g5'], disjoint: 'published', sharedTests: true }, /set disjoint to fence/u],
    [{ languages: ['g5'], edits: 'released', nearest: 'language' }, /set nearest to source/u],
    [{ languages: ['g1'], format: { terminator: '1' } }, /contains the separator or the terminator/u],
    [{ languages: [{ name: 'x', preset: 'g1', entropy: 99 }] }, /asked for 99/u],
    [{ languages: [{ name: 'x', preset: 'g1', alphabet: { 1: 'x y' } }] }, /alphabet\.1: a token has no blanks/u],
    [{ languages: [{ name: 'x', random: { tokens: ['a', `'"`] } }] }, /tokens\.1: .*not both kinds of quotes/u],
    [
      { languages: [{ name: 'x', grammar: "S -> S 'a' [0.5] | 'a' [0.5]" }], nearest: 'language' },
      /left-recursive or too large/u,
    ],
  ])('%j is refused', (config, message) => {
    expect(() => itemsOf(discriminate, { tests: 1, repetitions: 1, examples: [1], ...config })).toThrow(message)
  })

  it('a left-recursive grammar works by its chart', () => {
    const items = itemsOf(discriminate, {
      languages: [{ name: 'x', grammar: "S -> S 'a' [0.8] | 'b' [0.1] | 'c' 'c' [0.1]" }],
      repetitions: 1,
      examples: [2],
      tests: 3,
      distances: [0, 1],
    })
    for (const item of items) expect(member(item)).toBe(item.features['kind'] === 'inside')
  })
})

it('training sets are nested, in the train region and the same for every seed', () => {
  const [item] = itemsOf(discriminate, { languages: ['g1'], repetitions: 1, examples: [0], tests: 1 })
  const { grammar } = sharedOf(item as never)
  const key = { grammar, fenced: 'string', repetition: 0 } as const
  const all = trainingTexts(key, maxTrainingSet)
  expect(all).toHaveLength(1024)
  for (const size of [1, 2, 64, 512]) expect(trainingTexts(key, size)).toEqual(all.slice(0, size))
  for (const text of all.slice(0, 100)) expect(bucketsOfSplit('train')).toContain(region(text))
  expect(trainingTexts({ ...key, repetition: 1 }, 8)).not.toEqual(all.slice(0, 8))
  expect(() => trainingTexts(key, 2000)).toThrow(/at most 1024/u)
})

it('training files are nested, in two forms, and disjoint from every test string', () => {
  const config = { languages: ['g4'], repetitions: 1, examples: [0], tests: 30 }
  const exporter = discriminate.exporters?.['training']
  const filesOf = (seed: string) => {
    const source = discriminate.source(discriminate.configure(config), { split: exporter?.split ?? '', seed })
    return [...(exporter?.files(source.config, source.plan) ?? [])]
  }
  const files = filesOf('1')
  expect(files.filter(({ path }) => path.startsWith('g4-'))).toHaveLength(2 * trainingSizes.length)
  expect(files.map(({ path }) => path)).toContain('recipe.json')
  expect(filesOf('another')).toEqual(files)
  const text = (size: number) => files.find((file) => file.path === `g4-r0-${size}.txt`)?.text as string
  for (const size of [1, 2, 4, 512]) expect(text(1024).startsWith(text(size))).toBe(true)
  expect(text(8).trim().split('\n')).toHaveLength(8)
  const lines =
    files
      .find((file) => file.path === 'g4-r0-8.jsonl')
      ?.text.trim()
      .split('\n') ?? []
  expect(lines.map((line) => JSON.parse(line).messages[1].content)).toEqual(text(8).trim().split('\n'))
  const trained = new Set(text(1024).trim().split('\n'))
  for (const item of itemsOf(discriminate, config))
    expect(trained.has(givenOf(item).text.replaceAll(' ', ''))).toBe(false)
})
