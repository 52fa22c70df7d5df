import type { Analysis, Estimate, Frame } from '../../../core/analysis.ts'
import { memoize } from '../../../core/memo.ts'
import { figure, table } from '../../../core/tables.ts'
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
      accuracyBy(frame, ['config'], rows).flatMap((cell): Reseeded[] => {
        const datasets = datasetsIn(frame, cell.rows)
        if (datasets.length < 2) return []
        const key = { setting: name, model: cell.model, config: cell.key['config'] ?? null }
        return [{ key, accuracy: cell.accuracy, chance: cell.chance, datasets }]
      }),
    )
    const spreads = table(
      'recoglab/figure2',
      'Spread over seeds',
      [
        setting,
        model,
        text('config', 'Config'),
        number('datasets', 'Datasets'),
        estimate('accuracy', 'Accuracy'),
        ...['low', 'quartile1', 'median', 'quartile3', 'high'].map((key) => number(key, key, 'share')),
        number('deviation', 'Standard deviation', 'share'),
        number('expected', 'Expected from sampling', 'share'),
        number('p', 'p (one accuracy)'),
      ],
      found.map(spreadOf),
    )
    const points = table(
      'recoglab/figure2-datasets',
      'Accuracy of each dataset',
      [
        setting,
        model,
        text('config', 'Config'),
        text('dataset', 'Dataset'),
        number('n', 'Contexts'),
        number('accuracy', 'Accuracy', 'share'),
        chance,
      ],
      found.flatMap((one) =>
        one.datasets.map(({ dataset, contexts, accuracy }) => ({
          ...one.key,
          dataset,
          n: contexts.length,
          accuracy,
          chance: one.chance,
        })),
      ),
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

interface Reseeded {
  readonly key: { readonly setting: string; readonly model: string; readonly config: string | null }
  readonly accuracy: Estimate
  readonly chance: number | null
  readonly datasets: readonly Dataset[]
}

function spreadOf({ key, accuracy, datasets }: Reseeded) {
  const shares = datasets.map((one) => one.accuracy).sort((a, b) => a - b)
  const { variance } = moments(shares)
  const all = datasets.flatMap(({ contexts }) => contexts)
  const centre = mean(all)
  /** Variance of one context; p (1 - p) for scores of 0 and 1. */
  const within = mean(all.map((value) => (value - centre) ** 2))
  return {
    ...key,
    accuracy,
    datasets: datasets.length,
    low: shares[0] as number,
    quartile1: quantileSorted(shares, 0.25),
    median: quantileSorted(shares, 0.5),
    quartile3: quantileSorted(shares, 0.75),
    high: shares.at(-1) as number,
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
