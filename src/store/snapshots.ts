import type { Record, Sql } from './sql.ts'

/** All rows of a store about one call: what moves from one store into another. */
export interface CallSnapshot {
  readonly call: Record
  readonly attempts: readonly Record[]
  /** null: not answered. */
  readonly response: Record | null
  readonly scores: readonly Record[]
  readonly bodies: readonly Record[]
}

export function snapshotCall(sql: Sql, call: Record): CallSnapshot {
  const id = Number(call['id'])
  return {
    call,
    attempts: sql.all('SELECT * FROM attempt WHERE call = ? ORDER BY attempt_no', id),
    response: sql.one('SELECT * FROM response WHERE call = ?', id) ?? null,
    scores: sql.all('SELECT * FROM score WHERE call = ? ORDER BY scorer', id),
    bodies: sql.all('SELECT * FROM raw_body WHERE call = ? ORDER BY attempt', id),
  }
}

/**
 * Writes a snapshot over the planned call here, its priority included. A call that was leased waits again.
 *
 * @param batches - `kept`: the batches move, too, and a batched call goes on waiting for its batch.
 * @returns its id here; null if the call is not planned here, or has a response.
 */
export function restoreCall(
  sql: Sql,
  { call, attempts, response, scores, bodies }: CallSnapshot,
  batches: 'kept' | 'left',
): number | null {
  const key = ['item', 'style', 'model', 'settings', 'sample'].map((name) => call[name] ?? null)
  const here = sql.one(
    `SELECT c.id, r.call AS answered FROM call c LEFT JOIN response r ON r.call = c.id
     WHERE c.item = ? AND c.style = ? AND c.model = ? AND c.settings = ? AND c.sample = ?`,
    ...key,
  )
  if (here === undefined || here['answered'] !== null) return null
  const id = Number(here['id'])
  const batched = call['state'] === 'batched' && batches === 'kept'
  const state = batched || ['done', 'failed'].includes(String(call['state'])) ? (call['state'] as string) : 'waiting'
  const owner = batched ? (call['owner'] ?? null) : null
  sql.run('UPDATE call SET priority = ?, state = ?, owner = ? WHERE id = ?', call['priority'] ?? 0, state, owner, id)
  for (const row of attempts) insert(sql, 'attempt', { ...row, call: id })
  if (response !== null) insert(sql, 'response', { ...response, call: id, seq: null, hash: null })
  for (const row of scores) insert(sql, 'score', { ...row, call: id })
  for (const row of bodies) insert(sql, 'raw_body', { ...row, call: id })
  return id
}

/** The columns that move: a store may have others, and their names are not those of SQL here. */
const COLUMNS = {
  attempt: 'call attempt_no started ended status http error_source code message usage request_id max_usd usd'.split(
    ' ',
  ),
  response: 'call attempt finish text reasoning logprobs usage raw seq hash'.split(' '),
  score: ['call', 'scorer', 'outcome'],
  raw_body: ['call', 'attempt', 'size', 'packed'],
}

function insert(sql: Sql, table: keyof typeof COLUMNS, row: Record): void {
  sql.insert(table, only(COLUMNS[table], row))
}

const only = (names: readonly string[], row: Record): Record =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? null]))

/** All rows of a store about one batch, without their ids. */
export interface BatchSnapshot {
  readonly batch: Record
  readonly lines: readonly Record[]
}

const BATCH = 'key model lines state intended submitted_at provider_id accepted_at ended status'.split(' ')
const LINE = ['batch', 'line_no', 'call', 'attempt']

/** Columns of both tables, as SQL has them. */
export const [BATCH_COLUMNS, LINE_COLUMNS] = [BATCH.join(', '), LINE.join(', ')]

/** The snapshot of a batch of a SQLite ledger, by its row. */
export const snapshotBatch = (sql: Sql, batch: Record): BatchSnapshot => ({
  batch,
  lines: sql.all(`SELECT ${LINE_COLUMNS} FROM batch_line WHERE batch = ? ORDER BY line_no`, batch['key'] ?? null),
})

/** Writes a batch over what is known of it. */
export function restoreBatch(sql: Sql, { batch, lines }: BatchSnapshot): void {
  const updates = BATCH.map((name) => `${name} = excluded.${name}`).join(', ')
  sql.run(
    `INSERT INTO batch (${BATCH_COLUMNS}) VALUES (${BATCH.map(() => '?').join(', ')}) ON CONFLICT (key) DO UPDATE SET ${updates}`,
    ...BATCH.map((name) => batch[name] ?? null),
  )
  for (const line of lines) sql.insert('batch_line', only(LINE, line), 'OR IGNORE ')
}
