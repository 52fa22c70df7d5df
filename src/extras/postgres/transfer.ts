import type postgres from 'postgres'
import { StoreError } from '../../store/errors.ts'
import type { BatchSnapshot, CallSnapshot } from '../../store/snapshots.ts'
import type { Record } from '../../store/sql.ts'
import { asJson, type Tx } from './events.ts'

/** Columns with JSON strings here and plain texts in a SQLite ledger. */
const TEXTS: { readonly [table: string]: readonly string[] } = {
  attempt: ['message', 'request_id'],
  batch: ['status'],
  response: ['text', 'reasoning', 'raw'],
}

/** Adds calls of a ledger, with all that became of them; its chain of responses continues here. */
export async function copyCalls(tx: Tx, calls: readonly CallSnapshot[]): Promise<void> {
  const rows: readonly (readonly [table: string, rows: readonly Record[]])[] = [
    ['call', calls.map(({ call }) => call)],
    ['attempt', calls.flatMap(({ attempts }) => attempts)],
    ['response', calls.flatMap(({ response }) => (response === null ? [] : [response]))],
    ['score', calls.flatMap(({ scores }) => scores)],
    ['raw_body', calls.flatMap(({ bodies }) => bodies)],
  ]
  for (const [table, of] of rows) await insert(tx, table, of)
  await tx`UPDATE chain SET links = seq, head = hash
    FROM (SELECT seq, hash FROM response WHERE seq IS NOT NULL ORDER BY seq DESC LIMIT 1) AS last`
}

/** Adds batches of a ledger. */
export async function copyBatches(tx: Tx, batches: readonly BatchSnapshot[]): Promise<void> {
  const [all, lines] = [batches.map(({ batch }) => batch), batches.flatMap((whole) => whole.lines)]
  await insert(tx, 'batch', all)
  await insert(tx, 'batch_line', lines)
}

/** Rows per statement, which has at most 65,535 values. */
const ROWS = 1000

async function insert(tx: Tx, table: string, rows: readonly Record[]): Promise<void> {
  const texts = TEXTS[table] ?? []
  const ready = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        texts.includes(name) && typeof value === 'string' ? asJson(value) : value,
      ]),
    ),
  )
  for (let i = 0; i < ready.length; i += ROWS) await tx`INSERT INTO ${tx(table)} ${tx(ready.slice(i, i + ROWS))}`
}

/** Snapshots of these calls, as rows of a SQLite ledger. */
export async function snapshotsOf(sql: postgres.Sql, ids: readonly number[]): Promise<readonly CallSnapshot[]> {
  const of = async (table: string, order: string): Promise<ReadonlyMap<number, readonly Record[]>> => {
    const rows = await sql`SELECT * FROM ${sql(table)} WHERE call = ANY (${[...ids]}::bigint[]) ORDER BY ${sql(order)}`
    return Map.groupBy(
      rows.map((row) => plainRow(table, row)),
      (row) => Number(row['call']),
    )
  }
  const calls = await sql`SELECT * FROM call WHERE id = ANY (${[...ids]}::bigint[]) ORDER BY id`
  const [attempts, responses, scores, bodies] = await Promise.all([
    of('attempt', 'attempt_no'),
    of('response', 'call'),
    of('score', 'scorer'),
    of('raw_body', 'attempt'),
  ])
  return calls.map((call) => {
    const id = Number(call['id'])
    return {
      call: plainRow('call', call),
      attempts: attempts.get(id) ?? [],
      response: responses.get(id)?.[0] ?? null,
      scores: scores.get(id) ?? [],
      bodies: bodies.get(id) ?? [],
    }
  })
}

/** A text that is stored as a JSON string. @throws StoreError for one that this program did not write */
export function plainText(text: string): string {
  try {
    const plain: unknown = JSON.parse(text)
    if (typeof plain === 'string') return plain
  } catch {
    // The error below.
  }
  throw new StoreError(
    'damaged',
    `the PostgreSQL store holds a text that this program did not write: ${text.slice(0, 80)}`,
  )
}

/** A row as in a SQLite ledger. */
export function plainRow(table: string, row: postgres.Row): Record {
  const texts = TEXTS[table] ?? []
  return Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name,
      texts.includes(name) && typeof value === 'string' ? plainText(value) : (value as Record[string]),
    ]),
  )
}
