import type { HeaderMap } from '../http.ts'
import { apiFailure, remoteName } from './api.ts'
import type { BatchIntent, Batching, Search } from './batching.ts'

/** A batch on a provider's list. Values that the provider does not report are absent, null or NaN. */
export interface ListedBatch {
  /** The provider's id of it. */
  readonly remote: string
  /** The key of its intent. Default: none, since the provider dropped it or has no metadata. */
  readonly mark?: string | undefined
  /** Number of its lines. */
  readonly size: number | null
  /** When it was made, in ms UTC. */
  readonly made: number
  /** Are there results? */
  readonly ended: boolean
  /** The name of the uploaded file of its lines. */
  readonly file?: () => Promise<string | undefined>
}

export interface ListPage {
  readonly batches: readonly ListedBatch[]
  readonly headers: HeaderMap
  /** Are there further pages? */
  readonly more: boolean
  /** Where they begin; null: unknown. */
  readonly next: string | null
}

/** A list that continues without a way to read on: a batch that it does not show may be ours. */
const PAGE_LIMIT_REACHED = 'page-limit-reached'

type Candidate = Pick<ListedBatch, 'remote' | 'ended' | 'file'>

/**
 * Finds the batch of an intent: by its mark, or else among batches without one. Reads pages until they are older than the intent.
 *
 * @param known - batches that belong to other intents.
 * @param pattern - of ids of batches.
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

/** Pages of a list that are read: some servers never end it. */
const MAX_PAGES = 200

/**
 * Are all later pages of a list older than a time? Known only if a page is sorted by falling time, since providers promise no order.
 *
 * @param times - of the batches of one page, in ms; NaN: unknown
 */
function isPast(times: readonly number[], time: number): boolean {
  const falling = times.every((at, i) => i === 0 || at <= (times[i - 1] as number))
  const [first = Number.NaN] = times
  const last = times.at(-1) ?? Number.NaN
  return falling && last < first && last < time
}

/** Most that two clocks differ, ms. */
const CLOCKS_MS = 10 * 60_000

/** The earliest time of a batch of an intent, in ms UTC of the provider's clock. A local clock that is ahead does no harm. */
export function earliest({ intended }: BatchIntent, headers: HeaderMap): number {
  const there = Date.parse(headers['date'] ?? '')
  const ahead = Number.isNaN(there) ? 0 : Math.max(0, Date.now() - there)
  return intended - ahead - CLOCKS_MS
}

/** Could a batch be ours by its size and time? Unknown values could. */
const couldBeOurs = (intent: BatchIntent, { size, made }: ListedBatch, since: number): boolean =>
  (size === null || size === intent.lines) && !(made < since)

/** Finds our batch among candidates: by the name of its file, or by the ids of its results, which only an ended batch has. */
async function ownOf(
  { key }: BatchIntent,
  candidates: readonly (Candidate | typeof PAGE_LIMIT_REACHED)[],
  results: Batching['results'],
  signal: AbortSignal,
): Promise<Search> {
  const uncertain: string[] = []
  const open: string[] = []
  for (const candidate of candidates) {
    if (candidate === PAGE_LIMIT_REACHED) {
      uncertain.push('batches that its list does not show')
      continue
    }
    const { remote, ended, file } = candidate
    const name = await file?.()
    const ours =
      name === undefined ? (ended ? await byResults(key, results(remote, signal)) : null) : name === fileName(key)
    if (ours === true) return { kind: 'found', remote }
    if (ours === null && ended) uncertain.push(remote)
    if (ours === null && !ended) open.push(remote)
  }
  return open.length + uncertain.length > 0 ? { kind: 'unclear', open, uncertain } : { kind: 'none' }
}

/** The name of the uploaded file of a batch. */
export const fileName = (key: string): string => `${key}.jsonl`

/** Are these the results of our batch? null: unknown. */
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

/** What a request reads; undefined where its object has been deleted. */
export async function unlessGone<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

/** Has it been deleted? */
const isGone = (error: unknown): boolean => [404, 410].includes(apiFailure(error).http ?? 0)
