import { type Analysis, column, type Estimate, type Frame, figure, type Table, table } from '../../../../core/index.ts'
import { design, linear } from '../../../../libraries/statistics/index.ts'
import { byArm, needs, publishedResponses, type Responses, strictResponses } from './responses.ts'
import { byGrammarCode } from './statistics.ts'
import {
  balanced,
  byGrammar,
  byLength,
  clusteredAccuracy,
  inShare,
  type Measure,
  overLength,
  PAPER,
  plain,
} from './tallies.ts'

const { text, number, share } = column

/** Accuracy against the size of the grammar and the length of the string. */
export const figure2: Analysis = {
  id: 'relic/figure2',
  title: 'Accuracy by grammar size and string length',
  source: { paper: PAPER, item: 'Figure 2' },
  notes: [
    'Top: one point per grammar, the mean of its two class accuracies. Line: least squares on ln(binary rules), cut to 0 to 1; the published one is of unbalanced accuracies.',
    'Bottom: mean of the two class accuracies per length, grammars pooled; length 1 has negatives only. Dashed: chance.',
    'Corrected: CIs clustered by grammar, strict parser.',
  ],
  needs: [...needs, 'feature_nonlexical'],
  run(frame, options) {
    const published = publishedResponses(frame, options)
    const strict = strictResponses(frame)
    const top = grammarTables('relic/figure2-grammars', 'as published', frame, published, plain)
    const bottom = lengthTable('relic/figure2-lengths', 'as published', published, balanced)
    const topCorrected = grammarTables('relic/figure2-grammars-corrected', 'corrected', frame, strict, balanced)
    const bottomCorrected = lengthTable('relic/figure2-lengths-corrected', 'corrected', strict, balancedEstimate)
    const byRules = 'Accuracy by binary rules'
    const byStringLength = 'Accuracy by string length'
    return {
      tables: [...top, bottom, ...topCorrected, bottomCorrected],
      figures: [
        grammarFigure('relic/figure2-top', `${byRules}, as published; line: fit to unbalanced accuracies`, top[0]),
        overLength(bottom, 'relic/figure2-bottom', `${byStringLength}, as published`, 'accuracy', [chance, line]),
        grammarFigure('relic/figure2-top-corrected', `${byRules}; line: fit to the points`, topCorrected[0]),
        overLength(bottomCorrected, 'relic/figure2-bottom-corrected', byStringLength, 'accuracy', [
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

/** Accuracies of grammars with the fitted line, and the fits. */
function grammarTables(
  id: string,
  variant: string,
  frame: Frame,
  data: Responses,
  fitted: Measure,
): readonly [Table, Table] {
  const sizes = byGrammarCode(frame, data, 'nonlexical')
  const arms = byArm(data).map(({ model, entries }) => {
    const points = [...byGrammar(data, entries)].flatMap(([grammar, inside]) => {
      const size = sizes[grammar] as number
      const accuracy = balanced(data, inside)
      const y = fitted(data, inside)
      return size > 0 && accuracy !== null && y !== null
        ? [{ grammar: data.grammars[grammar] as string, size, accuracy, y }]
        : []
    })
    return { model, points, fit: logLine(points) }
  })
  return [
    table(
      id,
      `Accuracy of each grammar, ${variant}`,
      [
        text('model', 'Model'),
        text('grammar', 'Grammar'),
        number('nonlexical', 'Binary rules'),
        share('accuracy', 'Accuracy'),
        share('fit', 'Fitted'),
        share('chance', 'Chance'),
      ],
      arms.flatMap(({ model, points, fit }) =>
        points.map(({ grammar, size, accuracy }) => ({
          model,
          grammar,
          nonlexical: size,
          accuracy,
          fit: fit === null ? null : inShare(fit.intercept + fit.slope * Math.log(size)),
          chance: 0.5,
        })),
      ),
    ),
    table(
      `${id}-fit`,
      `Accuracy on ln(binary rules), ${variant}`,
      [
        text('model', 'Model'),
        number('grammars', 'Grammars'),
        number('slope', 'Slope'),
        number('intercept', 'Intercept'),
        number('r2', 'R2'),
      ],
      arms.flatMap(({ model, points, fit }) => (fit === null ? [] : [{ model, grammars: points.length, ...fit }])),
    ),
  ]
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

const lengthTable = (
  id: string,
  variant: string,
  data: Responses,
  accuracy: (data: Responses, entries: Int32Array) => number | Estimate | null,
): Table =>
  table(
    id,
    `Accuracy by length, ${variant}`,
    [
      text('model', 'Model'),
      number('length', 'Length', 'tokens'),
      number('n', 'Responses'),
      accuracy === balanced ? share('accuracy', 'Accuracy') : column.estimate('accuracy', 'Accuracy'),
      share('chance', 'Chance'),
    ],
    byArm(data).flatMap(({ model, entries }) =>
      byLength(data, entries).map(([length, inside]) => ({
        model,
        length,
        n: inside.length,
        accuracy: accuracy(data, inside),
        chance: 0.5,
      })),
    ),
  )

/** Class-balanced accuracy with a clustered interval. */
function balancedEstimate(data: Responses, entries: Int32Array): Estimate | null {
  const [a, b] = [0, 1].flatMap((label) => {
    const found = clusteredAccuracy(
      data,
      entries.filter((k) => data.label[k] === label),
    )
    return found === null ? [] : [found]
  })
  if (a === undefined || b === undefined) return a ?? null
  const value = (a.value + b.value) / 2
  // Newcombe's square-and-add for a sum of two shares (Statistics in Medicine 17, 1998, method 10).
  const below = Math.hypot(a.value - a.low, b.value - b.low) / 2
  const above = Math.hypot(a.high - a.value, b.high - b.value) / 2
  const method = `mean of two shares by square-and-add, ${a.method}`
  return { value, low: value - below, high: value + above, n: entries.length, method }
}

const grammarFigure = (id: string, title: string, over: Table) =>
  figure(over, {
    id,
    title,
    x: { key: 'nonlexical', scale: 'log' },
    y: 'accuracy',
    facet: 'model',
    marks: [chance, { kind: 'point' }, { kind: 'line', y: 'fit' }],
  })
