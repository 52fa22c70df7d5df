import type { Json } from './json.ts'

/**
 * What an analysis reads: rows as columns. Names: `item, draw, group, task, config, style, model, settings, sample,
 * finish, state, value, answer, inputTokens, outputTokens, reasoningTokens, steps, seconds, usd, feature_*, part_*,
 * measured_*`. A missing number is NaN in `number`; a missing category has code -1.
 */
export interface Frame {
  readonly length: number
  has(name: string): boolean
  /** Throws when the column is absent. Booleans are 0 and 1. */
  number(name: string): Float64Array
  category(name: string): { readonly codes: Int32Array; readonly levels: readonly string[] }
}

/** A number with its interval; `method` says how the interval was made, `n` what it was made from. */
export interface Estimate {
  readonly value: number
  readonly low: number
  readonly high: number
  readonly n: number
  readonly method: string
  /** Groups that it counts as independent, where it counts any; 1: all is of one, and says nothing of how groups differ. */
  readonly groups?: number
}

/** A column of a table: its name and how its values are shown. */
export interface Column {
  readonly key: string
  readonly label: string
  /** `share` is a proportion 0..1; percent appears only in `published` tables, where `unit` says so. */
  readonly unit?: string
  readonly kind: 'text' | 'number' | 'share' | 'estimate'
}

/** A table as data: columns and rows. */
export interface Table {
  readonly id: string
  readonly title: string
  readonly columns: readonly Column[]
  readonly rows: readonly { readonly [key: string]: Json | Estimate }[]
}

/**
 * One layer of a figure; `x`, `y`, `series` are column keys of the figure's table. A `reference` is what the others are to be
 * compared with (chance): broken grey lines, in the legend by the label of their column.
 */
export interface Mark {
  readonly kind: 'point' | 'line' | 'bar' | 'rule' | 'interval' | 'cell' | 'text' | 'reference'
  readonly x?: string
  readonly y?: string
  readonly series?: string
}

export interface Axis {
  readonly key: string
  readonly label: string
  readonly unit?: string
  readonly scale?: 'linear' | 'log' | 'category'
}

/** A picture as data: drawn by the report and by the web UI from the rows of `table`. */
export interface Figure {
  readonly id: string
  readonly title: string
  readonly table: string
  /** Of the table only the rows that have this; left out: all. */
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

/** A computation over the rows of a run or the items of a set that gives tables and figures. */
export interface Analysis {
  readonly id: string
  readonly title: string
  readonly source?: { readonly paper: string; readonly item: string }
  readonly notes?: readonly string[]
  /** Columns without which the analysis is left out of a report. */
  readonly needs: readonly string[]
  /** The page of the view that shows it, beside the report; left out: the report alone. */
  readonly page?: 'tokens'
  run(frame: Frame, options: AnalysisOptions): AnalysisResult
}

/** What an analysis is told beside its rows. */
export interface AnalysisOptions {
  /** The parser whose verdicts fill `value`, `answer` and `state`; `frameOf` gives the frame of another. */
  readonly parser: string
  readonly seed: number
  /** Confidence of intervals, where the analysis lets it be chosen; 0.95 where nothing is said. */
  readonly level?: number
  /** The same rows read by another of the task's parsers, or null where no row has it. */
  frameOf(parser: string): Frame | null
}
