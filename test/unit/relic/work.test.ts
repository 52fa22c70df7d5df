import { expect, test } from 'vitest'
import { float, namedStream, runAnalysis } from '../../../src/core/index.ts'
import { memoryFrame } from '../../../src/libraries/statistics/index.ts'
import { liftedOf, type Shared, tokensOf } from '../../../src/tasks/relic/grammars/grammar.ts'
import { work } from '../../../src/tasks/relic/recognize/analyses/work.ts'
import { recognize } from '../../../src/tasks/relic/recognize/task.ts'
import { chartWorkOf, itemFacts } from '../../../src/tasks/relic/recognize/work.ts'

test('the work of an item is what a textbook chart counts', () => {
  const source = recognize.source(recognize.preset('relic-demo').config, { split: 'test', seed: '1' })
  let asked = 0
  for (let i = 0; i < 200; i += 7) {
    const item = source.item(i)
    if (item.kind !== 'item') continue
    asked++
    const question = { shared: item.shared as Shared, given: item.given as { readonly string: string } }
    const { binary, lexical } = liftedOf(question.shared).cnf
    const tokens = tokensOf(question.shared, question.given.string)
    const n = tokens.length
    const chart = Array.from({ length: n + 1 }, () => Array.from({ length: n + 1 }, () => new Set<number>()))
    const at = (from: number, to: number) => chart[from]?.[to] as Set<number>
    for (let k = 0; k < n; k++)
      for (let l = 0; l < lexical.length; l += 2)
        if (lexical[l + 1] === tokens[k]) at(k, k + 1).add(lexical[l] as number)
    let [entries, lookups, inferences] = [0, 0, 0]
    for (let width = 1; width <= n; width++)
      for (let from = 0; from + width <= n; from++) {
        const to = from + width
        for (let k = from + 1; k < to; k++) {
          lookups += at(from, k).size * at(k, to).size
          for (let b = 0; b < binary.length; b += 3)
            if (at(from, k).has(binary[b + 1] as number) && at(k, to).has(binary[b + 2] as number)) {
              inferences++
              at(from, to).add(binary[b] as number)
            }
        }
        entries += at(from, to).size
      }
    expect(chartWorkOf(question)).toEqual({ entries, lookups, inferences })
    const facts = itemFacts.of(question)()
    expect(Object.keys(facts).sort()).toEqual([...itemFacts.names].sort())
    if (item.answer === true) expect(facts['proof']).toBe(2 * n - 1)
  }
  expect(asked).toBeGreaterThan(10)
})

const made = (tokensFor: (lookups: number, noise: number) => number) => {
  const stream = namedStream('work test', '1')
  const rows = Array.from({ length: 1500 }, (_, k) => {
    const lookups = Math.round(2 ** (2 + 12 * float(stream)))
    return {
      item: `i${k}`,
      group: `g${k % 30}`,
      model: 'm',
      status: 'graded',
      prediction: 'true',
      output_tokens: tokensFor(lookups, Math.exp(0.3 * (float(stream) - 0.5))),
      feature_length: 2 + (k % 40),
      feature_label: k % 2 === 0,
      feature_nonlexical: 20 + 7 * (k % 30),
      feature_entries: lookups,
      feature_lookups: lookups,
      feature_inferences: lookups,
      feature_proof: 3 + (k % 40),
    }
  })
  const names = Object.keys(rows[0] ?? {}) as (keyof (typeof rows)[number])[]
  const frame = memoryFrame(Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])])))
  const { tables } = runAnalysis(work, frame, { parser: 'strict', seed: 1, frameOf: () => frame })
  return (id: string) => tables.find((table) => table.id === id)?.rows ?? []
}

const interval = (cell: unknown) => cell as { readonly value: number; readonly low: number; readonly high: number }

test('effort that follows work has exponent 1 and does not quit', () => {
  const of = made((lookups, noise) => 10 * lookups * noise)
  expect(of('relic/work')[0]?.['work']).toMatchObject({ value: expect.closeTo(1, 1) })
  expect(of('relic/quitting')[0]?.['quits']).toBe('no')
  expect(of('relic/allocation')[0]?.['within']).toBeGreaterThan(0.9)
})

test('effort that rises up to 200 look-ups and falls beyond is found to quit there', () => {
  const of = made((lookups, noise) => 100 * Math.min(lookups, 200) ** 0.8 * Math.max(1, lookups / 200) ** -0.2 * noise)
  const [row] = of('relic/quitting')
  expect(row?.['quits']).toBe('yes')
  const { low, high } = interval(row?.['at'])
  expect([low > 170, high < 235]).toEqual([true, true])
  const slope = (name: string) => interval(row?.[name]).value
  expect(Math.abs(slope('before') - 0.8)).toBeLessThan(0.12)
  expect(Math.abs(slope('after') + 0.2)).toBeLessThan(0.05)
})

test('effort that has nothing to do with work has exponent 0 and does not quit', () => {
  const of = made((_, noise) => 500 * noise ** 3)
  const { low, high } = interval(of('relic/work')[0]?.['work'])
  expect([low < 0, high > 0]).toEqual([true, true])
  expect(of('relic/quitting')[0]?.['quits']).toBe('no')
})
