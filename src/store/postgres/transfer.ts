import type postgres from 'postgres'
import { StoreError } from '../errors.ts'
import type { WholeBatch, WholeCell } from '../snapshots.ts'
import type { Record } from '../sql.ts'
import { asJson, type Tx } from './events.ts'

/** Columns that hold JSON strings here and plain texts in a ledger of SQLite. */
const TEXTS: { readonly [table: string]: readonly string[] } = {
  attempt: ['message', 'request_id'],
  batch: ['status'],
  response: ['text', 'reasoning', 'raw'],
}

/** Writes cells of a ledger, with all that became of them; its chain of responses goes on here. */
export async function fillCells(tx: Tx, cells: readonly WholeCell[]): Promise<void> {
  const rows: readonly (readonly [table: string, rows: readonly Record[]])[] = [
    ['cell', cells.map(({ cell }) => cell)],
    ['attempt', cells.flatMap(({ attempts }) => attempts)],
    ['response', cells.flatMap(({ response }) => (response === null ? [] : [response]))],
    ['score', cells.flatMap(({ scores }) => scores)],
    ['body', cells.flatMap(({ bodies }) => bodies)],
  ]
  for (const [table, of] of rows) await insert(tx, table, of)
  await tx`UPDATE chain SET links = seq, head = hash
    FROM (SELECT seq, hash FROM response WHERE seq IS NOT NULL ORDER BY seq DESC LIMIT 1) AS last`
}

/** Writes batches of a ledger. */
export async function fillBatches(tx: Tx, batches: readonly WholeBatch[]): Promise<void> {
  const [all, lines] = [batches.map(({ batch }) => batch), batches.flatMap((whole) => whole.lines)]
  await insert(tx, 'batch', all)
  await insert(tx, 'line', lines)
}

/** Rows of one statement: it has at most 65,535 values. */
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

/** All that became of these cells, as rows of a ledger of SQLite. */
export async function wholeCellsOf(sql: postgres.Sql, ids: readonly number[]): Promise<readonly WholeCell[]> {
  const of = async (table: string, order: string): Promise<ReadonlyMap<number, readonly Record[]>> => {
    const rows = await sql`SELECT * FROM ${sql(table)} WHERE cell = ANY (${[...ids]}::bigint[]) ORDER BY ${sql(order)}`
    return Map.groupBy(
      rows.map((row) => plainRow(table, row)),
      (row) => Number(row['cell']),
    )
  }
  const cells = await sql`SELECT * FROM cell WHERE id = ANY (${[...ids]}::bigint[]) ORDER BY id`
  const [attempts, responses, scores, bodies] = await Promise.all([
    of('attempt', 'no'),
    of('response', 'cell'),
    of('score', 'scorer'),
    of('body', 'attempt'),
  ])
  return cells.map((cell) => {
    const id = Number(cell['id'])
    return {
      cell: plainRow('cell', cell),
      attempts: attempts.get(id) ?? [],
      response: responses.get(id)?.[0] ?? null,
      scores: scores.get(id) ?? [],
      bodies: bodies.get(id) ?? [],
    }
  })
}

/** A text that is kept as a JSON string. @throws StoreError for one that this program did not write. */
export function plainText(text: string): string {
  try {
    const plain: unknown = JSON.parse(text)
    if (typeof plain === 'string') return plain
  } catch {
    // Told below.
  }
  throw new StoreError(
    'damaged',
    `the PostgreSQL store holds a text that this program did not write: ${text.slice(0, 80)}`,
  )
}

/** A row as a ledger of SQLite has it. */
export function plainRow(table: string, row: postgres.Row): Record {
  const texts = TEXTS[table] ?? []
  return Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name,
      texts.includes(name) && typeof value === 'string' ? plainText(value) : (value as Record[string]),
    ]),
  )
}
