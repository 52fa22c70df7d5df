import type { Axis, Column, Figure, Mark, Table } from '../../core/index.ts'
import { trueMinus } from '../../core/text.ts'
import { isOfFew } from '../../libraries/statistics/group-counts.ts'
import { isEstimate, plainText } from '../formats/values.ts'

/** A table row as a mark draws it: positions or levels, with the intervals of estimates. */
export interface Datum {
  readonly x: number | string
  readonly xLow: number
  readonly xHigh: number
  readonly y: number | string
  readonly yLow: number
  readonly yHigh: number
  /** True if one of its intervals rests on few groups. */
  readonly few: boolean
  readonly series: string
  /** The number of `series`, for heat maps. */
  readonly amount: number
  readonly label: string
  readonly facet: string
}

export type AxisKind = 'linear' | 'log' | 'category'

type Cell = Table['rows'][number][string] | undefined

const numberOf = (value: Cell): number =>
  typeof value === 'number' ? value : isEstimate(value) ? value.value : Number.NaN

/** The scale of the axis. Default: linear for numbers, else category. */
export function axisKind(axis: Axis, table: Table): AxisKind {
  if (axis.scale !== undefined) return axis.scale
  const values = table.rows.map((row) => row[axis.key]).filter((value) => value !== null && value !== undefined)
  return values.every((value) => typeof value === 'number' || isEstimate(value)) ? 'linear' : 'category'
}

/** The rows that a mark can draw: those with a position on both axes. */
export function markData(figure: Figure, mark: Mark, table: Table, x: AxisKind, y: AxisKind): Datum[] {
  const xKey = mark.x ?? (mark.kind === 'rule' && mark.y !== undefined ? undefined : figure.x.key)
  const yKey = mark.y ?? (mark.kind === 'rule' && mark.x !== undefined ? undefined : figure.y.key)
  return table.rows.flatMap((row) => {
    const across = position(xKey === undefined ? 0 : row[xKey], xKey === undefined ? 'linear' : x)
    const up = position(yKey === undefined ? 0 : row[yKey], yKey === undefined ? 'linear' : y)
    if (across === null || up === null) return []
    const series = mark.series === undefined ? null : row[mark.series]
    const column = table.columns.find(({ key }) => key === mark.series)
    return [
      {
        x: across.at,
        xLow: across.low,
        xHigh: across.high,
        y: up.at,
        yLow: up.low,
        yHigh: up.high,
        few: [xKey, yKey].some((key) => {
          const value = key === undefined ? undefined : row[key]
          return isEstimate(value) && isOfFew(value)
        }),
        series: series === null || series === undefined ? '' : level(series),
        amount: numberOf(series),
        label:
          typeof series === 'number' || isEstimate(series)
            ? trueMinus(shortIn(column, numberOf(series)))
            : plainText(level(series), 60),
        facet: figure.facet === undefined ? '' : level(row[figure.facet]),
      },
    ]
  })
}

function position(value: Cell, kind: AxisKind): { at: number | string; low: number; high: number } | null {
  if (value === null || value === undefined) return null
  if (kind === 'category') return { at: level(value), low: Number.NaN, high: Number.NaN }
  const at = numberOf(value)
  if (!Number.isFinite(at) || (kind === 'log' && at <= 0)) return null
  return isEstimate(value) ? { at, low: value.low, high: value.high } : { at, low: at, high: at }
}

/** Characters by which levels are distinguished; fewer are drawn. */
const MAX_LEVEL = 2000

const level = (value: Cell): string =>
  value === null || value === undefined
    ? 'none'
    : isEstimate(value)
      ? short(value.value)
      : plainText(typeof value === 'string' ? value : JSON.stringify(value), MAX_LEVEL)

/** Shares with two decimals, so that 1 does not look like a count. */
const shortIn = (column: Column | undefined, value: number): string =>
  column?.unit === 'share' ? value.toFixed(2) : short(value)

const short = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(2))

/** Distinct values in order of appearance. */
export const distinct = <T>(values: Iterable<T>): T[] => [...new Set(values)]
