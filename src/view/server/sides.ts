import { type Frame, UsageError } from '../../core/index.ts'
import type { RunFrames } from '../../store/index.ts'
import { conditionsByName, type ItemsFilter, keeps } from '../api/index.ts'
import { featureReader } from './features.ts'
import { numberOf } from './query.ts'

/** Sides of a subset; rows that lack a feature of the filter are on none. */
export const [OUTSIDE, INSIDE, APART] = [0, 1, 2] as const

/** The side of each row of a frame. @param rows - default: all. @throws UsageError for an unknown feature, or a bound on one that is not numeric */
export function sidesOf(
  frames: RunFrames,
  frame: Frame,
  filter: ItemsFilter,
  rows: Int32Array | null = null,
): Int32Array {
  const sides = new Int32Array(rows?.length ?? frame.length).fill(INSIDE)
  const lay = (sideOf: (row: number) => number): void => {
    for (let at = 0; at < sides.length; at++) {
      const side = sideOf(rows === null ? at : (rows[at] as number))
      if (side === APART || sides[at] === INSIDE) sides[at] = side
    }
  }
  const layLevels = (column: string, sideOf: (level: string | null) => number): void => {
    const { codes, levels } = frame.category(column)
    const known = levels.map(sideOf)
    const missing = sideOf(null)
    lay((row) => known[codes[row] as number] ?? missing)
  }
  for (const column of ['task', 'style', 'config'] as const) {
    const wanted = filter[column]
    if (wanted !== undefined) layLevels(column, (level) => (level === wanted ? INSIDE : OUTSIDE))
  }
  for (const [name, conditions] of conditionsByName(filter.feature)) {
    const { read, isNumber } = featureReader(frames, name)
    for (const condition of conditions) {
      if (condition.operator === '=') continue
      if (!isNumber) throw new UsageError(`${name} ${condition.operator} needs a feature that is a number`)
      numberOf(condition)
    }
    layLevels(`feature_${name}`, (level) =>
      level === null ? APART : keeps(read(level), conditions) ? INSIDE : OUTSIDE,
    )
  }
  return sides
}
