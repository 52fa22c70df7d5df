import type { AnalysisResult, Table } from './analysis.ts'
import type { SideBySide } from './side-by-side.ts'

/** How the item of a paper is made here. */
export type Made =
  /** Models are asked, and these analyses of the report show what came of it. */
  | {
      readonly by: 'run'
      readonly experiment: string
      readonly analyses: readonly string[]
      /** Then responses of the run are put to these judges, and these analyses show what they say. */
      readonly judged?: { readonly judges: readonly string[]; readonly analyses: readonly string[] }
    }
  /** Nobody is asked: it is about generators or languages, and is computed. */
  | { readonly by: 'computation'; compute(effort: Effort): AnalysisResult }
  /** A drawing, an algorithm or a list in words: it is code or a page of the documentation. */
  | { readonly by: 'page'; readonly page: string }
  /** A fact about the paper's own experiment, such as its settings: printed, with nothing to measure. */
  | { readonly by: 'print' }
  /** It cannot be made here, for this reason. */
  | { readonly by: 'none'; readonly reason: string }

/** How much a computation may do: at most this many steps, whatever a step is in it; null: all that the paper did. */
export interface Effort {
  readonly steps: number | null
}

/** One table, figure, algorithm or named experiment of a paper. */
export interface PaperItem {
  /** `family/item`: `family/figure3`. */
  readonly id: string
  /** What the paper calls it. */
  readonly item: string
  readonly shows: string
  readonly made: Made
  /** Where the corrected version differs from the published one, and why. */
  readonly differs?: string
  /** Why the paper has no numbers to print beside it. */
  readonly unprinted?: string
  /** Why the atlas has no picture of a figure that is made. */
  readonly undrawn?: string
}

/** A table as a paper prints it, with the id of its item: facts to put beside a result, never mixed with one. */
export interface PrintedTable extends Table {
  /** What the paper calls it: `Table 3`. */
  readonly item: string
  /** Where it stands: the section or appendix that it belongs to. */
  readonly place: string
  /** What is odd about the printed numbers. */
  readonly notes?: readonly string[]
  /** Why no number of ours stands beside them, where a run or a computation makes the item. */
  readonly apart?: string
}

/** The paper that a family implements: all that it shows, and how each is made here. */
export interface Paper {
  readonly title: string
  readonly authors: string
  readonly items: readonly PaperItem[]
  readonly printed: readonly PrintedTable[]
  /** Its printed numbers beside ours. */
  readonly sideBySide: readonly SideBySide[]
}
