import { type DatasetKey, emptyIndexHash, groupHash, itemHash, type Json, type Layout } from '../core/index.ts'
import type { Row } from '../store/index.ts'
import { parseEmptyIndex } from './columns.ts'
import type { Strata } from './manifest.ts'
import { featuresOf } from './open.ts'

/** Hash of the content of a stored item or empty index; null if it cannot be hashed. */
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
      // An empty index of a group that could not be drawn has no group hash.
      return known === row['hash'] ? known : emptyIndexHash(key, index, null, reason)
    }
    const truth = { given: row['given'] ?? null, answer: row['answer'] ?? null }
    return itemHash(key, { index, groupHash: group, truth, features: featuresOf(row) })
  } catch {
    return null
  }
}

/** Hash of the content of a stored group; null if it cannot be hashed. */
export function groupRowHash(row: Row): string | null {
  try {
    return groupHash(row['shared'] ?? null)
  } catch {
    return null
  }
}

interface Count {
  filled: number
  empty: number
  notFound: number
  emptyReason: string
  notFoundReason: string
}

/** Counts of items and empty indices by stratum. */
export class Tally {
  private readonly strata = new Map<number, Count>()
  count = 0
  proved = 0
  notFound = 0

  add(row: Row): void {
    const stratum = row['stratum'] as number
    let entry = this.strata.get(stratum)
    if (entry === undefined) {
      entry = { filled: 0, empty: 0, notFound: 0, emptyReason: '', notFoundReason: '' }
      this.strata.set(stratum, entry)
    }
    const hole = row['hole'] ?? null
    if (hole === null) {
      entry.filled++
      this.count++
      return
    }
    const { proved, reason } = parseEmptyIndex(hole as string)
    if (proved) {
      entry.empty++
      entry.emptyReason ||= reason
      this.proved++
    } else {
      entry.notFound++
      entry.notFoundReason ||= reason
      this.notFound++
    }
  }

  /** Strata as in the manifest; one stratum may have items, proved empty and not found indices. */
  report(layout: Layout): Strata {
    const factors = Object.keys(layout.strata[0] ?? {})
    const levels = (stratum: number): Json[] => factors.map((factor) => layout.strata[stratum]?.[factor] ?? null)
    const entries = [...this.strata].sort(([a], [b]) => a - b)
    return {
      factors,
      filled: entries
        .filter(([, entry]) => entry.filled > 0)
        .map(([stratum, entry]) => ({ levels: levels(stratum), count: entry.filled })),
      empty: entries
        .filter(([, entry]) => entry.empty > 0)
        .map(([stratum, entry]) => ({ levels: levels(stratum), proof: entry.emptyReason, count: entry.empty })),
      notFound: entries
        .filter(([, entry]) => entry.notFound > 0)
        .map(([stratum, entry]) => ({
          levels: levels(stratum),
          reason: entry.notFoundReason,
          tries: entry.notFound,
        })),
    }
  }
}
