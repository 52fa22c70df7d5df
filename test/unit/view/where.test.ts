import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { conditionsByName, type ItemsFilter, itemsFilter, keeps } from '../../../src/view/api/index.ts'
import { whereOf } from '../../../src/view/client/parts/where.ts'

const of = (filter: Partial<ItemsFilter>): string | null => whereOf(itemsFilter.parse(filter))

test('a choice of items is written as a condition on rows', () => {
  expect(of({})).toBeNull()
  expect(of({ prompt: 'x' })).toBeNull()
  expect(of({ task: "it's", feature: ['length>=3', 'kind=a', 'kind=b', 'length<=5'] })).toBe(
    `task = 'it''s' AND "feature_length" >= 3 AND "feature_length" <= 5 AND ("feature_kind" = 'a' OR "feature_kind" = 'b')`,
  )
})

test('DuckDB keeps the rows that the page keeps, whatever the values', async () => {
  const connection = await (await DuckDBInstance.create()).connect()
  const word = fc.string({ unit: fc.constantFrom('a', "'", '"', ';', ' ', '-', 'ü'), minLength: 1, maxLength: 4 })
  const row = fc.record({ size: fc.integer({ min: 0, max: 9 }), kind: word, even: fc.boolean() })
  const conditions = fc.record({
    kinds: fc.array(word, { maxLength: 3 }),
    sizes: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 2 }),
    least: fc.option(fc.integer({ min: 0, max: 9 })),
    even: fc.option(fc.boolean()),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), conditions, async (rows, asked) => {
      const feature = [
        ...asked.kinds.concat(rows[0]?.kind ?? []).map((kind) => `kind=${kind}`),
        ...asked.sizes.map((size) => `size=${size}`),
        ...(asked.least === null ? [] : [`size>=${asked.least}`]),
        ...(asked.even === null ? [] : [`even=${asked.even}`]),
      ]
      await connection.run(
        'CREATE OR REPLACE TABLE r (feature_size BIGINT, feature_kind VARCHAR, feature_even BOOLEAN)',
      )
      for (const { size, kind, even } of rows)
        await connection.run('INSERT INTO r VALUES ($1, $2, $3)', [size, kind, even])
      const found = await connection.runAndReadAll(`SELECT COUNT(*) FROM r WHERE ${of({ feature })}`)
      const byName = conditionsByName(feature)
      const kept = rows.filter((one) => [...byName].every(([name, on]) => keeps(one[name as keyof typeof one], on)))
      expect(Number(found.getRows()[0]?.[0])).toBe(kept.length)
    }),
    { numRuns: 40 },
  )
})
