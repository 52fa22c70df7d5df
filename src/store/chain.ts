import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Record } from './sql.ts'

/** Characters of an unreadable body that are kept. */
const MAX_BODY_CHARACTERS = 4 * 1024 * 1024

/** An unreadable body as the ledger stores it. */
export const packBody = (text: string): Uint8Array => gzipSync(Buffer.from(text.slice(0, MAX_BODY_CHARACTERS), 'utf8'))

/** @throws RangeError for what unpacks to more than was ever packed. */
export const unpackBody = (packed: Uint8Array): string =>
  gunzipSync(packed, { maxOutputLength: MAX_BODY_CHARACTERS * 4 }).toString('utf8')

/** Columns of a response `r` and its call `c` that a link binds; `id` is its number in the chain. */
export const LINK_COLUMNS =
  'r.seq AS id, r.hash, r.call, c.item, c.style, c.model, c.settings, c.sample, r.attempt, r.finish, r.text, r.reasoning, r.logprobs, r.usage, r.raw'

/** What a link of the chain of responses binds: a call, its attempt, and the hashes of response and body. */
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

/** Hash of a stored response: finish reason, text, reasoning, logprobs and usage. */
export const responseHash = (row: Record): string =>
  sha256(
    `touchstone/response/1\n${JSON.stringify(
      ['finish', 'text', 'reasoning', 'logprobs', 'usage'].map((name) => row[name] ?? null),
    )}`,
  )

/** The hash of a provider's body. */
export const rawHash = (raw: unknown): string | null => (typeof raw === 'string' ? sha256(raw) : null)

/**
 * Hash of a link: SHA-256 over the hash of the link before it, the call, and the hashes of response and body. One changed
 * byte changes it and all later ones; the hashes alone are enough to check the chain without the responses.
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

/** Hash of the link of one stored response. */
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

/** What a check of the chain of responses found. */
export type ChainState =
  | { readonly kind: 'whole'; readonly links: number; readonly head: string | null }
  /** `call`: where it breaks; null: its end is missing. */
  | { readonly kind: 'broken'; readonly call: number | null; readonly message: string }

/** Recomputes every link. @param pages - rows with the columns {@link LINK_COLUMNS}, in the order of the chain. */
export async function walkChain(pages: AsyncIterable<readonly Record[]>): Promise<ChainState> {
  let before: string | null = null
  let links = 0
  for await (const rows of pages)
    for (const row of rows) {
      const call = Number(row['call'])
      const place = Number(row['id'])
      if (place !== links + 1)
        return { kind: 'broken', call, message: `responses ${links + 1} to ${place - 1} are gone` }
      const link = linkOf(before, row)
      if (row['hash'] !== link)
        return { kind: 'broken', call, message: `the response of call ${call} is not what was recorded` }
      before = link
      links++
    }
  return { kind: 'whole', links, head: before }
}
