import { describe, expect, it } from 'vitest'
import {
  type Analysis,
  type Estimate,
  type Frame,
  type Item,
  runAnalysis,
  type Table,
} from '../../../src/core/index.ts'
import { derives, paperGrammar, tokensOf } from '../../../src/libraries/grammars/pcfg/index.ts'
import { openTiny } from '../../../src/models/scoring/index.ts'
import { symbolsOf, withRule } from '../../../src/tasks/proficiency/languages/make.ts'
import { framesFromRows } from '../../mock/run-columns.ts'
import { discriminate, itemsOf, natsOf, rowsOf, scored } from './run.ts'

const tablesOf = async (id: string, rows: Parameters<typeof framesFromRows>[0]): Promise<readonly Table[]> => {
  const frame = (await framesFromRows(rows)).frame('strict') as Frame
  const analysis = discriminate.analyses.find((one) => one.id === id) as Analysis
  expect(analysis.needs.filter((need) => !frame.has(need))).toEqual([])
  return runAnalysis(analysis, frame, { parser: 'strict', seed: 1, frameOf: () => null }).tables
}
const where = (table: Table | undefined, wanted: object) =>
  (table?.rows ?? []).filter((row) => Object.entries(wanted).every(([key, value]) => row[key] === value))
const centre = (row: Table['rows'][number] | undefined, key: string) =>
  (row as { [key: string]: Estimate })[key]?.value as number
const textOf = (item: Item) => (item.given as { text: string }).text
const shared = { sharedTests: true, examplesFrom: 'training' }

describe('rules', () => {
  const items = itemsOf(discriminate, {
    ...shared,
    languages: ['g5'],
    repetitions: 2,
    examples: [0, 32],
    distances: [0, 'rule-1', 'rule-2', 'rule-3'],
    tests: 30,
  })
  const grammar = paperGrammar('g5')

  it('of a member are those without which it cannot be derived, as g5 has one derivation of each string', () => {
    for (const item of items.filter(({ features }) => features['kind'] === 'inside').slice(0, 8)) {
      const rules = discriminate.itemFacts?.of(item)()['rules'] as number
      for (const rule of grammar.rules.keys()) {
        const without = withRule(grammar, rule, `${symbolsOf(grammar, rule).join(' ')} 'z'`) as typeof grammar
        const tokens = tokensOf(without, textOf(item)) as number[]
        expect(derives(without, tokens)).toBe(Math.floor(rules / 2 ** rule) % 2 === 0)
      }
    }
  })

  it('are all told by the language itself, and the lowest ones by a learner that has read examples', async () => {
    const [table] = await tablesOf('proficiency/rules', await rowsOf(items, { oracle: 'oracle', ppm: 'ppm' }))
    const ofOracle = where(table, { model: 'oracle', k: 32 })
    expect(new Set(ofOracle.map((row) => row['level']))).toEqual(new Set([1, 2, 3]))
    expect(ofOracle.length).toBeGreaterThan(10)
    for (const row of ofOracle) expect(centre(row, 'auc')).toBe(1)
    const mean = (level: number) => {
      const values = where(table, { model: 'ppm', k: 32, level }).map((row) => centre(row, 'auc'))
      return values.reduce((a, b) => a + b, 0) / values.length
    }
    expect(mean(1)).toBeGreaterThan(0.9)
    expect(mean(2)).toBeLessThan(mean(1) - 0.1)
  })
})

describe('weights of one language and examples of another', () => {
  const config = {
    ...shared,
    languages: ['g5', { name: 'g5.after-g6', preset: 'g5', learnt: 'g6' }],
    repetitions: 1,
    examples: [0, 16],
    distances: [0, 1],
    tests: 30,
  }
  const items = itemsOf(discriminate, config)

  it('are those of the language where it is asked itself', () => {
    for (const item of items.filter(({ features }) => features['language'] === 'g5').slice(0, 20))
      expect(scored(item, 'trained-on-g5:ppm:64')).toEqual(scored(item, 'trained:ppm:64'))
  })

  it('are compared with the learner without them', async () => {
    const rows = await rowsOf(items, {
      ppm: 'ppm',
      'trained-on-g5:ppm:256': 'trained-on-g5:ppm:256',
      'trained-on-g6:ppm:16': 'trained-on-g6:ppm:16',
    })
    const [table] = await tablesOf('proficiency/conflict', rows)
    const auc = (on: string, strings: number) =>
      centre(where(table, { on, strings, language: 'g5.after-g6', examples: 16 })[0], 'auc')
    expect(auc('g5', 256)).toBeGreaterThan(0.95)
    expect(auc('g5', 0)).toBeLessThan(0.75)
    expect(auc('g6', 16)).toBeLessThan(0.75)
  })

  it('of a language without its tokens say so', () => {
    const [other] = itemsOf(discriminate, { ...config, languages: ['g9'], tests: 1 })
    expect(() => scored(other as Item, 'trained-on-g5:ppm:4')).toThrow('trained on')
  })
})

describe('epochs', () => {
  const config = { ...shared, languages: ['g5'], repetitions: 2, examples: [0], distances: [0, 1], tests: 25 }
  const names = [1, 2, 4, 8].map((epoch) => [`trained:ppm:16@${epoch}`, `trained:ppm:16@${epoch}`] as const)
  const models = Object.fromEntries(names)

  it('are chosen on strings that are not reported, and reported on the others alone', async () => {
    const [test, validation] = [itemsOf(discriminate, config), itemsOf(discriminate, config, 'validation')]
    const rows = await Promise.all([test, validation].map((items) => rowsOf(items, models)))
    const [choice] = await tablesOf('proficiency/epochs', rows.flat())
    const losses = rows.map((side) =>
      names.map(([model]) => {
        const own = side.filter((row) => row['model'] === model && row['feature_kind'] === 'inside')
        return own.reduce((sum, row) => sum + (row['metric_natsPerTerminal'] as number), 0)
      }),
    )
    const best = (side: number) =>
      names.map(([, name]) => name.split('@')[1])[
        (losses[side] as number[]).indexOf(Math.min(...(losses[side] as number[])))
      ]
    expect(where(choice, { way: 'loss, validation' })[0]?.['epochs']).toBe(best(1))
    expect(where(choice, { way: 'loss, test (released)' })[0]?.['epochs']).toBe(best(0))
    expect(where(choice, { way: 'last epoch' })[0]?.['epochs']).toBe('8')
    const [alone] = await tablesOf(
      'proficiency/modes',
      await rowsOf(test, { [`trained:ppm:16@${best(1)}`]: `trained:ppm:16@${best(1)}` }),
    )
    const [both] = await tablesOf('proficiency/modes', rows.flat())
    expect(both?.rows).toHaveLength(1)
    expect(both?.rows[0]?.['matched']).toEqual(alone?.rows[0]?.['matched'])
  })

  it('without validation strings are the last one, and have no choice by them', async () => {
    const [choice] = await tablesOf('proficiency/epochs', await rowsOf(itemsOf(discriminate, config), models))
    expect(choice?.rows.map((row) => row['way'])).toEqual([
      'last epoch',
      'loss, test (released)',
      'AUC, test (released)',
    ])
  })
})

describe('alphabets', () => {
  const items = itemsOf(discriminate, { languages: ['g5'], repetitions: 1, examples: [2], distances: [0, 1], tests: 4 })

  it('write the same string, token by token', () => {
    for (const item of items)
      for (const style of ['letters', 'words', 'rare']) {
        const request = discriminate.request(item, style, null as never)
        if (request.kind !== 'score') throw new Error('a scored request was expected')
        const written = style === 'words' ? request.text.trim().split(' ') : [...request.text.trim()]
        const tokens = textOf(item).split(' ')
        expect(written).toHaveLength(tokens.length)
        const pairs = new Set(tokens.map((token, i) => `${token} ${written[i]}`))
        expect(pairs.size).toBe(new Set(tokens).size)
        expect(new Set(written).size).toBe(pairs.size)
        // A learner that knows no writing but that of tokens cannot tell them apart.
        expect(natsOf(scored(item, 'ppm', style))).toBeCloseTo(natsOf(scored(item, 'ppm')), 12)
      }
  })

  it('say where a language has more tokens than they', () => {
    const tokens = Array.from({ length: 60 }, (_, i) => `'t${100 + i}' [1/60]`)
    const config = { languages: [{ name: 'many', grammar: `S -> 'x' A [1]\nA -> ${tokens.join(' | ')}` }] }
    const more = { repetitions: 1, examples: [0], distances: [0], tests: 1, format: { separator: ' ' } }
    const [item] = itemsOf(discriminate, { ...config, ...more })
    expect(() => discriminate.request(item as Item, 'letters', null as never)).toThrow('52 tokens and the language 61')
    expect(discriminate.request(item as Item, 'rare', null as never)).toBeTruthy()
  })
})

describe('the mass on the alphabet', () => {
  it('is more than that of the token that comes, and the loss in the alphabet less than the loss', async () => {
    const items = itemsOf(discriminate, {
      languages: ['g5'],
      repetitions: 1,
      examples: [0, 2],
      distances: [0],
      tests: 3,
    })
    const tiny = await openTiny()
    for (const item of items) {
      const request = discriminate.request(item, 'lines', null as never)
      if (request.kind !== 'score') throw new Error('a scored request was expected')
      const [tokens = []] = await tiny.score([request])
      for (const { logprob, mass = 0 } of tokens) {
        expect(mass).toBeGreaterThanOrEqual(Math.exp(logprob) - 1e-9)
        expect(mass).toBeLessThanOrEqual(1)
      }
      const measured = discriminate.metrics?.(item, tokens) as { readonly [name: string]: number }
      expect(measured['natsInAlphabet']).toBeLessThanOrEqual(measured['natsPerTerminal'] as number)
      const halved = tokens.map((token) => ({ ...token, mass: Math.exp(token.logprob) }))
      expect(discriminate.metrics?.(item, halved)['natsInAlphabet']).toBeCloseTo(0, 9)
    }
    const [table] = await tablesOf('proficiency/loss', await rowsOf(items, { tiny, ppm: 'ppm' }))
    for (const row of where(table, { model: 'tiny' })) expect(row['mass']).toBeGreaterThan(0.5)
    for (const row of where(table, { model: 'ppm' })) expect(row['mass']).toBeNull()
  })
})
