import { z } from 'zod'
import { type Outcome, sha256Hex, sortedJson, statusOf } from '../../core/index.ts'
import { type Ledger, outcomeOf, rawHash, responseHash } from '../../store/index.ts'

/** A SHA-256 in hexadecimal. */
export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/u)

/** One attempt at a call: what it cost, when it was, and how it ended. Times are ms UTC, money US dollars. */
const attemptSchema = z.strictObject({
  no: z.int(),
  started: z.number(),
  ended: z.number().nullable(),
  status: z.string(),
  http: z.number().nullable(),
  code: z.string().nullable(),
  usd: z.number().nullable(),
  /** Reserved before it was sent. */
  maxUsd: z.number().nullable(),
  /** Hash of what else is known of it: message, request id, usage, a body that could not be read. */
  record: hashSchema,
})

/** One call of a sealed run: its key, the hash of its response, and its scores. */
export const callSchema = z.strictObject({
  item: z.string(),
  style: z.string(),
  model: z.string(),
  settings: z.string(),
  sample: z.int(),
  state: z.enum(['waiting', 'leased', 'batched', 'done', 'failed']),
  /** Hash of the response; null: none. */
  response: hashSchema.nullable(),
  /** Its number in the chain of responses (1, 2, ...), its attempt and the hash of the provider's body; null: not in the chain. */
  link: z.strictObject({ seq: z.int().min(1), attempt: z.int(), raw: hashSchema.nullable() }).nullable(),
  attempts: z.array(attemptSchema),
  /** Status and, if graded, value by parser; metrics have a parser `measured NAME`. */
  scores: z.record(z.string(), z.strictObject({ state: z.string(), value: z.number().nullable() })),
})
export type SealedCall = z.infer<typeof callSchema>

const SQL = `
  SELECT c.id, c.item, c.style, c.model, c.settings, c.sample, c.state, r.call AS answered, r.finish, r.text, r.reasoning,
    r.logprobs, r.usage, r.raw, r.seq, r.attempt, s.outcome
  FROM call c LEFT JOIN response r ON r.call = c.id
  LEFT JOIN score s ON s.call = c.id AND s.scorer = (SELECT MAX(scorer) FROM score x WHERE x.call = c.id)
  WHERE c.id > ? ORDER BY c.id LIMIT ?`

const ATTEMPTS = `SELECT a.call, a.attempt_no, a.started, a.ended, a.status, a.http, a.error_source, a.code, a.message, a.usage,
    a.request_id, a.max_usd, a.usd, b.packed
  FROM attempt a LEFT JOIN raw_body b ON b.call = a.call AND b.attempt = a.attempt_no
  WHERE a.call BETWEEN ? AND ? ORDER BY a.call, a.attempt_no, b.rowid`

const orNull = (value: unknown): number | null => (value === null ? null : Number(value))

/** The attempts at calls whose ids lie in a range, by call. */
function attemptsOf(ledger: Ledger, from: number, to: number): ReadonlyMap<number, SealedCall['attempts']> {
  const rows = Map.groupBy(ledger.query(ATTEMPTS, from, to), (row) => Number(row['call']))
  return new Map(
    [...rows].map(([call, list]) => [
      call,
      list.map((row) => {
        const body = row['packed'] instanceof Uint8Array ? Buffer.from(row['packed']).toString('base64') : null
        const rest = ['error_source', 'message', 'usage', 'request_id'].map((name) => row[name] ?? null)
        return {
          no: Number(row['attempt_no']),
          started: Number(row['started']),
          ended: orNull(row['ended']),
          status: String(row['status']),
          http: orNull(row['http']),
          code: row['code'] === null ? null : String(row['code']),
          usd: orNull(row['usd']),
          maxUsd: orNull(row['max_usd']),
          record: sha256Hex(`touchstone/attempt/1\n${JSON.stringify([...rest, body])}`),
        }
      }),
    ]),
  )
}

/** All calls of a run in the order of its plan, streaming. */
export async function* sealedCalls(ledger: Ledger): AsyncGenerator<SealedCall> {
  for await (const page of ledger.pages(SQL)) {
    const attempts = attemptsOf(ledger, Number(page[0]?.['id']), Number(page.at(-1)?.['id']))
    for (const row of page)
      yield {
        item: String(row['item']),
        style: String(row['style']),
        model: String(row['model']),
        settings: String(row['settings']),
        sample: Number(row['sample']),
        state: row['state'] as SealedCall['state'],
        response: row['answered'] === null ? null : responseHash(row),
        link:
          row['seq'] === null
            ? null
            : { seq: Number(row['seq']), attempt: Number(row['attempt']), raw: rawHash(row['raw']) },
        attempts: attempts.get(Number(row['id'])) ?? [],
        scores: typeof row['outcome'] === 'string' ? scoresOf(outcomeOf(row['outcome'])) : {},
      }
  }
}

function scoresOf(outcome: Outcome): SealedCall['scores'] {
  if (outcome.kind === 'error') return { error: { state: outcome.code, value: null } }
  if (outcome.kind === 'measured')
    return Object.fromEntries(
      Object.entries(outcome.values).map(([name, value]) => [`measured ${name}`, { state: 'loglikelihood', value }]),
    )
  return Object.fromEntries(
    Object.entries(outcome.results).map(([parser, verdict]) => [
      parser,
      { state: statusOf(outcome, parser), value: verdict.kind === 'graded' ? verdict.value : null },
    ]),
  )
}

/** The hash of a sealed call: a leaf of the tree of a seal. */
export const callHash = (call: SealedCall): string => sha256Hex(`touchstone/call/1\n${sortedJson({ ...call })}`)
