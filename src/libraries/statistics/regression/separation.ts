import type { Design } from './design.ts'
import type { Unfit } from './fit.ts'

/**
 * Is the data (quasi-)completely separated? Then some direction d of the coefficients never lowers the likelihood: x_i d >= 0 wherever y_i
 * = 1 and x_i d <= 0 wherever y_i = 0, with one strict (Albert and Anderson, Biometrika 71, 1984). Newton's steps of a diverging fit
 * turn into such a direction: `direction` is tried as that certificate, so an `Unfit` is a proof. With null the single columns are tried.
 */
export function separation(design: Design, y: Float64Array, direction: Float64Array | null): Unfit | null {
  if (direction === null) {
    for (let j = 1; j < design.columns.length; j++) {
      if (certifies(design.columns[j] as Float64Array, y)) return separated([design.names[j] as string])
    }
    return null
  }
  const along = new Float64Array(design.rows)
  design.columns.forEach((column, j) => {
    for (let i = 0; i < along.length; i++)
      along[i] = (along[i] as number) + (direction[j] as number) * (column[i] as number)
  })
  if (!certifies(along, y)) return null
  const most = largest(direction)
  const names = design.names.filter((_, j) => Math.abs(direction[j] as number) > 0.01 * most && j > 0)
  return separated(names.length > 0 ? names : ['Intercept'])
}

function certifies(along: Float64Array, y: Float64Array): boolean {
  const slack = 1e-6 * largest(along)
  if (slack === 0) return false
  let [up, down, moves] = [true, true, false]
  for (let i = 0; i < along.length; i++) {
    const x = along[i] as number
    if (Math.abs(x) <= slack) continue
    moves = true
    const value = y[i] as number
    if (x > 0 ? value < 1 : value > 0) up = false
    if (x > 0 ? value > 0 : value < 1) down = false
    if (!up && !down) return false
  }
  return moves
}

/** The largest absolute value; 0 of none. */
export function largest(values: Float64Array): number {
  let most = 0
  for (const value of values) most = Math.max(most, Math.abs(value))
  return most
}

function separated(names: readonly string[]): Unfit {
  const some = names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '')
  const message = `the outcome is separated by ${some}: no finite estimate exists; drop the term or merge levels`
  return { kind: 'unfit', code: 'separated', message }
}
