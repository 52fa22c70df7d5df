import { hint, UsageError } from '../core/index.ts'
import type { Entry, Paper } from './entry.ts'
import { pbebench } from './pbebench.ts'
import { proficiency } from './proficiency.ts'
import { recoglab } from './recoglab.ts'
import { relic } from './relic.ts'

export type { Entry, Made, Paper } from './entry.ts'
export { type ReferenceTable, referenceTable, referenceTables } from './reference.ts'

/** Every table, figure, algorithm and named experiment of the four papers, and how it is made here. */
export const papers: readonly Paper[] = [relic, proficiency, pbebench, recoglab]

/** @throws UsageError that names the nearest entry. */
export function entryOf(id: string): Entry {
  const entries = papers.flatMap((paper) => paper.entries)
  const found = entries.find((entry) => entry.id === id.toLowerCase())
  if (found !== undefined) return found
  throw new UsageError(
    `no paper has ${id}${hint(
      id,
      entries.map((entry) => entry.id),
    )}; touchstone reproduce lists all`,
  )
}
