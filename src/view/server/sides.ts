import { type Frame, UsageError } from '../../core/index.ts'
import type { RunFrames } from '../../store/index.ts'
import { conditionsByName, type ItemsFilter, keeps } from '../api/index.ts'
import { featureReader } from './features.ts'
import type { ViewedRun } from './open-runs.ts'
import { numberOf } from './query.ts'
import { type FoundPrompts, promptsHolding } from './search.ts'

/** Sides of a subset; rows that lack a feature of the filter are on none. */
export const [OUTSIDE, INSIDE, APART] = [0, 1, 2] as const

/** The side of each row of a frame. @param rows - default: all. @throws UsageError for an unknown feature, or a bound on one that is not numeric */
export async function sidesOf(
  viewed: ViewedRun,
  frames: RunFrames,
  frame: Frame,
  filter: ItemsFilter,
  rows: Int32Array | null = null,
): Promise<Int32Array> {
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
  if (filter.prompt !== undefined) lay(sideOfPrompts(frame, await promptsHolding(viewed, filter.prompt)))
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

/** Rows whose prompt cannot be reproduced are on no side. */
function sideOfPrompts(frame: Frame, { holding, lost }: FoundPrompts): (row: number) => number {
  const [item, style] = [frame.category('item'), frame.category('style')]
  const place = new Map(item.levels.map((level, code) => [level, code * style.levels.length]))
  const known = new Uint8Array(item.levels.length * style.levels.length).fill(OUTSIDE)
  for (const [prompts, side] of [
    [holding, INSIDE],
    [lost, APART],
  ] as const)
    prompts.items.forEach((one, i) => {
      const [at, code] = [place.get(one), style.levels.indexOf(prompts.styles[i] ?? '')]
      if (at !== undefined && code >= 0) known[at + code] = side
    })
  return (row) => known[(item.codes[row] as number) * style.levels.length + (style.codes[row] as number)] ?? APART
}
