import type { Item, JsonObject, Problem, Question, Source } from '../../../src/core/index.ts'
import type { Shared } from '../../../src/tasks/relic/grammars/grammar.ts'
import type { Given } from '../../../src/tasks/relic/grammars/strings.ts'
import { recognize } from '../../../src/tasks/relic/recognize/task.ts'

export type RelicQuestion = Question<Shared, Given>
export type RelicProblem = Problem<Shared, Given, boolean>
export interface RelicItem extends Omit<Item, 'shared' | 'given' | 'answer'> {
  readonly shared: Shared
  readonly given: Given
  readonly answer: boolean
}

/** A preset with some knobs changed: few grammars, so that the plan is made in no time. */
export function configOf(preset: string, changes: JsonObject = {}): JsonObject {
  return recognize.configure({ ...recognize.presets[preset]?.config, ...changes })
}

export function open(preset: string, split: string, changes: JsonObject = {}, seed = '1'): Source {
  return recognize.source(configOf(preset, changes), { split, seed })
}

/** The items among the first indices of each of the first groups. */
export function* itemsOf(source: Source, groups: number, indicesEach: number): Generator<RelicItem> {
  const { minLength, maxLength, perCell } = source.config as { minLength: number; maxLength: number; perCell: number }
  const each = 2 * (maxLength - minLength + 1) * perCell
  for (let g = 0; g < groups; g++)
    for (let i = 0; i < Math.min(indicesEach, each); i++) {
      const item = source.item(g * each + i)
      if (item.kind === 'item') yield item as unknown as RelicItem
    }
}

/** Fewer grammars and shorter strings than the presets have, or a law would take minutes. */
const small = { grammars: 4, pool: 8, maxLength: 16 }
const sources: readonly (readonly [preset: string, split: string, changes: JsonObject])[] = [
  ['relic-demo', 'test', {}],
  ['relic-demo', 'train', {}],
  ['relic-500', 'test', small],
  ['relic-hard', 'validation', small],
  ['relic-500-published', 'train', small],
]

let bag: readonly RelicItem[] | null = null

/** Several hundred items of several presets and splits, labels about even. */
export function manyItems(): readonly RelicItem[] {
  bag ??= sources.flatMap(([preset, split, changes]) => [...itemsOf(open(preset, split, changes), 4, 16)])
  return bag
}
