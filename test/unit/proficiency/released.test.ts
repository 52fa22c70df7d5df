import { describe, expect, it } from 'vitest'
import {
  type Analysis,
  bucketsOfSplit,
  type Estimate,
  type Frame,
  float,
  type Item,
  partitionBucket,
  runAnalysis,
  sha256,
  streamFromKey,
  type Table,
  utf8,
} from '../../../src/core/index.ts'
import { paperGrammar, printPcfg, tokensOf } from '../../../src/libraries/grammars/pcfg/index.ts'
import { analysisStream, auc } from '../../../src/libraries/statistics/index.ts'
import { releasedAuc } from '../../../src/tasks/proficiency/analyses/auc-of.ts'
import { correlations } from '../../../src/tasks/proficiency/analyses/modes.ts'
import { presets } from '../../../src/tasks/proficiency/discriminate/config.ts'
import { applyEdit, drawEdit, drawKinds } from '../../../src/tasks/proficiency/discriminate/sampling/edits.ts'
import { languageOf, sampleText } from '../../../src/tasks/proficiency/languages/compiled.ts'
import { namedGrammar, stringKey } from '../../../src/tasks/proficiency/languages/make.ts'
import { shareInside } from '../../../src/tasks/proficiency/languages/relations.ts'
import { trainingTexts } from '../../../src/tasks/proficiency/training.ts'
import { framesFromRows } from '../../mock/run-columns.ts'
import { sample } from '../../nightly.ts'
import { discriminate, itemsOf, natsOf, rowsOf, scored } from './run.ts'

const preset = (name: string) => presets[name]?.config as object
const tableOf = async (id: string, rows: Parameters<typeof framesFromRows>[0], name = id) => {
  const frame = (await framesFromRows(rows)).frame('strict') as Frame
  const analysis = discriminate.analyses.find((one) => one.id === id) as Analysis
  expect(analysis.needs.filter((need) => !frame.has(need))).toEqual([])
  const { tables } = runAnalysis(analysis, frame, { parser: 'strict', seed: 1, frameOf: () => null })
  return tables.find((table) => table.id === name) as Table
}
const where = (table: Table, wanted: object) =>
  table.rows.filter((row) => Object.entries(wanted).every(([key, value]) => row[key] === value))
const one = (table: Table, wanted: object) => where(table, wanted)[0] as Table['rows'][number]
const centre = (row: Table['rows'][number], key: string) => (row[key] as Estimate).value
const textOf = (item: Item) => (item.given as { text: string }).text
const answerOf = (item: Item) => item.answer as { source: string | null; edits: unknown[]; apart: number | null }

/** Standard normal, by the sum of twelve. */
const normals = (label: string) => {
  const stream = streamFromKey(sha256(utf8(label)))
  return () => Array.from({ length: 12 }, () => float(stream)).reduce((a, b) => a + b, -6)
}

describe('the AUC as released', () => {
  it('of a model that prefers strings outside is one minus its AUC', () => {
    const normal = normals('released')
    const positive = Array.from({ length: 4000 }, (_, i) => i % 2 === 0)
    const scores = positive.map((inside) => normal() - (inside ? 0.5031 : 0))
    expect(auc(scores, positive)).toBeCloseTo(0.361, 1)
    expect(releasedAuc([{ scores, positive }])?.released).toBeCloseTo(1 - (auc(scores, positive) as number), 2)
  })

  it('varies over halvings more than the AUC over samples', () => {
    const normal = normals('halves')
    const positive = Array.from({ length: 2048 }, (_, i) => i % 2 === 0)
    const scores = positive.map((inside) => normal() + (inside ? 0.3583 : 0))
    const found = releasedAuc([{ scores, positive }])
    expect(found?.released).toBeCloseTo(auc(scores, positive) as number, 2)
    expect(found?.releasedSd).toBeGreaterThan(0.008)
    expect(found?.releasedSd).toBeLessThan(0.018)
  })
})

describe('the preset formallm', () => {
  const config = { ...preset('formallm'), repetitions: 2, tests: 60 }

  it('edits its test strings, which all repetitions share, and writes them as released', () => {
    const items = itemsOf(discriminate, { ...config, examples: [2] })
    const members = items.filter((item) => item.features['kind'] === 'inside')
    const byRepetition = Map.groupBy(members, (item) => item.features['repetition'])
    expect(byRepetition.get(0)?.map(textOf)).toEqual(byRepetition.get(1)?.map(textOf))
    for (const item of items.filter(({ features }) => features['kind'] === 'edited')) {
      const { repetition, test } = item.features
      const source = byRepetition.get(repetition as number)?.find(({ features }) => features['test'] === test)
      expect(answerOf(item).source).toBe(textOf(source as Item))
      expect(answerOf(item).edits).toHaveLength(item.features['distance'] as number)
    }
    const request = discriminate.request(items[0] as Item, 'lines', null as never)
    if (request.kind !== 'score') throw new Error('a scored request was expected')
    expect(request.context).toMatch(/^(?:\d+;){2}$/u)
    expect(request.text).toMatch(/^\d+$/u)
  })

  it('gives the list of examples several times over where asked, to models and to learners', () => {
    const few = { ...config, tests: 4, examples: [4], repetitions: 1 }
    const [once, thrice] = [itemsOf(discriminate, few), itemsOf(discriminate, { ...few, repeats: 3 })]
    const contextOf = (items: readonly Item[]) => {
      const request = discriminate.request(items[0] as Item, 'lines', null as never)
      return request.kind === 'score' ? request.context : null
    }
    expect(contextOf(thrice)).toBe(contextOf(once)?.repeat(3))
    expect(textOf(thrice[0] as Item)).toBe(textOf(once[0] as Item))
    expect(scored(thrice[0] as Item, 'ppm')).not.toEqual(scored(once[0] as Item, 'ppm'))
  })

  it('reads the training set in context: trained on 64 strings and with 64 in context agree in every digit', () => {
    const [trained, context] = [0, 64].map((k) => itemsOf(discriminate, { ...config, tests: 8, examples: [k] }))
    for (const [i, item] of (trained as Item[]).entries())
      expect(scored(item, 'trained:ppm:64')).toEqual(scored((context as Item[])[i] as Item, 'ppm'))
  })

  it('ppm has the AUC that the specification measured before and after 32 strings', async () => {
    const items = itemsOf(discriminate, { ...preset('formallm'), tests: 100, examples: [0, 32], distances: [0, 1] })
    const table = await tableOf('proficiency/auc', await rowsOf(items, { ppm: 'ppm' }))
    expect(Math.abs((one(table, { k: 0, distance: '1' })['released'] as number) - 0.6)).toBeLessThan(0.04)
    expect(Math.abs((one(table, { k: 32, distance: '1' })['released'] as number) - 0.95)).toBeLessThan(0.04)
  })
})

it.each([
  ['g5', 0.055],
  ['g9', 0.038],
] as const)('one released edit leaves %s in %f of the strings inside', (name, expected) => {
  const language = languageOf(printPcfg(namedGrammar(name)))
  const stream = streamFromKey(sha256(utf8(`released ${name}`)))
  const tries = sample({ nightly: 6000, otherwise: 1500 })
  let kept = 0
  for (let i = 0; i < tries; i++) {
    const tokens = sampleText(language, stream).split(' ')
    const [kind] = drawKinds('released', 1, stream)
    const edit = kind && drawEdit(kind, tokens, language.grammar.terminals, true, stream)
    const after = edit ? applyEdit(tokens, edit) : null
    if (after !== null && language.accepts(tokensOf(language.grammar, after.join(' ')) as number[])) kept++
  }
  // The number of the specification is of 600 strings.
  expect(Math.abs(kept / tries - expected)).toBeLessThan(4 * Math.sqrt((expected * (1 - expected)) / 600))
})

describe('modes', () => {
  const base = { ...preset('modes'), languages: ['g5'], repetitions: 2, tests: 20 }

  it('a learner that is trained and one that reads in context are alike: gap 0, correlation 1', async () => {
    const items = itemsOf(discriminate, { ...base, examples: [0, 4, 64] })
    const rows = await rowsOf(items, {
      ppm: 'ppm',
      'trained:ppm:4': 'trained:ppm:4',
      'trained:ppm:64': 'trained:ppm:64',
    })
    const gaps = await tableOf('proficiency/modes-gap', rows)
    expect(gaps.rows.map((row) => [row['strings'], centre(row, 'gap'), row['worth']])).toEqual([
      [4, 0, 1],
      [64, 0, 1],
    ])
    const bias = await tableOf('proficiency/modes-bias', rows)
    for (const row of bias.rows) expect(centre(row, 'pearson')).toBeCloseTo(1, 12)
    const table = await tableOf('proficiency/modes', rows)
    expect(table.rows.map((row) => `${row['mode']} ${row['strings']}`)).toEqual([
      'trained 4',
      'trained 64',
      'in context 0',
      'in context 4',
      'in context 64',
    ])
  })

  it('a model of one list counts in the repetition of that list only', async () => {
    const items = itemsOf(discriminate, { ...base, examples: [0] })
    const rows = await rowsOf(items, { first: 'trained:ppm:4', second: 'trained:ppm:4' })
    const attributed = rows.map((row) => ({
      ...row,
      attribute_base: 'learner',
      attribute_trainingSize: 4,
      attribute_list: row['model'] === 'first' ? 0 : 1,
    }))
    const both = await tableOf('proficiency/modes', attributed)
    const plain = await tableOf('proficiency/modes', await rowsOf(items, { 'trained:ppm:4': 'trained:ppm:4' }))
    expect(both.rows).toHaveLength(1)
    expect(both.rows[0]?.['matched']).toEqual(plain.rows[0]?.['matched'])
  })

  it('give back the correlation of what two noisy modes have in common', () => {
    const runs = sample({ nightly: 100, otherwise: 40 })
    let inside = 0
    for (let run = 0; run < runs; run++) {
      const normal = normals(`bias ${run}`)
      const [trained, context] = [new Map(), new Map()]
      for (let s = 0; s < 200; s++) {
        const shared = normal()
        const [a, b] = [shared, 0.6 * shared + 0.8 * normal()]
        const noisy = (x: number) => new Map(['0', '1', '2'].map((list) => [list, x + normal()]))
        trained.set(String(s), { byRepetition: noisy(a), floor: 0, length: 10 })
        context.set(String(s), { byRepetition: noisy(b), floor: 0, length: 10 })
      }
      const { disattenuated, reliabilityTrained } = correlations(trained, context, analysisStream(run, 'bias'))
      expect(reliabilityTrained).toBeGreaterThan(0.3)
      if (disattenuated !== null && disattenuated.low <= 0.6 && disattenuated.high >= 0.6) inside++
    }
    expect(inside / runs).toBeGreaterThanOrEqual(0.88)
  })
})

describe('transfer', () => {
  it('of the changed forms of g5 the share inside is exact', () => {
    const share = (rung: 'g5-1' | 'g5-2' | 'g5-4') => shareInside(namedGrammar(rung), paperGrammar('g5'))
    expect(share('g5-1')).toBeCloseTo((2 ** -5 + 2 ** -8) / 2, 14)
    expect(share('g5-2')).toBeCloseTo((2 ** -10 + 2 ** -16) / 2, 14)
    expect(share('g5-4')).toBe(0)
    expect(shareInside(paperGrammar('g5'), paperGrammar('g5'))).toBeCloseTo(1, 12)
  })

  it('no string that was exported of g5 is a test string of its changed forms, whatever the seed', () => {
    const exported = new Set(
      [0, 1, 2].flatMap((repetition) =>
        trainingTexts({ grammar: printPcfg(paperGrammar('g5')), fenced: 'string', repetition }, 1024),
      ),
    )
    for (const text of exported)
      expect(bucketsOfSplit('train')).toContain(partitionBucket('proficiency/string', stringKey(text)))
    for (let seed = 0; seed < sample({ nightly: 100, otherwise: 10 }); seed++) {
      const items = itemsOf(
        discriminate,
        { ...preset('transfer'), repetitions: 1, examples: [4], tests: 5 },
        'test',
        String(seed),
      )
      for (const item of items) {
        expect(exported.has(textOf(item))).toBe(false)
        for (const example of (item.shared as { examples: string[] }).examples) expect(exported.has(example)).toBe(true)
      }
    }
  })

  it('a language without errors is itself, and with errors knows other languages', () => {
    const items = itemsOf(discriminate, {
      ...preset('transfer'),
      repetitions: 1,
      examples: [4],
      tests: 6,
      distances: [0, 1],
    })
    for (const item of items) {
      const clean = natsOf(scored(item, 'oracle-noisy:0'))
      expect(clean).toBeCloseTo(natsOf(scored(item, 'oracle:learnt')), 6)
      const other = String(item.features['language']) !== 'g5' && item.features['kind'] === 'inside'
      if (other) expect(natsOf(scored(item, 'oracle-noisy:0.1'))).toBeLessThan(clean)
    }
  })

  it('a language with errors is a distribution over strings', () => {
    const items = itemsOf(
      discriminate,
      {
        languages: [{ name: 'x', grammar: "S -> 'a' 'b' [0.5] | 'b' [0.5]" }],
        repetitions: 1,
        examples: [0],
        tests: 1,
        distances: [0],
      },
      'custom',
    )
    const [item] =
      items.length > 0
        ? items
        : itemsOf(
            discriminate,
            {
              languages: [{ name: 'x', grammar: "S -> 'a' 'b' [0.5] | 'b' [0.5]" }],
              repetitions: 1,
              examples: [0],
              tests: 1,
              distances: [0],
            },
            'train',
          )
    const strings = Array.from({ length: 9 }, (_, length) =>
      Array.from({ length: 2 ** length }, (_n, code) =>
        Array.from({ length }, (_t, i) => ((code >> i) & 1 ? 'a' : 'b')).join(' '),
      ),
    )
      .flat()
      .filter((text) => text !== '')
    const mass = strings.reduce(
      (sum, text) => sum + Math.exp(-natsOf(scored({ ...item, given: { text, k: 0 } } as Item, 'oracle-noisy:0.1'))),
      0,
    )
    // The empty string has what is left: deletions of all tokens.
    expect(mass).toBeGreaterThan(0.97)
    expect(mass).toBeLessThan(1)
  })
})

describe('memorisation', () => {
  const config = { ...preset('memorisation'), repetitions: 1, tests: 24, neighbours: 3, examples: [0, 8, 24] }
  const items = itemsOf(discriminate, config)

  it('asks the examples in their order, and strings of changed rules that are outside', () => {
    for (const item of items) {
      const language = languageOf((item.shared as { grammar: string }).grammar)
      const inside = language.accepts(tokensOf(language.grammar, textOf(item)) as number[])
      expect(inside).toBe(['inside', 'seen'].includes(String(item.features['kind'])))
      if (item.features['kind'] === 'seen')
        expect((item.shared as { examples: string[] }).examples[(item.features['seen'] as number) - 1]).toBe(
          textOf(item),
        )
    }
    expect(new Set(items.map(({ features }) => features['kind']))).toEqual(
      new Set(['inside', 'edited', 'seen', 'rule']),
    )
  })

  it('the language itself remembers nothing, match remembers much, and both beat their edits', async () => {
    const rows = await rowsOf(items, { oracle: 'oracle', match: 'match', ppm: 'ppm' })
    const table = await tableOf('proficiency/memorisation', rows)
    for (const row of where(table, { base: 'oracle' })) {
      expect(centre(row, 'auc')).toBe(0.5)
      for (const measure of ['recollected', 'adaptive']) expect(row[measure]).toBe(0)
      for (const measure of ['counterfactual', 'contextual']) expect(row[measure]).toBeLessThan(1e-9)
    }
    const match = one(table, { base: 'match', strings: 24 })
    expect(centre(match, 'auc')).toBeGreaterThan(0.95)
    for (const measure of ['counterfactual', 'contextual']) expect(match[measure]).toBeGreaterThan(0.3)
    const duels = await tableOf('proficiency/neighbours', rows)
    expect(centre(one(duels, { model: 'oracle', examples: 0, edit: 'any' }), 'all')).toBe(1)
    const [before, after] = [0, 24].map((examples) =>
      centre(one(duels, { model: 'ppm', examples, edit: 'any' }), 'each'),
    )
    expect(after).toBeGreaterThan(before as number)
  })
})
