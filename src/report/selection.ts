import { column, type Frame, type Task, table, UsageError } from '../core/index.ts'
import {
  partition,
  type StyleParserScore,
  selectRows,
  selectStyleAndParser,
  take,
} from '../libraries/statistics/index.ts'
import type { Choice } from '../store/index.ts'
import type { ReportedAnalysis, ReportFrames } from './report.ts'
import { ofParser } from './rows.ts'

/** The cost of trying all pairs: one call per style, parsers cost nothing. */
export interface SelectionCost {
  readonly calls: number
  /** null where a response has none. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly usd: number | null
}

type Tried = Omit<StyleParserScore, 'model'>

/** The style and parser selected for a model with its settings on a task, and all pairs that were tried. */
export interface Chosen extends Readonly<Choice>, Tried {
  /** Pairs of equal accuracy, in the order of the tie-breaks. */
  readonly tied: readonly Pick<Choice, 'style' | 'parser'>[]
  /** All pairs, best first; the first is selected. */
  readonly tried: readonly Tried[]
  readonly cost: SelectionCost
}

/** The best style and parser for each task, model and settings of a run. Tasks without parsers have nothing to select. */
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

/** The cost of all selections together. */
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
    inputTokens: total('input_tokens'),
    outputTokens: total('output_tokens'),
    usd: total('usd'),
  }
}

const sumOf = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0)

/** The parser name under which each row is read by the parser selected for its model. */
export const SELECTED = 'selected'

/** Frames with one more parser, `selected`: each row under its model's selected parser, other rows under `strict`. */
export function selectedFrames(frames: ReportFrames, choices: readonly Choice[]): ReportFrames {
  // Computed on first use: it looks up each row.
  let merged: Frame | null | undefined
  return {
    length: frames.length,
    parsers: [...frames.parsers, SELECTED],
    columns: frames.columns,
    frame(parser) {
      if (parser !== SELECTED) return frames.frame(parser)
      merged ??= mergedFrame(frames, choices)
      return merged
    },
    ofTask: (task) => selectedFrames(frames.ofTask(task), choices),
  }
}

const keyOf = (...parts: readonly (string | undefined)[]): string => JSON.stringify(parts)

function mergedFrame(frames: ReportFrames, choices: readonly Choice[]): Frame | null {
  const strict = frames.frame('strict')
  if (strict === null) return null
  const parsed: Frame[] = [strict]
  const numberOf = new Map([['strict', 0]])
  const parserOf = new Map(choices.map((choice) => [keyOf(choice.task, choice.model, choice.settings), choice.parser]))
  const [task, model, settings] = [strict.category('task'), strict.category('model'), strict.category('settings')]
  /** By row, the index of the frame that has its selected parser. */
  const source = Int32Array.from({ length: strict.length }, (_, row) => {
    const level = ({ codes, levels }: ReturnType<Frame['category']>) => levels[codes[row] as number]
    const parser = parserOf.get(keyOf(level(task), level(model), level(settings))) ?? 'strict'
    const known = numberOf.get(parser)
    if (known !== undefined) return known
    const frame = frames.frame(parser)
    if (frame === null)
      throw new UsageError(
        `the selected parser "${parser}" has parsed no row. Score the run again: touchstone analyze score RUN`,
      )
    numberOf.set(parser, parsed.length)
    return parsed.push(frame) - 1
  })
  return {
    length: strict.length,
    has: (name) => (ofParser(name) ? parsed.some((frame) => frame.has(name)) : strict.has(name)),
    number(name) {
      if (!ofParser(name)) return strict.number(name)
      const columns = parsed.map((frame) => (frame.has(name) ? frame.number(name) : null))
      return Float64Array.from(source, (at, row) => columns[at]?.[row] ?? Number.NaN)
    },
    category(name) {
      if (!ofParser(name)) return strict.category(name)
      const columns = parsed.map((frame) => (frame.has(name) ? frame.category(name) : null))
      const levels = [...new Set(columns.flatMap((column) => column?.levels ?? []))]
      const codeOf = new Map(levels.map((level, i) => [level, i]))
      const codes = Int32Array.from(source, (at, row) => {
        const column = columns[at]
        return codeOf.get(column?.levels[column.codes[row] as number] ?? '') ?? -1
      })
      return { codes, levels }
    },
  }
}

/** The style and parser of each model. */
export const selectionTable = (choices: readonly Choice[]): ReportedAnalysis => ({
  id: 'core/selection',
  title: 'Prompt style and parser per model, selected on validation items',
  question: 'parsing',
  task: null,
  source: null,
  notes: ["Each model's rows use its own parser."],
  tables: [
    table(
      'selection',
      'Prompt style and parser per model',
      ['task', 'model', 'settings', 'style', 'parser'].map((key) => column.text(key, key)),
      choices.map(({ task, model, settings, style, parser }) => ({ task, model, settings, style, parser })),
    ),
  ],
  figures: [],
})
