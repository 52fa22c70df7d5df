import { describe, expect, it } from 'vitest'
import {
  type Analysis,
  type Estimate,
  editDistance,
  type Frame,
  type Item,
  type JsonObject,
} from '../../../src/core/index.ts'
import { languageOf } from '../../../src/tasks/proficiency/languages/compiled.ts'
import { framesFromRows } from '../../mock/run-columns.ts'
import { discriminate, generate, itemsOf, natsOf, rowsOf, scored } from './run.ts'

const config = {
  languages: ['letters-local', 'letters-nested', 'letters-crossed', { name: 'walk', matched: {} }],
  repetitions: 2,
  examples: [1, 8],
  edits: 'length-matched',
  distances: [0, 1, 2],
  tests: 24,
}
const items = itemsOf(discriminate, config)
interface Shared {
  readonly language: string
  readonly grammar: string
}
const sharedOf = (item: Item) => item.shared as unknown as Shared
const answerOf = (item: Item) =>
  item.answer as unknown as { inside: boolean; source: string | null; edits: JsonObject[] }
const textOf = (item: Item) => (item.given as unknown as { text: string }).text

/** Words with partners, told without a grammar: tokens and capitals in the order that the arrangement has. */
function isArranged(text: string, arrangement: string): boolean {
  const tokens = text.split(' ')
  const half = tokens.length / 2
  const word = arrangement === 'local' ? tokens.filter((_, i) => i % 2 === 0) : tokens.slice(0, half)
  const rest = arrangement === 'local' ? tokens.filter((_, i) => i % 2 === 1) : tokens.slice(half)
  const partners = (arrangement === 'nested' ? rest.toReversed() : rest).map((token) => token.toLowerCase())
  return (
    Number.isInteger(half) &&
    word.join() === partners.join() &&
    word.every((token) => /^[a-d]$/u.test(token)) &&
    rest.every((token) => /^[A-D]$/u.test(token))
  )
}

describe('matched languages of three classes', () => {
  it('come as triples of one source: equal entropies, different strings', () => {
    const names = [...new Set(items.map((item) => sharedOf(item).language))]
    expect(names).toEqual(
      ['letters', 'walk'].flatMap((name) => ['local', 'nested', 'crossed'].map((a) => `${name}-${a}`)),
    )
    for (const name of ['letters', 'walk']) {
      const rows = items.filter((item) => sharedOf(item).language.startsWith(name))
      const entropies = rows
        .filter((item) => answerOf(item).inside)
        .map((item) => discriminate.metrics?.(item, scored(item, 'oracle'))?.['entropy'] as number)
      for (const entropy of entropies) expect(entropy).toBeCloseTo(entropies[0] as number, 9)
    }
  })

  it('hold strings of their arrangement, and beside them strings that are not, at the distance said', () => {
    for (const item of items) {
      const arrangement = sharedOf(item).language.split('-')[1] as string
      const { inside, source, edits } = answerOf(item)
      if (sharedOf(item).language.startsWith('letters')) expect(isArranged(textOf(item), arrangement)).toBe(inside)
      if (source !== null) {
        expect(isArranged(source, arrangement)).toBe(true)
        expect(editDistance(source.split(' '), textOf(item).split(' '))).toBe(edits.length)
      }
      const nearest = item.features['nearest'] as number
      expect(nearest).toBeGreaterThanOrEqual(inside ? 0 : 1)
      expect(nearest).toBeLessThanOrEqual(edits.length)
    }
  })

  it('are proved: the oracle agrees, the witness holds, and another truth is refused', () => {
    for (const item of items.filter(({ index }) => index % 11 === 0)) {
      const { answer } = item
      expect(discriminate.oracle?.(item, answer)).toBe(true)
      expect(discriminate.oracle?.(item, { ...(answer as JsonObject), inside: !answerOf(item).inside })).toBe(false)
      const proof = discriminate.witness?.(item)
      expect(discriminate.check?.(item, proof as never)).toBe(true)
      const dead = (proof as { dead: number | null }).dead
      if (dead !== null)
        expect(discriminate.check?.(item, { ...(proof as JsonObject), dead: dead + 1 } as never)).toBe(false)
    }
  })

  it('have a floor: the oracle loses -ln P(s), and no learner less over them all', () => {
    for (const item of items.filter((one) => answerOf(one).inside)) {
      const { floor, excess } = discriminate.metrics?.(item, scored(item, 'oracle')) ?? {}
      const language = languageOf(sharedOf(item).grammar)
      const length = textOf(item).split(' ').length
      expect(language.lengthProbability(length)).toBeGreaterThan(0)
      expect(excess).toBeCloseTo(0, 6)
      if (sharedOf(item).language.startsWith('letters'))
        expect(floor).toBeCloseTo((length / 2) * Math.log(4) - (length / 2 - 1) * Math.log(7 / 8) - Math.log(1 / 8), 9)
      expect(natsOf(scored(item, 'mixture'))).toBeGreaterThan(0)
    }
  })

  it('are compared over triples, paired, with intervals', async () => {
    const rows = await rowsOf(items, { oracle: 'oracle', uniform: 'uniform', ppm: 'ppm' })
    const frame = (await framesFromRows(rows)).frame('strict') as Frame
    const analysis = discriminate.analyses.find(({ id }) => id === 'proficiency/classes') as Analysis
    const { tables, figures } = analysis.run(frame, { parser: 'strict', seed: 1, frameOf: () => null })
    const [differences, levels] = tables
    expect(figures).toHaveLength(2)
    expect(differences?.rows).toHaveLength(3 * 2 * 3 * 3)
    expect(levels?.rows).toHaveLength(3 * 2 * 3)
    const at = (model: string, triple: string) =>
      differences?.rows.filter((row) => row['model'] === model && row['triple'] === triple) ?? []
    for (const row of at('oracle', 'all')) {
      expect((row['auc'] as Estimate).value).toBe(0)
      expect((row['excess'] as Estimate).value).toBeCloseTo(0, 6)
      expect(row['pairs']).toBe(4)
    }
    for (const row of levels?.rows ?? [])
      if (row['model'] === 'uniform') expect((row['auc'] as Estimate).value).toBe(0.5)
    // What follows a token at once is learnt by its neighbour; what waits for the other half is not.
    const first = at('ppm', 'all').find((row) => row['k'] === 8 && row['second'] === 'context-free')
    const { auc, excess } = first as { auc: Estimate; excess: Estimate }
    expect(auc.value).toBeLessThan(0)
    expect(excess.value).toBeGreaterThan(0)
  })

  it('are written, too: the language itself writes members only, graded and proved', () => {
    const asked = itemsOf(generate, { languages: ['counts-crossed'], repetitions: 1, examples: [2], strings: 3 })
    for (const item of asked) {
      expect(generate.oracle?.(item, item.answer)).toBe(true)
      expect(generate.check?.(item, generate.witness?.(item) as never)).toBe(true)
      expect(generate.grade?.(item, item.answer as never)?.value).toBe(1)
      expect(generate.oracle?.(item, ['a b A B c', 'a A', 'b B'] as never)).toBe(false)
      // One member of three, and one near miss: a third, over what the language itself earns.
      const { value, parts } = generate.grade?.(item, ['a b c A B C', 'a b c C B A'] as never) ?? {}
      expect(parts?.['valid']).toBeCloseTo(1 / 3, 4)
      expect(value).toBeCloseTo((parts?.['valid'] ?? Number.NaN) / (parts?.['expected'] ?? Number.NaN), 4)
    }
  })
})
