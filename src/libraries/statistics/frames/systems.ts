import type { Frame } from '../../../core/analysis.ts'
import { memoizeWeak } from '../../../core/memo.ts'
import { splitCamelCase } from '../../../core/split-camel-case.ts'
import { clustering } from '../clusters.ts'
import { allRows, rowsByLevel } from './partition.ts'

/** The systems of a frame: models with their settings. */
export interface Systems {
  readonly codes: Int32Array
  /** The model's name, with its settings where it was run with several. */
  readonly labels: readonly string[]
}

/**
 * The systems of a frame: each model, and each of its settings if it was run with several.
 *
 * @example
 * import { systems, memoryFrame } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['a', 'a', 'b'], item: ['i1', 'i1', 'i1'], status: ['graded', 'unparsed', 'graded'], score: [1, null, 0.5] })
 * console.log(systems(frame).labels) // [ 'a', 'b' ]
 */
export const systems: (frame: Frame) => Systems = memoizeWeak((frame) => {
  const models = frame.category('model')
  const settings = frame.has('settings') ? frame.category('settings') : null
  const most = 1 + (settings?.levels.length ?? 0)
  const both = new Int32Array(frame.length)
  for (let i = 0; i < frame.length; i++)
    both[i] = (1 + (models.codes[i] as number)) * most + 1 + (settings === null ? -1 : (settings.codes[i] as number))
  const { of: codes, firsts } = clustering(both)
  const pairs = Array.from(firsts, (row) => ({
    model: models.codes[row] as number,
    settings: settings === null ? -1 : (settings.codes[row] as number),
  }))
  const labels = pairs.map(({ model, settings: given }) => {
    const name = models.levels[model] ?? 'unknown'
    const several = pairs.filter((other) => other.model === model).length > 1
    return several && given >= 0 ? `${name}, ${describeSettings(settings?.levels[given] ?? '{}')}` : name
  })
  return { codes, labels }
})

/** `{"maxTokens":100,"temperature":0}` as `max tokens 100, temperature 0`; none at all: `as it comes`. */
export function describeSettings(settings: string): string {
  try {
    const parsed: unknown = JSON.parse(settings)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return settings
    const words = Object.entries(parsed).map(([key, value]) => {
      return `${splitCamelCase(key)} ${typeof value === 'string' ? value : JSON.stringify(value)}`
    })
    return words.length === 0 ? 'as it comes' : words.join(', ')
  } catch {
    return settings
  }
}

/**
 * Rows by model with its settings, in order of first appearance.
 *
 * @example
 * import { memoryFrame, systemsIn } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['m', 'm'], style: ['plain', 'terse'], item: ['x', 'y'], score: [1, 0] })
 * console.log(systemsIn(frame).map(({ model }) => model)) // [ 'm' ]
 */
export function systemsIn(
  frame: Frame,
  rows: Int32Array = allRows(frame),
): readonly { readonly model: string; readonly rows: Int32Array }[] {
  const { codes, labels } = systems(frame)
  return rowsByLevel(rows, codes, labels.length).flatMap((inside, code) =>
    inside.length === 0 ? [] : [{ model: labels[code] as string, rows: inside }],
  )
}
