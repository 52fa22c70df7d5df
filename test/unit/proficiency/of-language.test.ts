import { describe, expect, it } from 'vitest'
import type { Analysis, Estimate, Frame, Item, Table } from '../../../src/core/index.ts'
import { framesFromRows } from '../../mock/run-columns.ts'
import { nightly } from '../../nightly.ts'
import { discriminate, itemsOf, rowsOf, scored } from './run.ts'

type Rows = Awaited<ReturnType<typeof rowsOf>>

const tablesOf = async (id: string, rows: Rows) => {
  const frame = (await framesFromRows(rows)).frame('strict') as Frame
  const analysis = discriminate.analyses.find((a) => a.id === id) as Analysis
  return analysis.run(frame, { parser: 'strict', seed: 1, frameOf: () => null }).tables
}
const tableOf = async (id: string, rows: Rows) => (await tablesOf(id, rows))[0] as Table
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
      await rowsOf(itemsOf(discriminate, { ...config, languages: names.filter((_, at) => nightly || at % 2 === 0) }), {
        oracle: 'oracle',
      }),
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
  it.each(nightly ? ['g3', 'g9'] : ['g9'])(
    'a learner’s on %s is its mean over the language within four errors',
    async (language) => {
      const items = itemsOf(discriminate, {
        languages: [language],
        repetitions: 1,
        examples: [0],
        tests: 400,
        distances: [0],
      })
      const rows = await rowsOf(items, { trained: 'trained:ppm:64' })
      const { value, low, high } = (await tableOf('proficiency/loss', rows)).rows.map(
        (row) => row['nats'],
      )[0] as Estimate
      const whole = itemsOf(
        discriminate,
        { languages: [language], repetitions: 1, examples: [0], tests: 400, distances: [0], disjoint: 'fence' },
        'validation',
      )
      const other = (await tableOf('proficiency/loss', await rowsOf(whole, { trained: 'trained:ppm:64' }))).rows[0]
      const error = (high - low) / 3.92
      expect(Math.abs(value - centre(other?.['nats']))).toBeLessThan(4 * Math.SQRT2 * error)
    },
  )

  it('weights have mean 1 over a language whose strings can be listed', () => {
    const items = itemsOf(discriminate, {
      languages: ['copy'],
      repetitions: 1,
      examples: [0],
      tests: 2000,
      distances: [0],
    })
    const weights = items.map((item) => discriminate.metrics?.(item, scored(item, 'uniform'))?.['weight'] as number)
    const mean = weights.reduce((a, b) => a + b, 0) / weights.length
    const sd = Math.sqrt(weights.reduce((a, b) => a + (b - mean) ** 2, 0) / weights.length)
    expect(Math.abs(mean - 1)).toBeLessThan(0.001 + (4 * sd) / Math.sqrt(weights.length))
  })
})

describe('the length-matched AUC', () => {
  const some = { repetitions: 2, examples: [1, 16], tests: 12, distances: [0, 1, 2, 'twin'] }
  const shares = [0.9, 0.5, 0.1]
  const models = {
    mixture: 'mixture',
    ...Object.fromEntries(shares.map((p) => [`noisy ${p}`, `mixture-with-noise:${p}:mixture`])),
  }

  it.each(names.filter((_, at) => nightly || at % 8 === 0))(
    'of M2 is that of M1 on %s, by nats a token and a string, and the length alone has one half',
    async (language) => {
      const items: Item[] = itemsOf(discriminate, { ...some, languages: [language] })
      const { rows } = await tableOf('proficiency/auc', await rowsOf(items, models))
      const find = (model: string) => rows.filter((row) => row['model'] === model)
      const matched = find('length only').filter((row) => row['pairs'] !== 0)
      expect(matched.length).toBeGreaterThan(0)
      for (const row of matched) expect(centre(row['matched'])).toBe(0.5)
      for (const [i, row] of find('mixture').entries())
        for (const p of shares) {
          const second = find(`noisy ${p}`)[i]
          expect(second?.['matched']).toEqual(row['matched'])
          expect(second?.['matchedTotal']).toEqual(row['matchedTotal'])
          expect(row['matchedTotal']).toEqual(row['matched'])
          if (row['distance'] === 'twin') expect(centre(second?.['total'])).toBe(centre(row['total']))
        }
    },
  )
})

describe('where no string outside is as long as one of the language', () => {
  const config = { languages: ['g1', 'g9'], repetitions: 1, examples: [1, 4], tests: 20, distances: [0, 1] }
  const models = { ppm: 'ppm', oracle: 'oracle', 'baseline:trained:ppm:4': 'trained:ppm:4' }
  const rowsWith = () => rowsOf(itemsOf(discriminate, { ...config, edits: 'insert' }), models)
  const of = (table: Table, language: string) => table.rows.filter((row) => row['language'] === language)

  it('every table says so and keeps the plain AUC: no row is lost, no number made up', async () => {
    const rows = await rowsWith()
    for (const row of of(await tableOf('proficiency/auc', rows), 'g1')) {
      expect(row).toMatchObject({ matched: null, matchedTotal: null, pairs: 0 })
      expect(row['auc']).not.toBeNull()
    }
    const table1 = await tableOf('proficiency/table1', rows)
    const g1 = of(table1, 'g1')
    expect(new Set(g1.map((row) => row['model']))).toEqual(new Set([...Object.keys(models), 'length only']))
    for (const row of g1) expect(row).toMatchObject({ rank: null, auc: null, band: 'no pairs of equal length' })
    for (const row of of(table1, 'g9')) expect(row['rank']).not.toBeNull()
    for (const language of ['g9', 'all']) expect(of(table1, language)).toHaveLength(4)
    expect(JSON.stringify(table1)).not.toMatch(/NaN|Infinity/u)
  })

  it('the research questions compare what can be compared', async () => {
    const frame = (await framesFromRows(await rowsWith())).frame('strict') as Frame
    const analysis = discriminate.analyses.find((a) => a.id === 'proficiency/questions') as Analysis
    const { tables } = analysis.run(frame, { parser: 'strict', seed: 1, frameOf: () => null })
    const rowsOfTable = (id: string) => tables.find((table) => table.id === id)?.rows ?? []
    expect(rowsOfTable('proficiency/rq1').filter((row) => row['auc'] === null)).toHaveLength(3)
    expect(rowsOfTable('proficiency/rq3').every((row) => row['language'] === 'g9')).toBe(true)
  })

  it('the row of the length alone stands in the view of edits', async () => {
    const rows = await rowsOf(itemsOf(discriminate, config), models)
    const edits = (await tablesOf('proficiency/negatives', rows))
      .find(({ id }) => id === 'proficiency/negatives')
      ?.rows.filter((row) => row['model'] === 'length only')
    expect(edits?.length).toBeGreaterThan(0)
    for (const row of edits ?? []) {
      if (row['pairs'] !== 0) expect(centre(row['matched'])).toBe(0.5)
      else expect(row['matched']).toBeNull()
    }
    for (const row of edits ?? [])
      if (row['language'] === 'g1') expect(centre(row['auc'])).toBe(row['edit'] === 'substitute' ? 0.5 : 1)
  })
})
