/** A probe that is fitted on some rows and scores others. */
export interface Learner {
  readonly probe: string
  /** At most so many rows to learn from and to score in a fold; the rest of a fold is left unscored. */
  readonly limits?: { readonly train: number; readonly test: number }
  /** Scores of every class for a row: higher is likelier. */
  fit(train: Int32Array, keys: Int32Array, classes: number): (row: number, scores: Float64Array) => void
}
