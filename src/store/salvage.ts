import { closeSync, copyFileSync, existsSync, openSync, readSync, rmSync, statSync, truncateSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { LINKED, linkOf } from './chain.ts'
import { StoreError } from './errors.ts'
import { MIGRATIONS, migrate, schemaVersion } from './schema.ts'
import type { Record } from './sql.ts'

/** What was taken out of a damaged ledger. */
export interface Salvaged {
  /** Rows that are in the new ledger, by table. */
  readonly kept: { readonly [table: string]: number }
  /** Keys whose rows could not be read, by table. */
  readonly unreadable: { readonly [table: string]: number }
  /** Responses that could be read and are not what was recorded, or answer a cell that is lost. */
  readonly dropped: number
}

export interface SalvageOptions {
  /** Are items made anew afterwards? Then those of the damaged file are not needed. */
  readonly itemsMadeAnew: boolean
  /** Are all its responses in the chain? Then one without a link is no response. */
  readonly chained: boolean
}

/** Tables and the integer that their rows are found by, in the order of the file's b-trees. */
const TABLES = {
  grp: 'rowid',
  item: 'ord',
  cell: 'id',
  attempt: 'cell',
  response: 'cell',
  score: 'cell',
  body: 'rowid',
  batch: 'id',
  line: 'id',
}
type Table = keyof typeof TABLES

/** Keys that are read together; where that fails, one by one. */
const WINDOW = 256
/** So many windows in a row without a readable row are the end, where the file does not say where that is. */
const EMPTY_WINDOWS = 100

/**
 * Reads what can be read of a damaged ledger into a new one at `to`, which then agrees with itself: no response without its cell,
 * no cell done without a response, responses in a new chain, money of lost cells carried. The damaged file is not changed.
 *
 * @throws StoreError where not even the list of its tables can be read.
 */
export function salvage(path: string, to: string, options: SalvageOptions): Salvaged {
  const copy = `${to}.copy`
  const rest = ['', '-wal', '-shm']
  try {
    paddedCopy(path, copy)
    const from = new DatabaseSync(copy)
    const db = new DatabaseSync(to)
    try {
      db.exec('PRAGMA journal_mode = WAL')
      const version = versionOf(from, path)
      migrate(db, to, MIGRATIONS.slice(0, version))
      db.exec('BEGIN')
      const counts = copyTables(from, db, options)
      copyMeta(from, db, options)
      db.exec('COMMIT')
      migrate(db, to)
      db.exec('BEGIN')
      const dropped = mend(db, options.chained)
      db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
      const kept = Object.fromEntries(
        Object.keys(TABLES).map((table) => [
          table,
          Number(db.prepare(`SELECT COUNT(*) AS n FROM ${table}`).get()?.['n']),
        ]),
      )
      return { kept, unreadable: counts, dropped }
    } finally {
      from.close()
      db.close()
    }
  } finally {
    for (const suffix of rest) rmSync(`${copy}${suffix}`, { force: true })
  }
}

/** A copy with zeros where a torn file has no pages: only these pages are unreadable then, not the whole. */
function paddedCopy(path: string, copy: string): void {
  copyFileSync(path, copy)
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`)
  const header = Buffer.alloc(100)
  const file = openSync(copy, 'r')
  try {
    readSync(file, header, 0, 100, 0)
  } finally {
    closeSync(file)
  }
  const size = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16)
  if (header.toString('latin1', 0, 15) !== 'SQLite format 3' || size < 512) throw beyond(path)
  const pages = Math.max(header.readUInt32BE(28), Math.ceil(statSync(copy).size / size))
  truncateSync(copy, pages * size)
}

const beyond = (path: string, cause?: unknown): StoreError =>
  new StoreError(
    'damaged',
    `${path} cannot be repaired: its first page, which says where everything is, is destroyed; restore it from a copy`,
    { cause },
  )

function versionOf(from: DatabaseSync, path: string): number {
  try {
    const version = schemaVersion(from)
    if (version > 0) return Math.min(version, MIGRATIONS.length)
  } catch (error) {
    throw beyond(path, error)
  }
  throw beyond(path)
}

function copyTables(from: DatabaseSync, db: DatabaseSync, options: SalvageOptions): { [table: string]: number } {
  const unreadable: { [table: string]: number } = {}
  for (const [table, key] of Object.entries(TABLES)) {
    if (options.itemsMadeAnew && (table === 'item' || table === 'grp')) continue
    const columns = db
      .prepare(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map((row) => String(row['name']))
    if (columns.length === 0) continue
    const insert = db.prepare(
      `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    )
    unreadable[table] = readable(from, table as Table, key, (row) => {
      insert.run(...columns.map((name) => (row[name] ?? null) as SQLInputValue))
    })
  }
  return unreadable
}

/** Hands on every row that can be read. @returns how many keys could not. */
function readable(from: DatabaseSync, table: Table, key: string, take: (row: Record) => void): number {
  const attempt = <T>(work: () => T): T | null => {
    try {
      return work()
    } catch {
      return null
    }
  }
  const range = attempt(() => from.prepare(`SELECT * FROM ${table} WHERE ${key} BETWEEN ? AND ? ORDER BY ${key}`))
  if (range === null) return 0
  const last = attempt(() => from.prepare(`SELECT MAX(${key}) AS last FROM ${table}`).get()?.['last'] ?? -1)
  let failed = 0
  let pending = 0
  for (let first = 0, empty = 0; last === null ? empty < EMPTY_WINDOWS : first <= Number(last); first += WINDOW) {
    const rows = attempt(() => range.all(first, first + WINDOW - 1))
    let found = rows?.length ?? 0
    for (const row of rows ?? []) take(row)
    if (rows === null)
      for (let one = first; one < first + WINDOW; one++) {
        const alone = attempt(() => range.all(one, one))
        if (alone === null) pending++
        for (const row of alone ?? []) take(row)
        found += alone?.length ?? 0
      }
    empty = found === 0 ? empty + 1 : 0
    // Behind the last readable row nobody knows whether there was another.
    if (found > 0 || last !== null) {
      failed += pending
      pending = 0
    }
  }
  return failed + Math.min(pending, WINDOW)
}

/** Facts that are made anew, or that speak of a file that is no more. */
const FORGOTTEN = ['rows', 'schema']

function copyMeta(from: DatabaseSync, db: DatabaseSync, options: SalvageOptions): void {
  let rows: readonly Record[] = []
  try {
    rows = from.prepare('SELECT key, value FROM meta').all()
  } catch {
    // Unreadable: what the run needs is written again when it is opened.
  }
  const insert = db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)')
  for (const { key, value } of rows)
    if (!FORGOTTEN.includes(String(key)) && !(options.itemsMadeAnew && key === 'planned'))
      insert.run(String(key), String(value))
}

/** Rows of a page that is torn in the middle. */
const GARBLED = "NOT json_valid(usage) OR (logprobs IS NOT NULL AND NOT json_valid(logprobs)) OR typeof(text) <> 'text'"
const IMPOSSIBLE = `
  DELETE FROM score WHERE NOT json_valid(outcome);
  UPDATE attempt SET usd = NULL WHERE typeof(usd) <> 'real' AND typeof(usd) <> 'integer' OR usd < 0;
  UPDATE attempt SET most = NULL WHERE typeof(most) <> 'real' AND typeof(most) <> 'integer' OR most < 0`

/** Makes the tables agree. @returns how many responses were dropped. */
function mend(db: DatabaseSync, chained: boolean): number {
  const dropped =
    dropAltered(db) +
    Number(db.prepare(`DELETE FROM response WHERE ${GARBLED}${chained ? ' OR seq IS NULL' : ''}`).run().changes)
  db.exec(IMPOSSIBLE)
  const lost = Number(
    db.prepare('SELECT SUM(COALESCE(usd, most)) AS usd FROM attempt WHERE cell NOT IN (SELECT id FROM cell)').get()?.[
      'usd'
    ] ?? 0,
  )
  const orphans = Number(db.prepare('DELETE FROM response WHERE cell NOT IN (SELECT id FROM cell)').run().changes)
  for (const table of ['attempt', 'score', 'body'])
    db.exec(`DELETE FROM ${table} WHERE cell NOT IN (SELECT id FROM cell)`)
  db.exec(`
    DELETE FROM score WHERE cell NOT IN (SELECT cell FROM response);
    INSERT OR IGNORE INTO attempt (cell, no, started, status, usage, usd, most)
      SELECT cell, attempt, 0, 'ok', usage, json_extract(usage, '$.usd'), json_extract(usage, '$.usdAtMost') FROM response;
    UPDATE attempt SET status = 'lost' WHERE status = 'open';
    UPDATE cell SET state = 'waiting', owner = NULL, lease_until = NULL WHERE state <> 'failed'
      OR NOT EXISTS (SELECT 1 FROM attempt a WHERE a.cell = cell.id AND a.code IS NOT NULL);
    UPDATE cell SET state = 'done' WHERE id IN (SELECT cell FROM response);
    DELETE FROM line WHERE cell NOT IN (SELECT id FROM cell);`)
  db.exec(STILL_BATCHED)
  if (lost > 0)
    db.prepare(
      "INSERT INTO meta (key, value) VALUES ('carried', ?) ON CONFLICT (key) DO UPDATE SET value = CAST(value AS REAL) + ?",
    ).run(String(lost), lost)
  chainAnew(db)
  return dropped + orphans
}

/** Cells whose last attempt is a line of a batch that is not over wait for it: asked again they would be paid twice. */
const STILL_BATCHED = `
  UPDATE cell SET state = 'batched', owner = (SELECT MAX(l.batch) FROM line l JOIN batch b ON b.key = l.batch
    WHERE l.cell = cell.id AND b.state = 'open') WHERE state = 'waiting' AND id IN (
    SELECT l.cell FROM line l JOIN batch b ON b.key = l.batch AND b.state = 'open'
    JOIN attempt a ON a.cell = l.cell AND a.no = l.attempt AND a.status = 'lost'
    WHERE l.attempt = (SELECT MAX(no) FROM attempt x WHERE x.cell = l.cell))`

const CHAINED = `SELECT ${LINKED} FROM response r JOIN cell c ON c.id = r.cell WHERE r.seq IS NOT NULL ORDER BY r.seq`

/** Drops responses whose link does not fit the one before; where that one is lost nothing can be said. */
function dropAltered(db: DatabaseSync): number {
  const drop = db.prepare('DELETE FROM response WHERE cell = ?')
  const altered: SQLInputValue[] = []
  let before: { readonly seq: number; readonly hash: string | null } = { seq: 0, hash: null }
  for (const row of db.prepare(CHAINED).iterate()) {
    const seq = Number(row['id'])
    if (before.seq === seq - 1 && linkOf(before.hash, row) !== row['hash']) altered.push(row['cell'] ?? null)
    before = { seq, hash: String(row['hash']) }
  }
  for (const cell of altered) drop.run(cell)
  return altered.length
}

function chainAnew(db: DatabaseSync): void {
  const update = db.prepare('UPDATE response SET seq = ?, hash = ? WHERE cell = ?')
  const links: (readonly [seq: number, hash: string, cell: SQLInputValue])[] = []
  let head: string | null = null
  for (const row of db.prepare(CHAINED).iterate()) {
    head = linkOf(head, row)
    links.push([links.length + 1, head, row['cell'] ?? null])
  }
  for (const link of links) update.run(...link)
}
