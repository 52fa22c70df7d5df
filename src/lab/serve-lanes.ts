import type { ItemOrigin } from '../extras/protocols/job.ts'

/** Indices in a row for one lane where groups do not say how many. */
const RUN = 16

/**
 * Which of the lanes makes an item: always the same, so that it has it still when its answers come. All items of a group
 * have one lane, and groups that follow one another take the lanes in turn, so that a client that draws in order keeps all busy.
 */
export function laneOf(
  { task, seed, index }: Pick<ItemOrigin, 'task' | 'seed' | 'index'>,
  perGroup: number | null,
  lanes: number,
): number {
  let hash = 0
  for (const text of [task, seed]) for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) % 65521
  return (hash + Math.floor(index / (perGroup ?? RUN))) % lanes
}
