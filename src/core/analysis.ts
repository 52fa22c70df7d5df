import type { Json } from './json.ts'

/**
 * What an analysis reads: rows as columns. Names: `item, draw, group, task, config, style, model, settings, sample,
 * finish_reason, status, score, prediction, target, input_tokens, output_tokens, reasoning_tokens, steps, seconds, usd,
 * feature_*, subscore_*, metric_*`. A missing number is NaN in `number`; a missing category has code -1.
 */
export interface Frame {
  readonly length: number
  has(name: string): boolean
  /** Throws when the column is absent. Booleans are 0 and 1. */
  number(name: string): Float64Array
  category(name: string): { readonly codes: Int32Array; readonly levels: readonly string[] }
}

/** A number with its interval, and the method of the interval. */
export interface Estimate {
  readonly value: number
  readonly low: number
  readonly high: number
  /** Values that it is made from. */
  readonly n: number
  readonly method: string
  /** Groups counted as independent, where any are. 1: all rows are of one group, and the interval holds for that group only. */
  readonly groups?: number
}

/** A column of a table: its key in the rows, its heading, and how its values are shown. */
export interface Column {
  readonly key: string
  readonly label: string
  /** `share` is a proportion 0..1; percent appears only in `published` tables, where `unit` is percent. */
  readonly unit?: string
  readonly kind: 'text' | 'number' | 'share' | 'estimate'
  /** `table` drops the column where no row has a value in it. */
  readonly optional?: boolean
  /** Places on an axis: in files, but not in the tables of a page. */
  readonly isPlace?: boolean
}

/** A table as data: columns and rows. */
export interface Table {
  readonly id: string
  readonly title: string
  readonly columns: readonly Column[]
  readonly rows: readonly { readonly [key: string]: Json | Estimate }[]
}

/** One layer of a figure; `x`, `y`, `series` are keys of its table. A `reference` (chance) is a broken grey line, named by its column. */
export interface Mark {
  readonly kind: 'point' | 'line' | 'bar' | 'box' | 'rule' | 'interval' | 'cell' | 'text' | 'reference'
  readonly x?: string
  readonly y?: string
  readonly series?: string
}

export interface Axis {
  readonly key: string
  readonly label: string
  readonly unit?: string
  readonly scale?: 'linear' | 'log' | 'category'
  /** Of a category: levels are in the order of column `at`, with the counts of column `n` below them. */
  readonly isBinned?: boolean
}

/** A figure as data: the report and the view draw it from the rows of `table`. */
export interface Figure {
  readonly id: string
  readonly title: string
  readonly table: string
  /** Only the rows with this value. Default: all. */
  readonly only?: { readonly column: string; readonly value: string }
  readonly x: Axis
  readonly y: Axis
  readonly facet?: string
  readonly marks: readonly Mark[]
}

/** What an analysis found: tables and figures, as data. */
export interface AnalysisResult {
  readonly tables: readonly Table[]
  readonly figures?: readonly Figure[]
}

/** The questions of a report, in its order: each analysis belongs to one. */
export const QUESTIONS = {
  accuracy: 'How accurate?',
  comparison: 'Which is better?',
  difficulty: 'Where does it break?',
  parsing: 'Can the parsing be trusted?',
  cost: 'What did it cost?',
  paper: 'As the papers print it',
} as const
export type ReportQuestion = keyof typeof QUESTIONS

/** A computation over the rows of a run or the items of a dataset that gives tables and figures. */
export interface Analysis {
  readonly id: string
  readonly title: string
  /** The question of a report that it answers. Default: `difficulty`. */
  readonly question?: ReportQuestion
  readonly source?: { readonly paper: string; readonly item: string }
  readonly notes?: readonly string[]
  /** Columns without which the report skips the analysis. */
  readonly needs: readonly string[]
  /** Once over the rows of all tasks of a run that have it. Default: for each task over its own. */
  readonly acrossTasks?: boolean
  /** The page of the view that shows it too. Default: the report alone. */
  readonly page?: 'tokens'
  /** Tables without rows need no special care: `runAnalysis` drops them. */
  run(frame: Frame, options: AnalysisOptions): AnalysisResult
}

/** Columns that an analysis of graded responses needs. */
export const GRADED_COLUMNS: readonly string[] = ['task', 'config', 'style', 'model', 'item', 'status', 'score']

/** What an analysis is given beside its rows. */
export interface AnalysisOptions {
  /** The parser that fills `value`, `answer` and `state`; `frameOf` gives the frame of another. */
  readonly parser: string
  readonly seed: number
  /** Confidence of intervals, where an analysis lets it be chosen. Default: 0.95. */
  readonly confidence?: number
  /** The same rows under another parser of the task; null where no row has it. */
  frameOf(parser: string): Frame | null
}

/** What an analysis finds, without tables that have no rows and the figures over them. */
export function runAnalysis(analysis: Analysis, frame: Frame, options: AnalysisOptions): AnalysisResult {
  const { tables, figures = [] } = analysis.run(frame, options)
  const kept = tables.filter(({ rows }) => rows.length > 0)
  return { tables: kept, figures: figures.filter((figure) => kept.some(({ id }) => id === figure.table)) }
}
