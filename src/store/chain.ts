import { hash } from 'node:crypto'
import type { Record } from './sql.ts'

/** The columns of a response `r` and its cell `c` that a link holds. */
export const LINKED =
  'r.seq, r.hash, r.cell AS id, c.item, c.style, c.model, c.settings, c.sample, r.attempt, r.finish, r.text, r.reasoning, r.logprobs, r.usage, r.raw'

const FIELDS = 'id item style model settings sample attempt finish text reasoning logprobs usage raw'.split(' ')

/**
 * The link of one recorded response: SHA-256 over the link before it and everything that was recorded, with the cell it
 * answers. One changed byte changes it and all that come after.
 */
export const linkOf = (before: string | null, row: Record): string =>
  hash('sha256', JSON.stringify([before ?? '', ...FIELDS.map((name) => row[name] ?? null)]), 'hex')

/** What a walk along the chain of responses found. */
export type ChainState =
  | { readonly kind: 'whole'; readonly links: number; readonly head: string | null }
  | { readonly kind: 'broken'; readonly cell: number; readonly message: string }
