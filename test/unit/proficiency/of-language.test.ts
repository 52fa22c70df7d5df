import { describe, expect, it } from 'vitest'
import type { Analysis, Estimate, Frame, Item, Table } from '../../../src/core/index.ts'
import { framesFromRows } from '../../../src/report/rows.ts'
import { discriminate, itemsOf, rowsOf, scored } from './run.ts'

const tableOf = async (id: string, rows: Awaited<ReturnType<typeof rowsOf>>) => {
  const frame = (await framesFromRows(rows)).frame('strict') as Frame
  const analysis = discriminate.analyses.find((a) => a.id === id) as Analysis
  return analysis.run(frame, { parser: 'strict', seed: 1, frameOf: () => null }).tables[0] as Table
}
const centre = (cell: unknown) => (typeof cell === 'number' ? cell : (cell as Estimate).value)

/** Exact string entropies in nats, as docs/families/proficiency.md lists them. */
const entropies = {
  g1: 24.9533,
  g2: 7.1465,
  g3: 16.7916,
  g4: 8.3295,
  g5: 20.4478,
  g6: 16.7916,
  g7: 20.4478,
  g8: 16.7916,
  g9: 11.054,
} as const
type Name = keyof typeof entropies
const names = Object.keys(entropies) as Name[]

const config = { repetitions: 2, examples: [2], tests: 12, distances: [0] }

describe('losses are of the language', () => {
  it('the oracle’s is H(L), whatever the fence lets a test draw', async () => {
    const table = await tableOf(
      'proficiency/loss',
      await rowsOf(itemsOf(discriminate, { ...config, languages: names }), { oracle: 'oracle' }),
    )
    for (const row of table.rows) {
      expect(centre(row['nats'])).toBeCloseTo(entropies[row['language'] as Name], 3)
      expect(centre(row['excess'])).toBeCloseTo(0, 9)
      expect(row['conditional']).toBeLessThan(row['entropy'] as number)
    }
  })

  it('so it is with the published split, whichever side the likely strings went to', async () => {
    const published = { ...config, repetitions: 3, languages: ['g2'], disjoint: 'published' }
    const table = await tableOf(
      'proficiency/loss',
      await rowsOf(itemsOf(discriminate, published), { oracle: 'oracle' }),
    )
    expect(centre(table.rows[0]?.['nats'])).toBeCloseTo(entropies.g2, 3)
  })

  /** What a model loses that is not the oracle, estimated from fenced strings, is what it loses over the whole language. */
  it.each(['g3', 'g9'])('a learner’s on %s is its mean over the language within four errors', async (language) => {
    const items = itemsOf(discriminate, {
      languages: [language],
      repetitions: 1,
      examples: [0],
      tests: 400,
      distances: [0],
    })
    const rows = await rowsOf(items, { trained: 'trained:ppm:64' })
    const { value, low, high } = (await tableOf('proficiency/loss', rows)).rows.map((row) => row['nats'])[0] as Estimate
    const whole = itemsOf(
      discriminate,
      { languages: [language], repetitions: 1, examples: [0], tests: 400, distances: [0], disjoint: 'fence' },
      'validation',
    )
    const other = (await tableOf('proficiency/loss', await rowsOf(whole, { trained: 'trained:ppm:64' }))).rows[0]
    const error = (high - low) / 3.92
    expect(Math.abs(value - centre(other?.['nats']))).toBeLessThan(4 * Math.SQRT2 * error)
  })

  it('weights have mean 1 over a language whose strings can be listed', () => {
    const items = itemsOf(discriminate, {
      languages: ['copy'],
      repetitions: 1,
      examples: [0],
      tests: 2000,
      distances: [0],
    })
    const weights = items.map((item) => discriminate.measure?.(item, scored(item, 'uniform'))?.['weight'] as number)
    const mean = weights.reduce((a, b) => a + b, 0) / weights.length
    const sd = Math.sqrt(weights.reduce((a, b) => a + (b - mean) ** 2, 0) / weights.length)
    expect(Math.abs(mean - 1)).toBeLessThan(0.001 + (4 * sd) / Math.sqrt(weights.length))
  })
})

describe('the length-matched AUC', () => {
  const some = { repetitions: 2, examples: [1, 16], tests: 15, distances: [0, 1, 'twin'] }
  const models = { mixture: 'mixture', noisy: 'mixture-with-noise:0.5:mixture', unigram: 'unigram' }

  it('of the length alone is one half, and that of M2 is that of M1, by nats a token and a string', async () => {
    const items: Item[] = itemsOf(discriminate, { ...some, languages: ['g1', 'g5'] })
    const { rows } = await tableOf('proficiency/auc', await rowsOf(items, models))
    const find = (model: string) => rows.filter((row) => row['model'] === model)
    expect(find('length only').length).toBeGreaterThan(0)
    for (const row of find('length only')) if (row['matched'] !== null) expect(centre(row['matched'])).toBe(0.5)
    for (const [i, row] of find('mixture').entries()) {
      const second = find('noisy')[i]
      expect(second?.['matched']).toEqual(row['matched'])
      expect(second?.['matchedTotal']).toEqual(row['matchedTotal'])
      expect(row['matchedTotal']).toEqual(row['matched'])
      if (row['language'] === 'g1') expect(second?.['total']).toEqual(row['total'])
    }
  })
})
