import { z } from 'zod'
import { type Outcome, sha256Hex, sortedJson, stateOf } from '../../core/index.ts'
import { type Ledger, outcomeOf, rawHash, responseHash } from '../../store/index.ts'

/** One cell of a sealed run: what was asked of whom, the hash of what came, and how it was scored. */
export const cellSchema = z.strictObject({
  item: z.string(),
  style: z.string(),
  model: z.string(),
  settings: z.string(),
  sample: z.int(),
  state: z.enum(['waiting', 'leased', 'batched', 'done', 'failed']),
  /** Of the response; null where there is none. */
  response: z.string().nullable(),
  /** Its place in the chain of responses (1, 2, ...), its attempt and the hash of the provider's body; null: in none. */
  link: z.strictObject({ seq: z.int().min(1), attempt: z.int(), raw: z.string().nullable() }).nullable(),
  /** State and, where graded, value by parser; measures have a parser `measured NAME`. */
  scores: z.record(z.string(), z.strictObject({ state: z.string(), value: z.number().nullable() })),
})
export type SealedCell = z.infer<typeof cellSchema>

const SQL = `
  SELECT c.id, c.item, c.style, c.model, c.settings, c.sample, c.state, r.cell AS answered, r.finish, r.text, r.reasoning,
    r.logprobs, r.usage, r.raw, r.seq, r.attempt, s.outcome
  FROM cell c LEFT JOIN response r ON r.cell = c.id
  LEFT JOIN score s ON s.cell = c.id AND s.scorer = (SELECT MAX(scorer) FROM score x WHERE x.cell = c.id)
  WHERE c.id > ? ORDER BY c.id LIMIT ?`

/** All cells of a run in the order of its plan, streaming. */
export async function* sealedCells(ledger: Ledger): AsyncGenerator<SealedCell> {
  for await (const page of ledger.pages(SQL))
    for (const row of page)
      yield {
        item: String(row['item']),
        style: String(row['style']),
        model: String(row['model']),
        settings: String(row['settings']),
        sample: Number(row['sample']),
        state: row['state'] as SealedCell['state'],
        response: row['answered'] === null ? null : responseHash(row),
        link:
          row['seq'] === null
            ? null
            : { seq: Number(row['seq']), attempt: Number(row['attempt']), raw: rawHash(row['raw']) },
        scores: typeof row['outcome'] === 'string' ? scoresOf(outcomeOf(row['outcome'])) : {},
      }
}

function scoresOf(outcome: Outcome): SealedCell['scores'] {
  if (outcome.kind === 'failed') return { failed: { state: outcome.code, value: null } }
  if (outcome.kind === 'measured')
    return Object.fromEntries(
      Object.entries(outcome.values).map(([name, value]) => [`measured ${name}`, { state: 'measured', value }]),
    )
  return Object.fromEntries(
    Object.entries(outcome.verdicts).map(([parser, verdict]) => [
      parser,
      { state: stateOf(outcome, parser), value: verdict.kind === 'graded' ? verdict.value : null },
    ]),
  )
}

/** The hash of a sealed cell: a leaf of the tree of a seal. */
export const cellHash = (cell: SealedCell): string => sha256Hex(`touchstone/cell/1\n${sortedJson({ ...cell })}`)
