import { type AnalysisResult, type Column, column, type Frame, figure, type Table, table } from '../../../core/index.ts'
import { partition, systems } from '../../../libraries/statistics/index.ts'

export const PAPER = 'A Formal Language Benchmark for LLMs'

/** The columns that name a point of a curve. */
export const model = column.text('model', 'Model')
export const language = column.text('language', 'Language')
export const distanceColumn = column.text('distance', 'Distance')

/** One scored string. */
export interface ScoredString {
  readonly test: number
  /** '0' for strings of the language, '1'.. for edits, 'rule-1'.., 'twin', 'unrelated', 'seen'. */
  readonly distance: string
  /** Which of the strings made of one test string at this distance. */
  readonly copy: number
  /** Examples after which a model has read it; null for strings that are no example. */
  readonly seen: number | null
  readonly edit: string
  /** Tokens of the grammar, and the probability of this length in the language. */
  readonly length: number
  readonly lengthProbability: number
  /** The whole string's loss. */
  readonly nats: number
  readonly tokens: number
  readonly terminals: number
  /** -ln P(s); null for strings outside. */
  readonly floor: number | null
  /** null for strings outside. */
  readonly weighting: StringWeighting | null
  readonly row: number
}

/** The weight of a string in a mean over the language: see Weighting of the task. */
export interface StringWeighting {
  readonly weight: number
  readonly entropy: number
  readonly entropyPerTerminal: number
  /** null for the published split, a finite sample. */
  readonly conditional: number | null
  readonly reached: number
}

/** All strings a model scored in one language, one repetition, after k examples. */
export interface Context {
  readonly repetition: string
  readonly strings: readonly ScoredString[]
}

/** A model's curve over k in one language. */
export interface Curve {
  readonly model: string
  readonly language: string
  readonly byK: ReadonlyMap<number, readonly Context[]>
}

export const needs = [
  'model',
  'feature_language',
  'feature_k',
  'feature_repetition',
  'feature_distance',
  'feature_kind',
  'feature_test',
  'feature_edit',
  'feature_length',
  'feature_lengthProbability',
  'metric_nats',
  'metric_tokens',
  'metric_terminals',
] as const

/**
 * Curves in order of first appearance; rows without a metric (errors) are omitted. Strings of the validation split stand apart
 * where a run has others too.
 */
export function curvesOf(frame: Frame, side: 'test' | 'validation' = 'test'): Curve[] {
  const who = systems(frame)
  const validation = frame.has('feature_validation') ? frame.number('feature_validation') : new Float64Array()
  const isApart = validation.includes(1) && validation.includes(0)
  if (side === 'validation' && !isApart) return []
  const other = side === 'validation' ? 0 : 1
  const nats = frame.number('metric_nats')
  const read = reader(frame)
  const curves = new Map<string, { model: string; language: string; byK: Map<number, Map<string, ScoredString[]>> }>()
  for (const { key, rows } of partition(frame, ['feature_language', 'feature_repetition', 'feature_k'])) {
    const language = key['feature_language'] ?? ''
    const repetition = key['feature_repetition'] ?? ''
    const k = Number(key['feature_k'])
    for (const row of rows) {
      if (Number.isNaN(nats[row] as number) || (isApart && validation[row] === other)) continue
      const model = who.labels[who.codes[row] as number] as string
      const id = `${model}\n${language}`
      const curve = curves.get(id) ?? { model, language, byK: new Map() }
      curves.set(id, curve)
      const contexts = curve.byK.get(k) ?? new Map<string, ScoredString[]>()
      curve.byK.set(k, contexts)
      const strings = contexts.get(repetition) ?? []
      contexts.set(repetition, strings)
      strings.push(read(row))
    }
  }
  return [...curves.values()].map(({ model, language, byK }) => ({
    model,
    language,
    byK: new Map(
      [...byK]
        .sort((a, b) => a[0] - b[0])
        .map(([k, contexts]) => [k, [...contexts].map(([repetition, strings]) => ({ repetition, strings }))]),
    ),
  }))
}

/** What strings of a kind are called in tables: '0' for strings of the language, '1'.. for edits, else kind or level. */
export const distanceName = (kind: string, distance: number, edit: string): string =>
  kind === 'inside' ? '0' : kind === 'edited' ? String(distance) : kind === 'rule' ? edit : kind

function reader(frame: Frame): (row: number) => ScoredString {
  const [edits, kinds] = [frame.category('feature_edit'), frame.category('feature_kind')]
  const distance = frame.number('feature_distance')
  const [test, length] = [frame.number('feature_test'), frame.number('feature_length')]
  const lengthProbability = frame.number('feature_lengthProbability')
  const [nats, tokens] = [frame.number('metric_nats'), frame.number('metric_tokens')]
  const terminals = frame.number('metric_terminals')
  const [copy, seen] = [optional(frame, 'feature_copy'), optional(frame, 'feature_seen')]
  const floor = optional(frame, 'metric_floor')
  const weighting = weightings(frame)
  return (row) => {
    return {
      row,
      test: test[row] as number,
      distance: distanceName(
        kinds.levels[kinds.codes[row] as number] ?? '',
        distance[row] as number,
        edits.levels[edits.codes[row] as number] ?? '',
      ),
      copy: copy(row) ?? 0,
      seen: seen(row),
      edit: edits.levels[edits.codes[row] as number] ?? '',
      length: length[row] as number,
      lengthProbability: lengthProbability[row] as number,
      nats: nats[row] as number,
      tokens: tokens[row] as number,
      terminals: terminals[row] as number,
      floor: floor(row),
      weighting: weighting(row),
    }
  }
}

/** A column that a run or some of its rows may lack. */
function optional(frame: Frame, name: string): (row: number) => number | null {
  const values = frame.has(name) ? frame.number(name) : null
  return (row) => {
    const value = values?.[row]
    return value === undefined || Number.isNaN(value) ? null : value
  }
}

function weightings(frame: Frame): (row: number) => StringWeighting | null {
  const column = (name: keyof StringWeighting) => optional(frame, `metric_${name}`)
  const [weights, entropies, reaches] = [column('weight'), column('entropy'), column('reached')]
  const [perTerminal, conditional] = [column('entropyPerTerminal'), column('conditional')]
  return (row) => {
    const weight = weights(row)
    if (weight === null) return null
    const [entropy, entropyPerTerminal, reached] = [entropies, perTerminal, reaches].map((of) => of(row) as number) as [
      number,
      number,
      number,
    ]
    return { weight, entropy, entropyPerTerminal, conditional: conditional(row), reached }
  }
}

/**
 * The paper's loss(M, s): nats per token of the model. Rounded to 1e-10, so that a uniform model does not rank strings of different
 * lengths by rounding errors.
 */
export const lossOf = (string: ScoredString): number => Math.round((string.nats / string.tokens) * 1e10) / 1e10

/** The whole string's loss, rounded likewise. */
export const totalOf = (string: ScoredString): number => Math.round(string.nats * 1e9) / 1e9

export const lengthOnlyName = 'length only'

/** Each language's curves, and one of a model that knows only the probability of a string's length in the language. */
export const withLengthOnly = (curves: readonly Curve[]): Curve[] =>
  [...Map.groupBy(curves, ({ language }) => language).values()].flatMap((own) => [
    ...own,
    ...own.slice(0, 1).map(lengthCurve),
  ])

/** Nats of an impossible length: more than of any possible one. */
const impossible = 1e4

const lengthCurve = ({ language, byK }: Curve): Curve => ({
  model: lengthOnlyName,
  language,
  byK: new Map(
    [...byK].map(([k, contexts]) => [
      k,
      contexts.map(({ repetition, strings }) => ({
        repetition,
        strings: strings.map((s) => ({
          ...s,
          nats: s.lengthProbability > 0 ? -Math.log(s.lengthProbability) : impossible,
          tokens: 1,
        })),
      })),
    ]),
  ),
})

/** Distances in reading order: 0, 1, 2, .., unrelated. */
export function distancesOf(curves: readonly Curve[]): string[] {
  const found = new Set<string>()
  for (const { byK } of curves)
    for (const contexts of byK.values())
      for (const { strings } of contexts) for (const s of strings) found.add(s.distance)
  return [...found].sort((a, b) => rank(a) - rank(b))
}
const last = ['rule-1', 'rule-2', 'rule-3', 'rule-4', 'rule-5', 'rule-6', 'rule-7', 'twin', 'unrelated', 'seen']
const rank = (distance: string): number => (last.includes(distance) ? 1000 + last.indexOf(distance) : Number(distance))

/** The distances outside the language, the smallest first. */
export const outsideDistances = (curves: readonly Curve[]): readonly string[] =>
  distancesOf(curves).filter((distance) => distance !== '0' && distance !== 'seen')

/** A curve at one number of examples. */
export interface CurvePoint {
  readonly model: string
  readonly language: string
  readonly k: number
  readonly contexts: readonly Context[]
}

export const pointsOf = (curves: readonly Curve[]): readonly CurvePoint[] =>
  curves.flatMap(({ byK, ...of }) => [...byK].map(([k, contexts]) => ({ ...of, k, contexts })))

/** The cells of a row at a point: `k` for logarithmic axes, which lack 0, `examples` for the table. */
export const pointCells = ({ model: name, language: of, k }: CurvePoint) => ({
  panel: `${name}, ${of}`,
  model: name,
  language: of,
  k: k === 0 ? null : k,
  examples: k,
})

/** The axis of the number of examples. */
export const EXAMPLES_AXIS = { key: 'k', label: 'Examples', scale: 'log' } as const

/**
 * A table of points, its rows with {@link pointCells}, and its figure: `y` against the number of examples, a panel for each model and
 * language. Nothing where there are no rows.
 */
export function alongExamples(
  [id, title]: readonly [id: string, title: string],
  columns: readonly Column[],
  rows: Table['rows'],
  drawn: Pick<Parameters<typeof figure>[1], 'title' | 'y' | 'marks'>,
): AnalysisResult {
  if (rows.length === 0) return { tables: [] }
  const points = table(id, title, [model, language, column.number('examples', 'Examples'), ...columns], rows)
  return { tables: [points], figures: [figure(points, { x: EXAMPLES_AXIS, facet: 'panel', ...drawn })] }
}

/** Equal values as equal numbers, as clusters are given. */
export const codesOf = (values: readonly (string | number)[]): number[] => {
  const kinds = [...new Set(values)]
  const found = new Map(kinds.map((value, i) => [value, i]))
  return values.map((value) => found.get(value) as number)
}

/** The values of an attribute by model. */
export function attributeOf(frame: Frame, name: string): ReadonlyMap<string, string> {
  if (!frame.has(`attribute_${name}`)) return new Map()
  const [models, values] = [frame.category('model'), frame.category(`attribute_${name}`)]
  return new Map(
    [...models.codes].flatMap((code, row) => {
      const value = values.levels[values.codes[row] as number]
      return value === undefined ? [] : [[models.levels[code] as string, value] as const]
    }),
  )
}

/**
 * Models that form a series, by a numeric attribute or by a pattern of their names with the groups `series` and `value`; null for
 * other models.
 */
export function seriesIn(
  frame: Frame,
  attribute: string,
  pattern: RegExp,
): (model: string) => { readonly series: string; readonly value: number } | null {
  const known = attributeOf(frame, attribute)
  return (name) => {
    const value = known.get(name)
    if (value !== undefined) return { series: name.replace(/[-:@_]?\d+$/u, ''), value: Number(value) }
    const found = pattern.exec(name)?.groups
    return found === undefined ? null : { series: found['series'] as string, value: Number(found['value']) }
  }
}
