import type { Analysis, Frame } from '../../../core/analysis.ts'
import { memoize } from '../../../core/memo.ts'
import { type Cell, figure, tableOf } from '../../../core/tables.ts'
import { chiSquaredUpper, mean, moments, quantileSorted, scores } from '../../../libraries/statistics/index.ts'
import { accuracyBy, chance, contextCodes, estimate, model, NEEDS, number, paper, setting, text } from './accuracy.ts'
import { blocksBeside, named } from './settings.ts'

/** Figure 2: how much accuracy varies between datasets that differ in their seed only. */
export const reseed: Analysis = {
  id: 'recoglab/figure2',
  title: 'Variation between re-seeded datasets',
  source: { paper, item: 'figure 2' },
  notes: [
    'Quartiles over datasets of one config and style. Expected: standard deviation from sampling alone. p: chi-squared test of one accuracy.',
    'A context counts once, with its mean over samples and both ways of asking.',
  ],
  needs: NEEDS,
  run(frame) {
    const settings = named(blocksBeside(frame, []).filter(({ rows }) => seedsIn(frame, rows).size > 1))
    const found = settings.flatMap(({ setting: name, rows }) =>
      accuracyBy(frame, ['config'], rows).flatMap((part) => {
        const datasets = datasetsIn(frame, part.rows)
        const key = { setting: name, model: part.model, config: part.levels['config'] ?? null }
        return datasets.length < 2 ? [] : [{ ...part, key, datasets, ...spreadOf(datasets) }]
      }),
    )
    const leading = [setting, model, text('config', 'Config')]
    const spreads = tableOf('recoglab/figure2', 'Spread over seeds', leading, found, [
      [number('datasets', 'Datasets'), ({ datasets }) => datasets.length],
      [estimate('accuracy', 'Accuracy'), ({ accuracy }) => accuracy],
      ...(['low', 'quartile1', 'median', 'quartile3', 'high'] as const).map(
        (key, i): Cell<(typeof found)[number]> => [
          number(key, key, 'share'),
          ({ shares }) => quantileSorted(shares, i / 4),
        ],
      ),
      [number('deviation', 'Standard deviation', 'share'), ({ deviation }) => deviation],
      [number('expected', 'Expected from sampling', 'share'), ({ expected }) => expected],
      [number('p', 'p (one accuracy)'), ({ p }) => p],
    ])
    const sets = found.flatMap((one) =>
      one.datasets.map((own) => ({ ...own, key: { ...one.key, dataset: own.dataset }, chance: one.chance })),
    )
    const points = tableOf(
      'recoglab/figure2-datasets',
      'Accuracy of each dataset',
      [...leading, text('dataset', 'Dataset')],
      sets,
      [
        [number('n', 'Contexts'), ({ contexts }) => contexts.length],
        [number('accuracy', 'Accuracy', 'share'), ({ accuracy }) => accuracy],
        [chance, (own) => own.chance],
      ],
    )
    const plot = figure(points, {
      id: 'recoglab/figure2',
      title: 'Accuracy of re-seeded datasets',
      x: { key: settings.length > 1 ? 'setting' : 'config', scale: 'category' },
      y: 'accuracy',
      facet: 'model',
      marks: [{ kind: 'box' }],
    })
    return { tables: [spreads, points], figures: [plot] }
  },
}

interface Dataset {
  readonly dataset: string
  /** The mean score of each context. */
  readonly contexts: readonly number[]
  readonly accuracy: number
}

/** Rows by dataset, one per seed: an item's id without the index. */
function seedsIn(frame: Frame, rows: Int32Array): ReadonlyMap<string, readonly number[]> {
  const { codes } = frame.category('item')
  const datasets = datasetsOf(frame)
  return Map.groupBy(rows, (row) => datasets[codes[row] as number] as string)
}

/** By item code. */
const datasetsOf = memoize((frame: Frame) => frame.category('item').levels.map((id) => id.replace(/\/\d+$/, '')))

function datasetsIn(frame: Frame, rows: Int32Array): readonly Dataset[] {
  const value = scores(frame)
  const clusters = contextCodes(frame)
  return [...seedsIn(frame, rows)].map(([dataset, own]) => {
    const contexts = [...Map.groupBy(own, (row) => clusters[row] as number).values()].map((inside) =>
      mean(inside.map((row) => value[row] as number)),
    )
    return { dataset, contexts, accuracy: mean(contexts) }
  })
}

function spreadOf(datasets: readonly Dataset[]) {
  const shares = datasets.map((one) => one.accuracy).sort((a, b) => a - b)
  const { variance } = moments(shares)
  const all = datasets.flatMap(({ contexts }) => contexts)
  const centre = mean(all)
  /** Variance of one context; p (1 - p) for scores of 0 and 1. */
  const within = mean(all.map((value) => (value - centre) ** 2))
  return {
    shares,
    deviation: variance === null ? null : Math.sqrt(variance),
    expected: Math.sqrt(within / (all.length / datasets.length)),
    p: oneAccuracy(datasets, centre, within),
  }
}

/**
 * p of sum n_d (mean_d - mean)^2 / variance under chi-squared with one degree of freedom fewer than datasets; for scores of 0 and 1
 * Pearson's test of homogeneity. null where all contexts score alike.
 */
function oneAccuracy(datasets: readonly Dataset[], centre: number, variance: number): number | null {
  if (variance === 0) return null
  const between = datasets.reduce((sum, { contexts, accuracy }) => sum + contexts.length * (accuracy - centre) ** 2, 0)
  return chiSquaredUpper(between / variance, datasets.length - 1)
}
