import type { Analysis, Estimate, Figure, Table } from '../../../core/index.ts'
import { mean } from '../../../libraries/statistics/index.ts'
import { atDistance, meanAuc } from './auc-of.ts'
import {
  type Context,
  type Curve,
  curvesOf,
  distancesOf,
  estimate,
  lengthOnlyName,
  lossOf,
  needs,
  number,
  type ScoredString,
  text,
  withLengthOnly,
} from './cells.ts'
import { languageLoss } from './language-loss.ts'
import { matchedAuc, matchedCells } from './matched.ts'
import { centreOf, type Mean, meanAt } from './mean-of.ts'

type Rows = readonly { readonly [key: string]: string | number | null | Estimate }[]

/** What is drawn at one place: `value`, and of an AUC the `plain` one. */
interface Values {
  readonly value: Mean | null
  readonly plain?: Estimate | null
}

const lossAToken = ({ nats, tokens }: ScoredString): number => nats / tokens

/** Of the language at distance 0, of the strings themselves outside. */
const lossAt = (contexts: readonly Context[], distance: string): Mean | null =>
  distance === '0' ? languageLoss(contexts, 'token') : meanAt(contexts, distance, lossAToken)

const matchedAt = (contexts: readonly Context[], distance: string): ReturnType<typeof matchedCells> =>
  matchedCells(matchedAuc(contexts, atDistance(distance), (s) => -lossOf(s)))

/** Over pairs of equal length, and over all pairs as the paper has it; null: there are no pairs. */
function aucAt(contexts: readonly Context[], distance: string): Values | null {
  const { matched: value } = matchedAt(contexts, distance)
  const plain = meanAuc(contexts, atDistance(distance))
  return value === null && plain === null ? null : { value, plain }
}

const examples = { key: 'k', label: 'Examples', scale: 'log' } as const

/** Figure 4 for every model: loss by distance, and AUC by distance, against the number of examples. */
export const figure4: Analysis = {
  id: 'proficiency/figure4',
  title: 'Loss and AUC against the number of in-context examples',
  source: { paper: 'A Formal Language Benchmark for LLMs', item: 'figure 4' },
  notes: [
    'AUC over pairs of equal length; as published over all pairs, of which “length only” says what the length alone gives. Distance 0: loss of the language.',
    'Loss is nats a token. In the paper the loss falls inside and outside the language alike, and the AUC rises with examples and with distance.',
    'More than twelve panels are too many to look at: then a drawing has one a model, means over the languages (rows “all” of the tables).',
    'k = 0 has no place on a logarithmic axis and is left out of the drawings, and so are the losses of unrelated strings, which would stretch the axis: the tables have both.',
  ],
  needs,
  run(frame) {
    const curves = curvesOf(frame)
    const distances = distancesOf(curves)
    const loss = panels(curves, distances, ({ contexts, distance }) => {
      const value = lossAt(contexts, distance)
      return value === null ? null : { value }
    }).map((row) => (row['distance'] === 'unrelated' ? { ...row, k: null } : row))
    const auc = panels(
      withLengthOnly(curves),
      distances.filter((d) => d !== '0'),
      ({ contexts, distance }) => aucAt(contexts, distance),
    )
    if (loss.length === 0) return { tables: [] }
    return {
      tables: [
        table('proficiency/figure4-loss', 'Loss by distance', legible(loss), [
          estimate('value', 'Loss a token', 'nats'),
        ]),
        table('proficiency/figure4-auc', 'AUC by distance', legible(auc), AUCS),
      ],
      figures: [
        figure('proficiency/figure4-loss', 'Loss by number of examples and distance', 'Loss a token', 'nats'),
        figure('proficiency/figure4-auc', 'AUC by number of examples and distance', 'AUC', 'share'),
        {
          ...figure('proficiency/figure4-auc', 'AUC of all pairs by number of examples and distance', 'AUC', 'share'),
          id: 'proficiency/figure4-published',
          y: PLAIN,
        },
      ],
    }
  },
}

const AUCS = [estimate('value', 'AUC', 'share'), estimate('plain', 'AUC, all pairs (published)', 'share')]
const PLAIN = { key: 'plain', label: 'AUC, all pairs', unit: 'share' } as const

const maxPanels = 12

/** Rows as they are drawn: where they make too many panels, the mean over languages of each model in their place. */
function legible(rows: Rows): Rows {
  if (new Set(rows.map((row) => row['panel'])).size <= maxPanels) return rows
  const languages = new Set(rows.map((row) => row['language'])).size
  const groups = Map.groupBy(rows, ({ model, distance, examples }) => `${model}\n${distance}\n${examples}`)
  const means = [...groups.values()]
    .filter((group) => group.length === languages)
    .map((group) => ({
      ...group[0],
      panel: group[0]?.['model'] ?? null,
      language: 'all',
      ...meansOf(group),
    }))
  return [...means, ...rows.map((row) => ({ ...row, panel: null, k: null }))]
}

/** Means over languages of what all of them have. */
const meansOf = (group: Rows): { readonly [key: string]: number | null } =>
  Object.fromEntries(
    (['value', 'plain'] as const)
      .filter((key) => group[0]?.[key] !== undefined)
      .map((key) => {
        const known = group.flatMap((row) => (row[key] === null ? [] : [centreOf(row[key] as Mean)]))
        return [key, known.length === group.length ? mean(known) : null]
      }),
  )

interface Point {
  readonly contexts: Curve['byK'] extends ReadonlyMap<number, infer C> ? C : never
  readonly distance: string
}

function panels(curves: readonly Curve[], distances: readonly string[], values: (point: Point) => Values | null): Rows {
  return curves.flatMap(({ model, language, byK }) =>
    distances.flatMap((distance) =>
      [...byK].flatMap(([k, contexts]) => {
        const found = values({ contexts, distance })
        return found === null
          ? []
          : [
              {
                panel: `${model}, ${language}`,
                model,
                language,
                distance,
                strings: stringsAt(distance),
                k: k === 0 ? null : k,
                examples: k,
                ...found,
              },
            ]
      }),
    ),
  )
}

const table = (id: string, title: string, rows: Rows, values: Table['columns']): Table => ({
  id,
  title,
  columns: [
    text('model', 'Model'),
    text('language', 'Language'),
    text('distance', 'Distance'),
    number('examples', 'Examples'),
    ...values,
  ],
  rows,
})

const figure = (id: string, title: string, label: string, unit: string): Figure => ({
  id,
  title,
  table: id,
  x: examples,
  y: { key: 'value', label, unit },
  facet: 'panel',
  marks: [
    { kind: 'interval', series: 'strings' },
    { kind: 'line', series: 'strings' },
    { kind: 'point', series: 'strings' },
  ],
})

/** A distance as the legend says it. */
function stringsAt(distance: string): string {
  if (distance === '0') return 'of the language'
  if (!/^\d+$/u.test(distance)) return distance
  return `${distance} ${distance === '1' ? 'edit' : 'edits'} away`
}

/** Figure 5: models side by side in each language, at the strictest distance there is. */
export const figure5: Analysis = {
  id: 'proficiency/figure5',
  title: 'Models side by side: AUC against the number of in-context examples',
  source: { paper: 'A Formal Language Benchmark for LLMs', item: 'figure 5' },
  notes: [
    'At the smallest distance of the run. AUC over pairs of equal length, of which “length only” is one half by construction; as published over all pairs.',
  ],
  needs,
  run(frame) {
    const curves = curvesOf(frame)
    const [distance] = distancesOf(curves).filter((d) => d !== '0')
    if (distance === undefined) return { tables: [] }
    const rows: Rows = panels(withLengthOnly(curves), [distance], ({ contexts }) => aucAt(contexts, distance))
    const id = 'proficiency/figure5'
    return {
      tables: [table(id, 'AUC at the smallest distance', rows, AUCS)],
      figures: [figure5Of(id, { key: 'value', label: 'AUC', unit: 'share' }), figure5Of(`${id}-published`, PLAIN)],
    }
  },
}

const figure5Of = (id: string, y: Figure['y']): Figure => ({
  id,
  title: `${y.label} at the smallest distance by number of examples`,
  table: 'proficiency/figure5',
  x: examples,
  y,
  facet: 'language',
  marks: [
    { kind: 'line', series: 'model' },
    { kind: 'point', series: 'model' },
  ],
})

/** Training in place of context: models whose name or attribute says how many strings they were trained on. */
export const trainingCurve: Analysis = {
  id: 'proficiency/training',
  title: 'Loss and AUC against the size of the training set, beside the in-context curve',
  source: { paper: 'A Formal Language Benchmark for LLMs', item: 'figure 4' },
  notes: [
    'A series of checkpoints is a row of models that differ in the attribute trainingSize, or baselines trained:NAME:SIZE; their strings are scored at the smallest k of the run.',
    'Beside them every other model in context, with its examples on the same axis.',
    '“length only” knows how likely a string’s length is in the language and nothing else: one half of the length-matched AUC, and what it has of the plain one the length gives away.',
  ],
  needs,
  run(frame) {
    const sizes = trainingSizes(frame)
    const curves = curvesOf(frame)
    if (!curves.some(({ model }) => sizes(model) !== null)) return { tables: [] }
    const [distance] = distancesOf(curves).filter((d) => d !== '0')
    const points = withLengthOnly(curves).flatMap(({ model, language, byK }) => {
      const size = sizes(model)
      const used = size === null ? [...byK].filter(([k]) => k > 0) : [...byK].slice(0, 1)
      return used.map(([k, contexts]) => ({
        series: seriesOf(model, size),
        language,
        strings: size?.size ?? k,
        distance: distance ?? null,
        loss: model === lengthOnlyName ? null : languageLoss(contexts, 'token'),
        nats: model === lengthOnlyName ? null : languageLoss(contexts, 'string'),
        ...(distance === undefined
          ? { matched: null, pairs: 0, auc: null }
          : { ...matchedAt(contexts, distance), auc: meanAuc(contexts, atDistance(distance)) }),
      }))
    })
    const id = 'proficiency/training'
    const shape = (y: 'loss' | 'matched', label: string, unit: string): Figure => ({
      id: `${id}-${y}`,
      title: `${label} by number of strings`,
      table: id,
      x: { key: 'strings', label: 'Strings', scale: 'log' },
      y: { key: y, label, unit },
      facet: 'language',
      marks: [
        { kind: 'line', series: 'series' },
        { kind: 'point', series: 'series' },
      ],
    })
    return {
      tables: [
        {
          id,
          title: 'Trained and in context',
          columns: [
            text('series', 'Series'),
            text('language', 'Language'),
            number('strings', 'Strings'),
            estimate('loss', 'Loss a token', 'nats'),
            estimate('nats', 'Loss a string', 'nats'),
            text('distance', 'Distance'),
            estimate('matched', 'Length-matched AUC at the smallest distance', 'share'),
            number('pairs', 'Pairs of equal length'),
            estimate('auc', 'Plain AUC', 'share'),
          ],
          rows: points,
        },
      ],
      figures: [shape('loss', 'Loss a token', 'nats'), shape('matched', 'AUC', 'share')],
    }
  },
}

const seriesOf = (model: string, size: { readonly series: string } | null): string =>
  size?.series ?? (model === lengthOnlyName ? model : `${model} in context`)

/** The series and training-set size of a model, by the attribute or by its name; null for one that is not trained. */
function trainingSizes(
  frame: Parameters<Analysis['run']>[0],
): (model: string) => { series: string; size: number } | null {
  const byAttribute = new Map<string, number>()
  if (frame.has('attribute_trainingSize')) {
    const models = frame.category('model')
    const sizes = frame.number('attribute_trainingSize')
    for (let row = 0; row < frame.length; row++)
      if (!Number.isNaN(sizes[row] as number))
        byAttribute.set(models.levels[models.codes[row] as number] as string, sizes[row] as number)
  }
  return (model) => {
    const known = byAttribute.get(model)
    if (known !== undefined) return { series: model.replace(/[-:@_]?\d+$/u, ''), size: known }
    const named = /^(?<series>(?:baseline:)?trained:.+):(?<size>\d+)$/u.exec(model)?.groups
    return named === undefined ? null : { series: named['series'] as string, size: Number(named['size']) }
  }
}
