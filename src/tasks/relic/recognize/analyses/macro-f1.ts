import { type Confusion, macroF1 } from '../../../../libraries/statistics/index.ts'
import type { Responses } from './responses.ts'

const LABELS = ['positive', 'negative', 'unknown'] as const
const CLASSES = ['positive', 'negative'] as const

/** Counts of truth against answer, `unknown` last. */
export function matrix(data: Responses, entries: Iterable<number>): Confusion {
  const counts = LABELS.map(() => LABELS.map(() => 0))
  let n = 0
  for (const k of entries) {
    const row = counts[data.label[k] === 1 ? 0 : 1] as number[]
    const said = data.said[k] as number
    const column = said === 1 ? 0 : said === 0 ? 1 : 2
    row[column] = (row[column] as number) + 1
    n++
  }
  return { labels: LABELS, counts, n }
}

/** As released: every label that is true or answered somewhere is a class, `unknown` too (specs: one unread answer divides by 3). */
export const publishedF1 = (counts: Confusion): number | null => macroF1(counts)

/** Over the two classes: an unread answer is wrong, and no class. */
export const correctF1 = (counts: Confusion): number | null => macroF1(counts, presentClasses(counts))

/** A class that is neither true nor answered in a grammar has no F1 there. */
const presentClasses = ({ counts }: Confusion): readonly string[] =>
  CLASSES.filter(
    (_, k) => (counts[k] as readonly number[]).some((x) => x > 0) || counts.some((row) => (row[k] as number) > 0),
  )
