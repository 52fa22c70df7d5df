import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ColumnSpec } from '../../../src/store/index.ts'
import { rowsWhere } from '../../../src/store/rows/where-clause.ts'
import { conditionsByName, type ItemsFilter, itemsFilter, keeps } from '../../../src/view/api/index.ts'
import { whereOf } from '../../../src/view/client/parts/filter-words.ts'
import { runColumns } from '../../mock/run-columns.ts'

const of = (filter: Partial<ItemsFilter>): string | null => whereOf(itemsFilter.parse(filter))

test('a subset of items is written as a condition on rows', () => {
  expect(of({})).toBeNull()
  expect(of({ task: "it's", feature: ['length>=3', 'kind=a', 'kind=b', 'length<=5'] })).toBe(
    `task = 'it''s' AND "feature_length" >= 3 AND "feature_length" <= 5 AND ("feature_kind" = 'a' OR "feature_kind" = 'b')`,
  )
})

const specs: readonly ColumnSpec[] = [
  { name: 'feature_size', type: 'integer' },
  { name: 'feature_kind', type: 'text' },
  { name: 'feature_even', type: 'boolean' },
]

test('a condition keeps the rows that the page keeps, whatever the values', () => {
  const word = fc.string({ unit: fc.constantFrom('a', "'", '"', ';', ' ', '-', 'ü'), minLength: 1, maxLength: 4 })
  const row = fc.record({ size: fc.integer({ min: 0, max: 9 }), kind: word, even: fc.boolean() })
  const conditions = fc.record({
    kinds: fc.array(word, { maxLength: 3 }),
    sizes: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 2 }),
    least: fc.option(fc.integer({ min: 0, max: 9 })),
    even: fc.option(fc.boolean()),
  })
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), conditions, (rows, asked) => {
      const feature = [
        ...asked.kinds.concat(rows[0]?.kind ?? []).map((kind) => `kind=${kind}`),
        ...asked.sizes.map((size) => `size=${size}`),
        ...(asked.least === null ? [] : [`size>=${asked.least}`]),
        ...(asked.even === null ? [] : [`even=${asked.even}`]),
      ]
      const named = rows.map(({ size, kind, even }) => ({ feature_size: size, feature_kind: kind, feature_even: even }))
      const found = rowsWhere(runColumns(specs, named), of({ feature }) ?? '')
      const byName = conditionsByName(feature)
      const kept = rows.filter((one) => [...byName].every(([name, on]) => keeps(one[name as keyof typeof one], on)))
      expect(found).toHaveLength(kept.length)
    }),
    { numRuns: 40 },
  )
})
