/** How many times as high as its highest mark an axis of counts may be. */
const MAX = 2

/**
 * Where an axis that counts from 0 ends so that its marks can be read; null: where its intervals end. That of a mean over two groups is a
 * t of one degree of freedom and may reach a dozen times as high: it is cut there, and marked.
 */
export function axisTop(points: readonly { readonly value: number; readonly high: number }[]): number | null {
  const most = MAX * Math.max(0, ...points.map(({ value }) => value))
  return most > 0 && points.some(({ high }) => high > most) ? most : null
}
