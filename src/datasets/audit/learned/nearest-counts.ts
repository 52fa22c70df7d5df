import type { Binned } from '../../../libraries/locality/columns.ts'
import type { Learner } from '../../../libraries/locality/learner.ts'

const neighbours = 15

/** The fifteen training rows that differ least, by the sum of differences of bins, each over its column's deviation. */
export function nearestCounts(probe: string, { columns }: Binned): Learner {
  return {
    probe,
    limits: { train: 600, test: 1200 },
    fit(train, keys) {
      const width = columns.length
      const weight = Float64Array.from(columns, (column) => inverseDeviation(column, train))
      const at = (row: number): Float64Array =>
        Float64Array.from(columns, (column, c) => (column[row] as number) * (weight[c] as number))
      const known = Array.from(train, at)
      return (row, scores) => {
        const own = at(row)
        const near: { readonly far: number; readonly key: number }[] = []
        for (const [i, other] of known.entries()) {
          const limit = near.length < neighbours ? Number.POSITIVE_INFINITY : (near.at(-1)?.far as number)
          let far = 0
          for (let c = 0; c < width && far < limit; c++) far += Math.abs((own[c] as number) - (other[c] as number))
          if (far >= limit) continue
          let place = near.length
          while (place > 0 && (near[place - 1]?.far as number) > far) place--
          near.splice(place, 0, { far, key: keys[train[i] as number] as number })
          if (near.length > neighbours) near.pop()
        }
        scores.fill(0)
        for (const { key } of near) scores[key] = (scores[key] as number) + 1 / neighbours
      }
    },
  }
}

function inverseDeviation(column: Uint8Array, rows: Int32Array): number {
  let [sum, square] = [0, 0]
  for (const row of rows) {
    sum += column[row] as number
    square += (column[row] as number) ** 2
  }
  const variance = square / rows.length - (sum / rows.length) ** 2
  return variance > 1e-9 ? 1 / Math.sqrt(variance) : 0
}
