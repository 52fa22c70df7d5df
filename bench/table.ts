/** A table of measurements, as `npm run bench` prints and stores it. */
export interface BenchTable {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
  /** What was measured and how, targets, and what was missed with its reason. */
  readonly notes: readonly string[]
}
