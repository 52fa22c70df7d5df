import { UsageError } from '../../core/index.ts'
import type { RunFrames } from '../../store/index.ts'
import { type Chosen, choiceOf, conditionsOf, type ItemsFilter, isCut, parametersOf } from '../api/index.ts'
import type { ViewedRun } from './open-runs.ts'
import { INSIDE, sidesOf } from './sides.ts'

/** A choice of items by what they are, and how many choices were looked at, itself included. */
export interface Choice {
  readonly filter: ItemsFilter
  readonly looks: number
}

/** Intervals that all of so many looks hold with are as wide as anybody needs; those of many more cannot be worked out. */
const MAX_LOOKS = 100_000

/** @throws UsageError for a number of looks that is none */
export function looksOf(text: string | null): number {
  const looks = Number(text ?? '1')
  if (!Number.isInteger(looks) || looks < 1 || looks > MAX_LOOKS)
    throw new UsageError(`looks are a whole number from 1 to ${MAX_LOOKS}, got ${looks}`)
  return looks
}

/** So confident is each interval that those of all looks hold together with 95 %. */
export const levelOf = (looks: number): number => 1 - 0.05 / looks

/** @throws UsageError where items are chosen by what came of them */
export function requireCut(filter: ItemsFilter): void {
  if (!isCut(filter))
    throw new UsageError(
      'who chooses items by what was answered chooses the shares: choose by task, style, config, prompt or feature',
    )
}

/** What a filter says of items; null: nothing. @throws UsageError where it chooses by what came of them */
export function choiceFrom(filter: ItemsFilter, looks: number): Choice | null {
  if (conditionsOf(filter) === 0) return null
  requireCut(filter)
  return { filter: choiceOf(filter), looks }
}

/** The rows of the items that were chosen, and how many of all they are; all rows where nothing was. */
export async function chosenFrames(
  viewed: ViewedRun,
  all: RunFrames,
  choice: Choice | null,
): Promise<{ readonly frames: RunFrames; readonly chosen: Chosen | null }> {
  if (choice === null) return { frames: all, chosen: null }
  const { filter, looks } = choice
  const frames = await viewed.remembered(`chosen ${JSON.stringify(parametersOf(filter))}`, async () => {
    const frame = all.frame('strict')
    const sides = frame === null ? new Int32Array() : await sidesOf(viewed, all, frame, filter)
    return all.ofRows(Int32Array.from(sides.keys()).filter((row) => sides[row] === INSIDE))
  })
  const items = (of: RunFrames): number => of.frame('strict')?.category('item').levels.length ?? 0
  return { frames, chosen: { items: items(frames), all: items(all), looks } }
}
