import type { AnalysisResult, Table } from './analysis.ts'
import type { FileTree } from './importer.ts'
import type { JsonObject } from './json.ts'
import type { PaperComparison } from './paper-comparison.ts'

/** How an item of a paper is reproduced here. */
export type HowReproduced =
  /** By a run of models and these analyses of its report. */
  | {
      readonly by: 'run'
      readonly experiment: string
      readonly analyses: readonly string[]
      /** Published data of a folder, which the user has, as one more source of the experiment; `ancestors` as importers take them. */
      readonly sourceFrom?: (files: FileTree, ancestors?: readonly string[]) => Promise<PaperSource>
      /** Then these judges label responses of the run, and these analyses show their labels. */
      readonly judged?: { readonly judges: readonly string[]; readonly analyses: readonly string[] }
    }
  /** By computation: it is about generators or languages. */
  | { readonly by: 'computation'; compute(budget: ComputeBudget): AnalysisResult }
  /** A drawing, an algorithm or a list: code, or a page of the documentation. */
  | { readonly by: 'page'; readonly page: string }
  /** A fact about the paper's own experiment, such as its settings. */
  | { readonly by: 'print' }
  /** It cannot be reproduced here. */
  | { readonly by: 'none'; readonly reason: string }

/** Items of an experiment: a task and its configuration. */
export interface PaperSource {
  readonly task: string
  readonly config: JsonObject
}

/** Most steps of a computation, whatever a step is in it. null: as many as in the paper. */
export interface ComputeBudget {
  readonly steps: number | null
}

/** One table, figure, algorithm or named experiment of a paper. */
export interface PaperItem {
  /** `family/item`: `family/figure3`. */
  readonly id: string
  /** What the paper calls it. */
  readonly item: string
  readonly shows: string
  readonly made: HowReproduced
  /** Where the corrected version differs from the published one, and why. */
  readonly differs?: string
  /** Why the paper has no numbers to print beside it. */
  readonly unprinted?: string
  /** Ids of the figures that show it in the documentation. Default: those of its analyses. */
  readonly pictures?: readonly string[]
  /** Why the atlas has no picture of a figure that is reproduced. */
  readonly undrawn?: string
}

/** A table as a paper prints it, with the id of its item. Facts to show beside a result; they enter no statistic. */
export interface PrintedTable extends Table {
  /** What the paper calls it: `Table 3`. */
  readonly item: string
  /** Where it stands: the section or appendix that it belongs to. */
  readonly place: string
  /** What is odd about the printed numbers. */
  readonly notes?: readonly string[]
  /** Why the report has no numbers to compare with, although the item is reproduced. */
  readonly apart?: string
  /** Of numbers that are printed nowhere: whose pictures they were read off, and their error in the unit of the values. */
  readonly readOff?: { readonly source: string; readonly error: number }
}

/** A printed table as further series of a figure, both by id, and its rows as rows of the figure's table. */
export interface PaperOverlay {
  readonly printed: string
  readonly figure: string
  row(printed: Table['rows'][number]): Table['rows'][number]
}

/** The paper that a family implements: its items, and how each is reproduced here. */
export interface Paper {
  readonly title: string
  readonly authors: string
  readonly items: readonly PaperItem[]
  readonly printed: readonly PrintedTable[]
  /** How its printed numbers and ours are compared. */
  readonly paperComparisons: readonly PaperComparison[]
  readonly overlays?: readonly PaperOverlay[]
}
