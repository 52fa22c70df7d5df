import { describe, expect, it } from 'vitest'
import type { Estimate, Item } from '../../../src/core/index.ts'
import { homogeneity } from '../../../src/libraries/statistics/index.ts'
import { columnsOf } from '../../../src/tasks/recoglab/analyses/settings.ts'
import { comparison } from '../../../src/tasks/recoglab/comparison/task.ts'
import { families } from '../../../src/tasks/recoglab/families/task.ts'
import { recoglab } from '../../../src/tasks/recoglab/index.ts'
import { social } from '../../../src/tasks/recoglab/social/task.ts'
import { syllogism } from '../../../src/tasks/recoglab/syllogism/task.ts'
import { type Answerer, analyse, frameOf, rowsOf } from './frames.ts'

type Cells = { readonly [key: string]: unknown }
const value = (row: Cells | undefined, key = 'accuracy'): number =>
  (row?.[key] as Estimate | undefined)?.value ?? Number.NaN
const said = (item: Item): string => (Array.isArray(item.answer) ? String(item.answer[0]) : String(item.answer))

/** A model that is right where something holds and says nonsense elsewhere. */
const rightWhere = (
  name: string,
  holds: (item: Item, asked: { readonly style: string; readonly sample: number }) => boolean,
): Answerer => ({ name, answer: (item, asked) => (holds(item, asked) ? said(item) : 'no idea') })
const bySize = rightWhere('by-size', ({ features }) => Number(features['people'] ?? features['entities']) === 10)

describe('what is compared', () => {
  const crossed = [
    { people: 10, wording: 'flavoured' },
    { people: 20, wording: 'flavoured' },
    { people: 20 },
    { people: 10 },
  ]
  const plainEven = rightWhere(
    'plain-even',
    ({ features, index }) => features['wording'] === 'plain' && index % 2 === 0,
  )

  it('pairs a wording with the other of the same size', () => {
    const rows = rowsOf(social, crossed, { models: [bySize, plainEven, 'random', 'last-mentioned'], count: 20 })
    const [, paired] = analyse(social, 'recoglab/figure5', frameOf(rows)).tables
    expect(paired?.rows.map((row) => [row['model'], row['pairs'], value(row, 'difference')])).toEqual([
      ['by-size', 40, 0],
      ['plain-even', 40, -0.5],
      ['random', 40, 0],
      ['last-mentioned', 40, 0],
    ])
  })

  it('averages both wordings over the same sizes', () => {
    const rows = rowsOf(social, [...crossed, { people: 30 }], { models: [bySize], count: 20 })
    const [accuracy] = analyse(social, 'recoglab/figure5', frameOf(rows)).tables
    expect(accuracy?.rows.map((row) => [row['condition'], value(row)])).toEqual([
      ['flavoured', 0.5],
      ['plain', 0.5],
    ])
  })

  it('is apart by question, by style and by every other knob', () => {
    const configs = crossed.flatMap((config) => [config, { ...config, ask: 'next-hop' }])
    const inBare = rightWhere('in-bare', (_, { style }) => style === 'bare')
    const rows = rowsOf(social, configs, { models: [inBare], count: 6, styles: ['bare', 'think'] })
    const [accuracy, paired] = analyse(social, 'recoglab/figure5', frameOf(rows)).tables
    const settings = ['hops, bare', 'hops, think', 'next-hop, bare', 'next-hop, think']
    expect(paired?.rows.map((row) => row['setting'])).toEqual(settings)
    expect(paired?.rows.map((row) => row['pairs'])).toEqual([12, 12, 12, 12])
    for (const row of accuracy?.rows ?? []) expect(value(row)).toBe(String(row['setting']).endsWith('bare') ? 1 : 0)
    const sizes = analyse(social, 'recoglab/figure3-social', frameOf(rows)).tables[0]?.rows ?? []
    expect(new Set(sizes.map((row) => row['setting'])).size).toBe(8)
    for (const row of sizes) expect(value(row)).toBe(String(row['setting']).endsWith('bare') ? 1 : 0)
  })

  it('is not what no feature tells apart', () => {
    const places = ['before', 'after'].map((fillerPosition) => ({ filler: 'prose', fillerLines: 3, fillerPosition }))
    const configs = places.flatMap((config) => [config, { ...config, wording: 'flavoured' }])
    const frame = frameOf(rowsOf(social, configs, { models: ['oracle'], count: 6 }))
    expect(analyse(social, 'recoglab/figure5', frame).tables).toEqual([])
    const cells = analyse(social, 'recoglab/figure4-social', frame).tables[0]?.rows ?? []
    const names = cells.map((row) => String(row['setting']).replace(/[0-9a-f]{12,}$/, 'HASH'))
    expect([...new Set(names)]).toEqual(['plain, config HASH', 'flavoured, config HASH'])
    expect(new Set(cells.map((row) => row['setting'])).size).toBe(4)
  })

  it('is what is clear, beside what is not', () => {
    const places = ['before', 'after'].map((fillerPosition) => ({ filler: 'prose', fillerLines: 3, fillerPosition }))
    const configs = [...places, { filler: 'prose', fillerLines: 3, order: 'forward' }, { order: 'reverse' }]
    const lengths = [
      { filler: 'prose', fillerLines: 3, order: 'reverse' },
      { pairing: 'flip' },
      {},
      { order: 'forward' },
    ]
    const frame = frameOf(rowsOf(comparison, [...configs, ...lengths], { models: ['oracle'], count: 6 }))
    const [, paired] = analyse(comparison, 'recoglab/figure7-comparison', frame).tables
    expect(paired?.rows.map((row) => [row['setting'], row['comparison'], row['pairs']])).toEqual([
      ['prose, 3 lines', 'forward - reverse', 6],
      ['default', 'forward - random', 6],
      ['default', 'forward - reverse', 6],
      ['default', 'random - reverse', 6],
    ])
  })

  it('is one setting where each model has the style that was selected for it', () => {
    const configs = [{ order: 'forward' }, { order: 'reverse' }]
    const rows = ['bare', 'think'].flatMap((style) =>
      rowsOf(comparison, configs, { models: [{ name: `best-${style}`, answer: said }], count: 8, styles: [style] }),
    )
    const { tables, figures } = analyse(comparison, 'recoglab/figure7-comparison', frameOf(rows))
    expect(tables[0]?.columns.map(({ key }) => key)).toEqual(['model', 'condition', 'accuracy'])
    expect(tables[1]?.rows.map((row) => [row['model'], row['pairs']])).toEqual([
      ['best-bare', 8],
      ['best-think', 8],
    ])
    expect(figures?.[0]?.facet).toBeUndefined()
  })

  it('is the same size and relation in figure 8', () => {
    const things = { relation: 'size', entityKind: 'objects' }
    const configs = [
      { ...things, entities: 10, congruency: 'congruent' },
      { ...things, entities: 20, congruency: 'congruent' },
      { ...things, entities: 20, congruency: 'incongruent' },
      { ...things, entities: 10, congruency: 'incongruent' },
      { entities: 10, relation: 'size', entityKind: 'strings' },
      { entities: 10, relation: 'weight', entityKind: 'strings' },
      { entities: 10, relation: 'size' },
      { ...things, entities: 10 },
    ]
    const frame = frameOf(rowsOf(comparison, configs, { models: [bySize], count: 12 }))
    const [, paired] = analyse(comparison, 'recoglab/figure8', frame).tables
    expect(
      paired?.rows.map((row) => [row['setting'], row['comparison'], row['pairs'], value(row, 'difference')]),
    ).toEqual([
      ['10 entities', 'congruent - incongruent', 12, 0],
      ['10 entities', 'congruent - random-string', 12, 0],
      ['10 entities', 'incongruent - random-string', 12, 0],
      ['20 entities', 'congruent - incongruent', 12, 0],
    ])
  })

  it('is the same form in syllogisms of real and of other nouns', () => {
    const byForm = rightWhere('by-form', ({ features }) => String(features['form']).startsWith('A'))
    const configs = [{ construction: 'padded' }, { construction: 'padded', nouns: 'congruent' }]
    const frame = frameOf(rowsOf(syllogism, configs, { models: [byForm], count: 60 }))
    const [row] = analyse(syllogism, 'recoglab/figure8-syllogism', frame).tables[1]?.rows ?? []
    expect(row?.['pairs']).toBeGreaterThan(20)
    expect(row?.['pairs']).toBeLessThan(60)
    expect(value(row, 'difference')).toBe(0)
  })

  it('is one question about records, whose number of people is no knob', () => {
    const configs = ['json', 'xml'].flatMap((format) => [
      { families: 4, format },
      { families: 4, format, ask: 'older' },
    ])
    const frame = frameOf(rowsOf(families, configs, { models: ['oracle'], count: 10 }))
    const [, paired] = analyse(families, 'recoglab/formats', frame).tables
    expect(paired?.rows.map((row) => [row['setting'], row['pairs']])).toEqual([
      ['size', 10],
      ['older', 10],
    ])
  })

  it('is a network of one size in each series of filler', () => {
    const configs = [{ people: 10 }, { people: 20 }].flatMap((config) => [
      config,
      { ...config, filler: 'prose', fillerLines: 4 },
      { ...config, filler: 'prose', padTokens: 900 },
    ])
    const frame = frameOf(rowsOf(social, configs, { models: ['oracle'], count: 4 }))
    const rows = analyse(social, 'recoglab/figure6', frame).tables[0]?.rows ?? []
    expect(rows.map((row) => [row['way'], row['lines'], row['padded']])).toEqual([
      ['more people', 0, 0],
      ['more people', 0, 0],
      ['prose filler, 10 people', 0, 900],
      ['prose filler, 10 people', 4, 0],
      ['prose filler, 20 people', 0, 900],
      ['prose filler, 20 people', 4, 0],
    ])
  })

  it('has a figure of lengths only where some were reported', () => {
    const rows = rowsOf(social, [{}, { people: 20 }], { models: ['oracle'], count: 4 })
    const untold = rows.map((row) => ({ ...row, input_tokens: null }))
    expect(analyse(social, 'recoglab/figure6', frameOf(rows)).figures?.length).toBe(1)
    const { tables, figures } = analyse(social, 'recoglab/figure6', frameOf(untold))
    expect([tables[0]?.rows.length, figures]).toEqual([2, []])
  })
})

describe('what features tell', () => {
  it.each(recoglab.tasks.map((task) => [task.name, task] as const))(
    '%s: of the config or of the problem',
    (_, task) => {
      const presets = Object.values(task.presets).filter((_preset, i) => i % 4 === 0)
      const configs = presets.map(({ config }) => config)
      const rows = rowsOf(task, configs, { models: ['oracle'], count: 6 })
      const frame = frameOf(rows)
      const [knobs, content] = [columnsOf(frame, 'parameters'), columnsOf(frame, 'content')]
      const real = ['margin', 'minMargin'].filter((name) => name in task.features.shape)
      expect([...knobs, ...content, ...real.map((name) => `feature_${name}`)].sort()).toEqual(
        Object.keys(task.features.shape)
          .map((name) => `feature_${name}`)
          .sort(),
      )
      for (const mine of Map.groupBy(rows, (row) => row['config']).values())
        for (const knob of knobs) expect(new Set(mine.map((row) => row[knob])).size, knob).toBe(1)
    },
  )
})

describe('what counts', () => {
  const feasibility = { ask: 'feasibility', network: 'tree', entities: 17, minDistance: 2 }
  const repeated = (id: string, config: object, seeds: readonly string[] = ['unit']) =>
    [1, 4].map((samples) => {
      const byIndex = rightWhere(
        'by-index',
        ({ index, features }) => (index * 7 + Number(features['distance'])) % 3 > 0,
      )
      const rows = rowsOf(comparison, [config], { models: ['yes', byIndex], count: 30, seeds, samples })
      return analyse(comparison, id, frameOf(rows)).tables
    })

  it('four equal samples say hardly more than one, of confusions', () => {
    const [once, often] = repeated('recoglab/figure9', feasibility)
    const found = (tables: typeof once) =>
      tables?.[1]?.rows.map((row) => {
        const { value: share, low, high } = row['falsePositives'] as Estimate
        return { key: [row['model'], row['class'], share], width: high - low }
      })
    expect(found(often)?.map(({ key }) => key)).toEqual(found(once)?.map(({ key }) => key))
    // How alike the samples of a context are is estimated: nearly equal, not known to be equal. Independent, they would halve the width.
    // Where all answers are the same nothing shows it.
    for (const [i, { key, width }] of (found(often) ?? []).entries())
      if (key[2] !== 0 && key[2] !== 1) expect(width).toBeGreaterThan(0.85 * (found(once)?.[i]?.width ?? 0))
  })

  it('nor of distance', () => {
    const [once, often] = repeated('recoglab/distance-comparison', { entities: 10 })
    expect(once?.[1]?.rows.length).toBe(2)
    expect(often?.[1]?.rows).toEqual(once?.[1]?.rows)
  })

  it('nor of seeds, whose test is that of counts', () => {
    const [once, often] = repeated('recoglab/figure2', { entities: 10 }, ['a', 'b', 'c'])
    const tests = (tables: typeof once) =>
      tables?.[0]?.rows.map((row) => [row['p'], row['expected']].map((x) => Number(x).toFixed(9)))
    expect(tests(often)).toEqual(tests(once))
    const counts = once?.[1]?.rows.flatMap((row) => {
      const right = Math.round(Number(row['accuracy']) * Number(row['n']))
      return row['model'] === 'yes' ? [[right, Number(row['n']) - right]] : []
    })
    expect(once?.[0]?.rows[0]?.['p']).toBeCloseTo(homogeneity(counts as [number, number][])?.p as number, 12)
  })

  it('a pair counts both ways of asking as one context', () => {
    const rows = rowsOf(comparison, [{ pairing: 'flip', entities: 10 }], { models: ['yes'], count: 40 })
    const [found] = analyse(comparison, 'recoglab/distance-comparison', frameOf(rows)).tables[1]?.rows ?? []
    // Always half right: nothing is left to correlate.
    expect(found).toBeUndefined()
  })

  it('answers of truncated and refused cells are none', () => {
    const rows = rowsOf(comparison, [{ pairing: 'flip' }], { models: ['yes'], count: 8 })
    const cut = rows.map((row, i) => ({
      ...row,
      status: ['truncated', 'graded', 'refused', 'error'][i] ?? row['status'],
    }))
    const [found] = analyse(comparison, 'recoglab/paired-flip', frameOf(cut as typeof rows)).tables[0]?.rows ?? []
    expect(found).toMatchObject({ pairs: 4, omitted: 2, bothYes: 2, bothNo: 0, consistent: 0 })
  })

  it('figure 2 keeps styles apart', () => {
    const inBare = rightWhere('in-bare', (_, { style }) => style === 'bare')
    const rows = rowsOf(social, [{}], { models: [inBare], count: 10, seeds: ['a', 'b'], styles: ['bare', 'think'] })
    const [summary] = analyse(social, 'recoglab/figure2', frameOf(rows)).tables
    expect(summary?.rows.map((row) => [row['setting'], row['datasets'], value(row)])).toEqual([
      ['bare', 2, 1],
      ['think', 2, 0],
    ])
  })
})
