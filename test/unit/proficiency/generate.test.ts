import { describe, expect, it } from 'vitest'
import {
  bindStreams,
  type Estimate,
  type Extraction,
  type Item,
  type Json,
  KeySpace,
  rootKey,
  streamFromKey,
  weighted,
} from '../../../src/core/index.ts'
import { expectedNeighbours, parsePcfg } from '../../../src/libraries/grammars/pcfg/index.ts'
import { memoryFrame } from '../../../src/libraries/statistics/index.ts'
import { stringDivergence } from '../../../src/tasks/proficiency/analyses/generation.ts'
import { languageOf, sampleText } from '../../../src/tasks/proficiency/languages/compiled.ts'
import { namedGrammar } from '../../../src/tasks/proficiency/languages/make.ts'
import { generate, itemsOf } from './run.ts'

const items = itemsOf(generate, { languages: ['g1', 'g7'], repetitions: 1, examples: [4], strings: 5 })
const [g1, g7] = items as [Item, Item]
const read = (item: Item, text: string, parser = 'strict') =>
  generate.parsers?.[parser]?.(text, item) as Extraction<readonly string[]>
const grade = (item: Item, answer: Json) => generate.grade?.(item, answer)

describe('reading what a model wrote', () => {
  it('strict takes nothing but strings over the alphabet, with or without spaces', () => {
    expect(read(g1, '123 654\n\n9 8 7\n')).toMatchObject({ kind: 'extracted', answer: ['1 2 3 6 5 4', '9 8 7'] })
    expect(read(g1, '<think>hm</think>\n123')).toMatchObject({ kind: 'extracted', answer: ['1 2 3'] })
    for (const text of ['Here you are:\n123', '1. 123', '120', '', '```\n123\n```', '<think>123'])
      expect(read(g1, text).kind).toBe('unparsed')
  })

  it('lenient passes over other lines and cuts list marks off', () => {
    const text = 'Here you are:\n```\n- cab\n2) `hg`\n```\nGood luck!'
    expect(read(g7, text, 'lenient')).toMatchObject({ kind: 'extracted', answer: ['c a b', 'h g'] })
    expect(read(g7, '1. c a b\n2. h ? g\n3. h g', 'lenient').kind).toBe('unparsed')
    expect(read(g7, 'I cannot do that.', 'lenient').kind).toBe('unparsed')
  })
})

describe('grading', () => {
  it('gives full marks to strings of the language, none to others, and a share to fewer', () => {
    const strings = (g1 as unknown as { answer: string[] }).answer
    expect(grade(g1, strings)).toMatchObject({ value: 1, parts: { distinct: 1, novel: 1, valid: 1 } })
    expect(grade(g1, strings)?.parts?.['surprisal']).toBeCloseTo(36 * Math.log(2), 9)
    expect(grade(g1, ['1 2 3'])).toEqual({ value: 0, parts: { member: 0, distinct: 1, valid: 0, expected: 1 } })
    expect(grade(g1, strings.slice(0, 2))?.value).toBe(0.4)
    expect(grade(g1, [...strings, '1'])?.value).toBe(5 / 6)
  })

  it('pays nothing for copies of the examples, and once for a repeated string', () => {
    const { examples } = g1.given as unknown as { examples: string[] }
    const copied = Array.from({ length: 5 }, () => examples[0] as string)
    expect(grade(g1, copied)).toMatchObject({ value: 0, parts: { member: 1, novel: 0, distinct: 0.2, valid: 0 } })
    const [once] = (g1 as unknown as { answer: string[] }).answer
    expect(
      grade(
        g1,
        Array.from({ length: 5 }, () => once as string),
      )?.value,
    ).toBe(1 / 5)
  })

  it('pays the language itself about all it can earn, and less to whoever writes only its shortest strings', () => {
    const many = itemsOf(generate, { languages: ['g3', 'g5', 'g9', 'counting'], repetitions: 2, examples: [1, 8] })
    const values = (write: (item: Item) => readonly string[]) =>
      many.map((item) => grade(item, write(item) as Json)?.value ?? 0)
    const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / list.length
    expect(values((item) => item.answer as unknown as string[])).toEqual(many.map(() => 1))
    const drawn = (item: Item, count: number) => {
      const stream = streamFromKey(new Uint8Array(16).fill(item.index))
      const language = languageOf((item.shared as unknown as { grammar: string }).grammar)
      return Array.from({ length: count }, () => sampleText(language, stream))
    }
    expect(mean(values((item) => drawn(item, 10)))).toBeGreaterThan(0.85)
    const paper = many.filter(({ features }) => features['language'] !== 'counting')
    const shortest = (item: Item) => [...new Set(drawn(item, 400))].toSorted((a, b) => a.length - b.length).slice(0, 10)
    expect(mean(paper.map((item) => grade(item, shortest(item))?.value ?? 0))).toBeLessThan(0.7)
  })
})

describe('baselines', () => {
  const answer = (item: Item, name: string) => {
    const baseline = generate.baselines?.[name]
    if (baseline?.kind !== 'chat') throw new Error(`${name} does not write`)
    const space = new KeySpace(rootKey(generate.name, 1, 'test', name))
    return read(item, baseline.answer(item, bindStreams(space, 'baseline/', [item.index], null)))
  }
  it('the language itself writes strings of it, and the uniform model none', () => {
    const own = answer(g1, 'oracle')
    const noise = answer(g1, 'uniform')
    if (own.kind !== 'extracted' || noise.kind !== 'extracted') throw new Error('both write lines')
    expect(grade(g1, own.answer)?.value).toBe(1)
    expect(grade(g1, noise.answer)?.value).toBe(0)
  })
  it('every one writes what strict can read', () => {
    for (const name of Object.keys(generate.baselines ?? {}))
      for (const item of items) expect(answer(item, name).kind).toBe('extracted')
  })
})

describe('analyses of what was written', () => {
  it('the language’s own strings are nearer to it than noise', () => {
    const texts = (name: string) =>
      items.flatMap((item) => {
        const baseline = generate.baselines?.[name]
        if (baseline?.kind !== 'chat') return []
        return Array.from({ length: 20 }, (_, sample) => {
          const space = new KeySpace(rootKey(generate.name, 1, 'test', `${name} ${sample}`))
          const found = read(item, baseline.answer(item, bindStreams(space, 'baseline/', [item.index], null)))
          if (found.kind === 'unparsed') throw new Error('baselines are read')
          const graded = grade(item, found.answer)
          return { name, item, answer: JSON.stringify(found.answer), ...graded }
        })
      })
    const rows = ['oracle', 'ppm', 'uniform'].flatMap(texts)
    const frame = memoryFrame({
      model: rows.map((row) => row.name),
      status: rows.map(() => 'graded'),
      score: rows.map((row) => row.value ?? null),
      prediction: rows.map((row) => row.answer),
      feature_language: rows.map((row) => row.item.features['language'] as string),
      feature_k: rows.map((row) => row.item.features['k'] as number),
      feature_repetition: rows.map(() => 0),
      subscore_member: rows.map((row) => row.parts?.['member'] ?? null),
      subscore_novel: rows.map((row) => row.parts?.['novel'] ?? null),
      subscore_surprisal: rows.map((row) => row.parts?.['surprisal'] ?? null),
    })
    const options = { parser: 'strict', seed: 1, frameOf: () => null }
    const [member, far] = generate.analyses.map((analysis) => analysis.run(frame, options).tables[0]?.rows ?? [])
    const of = (table: typeof member, model: string) =>
      table?.find((row) => row['model'] === model && row['language'] === 'g1')
    expect(of(member, 'oracle')).toMatchObject({ member: { value: 1 } })
    expect(of(member, 'uniform')).toMatchObject({ member: { value: 0 }, novel: null })
    expect(of(far, 'oracle')?.['pairs']).toBeLessThan(0.2)
    expect(of(far, 'uniform')?.['pairs']).toBeGreaterThan(1)
    expect(of(far, 'oracle')?.['cross']).toBeCloseTo(36 * Math.log(2), 4)
    expect(of(far, 'uniform')).toMatchObject({ seen: 1, whole: of(far, 'uniform')?.['cross'] })
  })

  it('what was cut off is counted apart, though a parser found something in it; shares stay in 0..1', () => {
    const frame = memoryFrame({
      model: ['m', 'm', 'm', 'm', 'm'],
      status: ['graded', 'graded', 'truncated', 'refused', 'error'],
      score: [1, 0, 1, null, null],
      prediction: ['["a b"]', '["b"]', '["a a b b"]', null, null],
      feature_language: ['counting', 'counting', 'counting', 'counting', 'counting'],
      feature_k: [4, 4, 4, 4, 4],
      feature_repetition: [0, 0, 0, 0, 0],
      subscore_member: [1, 0, 1, null, null],
      subscore_surprisal: [0.7, null, 1.4, null, null],
    })
    const options = { parser: 'strict', seed: 1, frameOf: () => null }
    const [written, far] = generate.analyses.map((analysis) => analysis.run(frame, options).tables[0]?.rows[0])
    // One surprisal has no interval.
    expect(written).toMatchObject({ parsed: 2, unparsed: 2, member: { value: 0.5 }, surprisal: 0.7 })
    const member = written?.['member'] as Estimate
    expect(0 < member.low && member.low < 0.2 && 0.8 < member.high && member.high < 1).toBe(true)
    expect(far).toMatchObject({ strings: 2 })
  })

  it('KL of whole strings is that of the writer’s distribution, where enough of it was seen', () => {
    const grammar = parsePcfg("S -> 'a' [1/2] | 'a' 'b' [1/4] | 'b' [1/8] | 'b' 'b' [1/8]")
    const stream = streamFromKey(new Uint8Array(16))
    const draw = (shares: { readonly [text: string]: number }) =>
      Array.from({ length: 4000 }, () =>
        (Object.keys(shares)[weighted(stream, Object.values(shares))] as string).split(' '),
      )
    const same = stringDivergence(grammar, draw({ a: 4, 'a b': 2, b: 1, 'b b': 1 }))
    expect(same.cross).toBeCloseTo(1.75 * Math.log(2), 1)
    expect(Math.abs(same.kl as number)).toBeLessThan(0.01)
    const even = stringDivergence(grammar, draw({ a: 1, 'a b': 1, b: 1, 'b b': 1 }))
    expect(even.kl).toBeCloseTo((9 / 4 - 2) * Math.log(2), 1)
    // Half of it outside the language: one outcome of probability 1e-6.
    const half = stringDivergence(grammar, draw({ a: 1, 'b a': 1 }))
    expect((half.kl as number) / (0.5 * Math.log(2) + 0.5 * Math.log(1e6) - Math.log(2))).toBeCloseTo(1, 1)
    // Strings that never come twice tell nothing of their writer's entropy.
    const words = Array.from({ length: 30 }, (_, i) => [...'a'.repeat(i + 1), ...'b'.repeat(i + 1)])
    expect(stringDivergence(namedGrammar('counting'), words)).toMatchObject({ seen: 0, kl: null })
  })

  it('expected neighbours are a distribution, and of a^n b^n what they must be', () => {
    const pairs = expectedNeighbours(namedGrammar('counting'))
    expect([...pairs.values()].reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9)
    // Mean 5 pairs: 11 neighbours a string, of which 4 are "a a".
    expect(pairs.get('a a')).toBeCloseTo(4 / 11, 6)
    expect(pairs.get('a b')).toBeCloseTo(1 / 11, 6)
    expect(pairs.get('b a')).toBeUndefined()
  })
})
