import {
  type Analysis,
  column,
  everyTwo,
  type Frame,
  figure,
  heatMarks,
  marksBy,
  table,
} from '../../../../core/index.ts'
import { allRows, pearson } from '../../../../libraries/statistics/index.ts'
import { STATISTICS } from './statistics.ts'
import { PAPER } from './tallies.ts'

const { text, number, share, estimate } = column

/** The first row of each item, or of each grammar. */
function firstRows(frame: Frame, of: 'item' | 'group'): readonly number[] {
  const { codes } = frame.category(of)
  const seen = new Set<number>()
  return [...allRows(codes)].filter((row) => {
    const code = codes[row] as number
    return code >= 0 && seen.size < seen.add(code).size
  })
}

/** Correlations between the sizes of the grammars of a run. */
const figure7: Analysis = {
  id: 'relic/figure7',
  title: 'Correlations between the sizes of the grammars',
  source: { paper: PAPER, item: 'Figure 7' },
  notes: [
    'Pearson over the grammars of the run, each once. As published: of the sizes. Corrected: of their logarithms, with Fisher CIs.',
    'The paper averages the matrices of its small and its large grammars.',
  ],
  needs: ['group', ...STATISTICS.map(([name]) => `feature_${name}`)],
  run(frame) {
    const grammars = firstRows(frame, 'group')
    const sizes = STATISTICS.map(([key, label]) => {
      const values = frame.number(`feature_${key}`)
      return { label: label.replace('log10 ', ''), values: grammars.map((row) => values[row] as number) }
    })
    const correlations = table(
      'relic/figure7',
      'Correlations between the sizes of the grammars',
      [
        text('x', 'Size'),
        text('y', 'With'),
        number('published', 'r, as published'),
        estimate('corrected', 'r of logarithms', null),
        number('grammars', 'Grammars'),
      ],
      everyTwo(sizes).flatMap(([x, y]) => {
        const raw = pearson(x.values, y.values)
        const log = pearson(x.values.map(Math.log10), y.values.map(Math.log10))
        return raw === null || log === null
          ? []
          : [{ x: x.label, y: y.label, published: raw.r, corrected: log.estimate ?? log.r, grammars: raw.n }]
      }),
    )
    const heatMap = figure(correlations, {
      x: { key: 'x', scale: 'category' },
      y: { key: 'y', scale: 'category' },
      marks: heatMarks('published'),
    })
    return { tables: [correlations], figures: [heatMap] }
  },
}

/** Strings of each class in a run, overall and by length. */
const figure8: Analysis = {
  id: 'relic/figure8',
  title: 'Strings by class and length',
  source: { paper: PAPER, item: 'Figure 8' },
  notes: ['Items, each once. Unmatched positives and negatives (as released: 41 % and 59 %) make length predictive.'],
  needs: ['item', 'feature_length', 'feature_label'],
  run(frame) {
    const [lengths, labels] = [frame.number('feature_length'), frame.number('feature_label')]
    const rows = firstRows(frame, 'item')
    const byLength = [...Map.groupBy(rows, (row) => lengths[row] as number)].sort(([a], [b]) => a - b)
    const counts = (of: readonly number[]) =>
      [1, 0].map((label) => {
        const strings = of.filter((row) => labels[row] === label).length
        return { class: label === 1 ? 'in the language' : 'not in the language', strings, share: strings / of.length }
      })
    const columns = [text('class', 'Class'), number('strings', 'Strings'), share('share', 'Share')]
    const overall = table('relic/figure8', 'Strings by class', columns, rows.length === 0 ? [] : counts(rows))
    const lengthwise = table(
      'relic/figure8-lengths',
      'Strings by class and length',
      [number('length', 'Length', 'tokens'), ...columns],
      byLength.flatMap(([length, inside]) => counts(inside).map((row) => ({ length, ...row }))),
    )
    return {
      tables: [overall, lengthwise],
      figures: [
        figure(overall, { id: 'relic/figure8-left', x: 'class', y: 'share', marks: [{ kind: 'bar' }] }),
        figure(lengthwise, { id: 'relic/figure8-right', x: 'length', y: 'strings', marks: marksBy('class', 'line') }),
      ],
    }
  },
}

/** Width of a bar of the histogram. */
const BIN = 0.05
const BINS = Math.round(1 / BIN)

/** How much of a full set of strings the grammars of a run have. */
const figure9: Analysis = {
  id: 'relic/figure9',
  title: 'Grammars by coverage',
  source: { paper: PAPER, item: 'Figure 9' },
  notes: [
    'As published: strings of a grammar, of both classes, over the most that a length and class of the run have (released: 10) at every length (50).',
    'Corrected: share of lengths at which the language has a string, from the grammar.',
  ],
  needs: ['item', 'group', 'feature_length', 'feature_label', 'feature_coverage'],
  run(frame) {
    const rows = firstRows(frame, 'item')
    const [lengths, labels, groups] = [
      frame.number('feature_length'),
      frame.number('feature_label'),
      frame.category('group').codes,
    ]
    const cells = Map.groupBy(rows, (row) => `${groups[row]} ${lengths[row]} ${labels[row]}`)
    const full = Math.max(...[...cells.values()].map((cell) => cell.length))
    const every = 2 * new Set(rows.map((row) => lengths[row])).size * full
    const strings = [...Map.groupBy(rows, (row) => groups[row] as number).values()].map((own) => own.length / every)
    const coverage = frame.number('feature_coverage')
    const bars = [
      ...binned('as published', strings),
      ...binned(
        'corrected',
        firstRows(frame, 'group').map((row) => coverage[row] as number),
      ),
    ]
    const histogram = table(
      'relic/figure9',
      'Grammars by coverage',
      [
        text('variant', 'Coverage is counted'),
        share('coverage', 'Coverage, up to'),
        number('grammars', 'Grammars'),
        share('cumulative', 'Share of grammars'),
      ],
      rows.length === 0 ? [] : bars,
    )
    const drawn = (id: string, title: string, y: string, kind: 'bar' | 'line') =>
      figure(histogram, { id, title, x: 'coverage', y, facet: 'variant', marks: [{ kind }] })
    return {
      tables: [histogram],
      figures: [
        drawn('relic/figure9-top', 'Grammars by coverage', 'grammars', 'bar'),
        drawn('relic/figure9-bottom', 'Share of grammars up to a coverage', 'cumulative', 'line'),
      ],
    }
  },
}

function binned(variant: string, values: readonly number[]) {
  const bins = Map.groupBy(values, (value) => Math.min(BINS - 1, Math.floor(value / BIN + 1e-9)))
  let below = 0
  return Array.from({ length: BINS }, (_, bin) => {
    const grammars = bins.get(bin)?.length ?? 0
    below += grammars
    const coverage = Number(((bin + 1) * BIN).toFixed(2))
    return { variant, coverage, grammars, cumulative: below / values.length }
  })
}

/** What the items of a run are, whoever answered. */
export const ofItems: readonly Analysis[] = [figure7, figure8, figure9]
