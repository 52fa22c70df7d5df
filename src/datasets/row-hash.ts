import { type DatasetKey, emptyIndexHash, groupHash, itemHash } from '../core/index.ts'
import type { Row } from '../store/index.ts'
import { parseEmptyIndex } from './columns.ts'
import { featuresOf } from './open.ts'

/** The hash that the content of a stored item or hole gives; null where it does not even hash. */
export function itemRowHash(
  key: Omit<DatasetKey, 'seed'>,
  row: Row,
  groups: ReadonlyMap<number, string>,
): string | null {
  const index = row['index'] as number
  const group = groups.get(row['group'] as number) ?? null
  try {
    if ((row['hole'] ?? null) !== null) {
      const { reason } = parseEmptyIndex(row['hole'] as string)
      const known = emptyIndexHash(key, index, group, reason)
      // A hole of an unreachable group has no group hash.
      return known === row['hash'] ? known : emptyIndexHash(key, index, null, reason)
    }
    const truth = { given: row['given'] ?? null, answer: row['answer'] ?? null }
    return itemHash(key, { index, groupHash: group, truth, features: featuresOf(row) })
  } catch {
    return null
  }
}

/** The hash that the content of a stored group gives; null where it does not even hash. */
export function groupRowHash(row: Row): string | null {
  try {
    return groupHash(row['shared'] ?? null)
  } catch {
    return null
  }
}
