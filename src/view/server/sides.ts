import type { Frame } from '../../core/index.ts'
import { conditionsByName, type ItemsFilter, keeps } from '../api/index.ts'
import { featureReader } from './features.ts'
import type { ViewedRun } from './open-runs.ts'
import { type FoundPrompts, promptsHolding } from './search.ts'

/** Rows lie on one side of a choice of items, or, where they lack a feature that it names, on none. */
export const [OUTSIDE, INSIDE, APART] = [0, 1, 2] as const

/** On which side of a choice by what items are each row of a frame lies. @throws UsageError for a feature that no item has */
export async function sidesOf(viewed: ViewedRun, frame: Frame, filter: ItemsFilter): Promise<Int32Array> {
  const sides = new Int32Array(frame.length).fill(INSIDE)
  const lay = (sideOf: (row: number) => number): void => {
    for (let row = 0; row < sides.length; row++) {
      const side = sideOf(row)
      if (side === APART || sides[row] === INSIDE) sides[row] = side
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
    const read = await featureReader(viewed, frame, name)
    layLevels(`feature_${name}`, (level) =>
      level === null ? APART : keeps(read(level), conditions) ? INSIDE : OUTSIDE,
    )
  }
  return sides
}

/** Rows whose prompt cannot be put into words any more lie on no side. */
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
