import type { Item, Source, Task } from '../../../src/core/index.ts'
import { families } from '../../../src/tasks/index.ts'
import { nightly, sample } from '../../nightly.ts'
import { SLOW_PLANS } from './slow-presets.ts'

export const readable: readonly Task[] = families
  .flatMap(({ tasks }) => tasks)
  .filter((task) => task.parsers !== undefined)

/** Some items of a source, at most as many as it has. */
function itemsOf(source: Source): Item[] {
  const size = source.layout.size ?? Number.POSITIVE_INFINITY
  return Array.from({ length: sample({ nightly: 12, otherwise: 2 }) }, (_, k) => k * 3)
    .filter((index) => index < size)
    .map((index) => source.item(index))
    .filter((item) => item.kind === 'item')
}

/** Items of presets that differ in what they ask. */
export function itemsAsked(task: Task): readonly Item[] {
  const names = Object.keys(task.presets).filter((name) => nightly || !SLOW_PLANS.includes(name))
  const step = Math.max(1, Math.floor(names.length / sample({ nightly: 8, otherwise: 4 })))
  return names
    .filter((_, k) => k % step === 0)
    .flatMap((preset) => itemsOf(task.source(task.preset(preset).config, { split: 'test', seed: 'readers' })))
    .slice(0, 60)
}

/** One item for each length of the list of choices: questions of other kinds have others. */
export const distinctKinds = (task: Task, items: readonly Item[]): readonly Item[] => [
  ...new Map(items.map((item) => [task.choices?.(item).length ?? 0, item])).values(),
]

/** A right answer and another one, in a few words. */
export function twoAnswers(task: Task, item: Item): readonly [right: string, other: string] {
  const gold = task.gold?.(item).replace(/^Answer: /u, '') ?? 'Yes'
  return [gold, task.choices?.(item).find((choice) => choice !== gold) ?? 'No']
}
