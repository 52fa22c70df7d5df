import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Sfc32 } from '../../../src/core/index.ts'
import { type Rule, runCascade } from '../../../src/libraries/rewriting/index.ts'
import { exchange } from '../../../src/tasks/pbebench/search/exchange.ts'
import { Meter, type SearchProblem, solves } from '../../../src/tasks/pbebench/search/problem.ts'
import { SearchTables } from '../../../src/tasks/pbebench/search/search-tables.ts'

const side = fc.string({ unit: fc.constantFrom(...'abcd'), minLength: 1, maxLength: 2 })
const cascade = fc.array(fc.tuple(side, side), { minLength: 2, maxLength: 6 })
const words = fc.array(fc.string({ unit: fc.constantFrom(...'abcd'), minLength: 2, maxLength: 5 }), {
  minLength: 3,
  maxLength: 12,
})

const problemOf = (inputs: readonly string[], rules: readonly Rule[]): SearchProblem => ({
  inputs,
  outputs: runCascade(inputs, rules),
  rules: rules.length,
  side: 3,
  letters: 'abcd',
})

const walk = (problem: SearchProblem, rules: readonly Rule[], seed: number, steps = 50_000) =>
  exchange(new SearchTables(problem.side, problem), problem, rules, new Sfc32(seed, 1, 2, 3), new Meter({ steps }))

describe('exchanging rules', () => {
  it('gives a cascade that works, one rule shorter or as long, or nothing', () => {
    let [shorter, other] = [0, 0]
    fc.assert(
      fc.property(words, cascade, fc.nat(), (inputs, rules, seed) => {
        const problem = problemOf(inputs, rules)
        const found = walk(problem, rules, seed)
        if (found === null) return
        expect(solves(problem, found)).toBe(true)
        if (found.length < rules.length) {
          shorter++
          expect(found).toHaveLength(rules.length - 1)
        } else {
          other++
          expect(found).toHaveLength(rules.length)
        }
        for (const [left, right] of found) {
          expect(left.length).toBeGreaterThan(0)
          expect(Math.max(left.length, right.length)).toBeLessThanOrEqual(problem.side)
        }
      }),
      { numRuns: 200, seed: 5 },
    )
    expect(shorter).toBeGreaterThan(50)
    expect(other).toBeGreaterThan(10)
  })

  it('finds the one rule that does the work of two', () => {
    const inputs = ['xab', 'xac', 'ad', 'ce']
    const rules: readonly Rule[] = [
      ['ab', 'zb'],
      ['ac', 'zc'],
      ['ad', 'zd'],
    ]
    const problem = problemOf(inputs, rules)
    const two = walk(problem, rules, 1)
    expect(two).toHaveLength(2)
    expect(walk(problem, two as readonly Rule[], 1)).toEqual([['a', 'z']])
  })

  it('ends on its budget, and where words would outgrow all bounds', () => {
    const problem = problemOf(['ab', 'ba'], [['a', 'b']])
    expect(walk(problem, [['a', 'b']], 1, 0)).toBeNull()
    expect(walk(problem, [['a', 'b']], 1, 50)).toHaveLength(1)
    const doubling: readonly Rule[] = Array.from({ length: 40 }, () => ['a', 'aa'] as const)
    expect(walk({ ...problem, inputs: ['a'], outputs: ['b'] }, doubling, 1)).toBeNull()
  })
})
