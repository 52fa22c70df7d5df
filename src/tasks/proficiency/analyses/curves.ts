import {
  type Analysis,
  column,
  type Estimate,
  type Figure,
  figure,
  marksBy,
  type Table,
  table,
} from '../../../core/index.ts'
import { mean } from '../../../libraries/statistics/index.ts'
import { atDistance, aucCells, RELEASED_COLUMNS, releasedCells } from './auc-of.ts'
import {
  type Context,
  type Curve,
  curvesOf,
  distanceColumn,
  distancesOf,
  EXAMPLES_AXIS,
  language,
  model,
  needs,
  outsideDistances,
  PAPER,
  pointCells,
  pointsOf,
  type ScoredString,
  withLengthOnly,
} from './contexts.ts'
import { centreOf, languageLoss, type Mean, meanAt } from './losses.ts'

/** The values drawn at one point: `value`, and for an AUC the `plain` one. */
type Values = {
  readonly value: Mean | null
  readonly plain?: Estimate | null
  readonly released?: number | null
}

type Row = Values & ReturnType<typeof pointCells> & { readonly distance: string; readonly strings: string }

const lossPerToken = ({ nats, tokens }: ScoredString): number => nats / tokens

/** At distance 0 of the language, else of the strings outside. */
const lossAt = (contexts: readonly Context[], distance: string): Values | null => {
  const value = distance === '0' ? languageLoss(contexts, 'token') : meanAt(contexts, distance, lossPerToken)
  return value === null ? null : { value }
}

/** Over pairs of equal length, and over all pairs as in the paper; null: there are no pairs. */
function aucAt(contexts: readonly Context[], distance: string): Values | null {
  const { matched: value, auc: plain } = aucCells(contexts, atDistance(distance))
  if (value === null && plain === null) return null
  return { value, plain, ...releasedCells(contexts, atDistance(distance)) }
}

const AUCS = [
  column.estimate('value', 'AUC', 'share'),
  column.estimate('plain', 'AUC, all pairs (published)', 'share'),
  ...RELEASED_COLUMNS,
]
const PLAIN = { key: 'plain', label: 'AUC, all pairs' }

/** Figure 4 for every model: loss and AUC by distance, against the number of examples. */
export const figure4: Analysis = {
  id: 'proficiency/figure4',
  title: 'Loss and AUC against the number of in-context examples',
  source: { paper: PAPER, item: 'figure 4' },
  notes: [
    'AUC over pairs of equal length; as published over all pairs. "length only": the part that length alone gives. Distance 0: loss of the language.',
    'Loss: nats per token. In the paper it falls inside and outside alike, and the AUC rises with examples and distance.',
    'With more than twelve panels the figures show one per model, the mean over languages (rows "all").',
    'Figures omit k = 0 (logarithmic axis) and losses of unrelated strings; the tables have both.',
  ],
  needs,
  run(frame) {
    const curves = curvesOf(frame)
    const lossRows = rowsOf(curves, distancesOf(curves), lossAt)
    // Losses of unrelated strings would stretch the axis.
    const loss = lossRows.map((row) => (row.distance === 'unrelated' ? { ...row, k: null } : row))
    if (loss.length === 0) return { tables: [] }
    const losses = distanceTable('proficiency/figure4-loss', 'Loss by distance', panelRows(loss), [
      column.estimate('value', 'Loss per token', 'nats'),
    ])
    const auc = rowsOf(withLengthOnly(curves), outsideDistances(curves), aucAt)
    const aucs = distanceTable('proficiency/figure4-auc', 'AUC by distance', panelRows(auc), AUCS)
    const curve = (over: Table, id: string, title: string, y: Parameters<typeof figure>[1]['y']): Figure =>
      figure(over, {
        id,
        title,
        x: EXAMPLES_AXIS,
        y,
        facet: 'panel',
        marks: marksBy('strings', 'interval', 'line', 'point'),
      })
    return {
      tables: [losses, aucs],
      figures: [
        curve(losses, losses.id, 'Loss by number of examples and distance', 'value'),
        curve(aucs, aucs.id, 'AUC by number of examples and distance', 'value'),
        curve(aucs, 'proficiency/figure4-published', 'AUC of all pairs by number of examples and distance', PLAIN),
      ],
    }
  },
}

/** Most panels of a figure. */
const MAX_PANELS = 12

/** With too many panels, the mean over languages per model is drawn, and the rows of the languages are not. */
function panelRows(rows: readonly Row[]): Table['rows'] {
  if (new Set(rows.map(({ panel }) => panel)).size <= MAX_PANELS) return rows
  const languages = new Set(rows.map((row) => row.language)).size
  const points = Map.groupBy(rows, (row) => `${row.model}\n${row.distance}\n${row.examples}`)
  const means = [...points.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined || group.length < languages) return []
    const meanOf = (key: 'value' | 'plain') => {
      const known = group.flatMap((row) => (row[key] == null ? [] : [centreOf(row[key])]))
      return known.length === group.length ? mean(known) : null
    }
    const plain = first.plain === undefined ? {} : { plain: meanOf('plain') }
    return [{ ...first, panel: first.model, language: 'all', value: meanOf('value'), ...plain }]
  })
  return [...means, ...rows.map((row) => ({ ...row, panel: null, k: null }))]
}

/** The values of every model and language at each distance and number of examples. */
const rowsOf = (
  curves: readonly Curve[],
  distances: readonly string[],
  valuesAt: (contexts: readonly Context[], distance: string) => Values | null,
): readonly Row[] =>
  curves.flatMap((curve) =>
    distances.flatMap((distance) =>
      pointsOf([curve]).flatMap((point) => {
        const values = valuesAt(point.contexts, distance)
        return values === null ? [] : [{ ...pointCells(point), distance, strings: stringsAt(distance), ...values }]
      }),
    ),
  )

const distanceTable = (id: string, title: string, rows: Table['rows'], values: Table['columns']): Table =>
  table(id, title, [model, language, distanceColumn, column.number('examples', 'Examples'), ...values], rows)

/** A distance in the legend. */
function stringsAt(distance: string): string {
  if (distance === '0') return 'in the language'
  if (!/^\d+$/u.test(distance)) return distance
  return `${distance} ${distance === '1' ? 'edit' : 'edits'} away`
}

/** Figure 5: models side by side in each language, at the smallest distance. */
export const figure5: Analysis = {
  id: 'proficiency/figure5',
  title: 'Models side by side: AUC against the number of in-context examples',
  source: { paper: PAPER, item: 'figure 5' },
  notes: [
    'At the smallest distance. AUC over pairs of equal length ("length only": one half); as published over all pairs.',
  ],
  needs,
  run(frame) {
    const curves = curvesOf(frame)
    const rows = rowsOf(withLengthOnly(curves), outsideDistances(curves).slice(0, 1), aucAt)
    const aucs = distanceTable('proficiency/figure5', 'AUC at the smallest distance', rows, AUCS)
    const curve = (id: string, y: { readonly key: string; readonly label: string }): Figure =>
      figure(aucs, {
        id,
        title: `${y.label} at the smallest distance by number of examples`,
        x: EXAMPLES_AXIS,
        y,
        facet: 'language',
        marks: marksBy('model', 'line', 'point'),
      })
    return {
      tables: [aucs],
      figures: [curve(aucs.id, { key: 'value', label: 'AUC' }), curve(`${aucs.id}-published`, PLAIN)],
    }
  },
}
