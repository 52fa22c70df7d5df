import { column, type Estimate, type Frame } from '../../../core/index.ts'
import {
  type Conditions,
  clusteredShare,
  conditions,
  correctness,
  meanOrNull,
  rowsWhere,
  scores,
  varying,
} from '../../../libraries/statistics/index.ts'

export const PAPER = 'PBEBench'

export const { text, number, share, estimate } = column
export const model = text('model', 'Model')

/** The conditions of a run along those axes on which it varies. `panel`: the column for the panels of figures. */
export function conditionsOf(
  frame: Frame,
  axes: readonly string[] = ['config', 'style'],
): Conditions & { readonly panel: string | undefined } {
  const several = varying(frame, axes)
  const found = conditions(frame, several)
  if (several.length < 2) return { ...found, panel: several[0] }
  const named = found.conditions.map(({ systems, ...one }) => ({
    ...one,
    key: { ...one.key, part: one.name },
    systems: systems.map((system) => ({ ...system, key: { ...system.key, part: one.name } })),
  }))
  return { ...found, conditions: named, systems: named.flatMap(({ systems }) => systems), panel: 'part' }
}

/** A numeric column, all NaN where the run lacks it. */
export const numbers = (frame: Frame, name: string): Float64Array =>
  frame.has(name) ? frame.number(name) : new Float64Array(frame.length).fill(Number.NaN)

/** 1 for a full score, 0 for less, NaN without a score. */
export const passes = (frame: Frame): Float64Array => correctness(scores(frame))

/** The rows that have a score. */
export function scoredRows(frame: Frame, rows: Int32Array): Int32Array {
  const value = scores(frame)
  return rowsWhere(rows, (row) => !Number.isNaN(value[row]))
}

/** The rows of each item in the order of their samples. */
export function byItem(frame: Frame, rows: Int32Array): readonly (readonly number[])[] {
  const items = frame.category('item').codes
  const sample = numbers(frame, 'sample')
  const lists = Map.groupBy(rows, (row) => items[row] as number)
  for (const list of lists.values()) list.sort((a, b) => (sample[a] as number) - (sample[b] as number))
  return [...lists.values()]
}

/** The pass rate of each item over its samples; items without a score are omitted. */
export function itemPasses(frame: Frame, rows: Int32Array): readonly { readonly row: number; readonly pass: number }[] {
  const pass = passes(frame)
  return byItem(frame, rows).flatMap((list) => {
    const rate = mean(list.map((row) => pass[row] as number))
    return rate === null ? [] : [{ row: list[0] as number, pass: rate }]
  })
}

/** The sample with the highest reward, the earliest of equals, as the published best-of-K selects. */
export function bestOf(rows: readonly number[], reward: Float64Array): number {
  let best = rows[0] as number
  for (const row of rows) {
    const [a, b] = [reward[row] as number, reward[best] as number]
    if (a > b || (Number.isNaN(b) && !Number.isNaN(a))) best = row
  }
  return best
}

/** A mean of values 0..1 per item, with an interval over items. */
export const overItems = (values: readonly number[]): Estimate | null => clusteredShare(values, [...values.keys()])

/** The mean of what is known; null where nothing is. */
export const mean = (values: readonly number[]): number | null =>
  meanOrNull(values.filter((value) => !Number.isNaN(value)))

/** The sum of what is known. */
export const total = (values: readonly number[]): number =>
  values.reduce((sum, x) => sum + (Number.isNaN(x) ? 0 : x), 0)

export const at = (values: Float64Array, rows: Iterable<number>): number[] =>
  Array.from(rows, (row) => values[row] as number)

/** The distinct values of some rows, ascending. */
export const distinct = (values: Float64Array, rows: Iterable<number>): number[] =>
  [...new Set(at(values, rows))].sort((a, b) => a - b)

/** Token limit and reasoning effort of a system, from the settings of its first row. */
export function settingsOf(frame: Frame, rows: ArrayLike<number>) {
  const { codes, levels } = frame.category('settings')
  try {
    const parsed = JSON.parse(levels[codes[rows[0] as number] as number] ?? '') as { [key: string]: unknown } | null
    const tokens = parsed?.['maxTokens'] ?? parsed?.['maxCompletionTokens'] ?? parsed?.['max_tokens']
    const effort = parsed?.['effort'] ?? parsed?.['reasoningEffort']
    return {
      maxTokens: typeof tokens === 'number' ? tokens : null,
      effort: typeof effort === 'string' ? effort : null,
    }
  } catch {
    return { maxTokens: null, effort: null }
  }
}

/** The bare name of the model of some rows, without settings. */
export function modelOf(frame: Frame, rows: ArrayLike<number>): string {
  const { codes, levels } = frame.category('model')
  return levels[codes[rows[0] as number] as number] ?? ''
}
