import { z } from 'zod'
import { type Outcome, sha256Hex, sortedJson, statusOf } from '../../core/index.ts'
import { type Ledger, outcomeOf, rawHash, responseHash } from '../../store/index.ts'

/** One call of a sealed run: its key, the hash of its response, and its scores. */
export const callSchema = z.strictObject({
  item: z.string(),
  style: z.string(),
  model: z.string(),
  settings: z.string(),
  sample: z.int(),
  state: z.enum(['waiting', 'leased', 'batched', 'done', 'failed']),
  /** Hash of the response; null: none. */
  response: z.string().nullable(),
  /** Its number in the chain of responses (1, 2, ...), its attempt and the hash of the provider's body; null: not in the chain. */
  link: z.strictObject({ seq: z.int().min(1), attempt: z.int(), raw: z.string().nullable() }).nullable(),
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

/** All calls of a run in the order of its plan, streaming. */
export async function* sealedCalls(ledger: Ledger): AsyncGenerator<SealedCall> {
  for await (const page of ledger.pages(SQL))
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
        scores: typeof row['outcome'] === 'string' ? scoresOf(outcomeOf(row['outcome'])) : {},
      }
}

function scoresOf(outcome: Outcome): SealedCall['scores'] {
  if (outcome.kind === 'error') return { error: { state: outcome.code, value: null } }
  if (outcome.kind === 'measured')
    return Object.fromEntries(
      Object.entries(outcome.values).map(([name, value]) => [`measured ${name}`, { state: 'measured', value }]),
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
