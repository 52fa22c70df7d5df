import { describe, expect, it } from 'vitest'
import { type Item, Sfc32, type Source } from '../../../src/core/index.ts'
import {
  cascadeCategory,
  categoryCode,
  type Rule,
  runCascade,
  traceCascade,
} from '../../../src/libraries/rewriting/index.ts'
import { dealQuotas, transposed } from '../../../src/tasks/pbebench/induce/plan.ts'
import { induce } from '../../../src/tasks/pbebench/induce/task.ts'
import { drawConditional } from '../../../src/tasks/pbebench/sampling/conditional.ts'
import { imbalance } from '../../../src/tasks/pbebench/sampling/efficiency.ts'
import { propose, runPatiences, runPublished } from '../../../src/tasks/pbebench/sampling/published.ts'
import {
  ALL_LETTERS,
  type Instance,
  LITE_LETTERS,
  liteSetting as lite,
  type Setting,
} from '../../../src/tasks/pbebench/sampling/settings.ts'
import type { Examples } from '../../../src/tasks/pbebench/types.ts'

const hard: Setting = { ...lite, words: 50, letters: [...ALL_LETTERS] }

const holds = ({ inputs, outputs, rules }: Instance, setting: Setting): boolean => {
  const trace = traceCascade(inputs, rules)
  return (
    trace.at(-1)?.join() === outputs.join() &&
    trace.slice(1).every((state, k) => {
      const changed = state.filter((word, i) => word !== trace[k]?.[i]).length
      return changed >= setting.changed.min && changed <= (setting.changed.max ?? inputs.length)
    }) &&
    rules.every(([l, r]) => l !== r && l.length >= 1 && l.length <= 3 && r.length <= 3)
  )
}

describe('the conditional sampler', () => {
  it.each([2, 3, 4, 5])('fills all 16 categories of the small setting at %i rules', (length) => {
    for (let category = 0; category < 16; category++) {
      const instance = drawConditional(new Sfc32(category, length, 1, 2), lite, length, category, 5000)
      expect(instance, categoryCode(category)).not.toBeNull()
      expect(cascadeCategory(instance?.rules ?? [], 'paper')).toBe(category)
      expect(instance !== null && holds(instance, lite)).toBe(true)
    }
  })

  it.each([2, 6, 10, 15, 20, 25, 30])('fills all 16 categories of the hard setting at %i rules', (length) => {
    for (let category = 0; category < 16; category++) {
      const instance = drawConditional(new Sfc32(category, length, 3, 4), hard, length, category, 5000)
      expect(instance, categoryCode(category)).not.toBeNull()
      expect(cascadeCategory(instance?.rules ?? [], 'paper')).toBe(category)
      expect(instance !== null && holds(instance, hard)).toBe(true)
    }
  })

  it.each(['initial', 'alphabet'] as const)(
    'takes left sides from %s and obeys a range of words changed',
    (leftSides) => {
      const setting: Setting = { ...hard, letters: [...LITE_LETTERS], leftSides, changed: { min: 3, max: 12 } }
      for (let k = 0; k < 5; k++) {
        const instance = drawConditional(new Sfc32(k, 5, 6, 7), setting, 4, 15, 5000)
        expect(instance !== null && holds(instance, setting)).toBe(true)
        if (leftSides === 'initial')
          for (const [left] of instance?.rules ?? [])
            expect(instance?.inputs.some((word) => word.includes(left))).toBe(true)
      }
    },
  )

  it('obeys the exact classifier where that is asked for', () => {
    const instance = drawConditional(new Sfc32(1, 1, 1, 1), { ...lite, classifier: 'exact' }, 4, 0b1001, 5000)
    expect(cascadeCategory(instance?.rules ?? [], 'exact')).toBe(0b1001)
  })

  /**
   * How far from pure rejection: two-sample tests of features within a category that rejection reaches easily. Left
   * sides may come out a little longer or shorter, since each step is normalised by itself; the bound is on distance,
   * not on significance.
   */
  it('stays close to pure rejection where rejection is feasible', () => {
    const wanted = 0b1000
    const rejected: Instance[] = []
    for (let k = 0; rejected.length < 400; k++) {
      const instance = propose(new Sfc32(k, 8, 8, 8), lite, 4)
      if (instance !== null && cascadeCategory(instance.rules, 'paper') === wanted) rejected.push(instance)
    }
    const drawn = rejected.map((_, k) => drawConditional(new Sfc32(k, 9, 9, 9), lite, 4, wanted, 5000) as Instance)
    const features: { readonly [name: string]: (instance: Instance) => number } = {
      leftLength: ({ rules }) => mean(rules.map(([left]) => left.length)),
      rightLength: ({ rules }) => mean(rules.map(([, right]) => right.length)),
      outputLength: ({ outputs }) => mean(outputs.map((word) => word.length)),
      distinctLetters: ({ rules }) => new Set(rules.flat().join('')).size,
      wordsChanged: ({ inputs, outputs }) => inputs.filter((word, i) => word !== outputs[i]).length,
    }
    for (const [name, of] of Object.entries(features)) {
      // The largest distance of the two distribution functions.
      const [a, b] = [rejected.map(of), drawn.map(of)]
      const apart = [...a, ...b].map((x) => Math.abs(upTo(a, x) - upTo(b, x)))
      expect(Math.max(...apart), name).toBeLessThan(0.16)
    }
  })
})

const upTo = (values: readonly number[], x: number): number =>
  values.filter((value) => value <= x).length / values.length
const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length

describe('quotas', () => {
  const open = (rows: number) => Array.from({ length: rows }, () => Array.from({ length: 16 }, () => true))
  const column = (rows: readonly (readonly number[])[], k: number) => rows.map((row) => row[k] as number)

  it('give the small set 63 items a category, lengths within one of each other', () => {
    const rows = dealQuotas(1008, open(4), new Sfc32(1, 2, 3, 4))
    for (let k = 0; k < 16; k++) {
      const cells = column(rows, k)
      expect(cells.reduce((sum, n) => sum + n, 0)).toBe(63)
      expect(Math.max(...cells) - Math.min(...cells)).toBeLessThanOrEqual(1)
    }
  })

  it('give the balanced set 4 items in each of 464 cells', () => {
    const rows = dealQuotas(1856, open(29), new Sfc32(1, 2, 3, 4))
    expect(new Set(rows.flat())).toEqual(new Set([4]))
  })

  it('hand the quota of a closed cell to the other categories of its length', () => {
    const shut = open(2)
    ;(shut[0] as boolean[])[3] = false
    const rows = dealQuotas(320, shut, new Sfc32(1, 2, 3, 4))
    expect(rows.map((row) => row.reduce((sum, n) => sum + n, 0))).toEqual([160, 160])
    expect(rows[0]?.[3]).toBe(0)
    expect(Math.max(...(rows[0] ?? []))).toBe(11)
  })

  it('hand it to the other lengths of its category, where categories are to be even', () => {
    const one = Array.from({ length: 16 }, (_, k) => k === 0)
    const columns = transposed([one, ...open(4)])
    const rows = transposed(dealQuotas(240, columns, new Sfc32(1, 2, 3, 4)))
    for (let k = 0; k < 16; k++) expect(column(rows, k).reduce((sum, n) => sum + n, 0)).toBe(15)
    expect(rows[0]).toEqual(one.map((live) => (live ? 3 : 0)))
  })
})

describe('the task', () => {
  const open = (preset: string): Source => induce.source(induce.preset(preset).config, { split: 'test', seed: 7 })

  it('promises the published sizes by name', () => {
    const promised = {
      'pbebench-lite': 1008,
      'pbebench-lite-moreeg': 240,
      pbebench: 1216,
      'pbebench-25-30': 128,
      'pbebench-balanced-2-30': 1856,
      'pbebench-100-inputs-11-20': 240,
    }
    const sizes = Object.keys(promised).map((name) => [name, open(name).layout.size])
    expect(Object.fromEntries(sizes)).toEqual(promised)
  })

  it('has 15 of each category in the published set of more pairs, as the paper says', () => {
    const { layout } = open('pbebench-lite-moreeg-published')
    const strata = Array.from({ length: layout.size ?? 0 }, (_, index) => {
      const place = layout.at(index)
      return 'stratum' in place ? layout.strata[place.stratum] : null
    })
    const byCategory = Map.groupBy(strata, (stratum) => stratum?.['category'])
    expect([...byCategory.values()].map((of) => of.length)).toEqual(Array.from({ length: 16 }, () => 15))
    expect(strata.filter((stratum) => stratum?.['length'] === 1)).toHaveLength(3)
  })

  it('without an end, too, has the categories even where that is asked', () => {
    const asked = { words: 5, alphabet: 'abcdefghijkuvwxyz', lengths: [1, 2, 3], even: 'category' as const }
    const { layout } = induce.source(induce.configure(asked), { split: 'test', seed: 7 })
    const many = 16 * 60
    const strata = Array.from({ length: many }, (_, index) => {
      const place = layout.at(index)
      return 'stratum' in place ? layout.strata[place.stratum] : null
    })
    const counts = [...Map.groupBy(strata, (stratum) => stratum?.['category']).values()].map((of) => of.length)
    expect(counts).toEqual(Array.from({ length: 16 }, () => 60))
  })

  it('fills every cell of the balanced set with exactly four indices', () => {
    const { layout } = open('pbebench-balanced-2-30')
    const counts = new Map<number, number>()
    for (let index = 0; index < 1856; index++) {
      const place = layout.at(index)
      if ('kind' in place) throw new Error(place.reason)
      counts.set(place.stratum, (counts.get(place.stratum) ?? 0) + 1)
    }
    expect(counts.size).toBe(464)
    expect(new Set(counts.values())).toEqual(new Set([4]))
  })

  it('makes items of the promised length and category whose outputs are reproduced', () => {
    const source = open('pbebench-lite')
    for (let index = 0; index < 60; index++) {
      const item = source.item(index) as Item
      const rules = item.answer as unknown as readonly Rule[]
      const { inputs, outputs } = item.given as unknown as { inputs: string[]; outputs: string[] }
      expect(runCascade(inputs, rules)).toEqual(outputs)
      const levels = source.layout.strata[item.stratum]
      expect(levels).toEqual({ length: rules.length, category: categoryCode(cascadeCategory(rules, 'paper')) })
    }
  })

  it('closes cells that cannot be filled and says why', () => {
    const config = induce.configure({ words: 2, alphabet: 'ab', wordLength: [1, 2], lengths: [1, 2], size: 32 })
    const source = induce.source(config, { split: 'train', seed: 1 })
    const { closed } = source.plan as unknown as { closed: { proved: boolean; reason: string; length: number }[] }
    expect(closed.filter(({ length }) => length === 1).every(({ proved }) => proved)).toBe(true)
    expect(closed.filter(({ length }) => length === 1).length).toBe(15)
  })

  it('refuses wrong configs with a reason', () => {
    expect(() => induce.configure({ alphabet: 'aa' })).toThrow(/twice/)
    expect(() => induce.configure({ alphabet: 'a b' })).toThrow(/blanks/)
    expect(() => induce.configure({ lenghts: [2] })).toThrow(/lengths/)
    expect(() => induce.configure({ categories: ['12'] })).toThrow(/four digits/)
  })
})

describe('the released sampler', () => {
  it('proposes the published shares of categories in the small setting', () => {
    // Section 10 of the measured facts, percent; the common categories only.
    const shares: { readonly [code: string]: number } = {
      '0000': 21.5,
      '1000': 21.4,
      '1010': 16.1,
      '1111': 13.3,
      '1101': 8.15,
    }
    const counts = new Map<string, number>()
    const total = 4000
    for (let k = 0; k < total; k++) {
      const instance = propose(new Sfc32(k, 4, 4, 4), lite, 2 + (k % 4))
      const code = categoryCode(cascadeCategory(instance?.rules ?? [], 'paper'))
      counts.set(code, (counts.get(code) ?? 0) + 1)
    }
    for (const [code, percent] of Object.entries(shares)) {
      const expected = (percent / 100) * total
      const spread = 5 * Math.sqrt(expected * (1 - percent / 100))
      expect(Math.abs((counts.get(code) ?? 0) - expected), code).toBeLessThan(spread)
    }
  })

  it('fills all quotas of the small setting, at an efficiency of a few percent', () => {
    const rules = {
      size: 160,
      lengths: [2, 3, 4, 5],
      categories: [...Array(16).keys()],
      patience: null,
      maxSteps: 50_000,
    }
    const run = runPublished(new Sfc32(1, 2, 3, 4), lite, rules)
    expect(run.complete).toBe(true)
    expect(new Set(run.counts)).toEqual(new Set([10]))
    const percent = (100 * run.accepted.length) / run.steps
    expect(percent).toBeGreaterThan(0.5)
    expect(percent).toBeLessThan(10)
    for (const added of [1e-8, 0.5]) expect(imbalance(run.counts, added)).toBeLessThan(1e-6)
  })

  it('accepts anything once patience is over, and measures it as published', () => {
    const rules = { size: 64, lengths: [20], categories: [...Array(16).keys()], patience: 40, maxSteps: 400 }
    const run = runPublished(new Sfc32(1, 2, 3, 4), hard, rules)
    expect(run.accepted.length).toBe(64)
    expect(imbalance(run.counts, 1e-8)).toBeGreaterThan(10)
    expect(imbalance([64, ...Array(15).fill(0)], 1e-8)).toBeCloseTo(18.4, 1)
    expect(imbalance([48, 4, 4, 4, 4, ...Array(11).fill(0)], 1e-8)).toBeCloseTo(13.46, 0)
  })

  it('fills sets of several patiences from one sequence of proposals as each would fill by itself', () => {
    const rules = { size: 48, lengths: [2, 3, 4, 5], categories: [...Array(16).keys()], maxSteps: 3000 }
    const patiences = [0, 100, 500, 1500, null]
    const together = runPatiences(new Sfc32(1, 2, 3, 4), lite, rules, patiences)
    const apart = patiences.map((patience) => runPublished(new Sfc32(1, 2, 3, 4), lite, { ...rules, patience }))
    expect(together).toEqual(apart)
    expect(new Set(together.map(({ steps }) => steps)).size).toBe(patiences.length)
  })
})

describe('the prompt', () => {
  const source = induce.source(induce.configure(induce.preset('pbebench-lite').config), { split: 'test', seed: 1 })
  const item = source.item(0) as Item
  const asked = (style: string): string => JSON.stringify(source.request(item, style))

  it('tells the alphabet as a fact and not as a rule, in the styles that tell it', () => {
    for (const style of ['alphabet-told', 'few-shot-1', 'few-shot-3', 'few-shot-5'])
      expect(asked(style)).toMatch(
        /there is a solution with only these characters: abcdefghijkuvwxyz\. Others are allowed/,
      )
    for (const style of ['standard', 'no-example']) expect(asked(style)).not.toContain(LITE_LETTERS)
  })

  it('says every condition that an answer is held to', () => {
    // A rule of letters that stand nowhere is as good as any.
    const { inputs, limits } = item.given as unknown as Examples
    const given = { inputs, outputs: inputs.map((word) => word.replaceAll('a', 'é')), limits }
    const answer: Rule[] = [
      ['a', 'ß'],
      ['ß', 'é'],
    ]
    expect(induce.grade?.({ shared: null, given, answer }, answer).value).toBe(1)
    expect(induce.oracle?.({ shared: null, given }, answer)).toBe(true)
  })
})
