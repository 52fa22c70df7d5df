import type { HeaderMap } from '../http.ts'
import { apiFailure } from './api.ts'
import type { BatchIntent, Batching, Search } from './batching.ts'

/** A batch there that carries no mark of ours and may be ours all the same: its provider dropped the mark, or knows none. */
export interface Candidate {
  readonly remote: string
  /** Are there results? */
  readonly ended: boolean
  /** What the file of its lines was called as it was uploaded; undefined: that is not told. */
  readonly file?: () => Promise<string | undefined>
}

/** A list that goes on, and does not show how: whatever it does not show may be ours. */
export const PAGE_LIMIT_REACHED = 'unseen'

/** How long before the intent a batch of it may seem to have been made: clocks differ. In ms. */
const CLOCKS_MS = 10 * 60_000

/** Ms UTC by the clock there: no batch of an intent was made before. A clock here that is ahead, or was, does no harm. */
export function earliest({ intended }: BatchIntent, headers: HeaderMap): number {
  const there = Date.parse(headers['date'] ?? '')
  const ahead = Number.isNaN(there) ? 0 : Math.max(0, Date.now() - there)
  return intended - ahead - CLOCKS_MS
}

/** May a batch be ours by its size and time? What is not told speaks against nothing. @param made - in ms UTC; NaN: not told */
export const couldBeOurs = (intent: BatchIntent, size: number | null, made: number, since: number): boolean =>
  (size === null || size === intent.lines) && !(made < since)

/** Which of some batches is ours: by the name of its file, or by the ids of its results, which only an ended one has. */
export async function ownOf(
  { key }: BatchIntent,
  candidates: readonly (Candidate | typeof PAGE_LIMIT_REACHED)[],
  results: Batching['results'],
  signal: AbortSignal,
): Promise<Search> {
  const doubts: string[] = []
  const open: string[] = []
  for (const candidate of candidates) {
    if (candidate === PAGE_LIMIT_REACHED) {
      doubts.push('batches that its list does not show')
      continue
    }
    const { remote, ended, file } = candidate
    const name = await file?.()
    const ours =
      name === undefined ? (ended ? await byResults(key, results(remote, signal)) : null) : name === fileName(key)
    if (ours === true) return { kind: 'found', remote }
    if (ours === null && ended) doubts.push(remote)
    if (ours === null && !ended) open.push(remote)
  }
  return open.length + doubts.length > 0 ? { kind: 'unclear', open, doubts } : { kind: 'none' }
}

/** What the file of the lines of a batch is called. */
export const fileName = (key: string): string => `${key}.jsonl`

/** null: its results do not tell. */
async function byResults(key: string, results: ReturnType<Batching['results']>): Promise<boolean | null> {
  try {
    for await (const page of results) {
      const ids = page.flatMap((line) => (line.kind === 'unparsed' ? [] : line.id))
      if (ids.length > 0) return ids.some((id) => id.startsWith(`${key}-`))
    }
  } catch (error) {
    if (!isGone(error)) throw error
  }
  return null
}

/** Something that somebody deleted. */
export const isGone = (error: unknown): boolean => [404, 410].includes(apiFailure(error).http ?? 0)
