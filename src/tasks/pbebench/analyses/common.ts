import { column, type Estimate, type Frame } from '../../../core/index.ts'
import { clusteredShare, meanOrNull } from '../../../libraries/statistics/index.ts'

export const PAPER = 'PBEBench'

export const { text, number, share, estimate } = column

/** A numeric column, or NaN where the run has none. */
export const numbers = (frame: Frame, name: string): Float64Array =>
  frame.has(name) ? frame.number(name) : new Float64Array(frame.length).fill(Number.NaN)

/** The rows of each item in the order of their samples. */
export function byItem(frame: Frame, rows: Int32Array): readonly (readonly number[])[] {
  const items = frame.category('item').codes
  const sample = numbers(frame, 'sample')
  const lists = new Map<number, number[]>()
  for (const row of rows) {
    const item = items[row] as number
    const list = lists.get(item)
    if (list === undefined) lists.set(item, [row])
    else list.push(row)
  }
  for (const list of lists.values()) list.sort((a, b) => (sample[a] as number) - (sample[b] as number))
  return [...lists.values()]
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

/** A mean of per-item values in 0..1 with an interval over items. */
export const overItems = (values: readonly number[]): Estimate | null =>
  clusteredShare(
    values,
    values.map((_, i) => i),
  )

export const mean = (values: readonly number[]): number | null =>
  meanOrNull(values.filter((value) => !Number.isNaN(value)))

/** Full marks, with what failed left out. */
export const passed = (value: number): 0 | 1 => (value >= 1 ? 1 : 0)

/** What a run's settings say, from their JSON text. */
export function settingsOf(textOf: string): { readonly maxTokens: number | null; readonly effort: string | null } {
  try {
    const parsed = JSON.parse(textOf) as { readonly [key: string]: unknown } | null
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
