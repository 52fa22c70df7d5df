import { describe, expect, it } from 'vitest'
import { type Estimate, type Frame, runAnalysis } from '../../../src/core/index.ts'
import { memoryFrame } from '../../../src/libraries/statistics/index.ts'
import { induceAnalyses, reorderAnalyses, soundLawsAnalyses } from '../../../src/tasks/pbebench/analyses/index.ts'
import { lawsFound } from '../../../src/tasks/pbebench/analyses/induction.ts'

/** Table 23 of the paper: of 64 items, how many were solved by c of 8 samples. */
const SOLVED = [36, 10, 5, 4, 2, 4, 2, 1, 0]

function table23(): Frame {
  const rows: { item: string; sample: number; value: number; length: number }[] = []
  let item = 0
  for (const [c, times] of SOLVED.entries())
    for (let n = 0; n < times; n++, item++)
      for (let sample = 0; sample < 8; sample++)
        rows.push({ item: `i${item}`, sample, value: sample < c ? 1 : 0, length: 20 })
  return frameOf(rows.map((row) => ({ ...row, feeding: row.item.length % 2 === 0 })))
}

interface Row {
  readonly item: string
  readonly sample: number
  /** null: the call failed. */
  readonly value: number | null
  readonly length: number
  readonly feeding?: boolean
  readonly model?: string
  readonly style?: string
  readonly config?: string
  readonly settings?: string
  readonly usd?: number
  readonly outputTokens?: number
}

function frameOf(rows: readonly Row[]): Frame {
  const column = <T extends string | number | boolean | null>(of: (row: Row, k: number) => T) => rows.map(of)
  return memoryFrame({
    item: column(({ item }) => item),
    group: column(({ item }) => item),
    model: column(({ model }) => model ?? 'gpt-5'),
    settings: column(({ settings }) => settings ?? '{"effort":"medium","maxTokens":65536}'),
    sample: column(({ sample }) => sample),
    config: column(({ config }) => config ?? 'c0'),
    style: column(({ style }) => style ?? 'standard'),
    status: column(({ value }) => (value === null ? 'error' : 'graded')),
    steps: column(({ model }) => (model?.startsWith('baseline') ? 10 : null)),
    finish_reason: column((_, k) => (k % 9 === 0 ? 'truncated' : 'stop')),
    score: column(({ value }) => value),
    usd: column(({ usd }) => usd ?? null),
    output_tokens: column(({ outputTokens }) => outputTokens ?? 1000),
    reasoning_tokens: column(({ model }) => (model?.endsWith('thinking') ? 500 : 0)),
    feature_length: column(({ length }) => length),
    feature_category: column((_, k) => ['1000', '0111', '1111'][k % 3] as string),
    feature_exactCategory: column(
      (_, k) => ['1000', '0111', '1100', '1011', '0001', '1111', '0010'][(k * 3) % 7] as string,
    ),
    feature_lowerBound: column(({ length }) => length - (length % 2)),
    feature_minimalLength: column(({ length }) => (length % 2 === 0 ? length : null)),
    feature_slack: column(() => 0),
    feature_limit: column(() => 20),
    feature_unique: column((_, k) => k % 2 === 0),
    feature_feeding: column(({ feeding }) => feeding ?? false),
    feature_bleeding: column((_, k) => k % 3 === 0),
    feature_counterfeeding: column((_, k) => k % 5 === 0),
    feature_counterbleeding: column((_, k) => k % 7 < 3),
    subscore_valid: column(() => 4),
    subscore_invalid: column(() => 1),
    subscore_complexity: column(() => 12),
    subscore_editSim: column(({ value }) => value),
    subscore_editSimPublished: column(({ value }) => value),
    subscore_passPublished: column(({ value }) => value),
    subscore_validPublished: column(() => 4),
    subscore_invalidPublished: column(() => 1),
    subscore_complexityPublished: column(() => 12),
    subscore_predictedRules: column(({ value }) => (value === 1 ? 3 : 5)),
    subscore_predictedCategory: column(({ value }) => (value === 1 ? 8 : null)),
    subscore_predictedExactCategory: column(({ value }) => (value === 1 ? 8 : null)),
    subscore_responseLength: column(() => 100),
  })
}

const options = (frame: Frame) => ({ parser: 'strict', seed: 1, frameOf: (): Frame => frame })
const run = (id: string, frame: Frame) => {
  const found = [...induceAnalyses, ...reorderAnalyses].find((analysis) => analysis.id === id)
  if (found === undefined) throw new Error(`no analysis ${id}`)
  return runAnalysis(found, frame, options(frame))
}
const value = (cell: unknown): number => (cell as Estimate).value

describe('analyses of cascade runs', () => {
  it('give Table 23 from its solved counts', () => {
    const rows = run('pbebench/table23', table23()).tables[0]?.rows ?? []
    const published = [0.1543, 0.2416, 0.2974, 0.3377, 0.3694, 0.3956, 0.418, 0.4375]
    expect(rows.length).toBe(8)
    for (const [k, row] of rows.entries()) expect(value(row['pass'])).toBeCloseTo(published[k] as number, 3)
  })

  it('select the best of all samples for the published table, and count all for ours', () => {
    const [published, corrected] = run('pbebench/table2', table23()).tables
    expect(published?.rows[0]).toMatchObject({ model: 'gpt-5', samples: 8, passLast: 43.75, validLast: 80 })
    expect(value(corrected?.rows[0]?.['pass'])).toBeCloseTo(0.1543, 3)
    expect(corrected?.rows[0]).toMatchObject({ items: 64, validRate: 0.8 })
  })

  it('give pass rates by length, settings and blocks of samples', () => {
    const frame = table23()
    expect(run('pbebench/figure2', frame).tables[0]?.rows.map((row) => row['k'])).toEqual([1, 2, 3, 4, 8])
    expect(run('pbebench/table24', frame).tables[0]?.rows[0]).toMatchObject({
      effort: 'medium',
      maxTokens: 65536,
      tokens: 1000,
    })
    expect(run('pbebench/table26', frame).tables[0]?.rows.length).toBe(4)
  })

  it('lay out Tables 25 to 27 as published: first and last block of the best of a budget, and what was cut off', () => {
    const frame = table23()
    const [budgets] = run('pbebench/table25', frame).tables
    expect(budgets?.columns.slice(1).map(({ label }) => label)).toEqual([
      'Sampling Budget',
      'First code block: Pass@1',
      'First code block: Edit Sim',
      'First code block: Valid Rate',
      'Last code block: Pass@1',
      'Last code block: Edit Sim',
      'Last code block: Valid Rate',
      'Nulls',
    ])
    // Of 64 items 28 are solved by their first sample already; one response in nine is cut off.
    expect(budgets?.rows.map(({ budget }) => budget)).toEqual([1, 2, 4, 8])
    for (const row of budgets?.rows ?? [])
      expect(row).toMatchObject({ passFirst: 28 / 64, passLast: 28 / 64, editSimLast: 28 / 64, validLast: 0.8 })
    expect(budgets?.rows.at(-1)?.['nulls']).toBe(57)
    const [lengths] = run('pbebench/table27', frame).tables
    expect(lengths?.rows).toEqual([
      { ...budgets?.rows.at(-1), model: 'gpt-5 medium', maxTokens: 65536, budget: undefined },
    ])
    const [blocks, corrected] = run('pbebench/table26', frame).tables
    expect(blocks?.rows.map(({ block, budget }) => [block, budget])).toEqual([
      [1, 2],
      [2, 2],
      [3, 2],
      [4, 2],
    ])
    // The samples of an item pass in front: later blocks solve fewer.
    expect(corrected?.rows.map(({ pass }) => Math.round(64 * value(pass)))).toEqual([28, 13, 7, 1])
  })

  it('cross predicted with true cascades, passes and failures apart', () => {
    const { tables } = run('pbebench/figure19', table23())
    const lengths = tables[0]?.rows ?? []
    expect(lengths).toContainEqual({ set: 'passed, all models', truth: '20', predicted: '3', count: 28, share: 1 })
    expect(lengths).toContainEqual({ set: 'failed, all models', truth: '20', predicted: '5', count: 36, share: 1 })
    expect(
      tables[2]?.rows
        .filter((row) => row['predicted'] === 'INVALID')
        .every((row) => String(row['set']).startsWith('failed')),
    ).toBe(true)
  })

  it('recover planted effects by logistic regression, with wider errors where samples are clustered', () => {
    const rows = Array.from({ length: 4000 }, (_, k) => {
      const item = Math.floor(k / 8)
      const length = 2 + (item % 9)
      const hard = (item * 7919) % 97 < 12 * length - 20
      return {
        item: `i${item}`,
        sample: k % 8,
        value: hard ? Number(k % 11 === 0) : Number(k % 5 !== 0),
        length,
        feeding: item % 2 === 0,
      }
    })
    const [coefficients, wald, fit] = run('pbebench/table19', frameOf(rows)).tables
    const length = coefficients?.rows.find((row) => row['name'] === 'length')
    expect(length?.['estimate']).toBeLessThan(-0.2)
    expect(length?.['clusteredError'] as number).toBeGreaterThan(length?.['standardError'] as number)
    // All terms together: of one coefficient alone it would be its own test, so of several it is no less than the largest.
    expect(wald?.rows.length).toBe(6)
    expect(wald?.rows[0]).toMatchObject({ term: 'Total model', df: 5 })
    const largest = Math.max(...(wald?.rows.slice(1) ?? []).map((row) => row['chi2'] as number))
    expect(wald?.rows[0]?.['chi2']).toBeGreaterThan(largest)
    expect(fit?.rows[0]).toMatchObject({ rows: 4000, df: 3994, modelDf: 5 })
    // Five main effects and six interactions of the nominal terms.
    expect(run('pbebench/table16', frameOf(rows)).tables[2]?.rows[0]).toMatchObject({ modelDf: 11, df: 3988 })
  })

  it('count an item by the rules it needs, and say where that is not proved', () => {
    const rows = [4, 5, 4].map((length, k) => ({ item: `i${k}`, sample: 0, value: k === 0 ? 1 : 0, length }))
    const { tables } = run('pbebench/minimal', frameOf(rows))
    expect(tables[0]?.rows.map(({ level, items }) => [level, items])).toEqual([
      ['4', 2],
      ['4-5', 1],
    ])
    expect(value(tables[0]?.rows[0]?.['pass'])).toBe(0.5)
    expect(tables[1]?.rows.map(({ level }) => level)).toEqual(['0010', '1000', '1011'])
    const crossed = run('pbebench/figure19', frameOf(rows)).tables.find(({ id }) => id === 'pbebench/minimal/lengths')
    expect(crossed?.rows.map(({ truth }) => truth)).toContain('4-5')
  })

  it('regress on exact relations among items whose minimal length is proved', () => {
    const rows = Array.from({ length: 3000 }, (_, k) => ({
      item: `i${k}`,
      sample: 0,
      value: (k * 7919) % 97 < 10 * (2 + (k % 6)) ? 0 : 1,
      length: 2 + (k % 6),
    }))
    const [coefficients, , fit] = run('pbebench/exact-effects', frameOf(rows)).tables
    expect(fit?.rows[0]).toMatchObject({ rows: 1500 })
    expect(coefficients?.rows.find((row) => row['name'] === 'length')?.['estimate']).toBeLessThan(-0.2)
  })

  it('join the shortest known cascade by item', () => {
    const { tables } = run('pbebench/known-slack', table23())
    // Passing answers have four valid rules, so solved items have a slack of 16, the others none.
    expect(tables[0]?.rows.map((row) => [row['slack'], row['rows']])).toEqual([
      [0, 36 * 8],
      [16, 28 * 8],
    ])
    expect(tables[1]?.rows[0]).toMatchObject({ items: 64, shorter: 28, several: 0 })
  })

  it('compare reasoning on and off only where a model was run both ways', () => {
    const rows = Array.from({ length: 1200 }, (_, k) => ({
      item: `i${k % 300}`,
      sample: 0,
      value: Number((k * 31) % 7 < 3 + (k % 2)),
      length: 2 + (k % 4),
      model: ['a', 'a', 'b', 'b'][Math.floor(k / 300)] as string,
    }))
    const { tables } = run('pbebench/table15', frameOf(rows))
    expect(tables[0]?.rows).toEqual([{ note: 'no model was run with and without reasoning' }])
  })

  it('compare thinking with sampling at equal compute, item by item', () => {
    // Of 60 items the dearer setting solves 40 at its first try; each sample of the cheaper one solves 20, always the same.
    const rows = ['low', 'high'].flatMap((effort) =>
      Array.from({ length: 60 * (effort === 'low' ? 4 : 1) }, (_, k) => ({
        item: `i${k % 60}`,
        sample: Math.floor(k / 60),
        value: k % 60 < (effort === 'low' ? 20 : 40) ? 1 : 0,
        length: 10,
        settings: JSON.stringify({ effort }),
        outputTokens: effort === 'low' ? 1000 : 3000,
      })),
    )
    const { tables } = run('pbebench/equal-compute', frameOf(rows))
    const [pair] = tables[1]?.rows ?? []
    expect(pair).toMatchObject({
      dear: 'high',
      cheap: 'low',
      unit: 'output tokens',
      k: 3,
      thought: 40 / 60,
      sampled: 20 / 60,
    })
    expect(value(pair?.['difference'])).toBeCloseTo(1 / 3, 12)
    expect((pair?.['difference'] as Estimate | undefined)?.low).toBeGreaterThan(0.15)
    // What has a price is compared by it too: the dearer costs as much as two of the cheaper.
    const priced = run(
      'pbebench/equal-compute',
      frameOf(rows.map((row) => ({ ...row, usd: row.outputTokens === 1000 ? 1 : 2 }))),
    )
    expect(priced.tables[1]?.rows.map(({ unit, k }) => [unit, k])).toEqual([
      ['USD', 2],
      ['output tokens', 3],
    ])
    // Three samples are not two: without them nothing is compared.
    const few = run('pbebench/equal-compute', frameOf(rows.filter(({ sample }) => sample < 2))).tables[1]?.rows[0]
    expect(few).toMatchObject({ k: 3, sampled: null, difference: null })
  })

  it('give reordering accuracy with and without the items of two rules', () => {
    const rows = Array.from({ length: 100 }, (_, k) => ({
      item: `i${k}`,
      sample: 0,
      value: k < 60 ? 1 : 0,
      length: k < 50 ? 2 : 3,
    }))
    const row = run('pbebench/table1', frameOf(rows)).tables[0]?.rows[0]
    expect([value(row?.['accuracy']), value(row?.['accuracyLonger']), value(row?.['uniqueAccuracy'])]).toEqual([
      0.6, 0.2, 0.6,
    ])
    expect(run('pbebench/reordering-strategies', frameOf(rows)).tables[0]?.rows.length).toBe(2)
  })
})

describe('a run of several styles or configs', () => {
  // One sample in each style: eight items that the first style solves, the second does not; one config beside.
  const once = (rows: Partial<Row>) =>
    Array.from({ length: 8 }, (_, k) => ({ item: `i${k}`, sample: 0, value: 1, length: 3 + (k % 2), ...rows }))
  const standard = once({ style: 'standard' })
  const fewShot = once({ style: 'few-shot-3', value: 0 })
  const other = once({ config: 'c1', value: 0 }).map((row) => ({ ...row, item: `other ${row.item}` }))
  const all = [...new Map([...induceAnalyses, ...reorderAnalyses, ...soundLawsAnalyses].map((one) => [one.id, one]))]

  it('never counts a style as a sample', () => {
    const frame = frameOf([...standard, ...fewShot])
    const table = (id: string, k = 0) => run(id, frame).tables[k]
    expect(table('pbebench/table2')?.rows).toMatchObject([
      { style: 'standard', samples: 1, passLast: 100 },
      { style: 'few-shot-3', samples: 1, passLast: 0 },
    ])
    expect(table('pbebench/table2', 1)?.rows.map((row) => [row['style'], value(row['pass'])])).toEqual([
      ['standard', 1],
      ['few-shot-3', 0],
    ])
    expect(new Set(table('pbebench/figure2')?.rows.map(({ k }) => k))).toEqual(new Set([1]))
    expect(run('pbebench/table23', frame).tables).toEqual([])
    expect(table('pbebench/table25')?.rows.map(({ budget }) => budget)).toEqual([1, 1])
    // Reordering counts the first sample: of every style, not of one.
    expect(table('pbebench/table1')?.rows.map((row) => value(row['accuracy']))).toEqual([1, 0])
  })

  it.each(all)('%s says of each row what it is of, and draws a panel for each', (_, analysis) => {
    const frame = frameOf([...standard, ...fewShot, ...other])
    const { tables, figures = [] } = analysis.run(frame, options(frame))
    for (const { columns, rows } of tables)
      for (const { key } of columns.filter(({ key: name }) => ['config', 'style'].includes(name)))
        expect(rows.every((row) => typeof row[key] === 'string')).toBe(true)
    for (const figure of figures) {
      const table = tables.find(({ id }) => id === figure.table)
      const panel = figure.facet ?? figure.only?.column
      expect(panel).toBeDefined()
      expect(new Set(table?.rows.map((row) => typeof row[panel as string]))).toEqual(new Set(['string']))
    }
  })

  it('lists the token budgets of one style after another, and draws none without a budget', () => {
    const budgets = [2048, 1024].map((maxTokens) => ({ settings: JSON.stringify({ maxTokens }) }))
    const rows = budgets.flatMap((one) => [standard, fewShot].flat().map((row) => ({ ...row, ...one })))
    const { tables, figures } = run('pbebench/table24', frameOf(rows))
    expect(tables[0]?.rows.map(({ style, maxTokens }) => [style, maxTokens])).toEqual([
      ['standard', 1024],
      ['standard', 2048],
      ['few-shot-3', 1024],
      ['few-shot-3', 2048],
    ])
    expect(figures).toHaveLength(1)
    expect(run('pbebench/table24', frameOf(once({ settings: '{}' }))).figures).toEqual([])
  })

  it('keeps configs apart, and counts the items of a config once for all styles', () => {
    const frame = frameOf([...standard, ...fewShot, ...other])
    expect(run('pbebench/table2', frame).tables[0]?.rows.map(({ part }) => part)).toEqual([
      'c0, standard',
      'c0, few-shot-3',
      'c1, standard',
    ])
    const [lengths] = run('pbebench/figure3', frame).tables
    expect(lengths?.rows).toMatchObject([
      { config: 'c0', level: '3', items: 4 },
      { config: 'c0', level: '4', items: 4 },
      { config: 'c1', level: '3', items: 4 },
      { config: 'c1', level: '4', items: 4 },
    ])
    expect(run('pbebench/known-slack', frame).tables[1]?.rows).toMatchObject([
      { config: 'c0', items: 8 },
      { config: 'c1', items: 8 },
    ])
  })

  it('ranks the items of a config among themselves, and lets a search of one style speak for all', () => {
    const frame = frameOf([...once({ model: 'baseline:cascade-search' }), ...fewShot, ...other])
    const [items, quarters] = run('pbebench/difficulty', frame).tables
    expect(items?.rows.map(({ config, steps }) => [config, steps])).toEqual([
      ...standard.map(() => ['c0', 10]),
      ...other.map(() => ['c1', null]),
    ])
    const mine = quarters?.rows.filter(({ style }) => style === 'few-shot-3')
    expect(mine?.map(({ config, quarter, items: n, steps }) => [config, quarter, n, steps])).toEqual(
      [1, 2, 3, 4].map((quarter) => ['c0', quarter, 2, 10]),
    )
  })
})

describe('answers that say little', () => {
  const twelve = (one: number | null) =>
    frameOf(Array.from({ length: 12 }, (_, k) => ({ item: `i${k}`, sample: 0, value: one, length: 2 + (k % 3) })))

  it.each([['pbebench/table16'], ['pbebench/table19']])('%s is not fitted to them, and says why in one table', (id) => {
    const reasons = (frame: Frame) => run(id, frame).tables.map(({ rows }) => rows)
    expect(reasons(twelve(null))).toEqual([[{ model: 'gpt-5', reason: 'no response has a score' }]])
    expect(reasons(twelve(0))).toEqual([[{ model: 'gpt-5', reason: 'every response is incorrect' }]])
  })

  it('a failed sample costs its item the largest k, and no other', () => {
    const rows = [0, 1, 2].flatMap((item) =>
      [0, 1].map((sample) => ({
        item: `i${item}`,
        sample,
        value: item === 0 && sample === 1 ? null : Number(item > 0),
        length: 20,
      })),
    )
    for (const id of ['pbebench/table23', 'pbebench/figure2'])
      expect(run(id, frameOf(rows)).tables[0]?.rows.map((row) => [row['k'], row['items'], value(row['pass'])])).toEqual(
        [
          [1, 3, 2 / 3],
          [2, 2, 1],
        ],
      )
  })

  it('regressions leave out what takes one value only, and say so', () => {
    const rows = Array.from({ length: 400 }, (_, k) => ({
      item: `i${k}`,
      sample: 0,
      value: Number((k * 31) % 7 < 3),
      length: 2 + (k % 4),
      feeding: true,
    }))
    const [coefficients, wald, fit] = run('pbebench/table19', frameOf(rows)).tables
    expect(wald?.rows.slice(1).map(({ term }) => term)).toEqual([
      'bleeding',
      'counterfeeding',
      'counterbleeding',
      'length',
    ])
    expect(coefficients?.rows).toHaveLength(5)
    expect(fit?.rows[0]).toMatchObject({ omitted: 'feeding', modelDf: 4 })
    expect(fit?.columns.map(({ key }) => key)).toContain('omitted')
    // Three nominal terms are left, with three interactions, and the length.
    expect(run('pbebench/table16', frameOf(rows)).tables[2]?.rows[0]).toMatchObject({ modelDf: 7 })
  })

  it('samples of an item are one cluster of a pass rate by slack', () => {
    const rows = Array.from({ length: 32 }, (_, k) => ({
      item: `i${k >> 1}`,
      sample: k & 1,
      value: Number(k % 4 < 2),
      length: 20,
    }))
    const table = run('pbebench/known-slack', frameOf(rows)).tables[0]
    expect(table?.rows.map((row) => [row['rows'], (row['pass'] as Estimate).method])).toEqual([
      [16, 'beta-binomial over 8 groups, 95 %'],
      [16, 'beta-binomial over 8 groups, 95 %'],
    ])
  })

  it('too few samples for four blocks make no table of variation', () => {
    const rows = [{ item: 'i0', sample: 0, value: 1, length: 2 }]
    expect(run('pbebench/table26', frameOf(rows)).tables).toEqual([])
  })
})

describe('difficulty by a search of the same run', () => {
  // Item k takes the search 10 (k + 1) steps; the model solves the first five of eight items; the last is not searched out.
  const items = [0, 1, 2, 3, 4, 5, 6, 7]
  const column = <T extends string | number | null>(search: (k: number) => T, model: (k: number) => T) => [
    ...items.map(search),
    ...items.map(model),
  ]
  const name = (k: number) => `i${k}`
  const same = <T extends string | number | null>(of: (k: number) => T) => column(of, of)
  const frame = (steps: (k: number) => number | null) =>
    memoryFrame({
      item: same(name),
      group: same(name),
      model: column<string>(
        () => 'baseline:shortest',
        () => 'm',
      ),
      settings: same(() => '{}'),
      status: same(() => 'graded'),
      score: column<number>(
        (k) => (k < 7 ? 1 : 0),
        (k) => (k < 5 ? 1 : 0),
      ),
      steps: column<number | null>(steps, () => null),
      subscore_valid: column<number>(
        () => 3,
        (k) => (k === 0 ? 2 : 5),
      ),
      feature_length: same(() => 4),
      feature_limit: same(() => 5),
      feature_category: same(() => '1000'),
    })

  it('joins steps, the shortest cascade and who solved an item', () => {
    const { tables } = run(
      'pbebench/difficulty',
      frame((k) => 10 * (k + 1)),
    )
    const [byItem, quarters, ranks] = tables
    expect(byItem?.rows[0]).toMatchObject({ item: 'i0', length: 4, shortest: 2, steps: 10, solved: 1 })
    expect(byItem?.rows[6]).toMatchObject({ shortest: 3, steps: 70, solved: 0 })
    expect(byItem?.rows[7]).toMatchObject({ shortest: 4, steps: null, budget: 80, solved: 0 })
    const passes = quarters?.rows.filter(({ model }) => model === 'm').map(({ pass }) => (pass as Estimate).value)
    expect(passes).toEqual([1, 1, 0.5, 0])
    const rho = ranks?.rows.find(({ model }) => model === 'm')?.['steps'] as Estimate
    expect(rho.value).toBeLessThan(-0.8)
  })

  it('says nothing of a run without a search', () => {
    expect(
      run(
        'pbebench/difficulty',
        frame(() => null),
      ).tables,
    ).toEqual([])
  })
})

describe('sound laws found', () => {
  it('are told by language and model: means of the parts, empty where no laws are known, failed calls left out', () => {
    const frame = memoryFrame({
      item: ['a', 'b', 'c', 'a', 'b', 'c'],
      group: ['a', 'b', 'c', 'a', 'b', 'c'],
      model: ['m', 'm', 'm', 'n', 'n', 'n'],
      settings: Array.from({ length: 6 }, () => 'null'),
      status: ['graded', 'graded', 'graded', 'graded', 'error', 'unparsed'],
      score: [0.5, 0.75, 0.25, 1, null, null],
      feature_language: ['P to Q', 'P to Q', 'P to R', 'P to Q', 'P to Q', 'P to R'],
      subscore_description: [10, 20, 30, 5, null, null],
      subscore_found: [1, 0.5, null, 1, null, null],
    })
    const [table] = lawsFound.run(frame, { parser: 'strict', frameOf: () => null } as never).tables ?? []
    expect(table?.rows).toMatchObject([
      {
        model: 'm',
        language: 'P to Q',
        answers: 2,
        unseen: { value: 0.625 },
        description: 15,
        found: 0.75,
        order: null,
      },
      { model: 'm', language: 'P to R', answers: 1, unseen: { value: 0.25 }, description: 30, found: null },
      { model: 'n', language: 'P to Q', answers: 2, unseen: { value: 1 }, description: 5, found: 1 },
      { model: 'n', language: 'P to R', answers: 1, unseen: { value: 0 }, description: null, found: null },
    ])
  })
})
