import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Rule, runCascade } from '../../../src/libraries/rewriting/index.ts'
import { type Run, Runs } from '../../../src/tasks/pbebench/search/runs.ts'
import { SearchTables } from '../../../src/tasks/pbebench/search/search-tables.ts'

const side = fc.string({ unit: fc.constantFrom(...'abc'), minLength: 1, maxLength: 2 })
const cascade = fc.array(fc.tuple(side, side), { minLength: 2, maxLength: 6 })
const inputs = fc.array(fc.string({ unit: fc.constantFrom(...'abc'), minLength: 1, maxLength: 5 }), { minLength: 1 })

describe('runs of cascades', () => {
  it('are the same anew as after one rule came in or went', () => {
    fc.assert(
      fc.property(inputs, cascade, fc.tuple(side, side), fc.nat(), (words, rules: readonly Rule[], rule, at) => {
        const problem = { inputs: words, outputs: runCascade(words, rules), rules: 9, side: 2, letters: 'abc' }
        const tables = new SearchTables(2, problem)
        const runs = new Runs(tables, problem)
        const run = runs.of(rules) as Run
        expect(run.wrong).toEqual([])
        const place = at % rules.length
        expect(runs.inserted(run, place, tables.pieces.id(...rule))).toEqual(runs.of(rules.toSpliced(place, 0, rule)))
        const without = runs.of(rules.toSpliced(place, 1)) as Run
        expect(runs.without(run, place)).toEqual(without)
        expect(runs.wrongWithout(run, place, words.length)).toBe(without.wrong.length)
      }),
      { numRuns: 300, seed: 3 },
    )
  })

  it('end where words outgrow all bounds', () => {
    const doubling: readonly Rule[] = Array.from({ length: 40 }, () => ['a', 'aa'] as const)
    const problem = { inputs: ['a', 'b'], outputs: ['a', 'b'], rules: 40, side: 2, letters: 'ab' }
    const runs = new Runs(new SearchTables(2, problem), problem)
    expect(runs.of(doubling)).toBeNull()
    const long = runs.of(doubling.slice(0, 15)) as Run
    expect(long.wrong).toEqual([0])
    expect(runs.wrongWithout(long, 3, 9)).toBe(1)
  })
})
