/** A table of measurements, as `npm run bench` prints and stores it. */
export interface BenchTable {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
  /** What was measured and how, targets, and what was missed with its reason. */
  readonly notes: readonly string[]
  /** What of it grows, drawn with both axes logarithmic. */
  readonly curve?: Curve
}

export interface Curve {
  /** Its file in docs/images, without `.svg`. */
  readonly file: string
  readonly title: string
  readonly x: string
  readonly y: string
  readonly points: readonly { readonly series: string; readonly x: number; readonly y: number }[]
}
