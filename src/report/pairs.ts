import type { Frame } from '../core/index.ts'
import { allRows, type Clusters, clusterCodes, peoplesScores } from '../libraries/statistics/index.ts'
import type { ReportFrames } from './report.ts'

/** One side of a comparison: some responses of a run. */
export interface ComparisonSide {
  readonly name: string
  readonly frames: ReportFrames
  readonly model?: string
  readonly style?: string
}

/** What the two sides differ in. */
export type ComparedBy = 'run' | 'model' | 'style'

/** The values of both sides in one place (an item, in a style and by a model), mean over samples, with a row of side A. */
export interface Pair {
  readonly row: number
  readonly a: number
  readonly b: number
  /** What people say of both, where a judge scored; NaN: nothing. */
  readonly truthA: number
  readonly truthB: number
}

/** A number per row; NaN where it has none. */
export type Values = (frame: Frame) => ArrayLike<number>

/** The places that both sides have, in the order of side A. */
export interface SharedPairs {
  readonly pairs: readonly Pair[]
  /** Places of one side only. Models that only one side has do not count. */
  readonly unpaired: { readonly a: number; readonly b: number }
  /** `pair`: some item has several places, one per style and model. */
  readonly unit: 'item' | 'pair'
}

export function sharedPairs(
  left: Frame,
  a: ComparisonSide,
  right: Frame,
  b: ComparisonSide,
  by: ComparedBy,
  values: Values,
): SharedPairs {
  const named = new Set(right.category('model').levels)
  const isChosen = by === 'model' || (a.model !== undefined && b.model !== undefined)
  const among = isChosen ? null : new Set(left.category('model').levels.filter((name) => named.has(name)))
  const [mine, theirs] = [placesOf(left, a, by, values, among), placesOf(right, b, by, values, among)]
  const pairs = joined(mine, theirs)
  const { codes } = left.category('item')
  const items = new Set(pairs.map(({ row }) => codes[row])).size
  return {
    pairs,
    unpaired: { a: mine.size - pairs.length, b: theirs.size - pairs.length },
    unit: items < pairs.length ? 'pair' : 'item',
  }
}

/** The sum of the values at each place, their number, a row, and the same of what people say. */
export type Places = ReadonlyMap<
  string,
  { readonly sum: number; readonly n: number; readonly row: number; readonly truth: number; readonly known: number }
>

/** The places that both have, in the order of the first. */
export const joined = (mine: Places, theirs: Places): readonly Pair[] =>
  [...mine].flatMap(([place, { sum, n, row, truth, known }]) => {
    const other = theirs.get(place)
    if (other === undefined) return []
    return [{ row, a: sum / n, b: other.sum / other.n, truthA: truth / known, truthB: other.truth / other.known }]
  })

/**
 * Sums of the values by place.
 *
 * @param among - models that count. Default: all.
 */
export function placesOf(
  frame: Frame,
  { model, style }: Pick<ComparisonSide, 'model' | 'style'>,
  by: ComparedBy,
  values: Values,
  among: ReadonlySet<string> | null = null,
): Places {
  const own = values(frame)
  const people = peoplesScores(frame, allRows(frame))
  const names = [
    'item',
    ...(by === 'style' ? [] : ['style']),
    ...(by === 'model' || model !== undefined ? [] : ['model']),
  ]
  const columns = names.map((name) => frame.category(name))
  const [models, styles] = [frame.category('model'), frame.category('style')]
  const is = ({ codes, levels }: typeof models, row: number, name: string | undefined): boolean =>
    name === undefined || levels[codes[row] as number] === name
  const places = new Map<string, { sum: number; n: number; row: number; truth: number; known: number }>()
  for (let row = 0; row < frame.length; row++) {
    const value = own[row] as number
    if (Number.isNaN(value) || !is(models, row, model) || !is(styles, row, style)) continue
    if (among !== null && !among.has(models.levels[models.codes[row] as number] ?? '')) continue
    const place = columns.map(({ codes, levels }) => levels[codes[row] as number] ?? '').join('\n')
    const at = places.get(place) ?? { sum: 0, n: 0, row, truth: 0, known: 0 }
    at.sum += value
    at.n++
    const truth = people?.[row] ?? Number.NaN
    if (!Number.isNaN(truth)) {
      at.truth += truth
      at.known++
    }
    places.set(place, at)
  }
  return places
}

/** The groups of items of some pairs. */
export const clustersOf = (pairs: readonly Pair[], frame: Frame): Clusters => clusterCodes(frame, rowsOf(pairs))

export const rowsOf = (pairs: readonly Pair[]): Int32Array => Int32Array.from(pairs, ({ row }) => row)
