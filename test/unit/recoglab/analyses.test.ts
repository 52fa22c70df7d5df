import { describe, expect, it } from 'vitest'
import { type Estimate, type Frame, type Item, runAnalysis, type Task } from '../../../src/core/index.ts'
import { memoryFrame, selectStyleAndParser } from '../../../src/libraries/statistics/index.ts'
import { comparison } from '../../../src/tasks/recoglab/comparison/task.ts'
import { families } from '../../../src/tasks/recoglab/families/task.ts'
import { recoglab } from '../../../src/tasks/recoglab/index.ts'
import { social } from '../../../src/tasks/recoglab/social/task.ts'
import { syllogism } from '../../../src/tasks/recoglab/syllogism/task.ts'
import { analyse, frameOf, rowsOf, run } from './frames.ts'

const value = (row: { readonly [key: string]: unknown }, key = 'accuracy'): number => (row[key] as Estimate).value

const beliefs = { ask: 'judge', terms: 3, nouns: 'crossed', construction: 'forms' }

describe('belief bias', () => {
  const answerers = [
    'oracle',
    'belief',
    {
      name: 'biased',
      // Right but for invalid conclusions that are believable, of which it accepts every second, and one valid one in eight.
      answer: ({ features: { validity, believability }, index }: Item) => {
        if (validity === 'valid') return index % 8 === 0 ? 'No' : 'Yes'
        return believability === 'believable' && index % 2 === 0 ? 'Yes' : 'No'
      },
    },
  ]
  const rows = rowsOf(syllogism, [beliefs], { models: answerers, count: 240 })
  const [accepted, effects] = analyse(syllogism, 'recoglab/belief', frameOf(rows)).tables

  it('gives the share of accepted conclusions in each condition', () => {
    const of = (name: string) => (accepted?.rows ?? []).filter(({ model }) => model === name)
    expect(of('oracle').map((row) => value(row, 'accepted'))).toEqual([1, 1, 1, 0, 0, 0])
    expect(of('belief').map((row) => value(row, 'accepted'))).toEqual([1, 0, 0, 1, 0, 0])
    expect(of('biased').map(({ n }) => n)).toEqual(Array.from({ length: 6 }, () => 40))
  })

  it('gives effects that are differences of those shares, and none without variation', () => {
    const [vb, , vu, ib, , iu] = (accepted?.rows ?? [])
      .filter(({ model }) => model === 'biased')
      .map((row) => value(row, 'accepted')) as [number, number, number, number, number, number]
    expect(effects?.rows.map(({ model, effect }) => [model, effect])).toEqual(
      ['logic', 'belief', 'interaction'].map((effect) => ['biased', effect]),
    )
    const expected = [(vb + vu - ib - iu) / 2, (vb + ib - vu - iu) / 2, ib - iu - (vb - vu)]
    for (const [i, row] of (effects?.rows ?? []).entries())
      expect(value(row, 'difference')).toBeCloseTo(expected[i] as number, 9)
  })
})

describe('thinking against distance', () => {
  const asked = rowsOf(social, [{}], { models: ['oracle', 'one-hop'], count: 80 })
  /** Twice the distance for one model, the same for all pairs for the other; one answer in four was not counted. */
  const told = frameOf(
    asked.map((row, k) => {
      const spent = row['model'] === 'oracle' ? 100 * Number(row['feature_distance']) : 70
      return { ...row, reasoning_tokens: k % 4 === 3 ? null : spent + (k % 3) }
    }),
  )

  it('tells whose tokens grow with distance', () => {
    const [means, direction] = analyse(social, 'recoglab/thinking-social', told).tables
    for (const row of means?.rows ?? []) {
      expect(row['unit']).toBe('reasoning tokens')
      const expected = row['model'] === 'oracle' ? 100 * Number(row['distance']) : 70
      if (row['spent'] !== null) expect(Math.abs(value(row, 'spent') - expected)).toBeLessThanOrEqual(2)
    }
    const of = (model: string) => direction?.rows.find((row) => row['model'] === model)
    expect(value(of('oracle') ?? {}, 'correlation')).toBeGreaterThan(0.9)
    expect(of('oracle')?.['p']).toBeLessThan(1e-6)
    expect(Math.abs(value(of('one-hop') ?? {}, 'correlation'))).toBeLessThan(0.4)
  })

  it('takes the next best count, and is left out where nothing was counted', () => {
    const [means] = analyse(social, 'recoglab/thinking-social', frameOf(asked)).tables
    expect(new Set(means?.rows.map((row) => row['unit']))).toEqual(new Set(['output tokens']))
    const none = frameOf(asked.map((row) => ({ ...row, output_tokens: null })))
    expect(analyse(social, 'recoglab/thinking-social', none).tables).toEqual([])
  })
})

describe('analyses of baselines', () => {
  it('every figure draws columns of its own table', () => {
    const frames: readonly (readonly [Task, Frame])[] = [
      [
        comparison,
        run(
          comparison,
          [
            { entities: 8 },
            { entities: 6 },
            { ask: 'feasibility', network: 'tree', entities: 17, minDistance: 2 },
            { pairing: 'flip', entities: 6 },
            { order: 'forward', entities: 8 },
            { relation: 'size', entityKind: 'strings' },
            { relation: 'size', entityKind: 'objects', congruency: 'congruent' },
          ],
          ['oracle', 'random'],
          40,
          ['a', 'b'],
        ),
      ],
      [
        social,
        run(
          social,
          [{}, { people: 12 }, { ask: 'path' }, { wording: 'flavoured' }, { filler: 'prose', fillerLines: 5 }],
          ['oracle', 'one-hop'],
          40,
          ['a', 'b'],
        ),
      ],
      [
        syllogism,
        run(
          syllogism,
          [{}, { nouns: 'nonsense' }, { terms: 6 }, { order: 'forward' }, beliefs],
          ['oracle', 'atmosphere', 'random'],
          40,
        ),
      ],
      [
        families,
        run(families, [{ families: 4 }, { families: 4, format: 'xml' }, { families: 6 }], ['oracle', 'random'], 40),
      ],
    ]
    const seen = new Set<string>()
    for (const [task, frame] of frames)
      for (const analysis of task.analyses) {
        const { tables, figures } = runAnalysis(analysis, frame, { parser: 'strict', seed: 1, frameOf: () => null })
        seen.add(analysis.id)
        expect(tables.length, analysis.id).toBeGreaterThan(0)
        for (const table of tables)
          for (const row of table.rows)
            for (const { key, kind } of table.columns) {
              expect(row[key] !== undefined, `${table.id} ${key}`).toBe(true)
              // A page shows how an interval was made.
              if (kind === 'estimate' && row[key] !== null) expect(row[key], table.id).toHaveProperty('method')
            }
        for (const figure of figures ?? []) {
          const table = tables.find(({ id }) => id === figure.table)
          const [row] = table?.rows ?? []
          if (row === undefined) continue
          for (const key of [figure.x.key, figure.y.key, ...(figure.facet === undefined ? [] : [figure.facet])])
            expect(row[key] !== undefined, `${figure.id} ${key}`).toBe(true)
          for (const { series } of figure.marks)
            if (series !== undefined) expect(row[series] !== undefined, `${figure.id} ${series}`).toBe(true)
        }
      }
    expect(seen.size).toBe(new Set(recoglab.tasks.flatMap((task) => task.analyses.map(({ id }) => id))).size)
  })

  it('figure 3: the oracle is right at every size', () => {
    const frame = run(comparison, [{ entities: 5 }, { entities: 10 }], ['oracle', 'yes'])
    const rows = analyse(comparison, 'recoglab/figure3-comparison', frame).tables[0]?.rows ?? []
    expect(rows.filter((row) => row['model'] === 'oracle').map((row) => [row['size'], value(row)])).toEqual([
      [5, 1],
      [10, 1],
    ])
    expect(rows.filter((row) => row['model'] === 'yes').map((row) => value(row))).toEqual([0.5, 0.5])
  })

  it('figure 4: one hop is right at distance 1 only', () => {
    const frame = run(social, [{ people: 10 }], ['one-hop'], 240)
    const rows = analyse(social, 'recoglab/figure4-social', frame).tables[0]?.rows ?? []
    expect(rows.map((row) => row['n'])).toEqual(rows.map(() => 240 / rows.length))
    expect(value(rows.find((row) => row['distance'] === 1) as object as { accuracy: Estimate })).toBe(1)
    for (const row of rows.filter(({ distance }) => distance !== 1)) expect(value(row)).toBeLessThan(0.5)
  })

  it('figure 5 pairs the same networks in both wordings', () => {
    const frame = run(social, [{}, { wording: 'flavoured' }], ['oracle', 'one-hop'])
    const paired = analyse(social, 'recoglab/figure5', frame).tables[1]?.rows ?? []
    expect(paired.map((row) => [row['model'], row['pairs'], value(row, 'difference')])).toEqual([
      ['oracle', 60, 0],
      ['one-hop', 60, 0],
    ])
  })

  it('figure 9: saying Yes has all false positives', () => {
    const frame = run(comparison, [{ ask: 'feasibility', network: 'tree', entities: 17, minDistance: 2 }], ['yes'])
    const [, rates] = analyse(comparison, 'recoglab/figure9', frame).tables
    expect(rates?.rows.map((row) => [row['class'], value(row, 'falsePositives')])).toEqual([
      ['Yes', 1],
      ['No', 0],
      ['Unknown', 0],
    ])
  })

  it('flipped pairs show the bias to agree', () => {
    const frame = run(comparison, [{ pairing: 'flip' }], ['yes', 'oracle'])
    const rows = analyse(comparison, 'recoglab/paired-flip', frame).tables[0]?.rows ?? []
    expect(
      rows.map((row) => [row['model'], row['pairs'], row['bothYes'], row['consistent'], value(row, 'inconsistent')]),
    ).toEqual([
      ['yes', 30, 30, 0, 1],
      ['oracle', 30, 0, 30, 0],
    ])
  })

  it('figure 2 counts one dataset a seed', () => {
    const frame = run(social, [{}], ['random'], 40, ['a', 'b', 'c'])
    expect(analyse(social, 'recoglab/figure2', frame).tables[0]?.rows.map((row) => row['datasets'])).toEqual([3])
  })
})

describe('choosing style and parser', () => {
  const frame = (right: { [style: string]: number }, parser: string) => {
    const styles = Object.entries(right).flatMap(([style, n]) =>
      Array.from({ length: 10 }, (_, i) => ({ style, ok: i < n })),
    )
    return memoryFrame({
      item: styles.map((_, i) => `t/${parser}/${i % 10}`),
      model: styles.map(() => 'm'),
      style: styles.map(({ style }) => style),
      status: styles.map(() => 'graded'),
      score: styles.map(({ ok }) => (ok ? 1 : 0)),
      output_tokens: styles.map(({ style }) => (style === 'long' ? 90 : 5)),
      usd: styles.map(() => 0.01),
    })
  }
  const order = { styles: ['long', 'short', 'other'], parsers: ['strict', 'lenient'] }
  it('takes the most accurate pair', () => {
    const chosen = selectStyleAndParser(
      (parser) => frame(parser === 'strict' ? { long: 3, short: 5 } : { long: 9, short: 6 }, parser),
      order,
    )
    expect(chosen[0]?.best).toMatchObject({ style: 'long', parser: 'lenient' })
    expect(chosen[0]?.usd).toBeCloseTo(0.2)
  })
  it('settles ties by tokens, then by the order of the lists', () => {
    const chosen = selectStyleAndParser((parser) => frame({ other: 7, long: 7, short: 7 }, parser), order)
    expect(chosen[0]?.best).toMatchObject({ style: 'short', parser: 'strict' })
    expect(chosen[0]?.tied.map(({ style, parser }) => `${style} ${parser}`)).toEqual([
      'short lenient',
      'other strict',
      'other lenient',
      'long strict',
      'long lenient',
    ])
  })
})
