import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  bfccDag,
  cascadeCategory,
  categoryCode,
  type Rule,
  runCascade,
  traceCascade,
} from '../../src/rewriting/index.ts'
import { countOrders } from '../../src/tasks/pbebench/reorder/orders.ts'
import { firstSwap, inverse } from '../../src/tasks/pbebench/reorder/scramble.ts'

const shared = process.env['TOUCHSTONE_SHARED'] ?? join(import.meta.dirname, '../../../shared')
const root = join(shared, 'data/pbebench-sample/data')
const present = existsSync(root)

interface Published {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly programs: readonly string[]
  readonly bfcc_dag: readonly (readonly [number, readonly string[], number])[]
  readonly bfcc_category: string
  readonly cascade_length: number
}

const lines = <T>(name: string): T[] =>
  readFileSync(join(root, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)

const rule = (program: string): Rule => {
  const match = /^replace\("(.*)", "(.*)"\)$/.exec(program)
  if (match === null) throw new Error(`not a published program: ${program}`)
  return [match[1] as string, match[2] as string]
}

describe.skipIf(!present)('the published cascades (skipped where ../shared is absent)', () => {
  const records = present
    ? [
        ...lines<Published>('adaptive_balanced_1008_complete.jsonl'),
        ...lines<Published>('adaptive_balanced_64_hard_50_inputs_20_cascade_bbr.jsonl'),
      ]
    : []

  it('reproduce their outputs, and every rule changes a word: 114 of 114', () => {
    const right = records.filter((record) => {
      const rules = record.programs.map(rule)
      const trace = traceCascade(record.inputs, rules)
      return (
        JSON.stringify(runCascade(record.inputs, rules)) === JSON.stringify(record.outputs) &&
        trace.every((state, k) => k === 0 || JSON.stringify(state) !== JSON.stringify(trace[k - 1]))
      )
    })
    expect([right.length, records.length]).toEqual([114, 114])
  })

  it('have the stored graphs and categories under the released detector: 114 of 114', () => {
    for (const record of records) {
      const rules = record.programs.map(rule)
      expect(bfccDag(rules, 'paper')).toEqual(record.bfcc_dag)
      expect(categoryCode(cascadeCategory(rules, 'paper'))).toBe(record.bfcc_category)
    }
  })

  it('change category under the exact definition in 12 of the first 112', () => {
    const lite = records.slice(0, 112).map(({ programs }) => programs.map(rule))
    const differ = lite.filter((rules) => cascadeCategory(rules, 'paper') !== cascadeCategory(rules, 'exact'))
    expect(differ.length).toBe(12)
    const count = (labels: readonly string[], label: string) => (labels.includes(label) ? 1 : 0)
    const tally = { falseFeeding: 0, missedFeeding: 0, falseBleeding: 0, missedBleeding: 0 }
    for (const rules of lite) {
      const [paper, exact] = [bfccDag(rules, 'paper'), bfccDag(rules, 'exact')]
      for (const [k, edge] of paper.entries()) {
        const truth = exact[k]?.[1] ?? []
        tally.falseFeeding += Math.max(0, count(edge[1], 'F') - count(truth, 'F'))
        tally.missedFeeding += Math.max(0, count(truth, 'F') - count(edge[1], 'F'))
        tally.falseBleeding += Math.max(0, count(edge[1], 'B') - count(truth, 'B'))
        tally.missedBleeding += Math.max(0, count(truth, 'B') - count(edge[1], 'B'))
      }
    }
    expect(tally).toEqual({ falseFeeding: 3, missedFeeding: 0, falseBleeding: 0, missedBleeding: 11 })
  })
})

interface Permuted {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly original_programs: readonly string[]
  readonly permutation: readonly number[]
  readonly ground_truth_order: readonly number[]
  readonly num_valid_solutions: number
}

describe.skipIf(!present)('the published permutations (skipped where ../shared is absent)', () => {
  const records = present ? lines<Permuted>('adaptive_balanced_1008_permutation_promptsfile.jsonl') : []

  it('come out of the swap heuristic, with the stored numbers of valid orders: 7 of 7', () => {
    expect(records.length).toBe(7)
    for (const record of records) {
      const rules = record.original_programs.map(rule)
      const differs = (order: readonly number[]) =>
        runCascade(
          record.inputs,
          order.map((k) => rules[k] as Rule),
        ).some((word, i) => word !== record.outputs[i])
      const swapped = firstSwap(rules, 'paper', differs)
      expect(swapped).toEqual(record.permutation)
      expect(inverse(swapped ?? [])).toEqual(record.ground_truth_order)
      expect(countOrders(record.inputs, record.outputs, rules)).toBe(record.num_valid_solutions)
    }
  })
})
