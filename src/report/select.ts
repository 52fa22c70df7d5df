import type { Frame, Task } from '../core/index.ts'
import {
  partition,
  type StyleParserScore,
  selectRows,
  selectStyleAndParser,
  take,
} from '../libraries/statistics/index.ts'
import type { Choice } from '../store/index.ts'
import type { ReportFrames } from './report.ts'

/** What the trying of all pairs cost: each style is asked once, parsers cost nothing. */
export interface SelectionCost {
  readonly calls: number
  /** null where a response has none. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly usd: number | null
}

type Tried = Omit<StyleParserScore, 'model'>

/** The pair chosen for a model with its settings on a task, and what it was chosen from. */
export interface Chosen extends Readonly<Choice>, Tried {
  /** Pairs of the same accuracy, in the order in which ties were settled. */
  readonly tied: readonly Pick<Choice, 'style' | 'parser'>[]
  /** All pairs, best first; the first is the chosen one. */
  readonly tried: readonly Tried[]
  readonly cost: SelectionCost
}

/**
 * Chooses the best pair of style and parser for each task, model and settings of a run. Tasks without parsers are left
 * out: there is nothing to choose.
 */
export function selectFromRows(frames: ReportFrames, tasks: readonly Task[]): readonly Chosen[] {
  const all = frames.frame('strict')
  if (all === null || all.length === 0) return []
  return partition(all, ['task', 'model', 'settings']).flatMap(({ key, rows }): Chosen[] => {
    const task = tasks.find(({ name }) => name === key['task'])
    if (task?.parsers === undefined) return []
    const order = { styles: task.styles, parsers: Object.keys(task.parsers) }
    const frameOf = (parser: string) => {
      const frame = frames.frame(parser)
      return frame === null ? null : selectRows(frame, rows)
    }
    const [selected] = selectStyleAndParser(frameOf, order)
    if (selected === undefined) return []
    return [
      {
        task: task.name,
        settings: key['settings'] ?? '{}',
        ...selected.best,
        model: key['model'] as string,
        tied: selected.tied.map(({ style, parser }) => ({ style, parser })),
        tried: selected.tried.map(({ model: _model, ...pair }) => pair),
        cost: costOf(all, rows),
      },
    ]
  })
}

/** What all choices together cost. */
export const totalCost = (chosen: readonly Chosen[]): SelectionCost => ({
  calls: chosen.reduce((sum, { cost }) => sum + cost.calls, 0),
  inputTokens: sumOf(chosen.map(({ cost }) => cost.inputTokens)),
  outputTokens: sumOf(chosen.map(({ cost }) => cost.outputTokens)),
  usd: sumOf(chosen.map(({ cost }) => cost.usd)),
})

function costOf(frame: Frame, rows: Int32Array): SelectionCost {
  const total = (column: string) =>
    frame.has(column)
      ? sumOf([...take(frame.number(column), rows)].map((value) => (Number.isNaN(value) ? null : value)))
      : null
  return {
    calls: rows.length,
    inputTokens: total('inputTokens'),
    outputTokens: total('outputTokens'),
    usd: total('usd'),
  }
}

const sumOf = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0)
