import { describe, expect, it } from 'vitest'
import { bucketsOfSplit, type Item, partitionBucket } from '../../../src/core/index.ts'
import { paperGrammar, wholeLanguage } from '../../../src/libraries/grammars/pcfg/index.ts'
import { auc } from '../../../src/libraries/statistics/index.ts'
import { namedGrammar, stringKey } from '../../../src/tasks/proficiency/languages/make.ts'
import { nightly } from '../../nightly.ts'
import { enumerate } from '../pcfg/support.ts'
import { discriminate, itemsOf, natsOf, scored } from './run.ts'

const lossesOf = (items: readonly Item[], model: string) =>
  items.map((item) => {
    const tokens = scored(item, model)
    return natsOf(tokens) / tokens.length
  })
const inside = (items: readonly Item[]) => items.filter((item) => item.features['kind'] === 'inside')
const aucOf = (items: readonly Item[], model: string) =>
  auc(
    lossesOf(items, model).map((loss) => -Math.round(loss * 1e10)),
    items.map((item) => item.features['kind'] === 'inside'),
  )

const g1 = itemsOf(discriminate, { languages: ['g1'], repetitions: 1, examples: [16], tests: 60 })
const g3 = itemsOf(discriminate, { languages: ['g3'], repetitions: 1, examples: [16], tests: 60 })

describe('the oracle', () => {
  it.each(['g1', 'g3', 'g9'])('separates %s from everything outside', (language) => {
    const items = itemsOf(discriminate, { languages: [language], repetitions: 1, examples: [1], tests: 20 })
    expect(aucOf(items, 'oracle')).toBe(1)
  })

  it('loses exactly H(L) a string in expectation: G1 always, G3 within 4 standard errors', () => {
    for (const item of inside(g1)) expect(natsOf(scored(item, 'oracle'))).toBeCloseTo(36 * Math.log(2), 9)
    const losses = inside(
      itemsOf(discriminate, { languages: ['g3'], repetitions: 1, examples: [1], tests: 1500, distances: [0] }),
    ).map((item) => natsOf(scored(item, 'oracle')))
    const whole = wholeLanguage(paperGrammar('g3'))
    if (whole.kind !== 'finite') throw new Error('g3 is finite')
    const mean = losses.reduce((a, b) => a + b, 0) / losses.length
    const sd = Math.sqrt(losses.reduce((a, b) => a + (b - mean) ** 2, 0) / (losses.length - 1))
    expect(Math.abs(mean - whole.entropy)).toBeLessThan((4 * sd) / Math.sqrt(losses.length))
  })

  it('where the strings can be listed loses its exact value over the split’s region', () => {
    const grammar = namedGrammar('copy')
    const test = bucketsOfSplit('test')
    const strings = [...enumerate(grammar)].map(([codes, p]) => ({
      text: codes
        .split(' ')
        .map((c) => grammar.terminals[Number(c)])
        .join(' '),
      p,
    }))
    const region = strings.filter(({ text }) => test.includes(partitionBucket('proficiency/string', stringKey(text))))
    const items = inside(
      itemsOf(discriminate, { languages: ['copy'], repetitions: 1, examples: [0], tests: 2000, distances: [0] }),
    )
    const seen = new Set(items.map((item) => (item.given as unknown as { text: string }).text))
    expect(seen).toEqual(new Set(region.map(({ text }) => text)))
    const mass = region.reduce((sum, { p }) => sum + p, 0)
    const exact = region.reduce((sum, { p }) => sum - (p / mass) * Math.log(p), 0)
    const losses = items.map((item) => natsOf(scored(item, 'oracle')))
    const mean = losses.reduce((a, b) => a + b, 0) / losses.length
    const variance = region.reduce((sum, { p }) => sum + (p / mass) * (-Math.log(p) - exact) ** 2, 0)
    expect(Math.abs(mean - exact)).toBeLessThan(4 * Math.sqrt(variance / losses.length))
  })
})

describe('controls', () => {
  it('the uniform model cannot tell anything, not even by rounding', () => {
    expect(aucOf(g1, 'uniform')).toBe(0.5)
    expect(aucOf(g3, 'uniform')).toBe(0.5)
  })

  it('an order-0 model is at chance on edits that keep the length', () => {
    const items = itemsOf(discriminate, {
      languages: ['g3'],
      repetitions: 1,
      examples: [16],
      tests: 200,
      distances: [0, 1],
      edits: 'length-matched',
    })
    expect(Math.abs((aucOf(items, 'unigram') ?? 0) - 0.5)).toBeLessThan(0.12)
  })

  it('learners get better with examples and stay below the oracle', () => {
    const items = itemsOf(discriminate, {
      languages: ['g2'],
      repetitions: 1,
      examples: [1, 32],
      tests: 30,
      distances: [0, 1],
    })
    const at = (k: number) => items.filter((item) => item.features['k'] === k)
    for (const model of ['ppm', 'ctw', 'kneser-ney:6', 'mixture']) {
      expect(aucOf(at(32), model)).toBeGreaterThan(aucOf(at(1), model) as number)
      const excess = inside(at(32)).map((item) => natsOf(scored(item, model)) - natsOf(scored(item, 'oracle')))
      expect(excess.reduce((a, b) => a + b, 0)).toBeGreaterThan(0)
    }
  })
})

describe('the paper’s M1 and M2', () => {
  it.each(nightly ? [0.9, 0.5, 0.1] : [0.5])(
    'with p = %d the loss grows by ln(1/p) a string and the AUC stays',
    (p) => {
      for (const first of ['oracle', 'mixture']) {
        const shift = inside(g1).map(
          (item) => natsOf(scored(item, `mixture-with-noise:${p}:${first}`)) - natsOf(scored(item, first)),
        )
        for (const one of shift) expect(one).toBeCloseTo(-Math.log(p), 6)
        expect(Math.abs((aucOf(g1, `mixture-with-noise:${p}:${first}`) ?? 0) - (aucOf(g1, first) ?? 1))).toBeLessThan(
          0.01,
        )
      }
    },
  )

  it('is a distribution over strings: P2 = p P1 + (1 - p) noise', () => {
    for (const item of g3.slice(0, 60)) {
      const tokens = scored(item, 'mixture-with-noise:0.5:ppm')
      const first = scored(item, 'ppm')
      const symbols = 9 + 1
      const expected = Math.log(0.5 * Math.exp(-natsOf(first)) + 0.5 * Math.exp(-tokens.length * Math.log(symbols)))
      expect(-natsOf(tokens)).toBeCloseTo(expected, 9)
    }
  })

  it('a multilingual mixture loses more than the oracle, ln 9 at most, and discriminates as well', () => {
    const more = inside(g3).map((item) => natsOf(scored(item, 'oracle:multilingual')) - natsOf(scored(item, 'oracle')))
    expect(more.reduce((a, b) => a + b, 0)).toBeGreaterThan(0)
    expect(Math.max(...more)).toBeLessThanOrEqual(Math.log(9) + 1e-9)
    expect(aucOf(g3, 'oracle:multilingual')).toBe(1)
    expect(aucOf(g1, 'oracle:g3')).toBeLessThan(0.7)
  })
})

it('a learner of order 0 takes what is less even than g1 for likelier, and a shorter string for less likely', () => {
  const of = (edit: string) =>
    g1.filter(
      ({ features }) => features['kind'] === 'inside' || (features['edit'] === edit && features['distance'] === 1),
    )
  for (const edit of ['substitute', 'insert']) expect(aucOf(of(edit), 'unigram')).toBe(0)
  expect(aucOf(of('delete'), 'unigram')).toBe(1)
  const unrelated = g1.filter(({ features }) => features['kind'] !== 'edited')
  expect(aucOf(unrelated, 'unigram')).toBe(0)
})

it('trained models start from their training strings: more of them, less loss', () => {
  const items = inside(
    itemsOf(discriminate, { languages: ['g1'], repetitions: 1, examples: [0], tests: 20, distances: [0] }),
  )
  const loss = (model: string) => items.reduce((sum, item) => sum + natsOf(scored(item, model)), 0)
  expect(loss('trained:ppm:64')).toBeLessThan(loss('trained:ppm:4'))
  expect(loss('trained:ppm:1024')).toBeLessThan(loss('trained:ppm:64'))
  expect(loss('trained:ppm:4')).toBeLessThan(loss('ppm'))
})
