/** How the item of a paper is made here. */
export type Made =
  /** Models are asked, and these analyses of the report show what came of it. */
  | { readonly by: 'run'; readonly experiment: string; readonly analyses: readonly string[] }
  /** A drawing, an algorithm or a list in words: it is code or a page of the documentation. */
  | { readonly by: 'page'; readonly page: string }
  /** A fact about the paper's own experiment, such as its settings: printed, with nothing to measure. */
  | { readonly by: 'print' }
  /** It cannot be made here, for this reason. */
  | { readonly by: 'none'; readonly reason: string }

/** One table, figure, algorithm or named experiment of a paper. */
export interface Entry {
  /** `family/item`: `relic/figure3`. */
  readonly id: string
  /** What the paper calls it. */
  readonly item: string
  readonly shows: string
  readonly made: Made
  /** Where the corrected version differs from the published one, and why. */
  readonly differs?: string
}

export interface Paper {
  /** The family that implements it. */
  readonly family: string
  readonly title: string
  readonly authors: string
  readonly entries: readonly Entry[]
}
