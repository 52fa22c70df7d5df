import type { Record, Sql } from './sql.ts'

/** All that a ledger holds of one cell, as its rows: what moves from one ledger into another. */
export interface WholeCell {
  readonly cell: Record
  readonly attempts: readonly Record[]
  /** null: not answered. */
  readonly response: Record | null
  readonly scores: readonly Record[]
  readonly bodies: readonly Record[]
}

export function wholeCell(sql: Sql, cell: Record): WholeCell {
  const id = Number(cell['id'])
  return {
    cell,
    attempts: sql.all('SELECT * FROM attempt WHERE cell = ? ORDER BY no', id),
    response: sql.one('SELECT * FROM response WHERE cell = ?', id) ?? null,
    scores: sql.all('SELECT * FROM score WHERE cell = ? ORDER BY scorer', id),
    bodies: sql.all('SELECT * FROM body WHERE cell = ? ORDER BY attempt', id),
  }
}

/**
 * Writes what another ledger holds of a cell over the planned one here. Its turn moves too; what was in the hands of a
 * process waits again.
 *
 * @param batches - `kept`: those of the other ledger come too, and a cell of one goes on waiting for it.
 * @returns its id here; null where the cell is not planned here or answered already.
 */
export function adoptCell(
  sql: Sql,
  { cell, attempts, response, scores, bodies }: WholeCell,
  batches: 'kept' | 'left',
): number | null {
  const key = ['item', 'style', 'model', 'settings', 'sample'].map((name) => cell[name] ?? null)
  const here = sql.one(
    `SELECT c.id, r.cell AS answered FROM cell c LEFT JOIN response r ON r.cell = c.id
     WHERE c.item = ? AND c.style = ? AND c.model = ? AND c.settings = ? AND c.sample = ?`,
    ...key,
  )
  if (here === undefined || here['answered'] !== null) return null
  const id = Number(here['id'])
  const batched = cell['state'] === 'batched' && batches === 'kept'
  const state = batched || ['done', 'failed'].includes(String(cell['state'])) ? (cell['state'] as string) : 'waiting'
  const owner = batched ? (cell['owner'] ?? null) : null
  sql.run('UPDATE cell SET turn = ?, state = ?, owner = ? WHERE id = ?', cell['turn'] ?? 0, state, owner, id)
  for (const row of attempts) insert(sql, 'attempt', { ...row, cell: id })
  if (response !== null) insert(sql, 'response', { ...response, cell: id, seq: null, hash: null })
  for (const row of scores) insert(sql, 'score', { ...row, cell: id })
  for (const row of bodies) insert(sql, 'body', { ...row, cell: id })
  return id
}

function insert(sql: Sql, table: string, row: Record): void {
  const names = Object.keys(row)
  const places = names.map(() => '?').join(', ')
  sql.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`, ...names.map((name) => row[name] ?? null))
}

/** All that a ledger holds of one batch, as its rows without their own ids: what moves from one ledger into another. */
export interface WholeBatch {
  readonly batch: Record
  readonly lines: readonly Record[]
}

const BATCH = ['key', 'model', 'lines', 'state', 'intended', 'tried', 'remote', 'submitted', 'ended', 'status'] as const
const LINE = ['batch', 'no', 'cell', 'attempt'] as const

/** Columns of both tables, as SQL has them. */
export const [BATCH_COLUMNS, LINE_COLUMNS] = [BATCH.join(', '), LINE.join(', ')]

/** A batch of a ledger of SQLite, by its row. */
export const wholeBatch = (sql: Sql, batch: Record): WholeBatch => ({
  batch,
  lines: sql.all(`SELECT ${LINE_COLUMNS} FROM line WHERE batch = ? ORDER BY no`, batch['key'] ?? null),
})

/** Writes a batch, in the place of what is known of it. */
export function adoptBatch(sql: Sql, { batch, lines }: WholeBatch): void {
  const news = BATCH.map((name) => `${name} = excluded.${name}`).join(', ')
  sql.run(
    `INSERT INTO batch (${BATCH_COLUMNS}) VALUES (${places(BATCH)}) ON CONFLICT (key) DO UPDATE SET ${news}`,
    ...BATCH.map((name) => batch[name] ?? null),
  )
  for (const line of lines)
    sql.run(
      `INSERT OR IGNORE INTO line (${LINE_COLUMNS}) VALUES (${places(LINE)})`,
      ...LINE.map((name) => line[name] ?? null),
    )
}

const places = (columns: readonly string[]): string => columns.map(() => '?').join(', ')
