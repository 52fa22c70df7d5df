import type { Frame } from '../core/index.ts'
import { type Clusters, clusterCodes } from '../libraries/statistics/index.ts'
import type { ReportFrames } from './report.ts'

/** One side of a comparison: some answers of a run. */
export interface Side {
  /** As the reader knows it. */
  readonly name: string
  readonly frames: ReportFrames
  readonly model?: string
  readonly style?: string
}

/** What may differ between sides, and what must not. */
export type Axis = 'run' | 'model' | 'style'

/** What both sides have at one place, several samples by their mean, with a row of side A. */
export interface Pair {
  readonly row: number
  readonly a: number
  readonly b: number
}

/** A number of every row; NaN where it has none. */
export type Values = (frame: Frame) => ArrayLike<number>

/** Places that both sides have, in the order of side A, and how many only one has: of models of one side alone none. */
export interface Shared {
  readonly pairs: readonly Pair[]
  readonly alone: { readonly a: number; readonly b: number }
  /** `pair`: some item is at several places, one a style and model. */
  readonly unit: 'item' | 'pair'
}

export function sharedOf(left: Frame, a: Side, right: Frame, b: Side, axis: Axis, values: Values): Shared {
  const named = new Set(right.category('model').levels)
  const among = axis === 'model' ? null : new Set(left.category('model').levels.filter((name) => named.has(name)))
  const [mine, theirs] = [sheetOf(left, a, axis, values, among), sheetOf(right, b, axis, values, among)]
  const pairs = [...mine].flatMap(([place, { sum, n, row }]) => {
    const other = theirs.get(place)
    return other === undefined ? [] : [{ row, a: sum / n, b: other.sum / other.n }]
  })
  const { codes } = left.category('item')
  const items = new Set(pairs.map(({ row }) => codes[row])).size
  return {
    pairs,
    alone: { a: mine.size - pairs.length, b: theirs.size - pairs.length },
    unit: items < pairs.length ? 'pair' : 'item',
  }
}

/** Places that both sides have, in the order of side A. */
export const pairsOf = (...sides: Parameters<typeof sharedOf>): readonly Pair[] => sharedOf(...sides).pairs

/**
 * Values by place: what is compared is no part of it.
 *
 * @param among - models that count; null: all.
 */
function sheetOf(frame: Frame, { model, style }: Side, axis: Axis, values: Values, among: ReadonlySet<string> | null) {
  const own = values(frame)
  const names = [
    'item',
    ...(axis === 'style' ? [] : ['style']),
    ...(axis === 'model' || model !== undefined ? [] : ['model']),
  ]
  const columns = names.map((name) => frame.category(name))
  const [models, styles] = [frame.category('model'), frame.category('style')]
  const is = ({ codes, levels }: typeof models, row: number, name: string | undefined): boolean =>
    name === undefined || levels[codes[row] as number] === name
  const sheet = new Map<string, { sum: number; n: number; row: number }>()
  for (let row = 0; row < frame.length; row++) {
    const value = own[row] as number
    if (Number.isNaN(value) || !is(models, row, model) || !is(styles, row, style)) continue
    if (among !== null && !among.has(models.levels[models.codes[row] as number] ?? '')) continue
    const place = columns.map(({ codes, levels }) => levels[codes[row] as number] ?? '').join('\n')
    const known = sheet.get(place)
    if (known === undefined) sheet.set(place, { sum: value, n: 1, row })
    else {
      known.sum += value
      known.n++
    }
  }
  return sheet
}

/** The groups of items that pairs are of. */
export const clustersOf = (pairs: readonly Pair[], frame: Frame): Clusters =>
  clusterCodes(
    frame,
    Int32Array.from(pairs, ({ row }) => row),
  )
