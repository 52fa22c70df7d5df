import type { HeaderMap } from '../http.ts'
import { apiFailure, remoteName } from './api.ts'
import type { BatchIntent, Batching, Search } from './batching.ts'

/** A batch on a provider's list. */
export interface ListedBatch {
  /** Its name there. */
  readonly remote: string
  /** The key of an intent that it carries. Default: none, since its provider dropped it, or knows no marks. */
  readonly mark?: string | undefined
  /** How many lines it has; null: that is not said. */
  readonly size: number | null
  /** When it was made, in ms UTC; NaN: that is not said. */
  readonly made: number
  /** Are there results? */
  readonly ended: boolean
  /** The name of the file of its lines as it was uploaded; undefined: that is not said. */
  readonly file?: () => Promise<string | undefined>
}

export interface ListPage {
  readonly batches: readonly ListedBatch[]
  readonly headers: HeaderMap
  /** Are there further pages? */
  readonly more: boolean
  /** Where they begin; null: that is not said. */
  readonly next: string | null
}

/** A list that goes on, and does not show how: whatever it does not show may be ours. */
const PAGE_LIMIT_REACHED = 'page-limit-reached'

type Candidate = Pick<ListedBatch, 'remote' | 'ended' | 'file'>

/**
 * Finds the batch of an intent: by its mark, or else among those that carry none. Pages are read until they are older than the intent.
 *
 * @param known - batches there that are known to be of other intents.
 * @param pattern - of the names of batches there.
 */
export async function findBatch(
  intent: BatchIntent,
  known: ReadonlySet<string>,
  readPage: (after: string | null) => Promise<ListPage>,
  results: Batching['results'],
  signal: AbortSignal,
  pattern?: RegExp,
): Promise<Search> {
  const candidates: (Candidate | typeof PAGE_LIMIT_REACHED)[] = []
  let after: string | null = null
  for (let page = 0; ; page++) {
    const { batches, headers, more, next }: ListPage = await readPage(after)
    const found = batches.find(({ mark }) => mark === intent.key)
    if (found !== undefined) return { kind: 'found', remote: remoteName(found.remote, pattern) }
    const since = earliest(intent, headers)
    for (const one of batches)
      if (one.mark === undefined && !known.has(one.remote) && couldBeOurs(intent, one, since))
        candidates.push({ ...one, remote: remoteName(one.remote, pattern) })
    const times = batches.map(({ made }) => made)
    if (!more || isPast(times, since)) break
    if (next === null || page === MAX_PAGES) {
      candidates.push(PAGE_LIMIT_REACHED)
      break
    }
    after = next
  }
  return ownOf(intent, candidates, results, signal)
}

/** Pages of a list of batches that are read: a server whose list never ends is given up. */
const MAX_PAGES = 200

/**
 * Is all that follows on a list of batches older than a time? Only a page that shows that the newest come first can tell, since
 * providers promise no order. @param times - of the batches of one page, in ms; NaN: not said
 */
function isPast(times: readonly number[], time: number): boolean {
  const falling = times.every((at, i) => i === 0 || at <= (times[i - 1] as number))
  const [first = Number.NaN] = times
  const last = times.at(-1) ?? Number.NaN
  return falling && last < first && last < time
}

/** How long before the intent a batch of it may seem to have been made: clocks differ. In ms. */
const CLOCKS_MS = 10 * 60_000

/** Ms UTC by the clock there: no batch of an intent was made before. A clock here that is ahead, or was, does no harm. */
export function earliest({ intended }: BatchIntent, headers: HeaderMap): number {
  const there = Date.parse(headers['date'] ?? '')
  const ahead = Number.isNaN(there) ? 0 : Math.max(0, Date.now() - there)
  return intended - ahead - CLOCKS_MS
}

/** Could a batch be ours by its size and time? What is not said speaks against nothing. */
const couldBeOurs = (intent: BatchIntent, { size, made }: ListedBatch, since: number): boolean =>
  (size === null || size === intent.lines) && !(made < since)

/** Which of some batches is ours: by the name of its file, or by the ids of its results, which only an ended one has. */
async function ownOf(
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
