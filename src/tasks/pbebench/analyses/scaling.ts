import { type Analysis, figure, marksBy, tableOf } from '../../../core/index.ts'
import { passAtK, type SampleCount, sampleCounts } from '../../../libraries/statistics/index.ts'
import {
  at,
  conditionsOf,
  distinct,
  estimate,
  itemPasses,
  mean,
  model,
  modelOf,
  number,
  numbers,
  overItems,
  PAPER,
  passes,
  scoredRows,
  settingsOf,
  share,
  text,
} from './common.ts'

/** The mean of unbiased pass@k over the items with at least k scored samples, and their number. */
function meanPassAtK(counts: readonly SampleCount[], k: number) {
  const able = counts.filter(({ n }) => n >= k)
  return { items: able.length, pass: overItems(able.map(({ n, right }) => passAtK(n, right, k))) }
}

const maxSamples = (counts: readonly SampleCount[]): number => counts.reduce((most, { n }) => Math.max(most, n), 0)

const BUDGETS = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 28, 32, 64]

/** Pass rate by the length of the planted cascade, for one sample and for all of them. */
export const byLength: Analysis = {
  id: 'pbebench/figure2',
  title: 'Pass rate by cascade length',
  source: { paper: PAPER, item: 'Figure 2, Tables 20 and 22' },
  notes: [
    'pass@k: mean over all k-subsets of samples, of items with at least k scored samples. The paper calls it Pass@1 with a sampling budget.',
    'The published cliff at 20 rules coincides with the rule limit: max(20, length) leaves no spare rules from 20 on. Compare `slack`.',
  ],
  needs: ['score', 'feature_length'],
  run(frame) {
    const pass = passes(frame)
    const [length, slack] = [frame.number('feature_length'), numbers(frame, 'feature_slack')]
    const { systems, columns, panel } = conditionsOf(frame)
    const rows = systems.flatMap(({ key, rows: own }) => {
      const counts = sampleCounts(frame, pass, own)
      const first = counts.map(({ row }) => row)
      return distinct(length, first).flatMap((rules) => {
        const here = counts.filter(({ row }) => length[row] === rules)
        const most = maxSamples(here)
        return [...new Set([1, 2, 3, 4, 8, most])]
          .filter((k) => k <= most)
          .sort((a, b) => a - b)
          .map((k) => ({ key, rules, k, here, ...meanPassAtK(here, k) }))
      })
    })
    const made = tableOf('pbebench/figure2', 'pass@k by cascade length', [...columns, model], rows, [
      [number('length', 'Cascade length', 'rules'), ({ rules }) => rules],
      [number('k', 'k', 'samples'), ({ k }) => k],
      [number('items', 'Items'), ({ items }) => items],
      [number('slack', 'Spare rules, mean', 'rules'), ({ here }) => mean(here.map(({ row }) => slack[row] as number))],
      [estimate('pass', 'pass@k'), (row) => row.pass],
      [text('series', 'Series'), ({ key, k }) => `${key.model}, k = ${k}`],
    ])
    const curve = figure(made, {
      title: 'Pass rate by cascade length',
      x: 'length',
      y: 'pass',
      facet: panel,
      marks: marksBy('series', 'line', 'interval', 'point'),
    })
    return { tables: [made], figures: [curve] }
  },
}

/** pass@k against k: Table 23. */
export const bySamples: Analysis = {
  id: 'pbebench/table23',
  title: 'Pass rate by sampling budget',
  source: { paper: PAPER, item: 'Table 23, Figures 11 and 12' },
  notes: ['pass@k: mean over all k-subsets of the samples of an item.'],
  needs: ['score', 'sample'],
  run(frame) {
    const pass = passes(frame)
    const { systems, columns, panel } = conditionsOf(frame)
    const rows = systems.flatMap(({ key, rows: own }) => {
      const counts = sampleCounts(frame, pass, own)
      const most = maxSamples(counts)
      return BUDGETS.filter((k) => k <= most).map((k) => ({ key, k, ...meanPassAtK(counts, k) }))
    })
    if (rows.every(({ k }) => k === 1)) return { tables: [] }
    const made = tableOf('pbebench/table23', 'pass@k', [...columns, model], rows, [
      [number('k', 'Samples'), ({ k }) => k],
      [number('items', 'Items'), ({ items }) => items],
      [estimate('pass', 'pass@k'), (row) => row.pass],
    ])
    const curve = figure(made, {
      id: 'pbebench/figure11',
      title: 'Pass rate by sampling budget',
      x: { key: 'k', scale: 'log' },
      y: 'pass',
      facet: panel,
      marks: marksBy('model', 'line', 'interval', 'point'),
    })
    return { tables: [made], figures: [curve] }
  },
}

/** Pass rate by token budget, per reasoning effort: Table 24, Figure 18. */
export const byTokens: Analysis = {
  id: 'pbebench/table24',
  title: 'Pass rate by token budget and effort',
  source: { paper: PAPER, item: 'Table 24, Figure 18' },
  notes: ['No answer: truncated or refused responses. A row is a model with its settings.'],
  needs: ['score', 'settings', 'finish_reason'],
  run(frame) {
    const pass = passes(frame)
    const output = numbers(frame, 'output_tokens')
    const finish = frame.category('finish_reason')
    const noAnswer = new Set(['truncated', 'refused'].map((name) => finish.levels.indexOf(name)))
    const { conditions, columns, panel } = conditionsOf(frame)
    const rows = conditions.flatMap(({ systems }) =>
      systems
        .map(({ key, rows: own }) => {
          const { maxTokens, effort } = settingsOf(frame, own)
          const name = modelOf(frame, own)
          const scored = scoredRows(frame, own)
          const empty = scored.filter((row) => noAnswer.has(finish.codes[row] as number)).length
          const right = scored.filter((row) => pass[row] === 1).length
          return {
            key: { ...key, model: name },
            own,
            scored,
            empty,
            right,
            maxTokens,
            effort: effort ?? '',
            series: `${name} ${effort ?? ''}`.trim(),
          }
        })
        .sort(
          (a, b) => (a.series < b.series ? -1 : a.series > b.series ? 1 : 0) || (a.maxTokens ?? 0) - (b.maxTokens ?? 0),
        ),
    )
    const shareOf = (count: number, { length }: Int32Array) => (length === 0 ? null : count / length)
    const title = 'Pass rate by token limit and effort'
    const made = tableOf('pbebench/table24', title, [...columns, model], rows, [
      [number('maxTokens', 'Token limit', 'tokens'), ({ maxTokens }) => maxTokens],
      [text('effort', 'Effort'), ({ effort }) => effort],
      [number('tokens', 'Tokens used, mean', 'tokens'), ({ own }) => mean(at(output, own))],
      [estimate('pass', 'Pass@1'), ({ scored }) => overItems(itemPasses(frame, scored).map((item) => item.pass))],
      [share('nulls', 'No answer'), ({ empty, scored }) => shareOf(empty, scored)],
      [share('right', 'Correct'), ({ right, scored }) => shareOf(right, scored)],
      [share('wrong', 'Incorrect'), ({ empty, right, scored }) => shareOf(scored.length - empty - right, scored)],
      [text('series', 'Series'), ({ series }) => series],
    ])
    const curve = figure(made, {
      id: 'pbebench/figure18',
      title: 'Pass rate by token limit',
      x: { key: 'maxTokens', scale: 'log' },
      y: 'pass',
      facet: panel,
      marks: marksBy('series', 'line', 'interval', 'point'),
    })
    // Rows without a limit have no place on the axis.
    return { tables: [made], figures: rows.every(({ maxTokens }) => maxTokens === null) ? [] : [curve] }
  },
}
