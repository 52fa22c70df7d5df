import { type Analysis, column, type Frame, type Table } from '../../../../core/index.ts'
import { design, linear } from '../../../../libraries/statistics/index.ts'
import { accuracyByLength } from './accuracy-by-length.ts'
import { balanced, byGrammar, byLength, clusteredAccuracy, plain } from './cells.ts'
import { PAPER } from './paper.ts'
import { byArm, needs, publishedResponses, type Responses, responses } from './responses.ts'
import { byGrammarCode } from './statistics.ts'

/** Accuracy against the size of the grammar and the length of the string. */
export const figure2: Analysis = {
  id: 'relic/figure2',
  title: 'Accuracy by grammar size and string length',
  source: { paper: PAPER, item: 'Figure 2' },
  notes: [
    'Top: one point a grammar, the mean of its two class accuracies; the published line is fitted to unbalanced accuracies, the corrected one to the points drawn.',
    'Bottom: mean of the two class accuracies at each length, grammars pooled; at length 1 there are only negatives. The dashed line is chance. Corrected: intervals clustered by grammar, and only strictly read answers.',
  ],
  needs: [...needs, 'feature_nonlexical'],
  run(frame, options) {
    const published = publishedResponses(frame, options)
    const strict = responses(frame, 'correct')
    const top = grammarTable('relic/figure2-grammars', 'as published', frame, published, plain)
    const topCorrected = grammarTable('relic/figure2-grammars-corrected', 'corrected', frame, strict, balanced)
    const bottom = lengthTable('relic/figure2-lengths', published, false)
    const bottomCorrected = lengthTable('relic/figure2-lengths-corrected', strict, true)
    return {
      tables: [top.table, top.fits, bottom, topCorrected.table, topCorrected.fits, bottomCorrected],
      figures: [
        grammarFigure('relic/figure2-top', 'Accuracy by number of binary rules, as published', top.table.id),
        accuracyByLength('relic/figure2-bottom', 'Accuracy by string length, as published', bottom.id, [chance, line]),
        grammarFigure('relic/figure2-top-corrected', 'Accuracy by number of binary rules', topCorrected.table.id),
        accuracyByLength('relic/figure2-bottom-corrected', 'Accuracy by string length', bottomCorrected.id, [
          chance,
          { kind: 'interval' },
          line,
        ]),
      ],
    }
  },
}

const chance = { kind: 'rule', y: 'chance' } as const
const line = { kind: 'line' } as const

type Fitted = (data: Responses, entries: Int32Array) => number | null

function grammarTable(id: string, variant: string, frame: Frame, data: Responses, fitted: Fitted) {
  const sizes = byGrammarCode(frame, data, 'nonlexical')
  const made = byArm(data).map(({ model, entries }) => {
    const points = [...byGrammar(data, entries)].flatMap(([grammar, inside]) => {
      const size = sizes[grammar] as number
      const accuracy = balanced(data, inside)
      const y = fitted(data, inside)
      return size > 0 && accuracy !== null && y !== null
        ? [{ grammar: data.grammars[grammar] as string, size, accuracy, y }]
        : []
    })
    return { model, points, line: logLine(points) }
  })
  const table: Table = {
    id,
    title: `Accuracy of each grammar, ${variant}`,
    columns: [
      column.text('model', 'Model'),
      column.text('grammar', 'Grammar'),
      column.number('nonlexical', 'Binary rules'),
      column.share('accuracy', 'Accuracy'),
      column.share('fit', 'Fitted'),
      column.share('chance', 'Chance'),
    ],
    rows: made.flatMap(({ model, points, line }) =>
      points.map(({ grammar, size, accuracy }) => ({
        model,
        grammar,
        nonlexical: size,
        accuracy,
        fit: line === null ? null : line.intercept + line.slope * Math.log(size),
        chance: 0.5,
      })),
    ),
  }
  const fits: Table = {
    id: `${id}-fit`,
    title: `Accuracy on ln(binary rules), ${variant}`,
    columns: [
      column.text('model', 'Model'),
      column.number('grammars', 'Grammars'),
      column.number('slope', 'Slope'),
      column.number('intercept', 'Intercept'),
      column.number('r2', 'R2'),
    ],
    rows: made.flatMap(({ model, points, line }) =>
      line === null ? [] : [{ model, grammars: points.length, ...line }],
    ),
  }
  return { table, fits }
}

/** Least squares on the natural logarithm; null where sizes do not vary or there are too few. */
function logLine(points: readonly { readonly size: number; readonly y: number }[]) {
  if (points.length < 3) return null
  const x = points.map(({ size }) => Math.log(size))
  const fit = linear(
    design({ x: { kind: 'numeric', values: x } }, [['x']]),
    points.map(({ y }) => y),
  )
  if (fit.kind === 'unfit') return null
  const [intercept, slope] = fit.coefficients.map(({ estimate }) => estimate) as [number, number]
  return { slope, intercept, r2: fit.r2 }
}

function lengthTable(id: string, data: Responses, withInterval: boolean): Table {
  const rows = byArm(data).flatMap(({ model, entries }) =>
    byLength(data, entries).map(([length, inside]) => ({
      model,
      length,
      n: inside.length,
      accuracy: withInterval ? shareOf(data, inside) : balanced(data, inside),
      chance: 0.5,
    })),
  )
  return {
    id,
    title: `Accuracy by length, ${withInterval ? 'corrected' : 'as published'}`,
    columns: [
      column.text('model', 'Model'),
      column.number('length', 'Length', 'tokens'),
      column.number('n', 'Responses'),
      { key: 'accuracy', label: 'Accuracy', kind: withInterval ? 'estimate' : 'share', unit: 'share' },
      column.share('chance', 'Chance'),
    ],
    rows,
  }
}

/** Class-balanced accuracy with a clustered interval: rows weighted so that both classes count the same. */
function shareOf(data: Responses, entries: Int32Array) {
  const classes = [0, 1].map((label) => entries.filter((k) => data.label[k] === label))
  const shares = classes.flatMap((inside) => {
    const found = clusteredAccuracy(data, inside)
    return found === null ? [] : [found]
  })
  if (shares.length < 2) return shares[0] ?? null
  const [a, b] = shares as [(typeof shares)[number], (typeof shares)[number]]
  const value = (a.value + b.value) / 2
  // Newcombe's square-and-add for a sum of two shares (Statistics in Medicine 17, 1998, method 10).
  const below = Math.hypot(a.value - a.low, b.value - b.low) / 2
  const above = Math.hypot(a.high - a.value, b.high - b.value) / 2
  return {
    value,
    low: value - below,
    high: value + above,
    n: entries.length,
    method: `mean of two shares by square-and-add, ${a.method}`,
  }
}

const grammarFigure = (id: string, title: string, table: string) =>
  ({
    id,
    title,
    table,
    x: { key: 'nonlexical', label: 'Binary rules', scale: 'log' },
    y: { key: 'accuracy', label: 'Accuracy', unit: 'share' },
    facet: 'model',
    marks: [chance, { kind: 'point' }, { kind: 'line', y: 'fit' }],
  }) as const
