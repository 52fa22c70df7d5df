import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Record } from './sql.ts'

/** The most characters of an unreadable body that are kept, and that are unpacked. */
const LONGEST = 4 * 1024 * 1024

/** An unreadable body as the ledger keeps it. */
export const packBody = (text: string): Uint8Array => gzipSync(Buffer.from(text.slice(0, LONGEST), 'utf8'))

/** @throws RangeError for what unpacks to more than was ever packed. */
export const unpackBody = (packed: Uint8Array): string =>
  gunzipSync(packed, { maxOutputLength: LONGEST * 4 }).toString('utf8')

/** The columns of a response `r` and its cell `c` that a link holds; `id` is its place in the chain. */
export const LINKED =
  'r.seq AS id, r.hash, r.cell, c.item, c.style, c.model, c.settings, c.sample, r.attempt, r.finish, r.text, r.reasoning, r.logprobs, r.usage, r.raw'

/** What one link of the chain of responses binds: a cell, its attempt, and the hashes of what came. */
export interface Link {
  readonly item: string
  readonly style: string
  readonly model: string
  readonly settings: string
  readonly sample: number
  readonly attempt: number
  /** By {@link responseHash}. */
  readonly response: string
  /** Of the provider's body; null where it is not kept. */
  readonly raw: string | null
}

/** The hash of what a model answered: how it ended, text, reasoning, logprobs and usage as they were recorded. */
export const responseHash = (row: Record): string =>
  sha256(
    `touchstone/response/1\n${JSON.stringify(
      ['finish', 'text', 'reasoning', 'logprobs', 'usage'].map((name) => row[name] ?? null),
    )}`,
  )

/** The hash of a provider's body. */
export const rawHash = (raw: unknown): string | null => (typeof raw === 'string' ? sha256(raw) : null)

/**
 * The hash of a link: SHA-256 over the link before it, the cell, and the hashes of what came. One changed byte changes it
 * and all that come after; the hashes alone are enough to walk along the chain without the responses.
 */
export const linkHash = (before: string | null, link: Link): string =>
  sha256(
    JSON.stringify([
      before ?? '',
      link.item,
      link.style,
      link.model,
      link.settings,
      link.sample,
      link.attempt,
      link.response,
      link.raw,
    ]),
  )

/** The hash of the link of one recorded response. */
export const linkOf = (before: string | null, row: Record): string =>
  linkHash(before, {
    item: String(row['item']),
    style: String(row['style']),
    model: String(row['model']),
    settings: String(row['settings']),
    sample: Number(row['sample']),
    attempt: Number(row['attempt']),
    response: responseHash(row),
    raw: rawHash(row['raw']),
  })

const sha256 = (text: string): string => hash('sha256', text, 'hex')

/** What a walk along the chain of responses found. */
export type ChainState =
  | { readonly kind: 'whole'; readonly links: number; readonly head: string | null }
  /** `cell`: where it breaks; null: behind its end. */
  | { readonly kind: 'broken'; readonly cell: number | null; readonly message: string }

/** Makes every link again. @param pages - rows with the columns {@link LINKED}, in the order of the chain. */
export async function walkChain(pages: AsyncIterable<readonly Record[]>): Promise<ChainState> {
  let before: string | null = null
  let links = 0
  for await (const rows of pages)
    for (const row of rows) {
      const cell = Number(row['cell'])
      const place = Number(row['id'])
      if (place !== links + 1)
        return { kind: 'broken', cell, message: `responses ${links + 1} to ${place - 1} are gone` }
      const link = linkOf(before, row)
      if (row['hash'] !== link)
        return { kind: 'broken', cell, message: `the response of cell ${cell} is not what was recorded` }
      before = link
      links++
    }
  return { kind: 'whole', links, head: before }
}
