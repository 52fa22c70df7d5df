import { describe, expect, it } from 'vitest'
import { below, type Item, Sfc32 } from '../../../src/core/index.ts'
import {
  cascadeCategory,
  categoryCode,
  type Rule,
  replaceAll,
  runCascade,
} from '../../../src/libraries/rewriting/index.ts'
import type { Config } from '../../../src/tasks/pbebench/induce/config.ts'
import { induce } from '../../../src/tasks/pbebench/induce/task.ts'
import { lowerBound } from '../../../src/tasks/pbebench/lower-bound.ts'
import { drawConditional } from '../../../src/tasks/pbebench/sampling/conditional.ts'
import { propose } from '../../../src/tasks/pbebench/sampling/published.ts'
import { type Setting, settingOf } from '../../../src/tasks/pbebench/sampling/settings.ts'
import { problemOf } from '../../../src/tasks/pbebench/search/baselines.ts'
import { cascadeSearch } from '../../../src/tasks/pbebench/search/search.ts'
import type { Examples } from '../../../src/tasks/pbebench/types.ts'
import { sample } from '../../nightly.ts'

const setting = (preset: string): Setting =>
  settingOf(induce.configure(induce.preset(preset).config) as unknown as Config)

/** Texts over a and b of up to `most` letters. */
const texts = (most: number): readonly string[] =>
  most === 0 ? [''] : [...new Set(texts(most - 1).flatMap((text) => [text, `${text}a`, `${text}b`]))]

describe('the lower bound', () => {
  it('reads the rank of the changes of letters, or that no one rule does it', () => {
    expect(lowerBound({ inputs: ['ab', 'b'], outputs: ['ab', 'b'] }, 3)).toBe(0)
    expect(lowerBound({ inputs: ['ab', 'b'], outputs: ['cb', 'b'] }, 3)).toBe(1)
    expect(lowerBound({ inputs: ['ab', 'b'], outputs: ['cb', 'd'] }, 3)).toBe(2)
    // One rule changes both by the same amounts, once and twice.
    expect(lowerBound({ inputs: ['a', 'aba'], outputs: ['c', 'cbc'] }, 3)).toBe(1)
    // The same letters in another order: no rank, and no rule of four letters is allowed.
    expect(lowerBound({ inputs: ['abcd'], outputs: ['dbca'] }, 3)).toBe(2)
    expect(lowerBound({ inputs: ['abcd'], outputs: ['dbca'] }, 4)).toBe(1)
  })

  it('never exceeds the shortest cascade of all cascades of two letters', () => {
    const sides = texts(2)
    const rules = sides
      .filter((left) => left !== '')
      .flatMap((left) => sides.filter((right) => right !== left).map((right): Rule => [left, right]))
    const stream = new Sfc32(1, 2, 3, 4)
    const word = () => Array.from({ length: 1 + below(stream, 4) }, () => 'ab'[below(stream, 2)]).join('')
    let tight = 0
    for (let time = 0; time < 30; time++) {
      const inputs = [word(), word(), word()]
      const reached = new Map([[inputs.join('\n'), 0]])
      let layer = [inputs.join('\n')]
      for (let length = 1; length <= 3; length++) {
        const next = new Set(layer.flatMap((now) => rules.map((rule) => replaceAll(now, rule))))
        layer = [...next].filter((text) => text.length < 40 && !reached.has(text))
        for (const text of layer) reached.set(text, length)
      }
      for (const [text, length] of [...reached].slice(0, 3000)) {
        const bound = lowerBound({ inputs, outputs: text.split('\n') }, 2)
        if (bound > length) expect([inputs, text, bound]).toEqual([inputs, text, `at most ${length}`])
        if (bound === length) tight++
      }
    }
    expect(tight).toBeGreaterThan(1000)
  })

  it('never exceeds the length of a cascade that was run, of whatever rules', () => {
    for (let k = 0; k < 300; k++) {
      const length = 1 + (k % 12)
      const plain = { ...setting('pbebench-lite'), words: 2 + (k % 30), emptyRight: true, minimal: false }
      const instance = propose(new Sfc32(k, 5, 5, 5), plain, length)
      if (instance !== null) expect(lowerBound(instance, 3)).toBeLessThanOrEqual(length)
    }
  })
})

const COUNT = sample({ nightly: 40, otherwise: 16 })

describe('minimal cascades', () => {
  const cells = [
    ['pbebench-lite-minimal', [2, 3, 4, 5]],
    ['pbebench-lite-moreeg-minimal', [2, 3, 4, 5]],
    ['pbebench-minimal', [2, 3, 5, 9, 14, 20]],
  ] as const

  it.each(cells)('%s: every cell is filled', (preset, lengths) => {
    for (const length of lengths)
      for (let category = 0; category < 16; category++) {
        const found = drawConditional(new Sfc32(category, length, 7, 7), setting(preset), length, category, 2000)
        if (found === null) throw new Error(`${preset} ${length} ${categoryCode(category)}`)
        expect(cascadeCategory(found.rules, 'exact')).toBe(category)
        expect(lowerBound(found, 3)).toBe(length)
        expect(runCascade(found.inputs, found.rules)).toEqual(found.outputs)
      }
  })

  it.each(['pbebench-lite-minimal', 'pbebench-lite'])('%s: what a search finds that is shorter', (preset) => {
    const source = induce.source(induce.configure(induce.preset(preset).config), { split: 'test', seed: 3 })
    let shorter = 0
    for (let index = 0; index < COUNT; index++) {
      const item = source.item(index) as Item
      const problem = problemOf(item.given as unknown as Examples)
      const planted = item.features['length'] as number
      const { rules } = cascadeSearch({ ...problem, rules: planted - 1 }, new Sfc32(index, 1, 1, 1), { steps: 2500 })
      const length = rules?.length ?? Number.POSITIVE_INFINITY
      if (length < planted) shorter++
      expect(length).toBeGreaterThanOrEqual(item.features['lowerBound'] as number)
      if (item.features['minimalLength'] !== null) expect(length).toBeGreaterThanOrEqual(planted)
    }
    if (preset === 'pbebench-lite-minimal') expect(shorter).toBe(0)
    else expect(shorter).toBeGreaterThan(COUNT / 10)
  })

  it('are labelled exactly, with the published label beside', () => {
    const source = induce.source(induce.configure(induce.preset('pbebench-minimal').config), { split: 'test', seed: 3 })
    for (let index = 0; index < COUNT; index++) {
      const { answer, features, stratum } = source.item(index) as Item
      const rules = answer as unknown as readonly Rule[]
      expect(features).toMatchObject({
        ...source.layout.strata[stratum],
        minimalLength: rules.length,
        exactCategory: source.layout.strata[stratum]?.['category'],
        paperCategory: categoryCode(cascadeCategory(rules, 'paper')),
      })
    }
  })

  it('want the sampler and the gate that can prove them', () => {
    expect(() => induce.configure({ minimal: true, sampler: 'published', size: 10 })).toThrow(/sampler: conditional/)
    expect(() => induce.configure({ minimal: true, gate: 'relaxed' })).toThrow(/gate: exact/)
  })

  it('of more rules than words or letters are closed: their rank cannot prove them', () => {
    const config = induce.configure({ words: 2, lengths: [4], minimal: true, size: 16 })
    const { plan } = induce.source(config, { split: 'train', seed: 1 })
    expect((plan as unknown as { closed: unknown[] }).closed.length).toBe(16)
  })
})
