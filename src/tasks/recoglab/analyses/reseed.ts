import type { Analysis, Frame } from '../../../core/analysis.ts'
import { homogeneity, moments, quantileSorted, scores } from '../../../stats/index.ts'
import { accuracyBy, estimate, number, paper, text } from './cells.ts'

/** The dataset an item is of: its id without the index. One config with several seeds has several. */
function datasetColumn(frame: Frame): (row: number) => string {
  const { codes, levels } = frame.category('item')
  return (row) => (levels[codes[row] as number] as string).replace(/\/\d+$/, '')
}

/** Figure 2: how much accuracy varies between datasets that differ in their seed only. */
export const reseed: Analysis = {
  id: 'recoglab/figure2',
  title: 'Variation between re-seeded datasets',
  source: { paper, item: 'figure 2' },
  notes: [
    'Quartiles are over datasets of one config. Sampling alone would give the standard deviation in the column "expected"; the p value is of a chi-squared test that all datasets have one accuracy.',
  ],
  needs: ['item', 'model', 'config', 'state', 'value'],
  run(frame) {
    const value = scores(frame)
    const dataset = datasetColumn(frame)
    const points: { model: string; config: string; dataset: string; n: number; accuracy: number }[] = []
    const summary = accuracyBy(frame, ['config']).flatMap(({ model, key, rows, accuracy }) => {
      const counts = new Map<string, { right: number; n: number }>()
      for (const row of rows) {
        const name = dataset(row)
        const count = counts.get(name) ?? { right: 0, n: 0 }
        count.right += (value[row] as number) >= 1 ? 1 : 0
        count.n++
        counts.set(name, count)
      }
      if (counts.size < 2) return []
      const config = (key['config'] ?? '').slice(0, 12)
      for (const [name, { right, n }] of counts) points.push({ model, config, dataset: name, n, accuracy: right / n })
      const shares = [...counts.values()].map(({ right, n }) => right / n).sort((a, b) => a - b)
      const { mean, variance } = moments(shares)
      const size = rows.length / counts.size
      const test = homogeneity([...counts.values()].map(({ right, n }) => [right, n - right]))
      return [
        {
          model,
          config,
          datasets: counts.size,
          accuracy,
          low: shares[0] as number,
          quartile1: quantileSorted(shares, 0.25),
          median: quantileSorted(shares, 0.5),
          quartile3: quantileSorted(shares, 0.75),
          high: shares.at(-1) as number,
          deviation: variance === null ? null : Math.sqrt(variance),
          expected: Math.sqrt((mean * (1 - mean)) / size),
          p: test?.p ?? null,
        },
      ]
    })
    if (summary.length === 0) return { tables: [] }
    return {
      tables: [
        {
          id: 'recoglab/figure2',
          title: 'Spread over seeds',
          columns: [
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
            text('model', 'Model'),
            text('config', 'Config'),
            text('dataset', 'Dataset'),
            number('n', 'Items'),
            number('accuracy', 'Accuracy', 'share'),
          ],
          rows: points,
        },
      ],
      figures: [
        {
          id: 'recoglab/figure2',
          title: 'Accuracy of re-seeded datasets',
          table: 'recoglab/figure2-datasets',
          x: { key: 'config', label: 'Config', scale: 'category' },
          y: { key: 'accuracy', label: 'Accuracy', unit: 'share' },
          facet: 'model',
          marks: [{ kind: 'point' }],
        },
      ],
    }
  },
}
