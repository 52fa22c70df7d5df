import type { Analysis, Estimate, Frame } from '../../../core/analysis.ts'
import { memoize } from '../../../core/memo.ts'
import { chiSquaredUpper, mean, moments, quantileSorted } from '../../../libraries/statistics/index.ts'
import { blocksBeside, named } from './blocks.ts'
import { accuracyBy, chanceColumn, contextCodes, estimate, number, paper, scoresOf, text } from './cells.ts'

/** Figure 2: how much accuracy varies between datasets that differ in their seed only. */
export const reseed: Analysis = {
  id: 'recoglab/figure2',
  title: 'Variation between re-seeded datasets',
  source: { paper, item: 'figure 2' },
  notes: [
    'Quartiles are over datasets of one config and style. Sampling alone would give the standard deviation in the column "expected"; the p value is of a chi-squared test that all datasets have one accuracy.',
    'A context counts once in both, with its mean over samples (and over both ways of asking).',
  ],
  needs: ['item', 'task', 'model', 'config', 'state', 'value'],
  run(frame) {
    const { settings, columns } = named(blocksBeside(frame, []).filter(({ rows }) => seedsIn(frame, rows).size > 1))
    const spreads = settings.flatMap(({ setting, rows: mine }) =>
      accuracyBy(frame, ['config'], mine).flatMap(({ model, key, rows, accuracy, chance }) => {
        const datasets = datasetsIn(frame, rows)
        const config = key['config'] ?? null
        return datasets.length < 2 ? [] : [{ setting, model, config, accuracy, chance, datasets }]
      }),
    )
    const summary = spreads.map(spreadOf)
    const points = spreads.flatMap(({ setting, model, config, chance, datasets }) =>
      datasets.map(({ dataset, contexts, accuracy }) => ({
        setting,
        model,
        config,
        dataset,
        n: contexts.length,
        accuracy,
        chance,
      })),
    )
    if (summary.length === 0) return { tables: [] }
    return {
      tables: [
        {
          id: 'recoglab/figure2',
          title: 'Spread over seeds',
          columns: [
            ...columns,
            text('model', 'Model'),
            text('config', 'Config'),
            number('datasets', 'Datasets'),
            estimate('accuracy', 'Accuracy'),
            ...['low', 'quartile1', 'median', 'quartile3', 'high'].map((key) => number(key, key, 'share')),
            number('deviation', 'Standard deviation', 'share'),
            number('expected', 'Expected from sampling', 'share'),
            number('p', 'p (one accuracy)'),
          ],
          rows: summary,
        },
        {
          id: 'recoglab/figure2-datasets',
          title: 'Accuracy of each dataset',
          columns: [
            ...columns,
            text('model', 'Model'),
            text('config', 'Config'),
            text('dataset', 'Dataset'),
            number('n', 'Contexts'),
            number('accuracy', 'Accuracy', 'share'),
            ...chanceColumn(points),
          ],
          rows: points,
        },
      ],
      figures: [
        {
          id: 'recoglab/figure2',
          title: 'Accuracy of re-seeded datasets',
          table: 'recoglab/figure2-datasets',
          x:
            columns.length > 0
              ? { key: 'setting', label: 'Setting', scale: 'category' }
              : { key: 'config', label: 'Config', scale: 'category' },
          y: { key: 'accuracy', label: 'Accuracy', unit: 'share' },
          facet: 'model',
          marks: [{ kind: 'point' }],
        },
      ],
    }
  },
}

interface Dataset {
  readonly dataset: string
  /** The mean score of each context. */
  readonly contexts: readonly number[]
  readonly accuracy: number
}

/** Rows by the dataset they are of, one a seed: an item's id without the index. */
function seedsIn(frame: Frame, rows: Int32Array): ReadonlyMap<string, readonly number[]> {
  const { codes } = frame.category('item')
  const datasets = datasetsOf(frame)
  return Map.groupBy(rows, (row) => datasets[codes[row] as number] as string)
}

/** By the code of an item. */
const datasetsOf = memoize((frame: Frame) => frame.category('item').levels.map((id) => id.replace(/\/\d+$/, '')))

/** The datasets that rows with a score are of. */
function datasetsIn(frame: Frame, rows: Int32Array): readonly Dataset[] {
  const value = scoresOf(frame)
  const clusters = contextCodes(frame)
  return [...seedsIn(frame, rows)].map(([dataset, mine]) => {
    const contexts = [...Map.groupBy(mine, (row) => clusters[row] as number).values()].map((inside) =>
      mean(inside.map((row) => value[row] as number)),
    )
    return { dataset, contexts, accuracy: mean(contexts) }
  })
}

interface Spread {
  readonly setting: string
  readonly model: string
  readonly config: string | null
  readonly accuracy: Estimate
  readonly datasets: readonly Dataset[]
}

function spreadOf({ datasets, ...who }: Spread) {
  const shares = datasets.map(({ accuracy }) => accuracy).sort((a, b) => a - b)
  const { variance } = moments(shares)
  const all = datasets.flatMap(({ contexts }) => contexts)
  const centre = mean(all)
  /** Of one context; of answers that are right or wrong it is p (1 - p). */
  const within = mean(all.map((value) => (value - centre) ** 2))
  return {
    ...who,
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
 * The p value of sum n_d (mean_d - mean)^2 / variance under chi-squared with a degree of freedom less than there are
 * datasets: of answers that are right or wrong, Pearson's test of homogeneity. null where all contexts score alike.
 */
function oneAccuracy(datasets: readonly Dataset[], centre: number, variance: number): number | null {
  if (variance === 0) return null
  const between = datasets.reduce((sum, { contexts, accuracy }) => sum + contexts.length * (accuracy - centre) ** 2, 0)
  return chiSquaredUpper(between / variance, datasets.length - 1)
}
