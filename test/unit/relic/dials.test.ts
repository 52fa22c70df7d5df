import { expect, test } from 'vitest'
import { float, namedStream } from '../../../src/core/index.ts'
import { memoryFrame } from '../../../src/libraries/statistics/index.ts'
import { dials } from '../../../src/tasks/relic/grammars/analyses.ts'

test('the dials find planted slopes: accuracy falls with work and not with rules, tokens grow as a power of work', () => {
  const stream = namedStream('dials test', '1')
  const rows = Array.from({ length: 1200 }, (_, k) => {
    const group = Math.floor(k / 8)
    const rules = 60 * 2 ** (5 * ((group * 0.618) % 1))
    const work = 32 * 2 ** (5 * float(stream))
    const chance = 1 / (1 + Math.exp(-(4 - 0.8 * (Math.log2(work) - 2))))
    return { group: `g${group}`, rules, work, value: float(stream) < chance ? 1 : 0, tokens: 10 * work ** 0.6 }
  })
  const frame = memoryFrame({
    model: rows.map(() => 'm'),
    status: rows.map(() => 'graded'),
    score: rows.map(({ value }) => value),
    group: rows.map(({ group }) => group),
    feature_work: rows.map(({ work }) => work),
    feature_rules: rows.map(({ rules }) => rules),
    output_tokens: rows.map(({ tokens }) => tokens),
  })
  const [table] = dials('parse').run(frame, {} as never).tables
  const [row] = table!.rows as unknown as readonly {
    readonly [key: string]: { readonly value: number; readonly low: number; readonly high: number }
  }[]
  expect(row!['work']!.low).toBeLessThan(-0.8)
  expect(row!['work']!.high).toBeGreaterThan(-0.8)
  expect(row!['work']!.high).toBeLessThan(-0.4)
  expect(row!['rules']!.low).toBeLessThan(0)
  expect(row!['rules']!.high).toBeGreaterThan(0)
  expect(row!['exponent']!.value).toBeCloseTo(0.6)
})
