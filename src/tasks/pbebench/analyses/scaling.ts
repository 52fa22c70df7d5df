import type { Analysis } from '../../../core/index.ts'
import { correctness, passAtK, type SampleCount, sampleCounts, scores } from '../../../libraries/statistics/index.ts'
import { partsOf } from './arms.ts'
import { byItem, estimate, mean, number, numbers, overItems, PAPER, passed, settingsOf, share, text } from './common.ts'

/** The mean of unbiased pass@k over the items with at least k samples that have a score, and how many these are. */
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
    'pass@k is the mean over all k-subsets of the samples, of the items with at least k that did not fail; the published tables call it Pass@1 with a sampling budget.',
    'A published cliff at 20 rules coincides with the rule limit: max(20, length) leaves no spare rules from 20 on. Compare `slack`.',
  ],
  needs: ['value', 'feature_length'],
  run(frame) {
    const right = correctness(scores(frame))
    const [length, slack] = [frame.number('feature_length'), numbers(frame, 'feature_slack')]
    const { arms, columns, facet } = partsOf(frame)
    const rows = arms.flatMap(({ key, rows: list }) => {
      const counts = sampleCounts(frame, right, list)
      const lengths = [...new Set(counts.map(({ row }) => length[row] as number))].sort((a, b) => a - b)
      return lengths.flatMap((at) => {
        const here = counts.filter(({ row }) => length[row] === at)
        const most = maxSamples(here)
        return [...new Set([1, 2, 3, 4, 8, most])]
          .filter((k) => k <= most)
          .sort((a, b) => a - b)
          .map((k) => ({
            ...key,
            length: at,
            k,
            ...meanPassAtK(here, k),
            slack: mean(here.map(({ row }) => slack[row] as number)),
            series: `${key.model}, k = ${k}`,
          }))
      })
    })
    return {
      tables: [
        {
          id: 'pbebench/figure2',
          title: 'pass@k by cascade length',
          columns: [
            ...columns,
            text('model', 'Model'),
            number('length', 'Cascade length', 'rules'),
            number('k', 'k', 'samples'),
            number('items', 'Items'),
            number('slack', 'Spare rules, mean', 'rules'),
            estimate('pass', 'pass@k'),
            text('series', 'Series'),
          ],
          rows,
        },
      ],
      figures: [
        {
          id: 'pbebench/figure2',
          title: 'Pass rate by cascade length',
          table: 'pbebench/figure2',
          ...facet,
          x: { key: 'length', label: 'Cascade length', unit: 'rules' },
          y: { key: 'pass', label: 'pass@k' },
          marks: [
            { kind: 'line', x: 'length', y: 'pass', series: 'series' },
            { kind: 'interval', x: 'length', y: 'pass', series: 'series' },
          ],
        },
      ],
    }
  },
}

/** pass@k against k: Table 23. */
export const bySamples: Analysis = {
  id: 'pbebench/table23',
  title: 'Pass rate by sampling budget',
  source: { paper: PAPER, item: 'Table 23, Figures 11 and 12' },
  notes: ['Of K samples all subsets of each size count, so the curve is as smooth as the data allow.'],
  needs: ['value', 'sample'],
  run(frame) {
    const right = correctness(scores(frame))
    const { arms, columns, facet } = partsOf(frame)
    const rows = arms.flatMap(({ key, rows: list }) => {
      const counts = sampleCounts(frame, right, list)
      const most = maxSamples(counts)
      return BUDGETS.filter((k) => k <= most).map((k) => ({ ...key, k, ...meanPassAtK(counts, k) }))
    })
    if (rows.every(({ k }) => k === 1)) return { tables: [] }
    return {
      tables: [
        {
          id: 'pbebench/table23',
          title: 'pass@k',
          columns: [
            ...columns,
            text('model', 'Model'),
            number('k', 'Samples'),
            number('items', 'Items'),
            estimate('pass', 'pass@k'),
          ],
          rows,
        },
      ],
      figures: [
        {
          id: 'pbebench/figure11',
          title: 'Pass rate by sampling budget',
          table: 'pbebench/table23',
          ...facet,
          x: { key: 'k', label: 'Samples', scale: 'log' },
          y: { key: 'pass', label: 'pass@k' },
          marks: [{ kind: 'line', x: 'k', y: 'pass', series: 'model' }],
        },
      ],
    }
  },
}

interface Budgeted {
  readonly series: string
  readonly maxTokens: number | null
}

const bySeries = (a: Budgeted, b: Budgeted): number =>
  a.series < b.series ? -1 : a.series > b.series ? 1 : (a.maxTokens ?? 0) - (b.maxTokens ?? 0)

/** What a larger budget of tokens buys, per reasoning effort: Table 24, Figure 18. */
export const byTokens: Analysis = {
  id: 'pbebench/table24',
  title: 'Pass rate by token budget and effort',
  source: { paper: PAPER, item: 'Table 24, Figure 18' },
  notes: ['No answer: truncated or refused responses. A row is a model with its settings.'],
  needs: ['value', 'settings', 'finish'],
  run(frame) {
    const value = scores(frame)
    const settings = frame.category('settings')
    const models = frame.category('model')
    const output = numbers(frame, 'outputTokens')
    const finish = frame.category('finish')
    const nulls = new Set(['truncated', 'refused'].map((name) => finish.levels.indexOf(name)))
    const { parts, columns, facet } = partsOf(frame)
    const rows = parts.flatMap((part) =>
      part.arms
        .map(({ key, rows: list }) => {
          const first = list[0] as number
          const { maxTokens, effort } = settingsOf(settings.levels[settings.codes[first] as number] ?? '')
          const known = [...list].filter((row) => !Number.isNaN(value[row] as number))
          const empty = known.filter((row) => nulls.has(finish.codes[row] as number))
          const right = known.filter((row) => passed(value[row] as number) === 1)
          const model = models.levels[models.codes[first] as number] ?? ''
          return {
            ...key,
            model,
            maxTokens,
            effort: effort ?? '',
            tokens: mean([...list].map((row) => output[row] as number)),
            pass: overItems(
              byItem(frame, Int32Array.from(known)).map(
                (item) => mean(item.map((row) => passed(value[row] as number))) as number,
              ),
            ),
            nulls: known.length === 0 ? null : empty.length / known.length,
            right: known.length === 0 ? null : right.length / known.length,
            wrong: known.length === 0 ? null : (known.length - empty.length - right.length) / known.length,
            series: `${model} ${effort ?? ''}`.trim(),
          }
        })
        .sort(bySeries),
    )
    return {
      tables: [
        {
          id: 'pbebench/table24',
          title: 'Pass rate by largest number of tokens and effort',
          columns: [
            ...columns,
            text('model', 'Model'),
            number('maxTokens', 'Most tokens', 'tokens'),
            text('effort', 'Effort'),
            number('tokens', 'Tokens used, mean', 'tokens'),
            estimate('pass', 'Pass@1'),
            share('nulls', 'No answer'),
            share('right', 'Right'),
            share('wrong', 'Wrong'),
            text('series', 'Series'),
          ],
          rows,
        },
      ],
      // Without a largest number there is no place on the axis.
      figures: rows.every(({ maxTokens }) => maxTokens === null)
        ? []
        : [
            {
              id: 'pbebench/figure18',
              title: 'Pass rate by largest number of tokens',
              table: 'pbebench/table24',
              ...facet,
              x: { key: 'maxTokens', label: 'Most tokens', unit: 'tokens', scale: 'log' },
              y: { key: 'pass', label: 'Pass@1' },
              marks: [{ kind: 'line', x: 'maxTokens', y: 'pass', series: 'series' }],
            },
          ],
    }
  },
}
