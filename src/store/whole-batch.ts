import type { Record, Sql } from './sql.ts'

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
