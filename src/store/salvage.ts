import { closeSync, copyFileSync, existsSync, openSync, readSync, rmSync, statSync, truncateSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { LINK_COLUMNS, linkOf } from './chain.ts'
import { StoreError } from './errors.ts'
import { createTables, schemaVersion } from './schema.ts'
import type { Record } from './sql.ts'

/** What was salvaged from a damaged ledger. */
export interface Salvaged {
  /** Rows that are in the new ledger, by table. */
  readonly kept: { readonly [table in Table]: number }
  /** Keys whose rows could not be read, by table. */
  readonly unreadable: { readonly [table: string]: number }
  /** Responses that could be read and are not what was recorded, or answer a call that is lost. */
  readonly dropped: number
}

export interface SalvageOptions {
  /** Are items regenerated afterwards? Then those of the damaged file are not needed. */
  readonly itemsRegenerated: boolean
}

/** Tables and the integer key of their rows, in the order of the file's b-trees. */
const TABLES = {
  item_group: 'rowid',
  item: 'position',
  call: 'id',
  attempt: 'call',
  response: 'call',
  score: 'call',
  raw_body: 'rowid',
  batch: 'id',
  batch_line: 'id',
}
type Table = keyof typeof TABLES

/** Keys that are read together; if that fails, one by one. */
const WINDOW = 256
/** Windows in a row without a readable row that are taken for the end, if the file does not say where that is. */
const EMPTY_WINDOWS = 100

/**
 * Copies what can be read of a damaged ledger into a new, consistent one at `to`: no response without its call, no call done
 * without a response, a new chain of responses, the money of lost calls booked as extra. The damaged file is not changed.
 *
 * @throws StoreError if not even the list of its tables can be read.
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
      requireTableList(from, path)
      createTables(db)
      db.exec('BEGIN')
      const counts = copyTables(from, db, options)
      copyMeta(from, db, options)
      const dropped = makeConsistent(db)
      db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
      const kept = Object.fromEntries(
        Object.keys(TABLES).map((table) => [
          table,
          Number(db.prepare(`SELECT COUNT(*) AS n FROM ${table}`).get()?.['n']),
        ]),
      ) as Salvaged['kept']
      return { kept, unreadable: counts, dropped }
    } finally {
      from.close()
      db.close()
    }
  } finally {
    for (const suffix of rest) rmSync(`${copy}${suffix}`, { force: true })
  }
}

/** A copy with zeros for the missing pages of a cut file: then only these pages are unreadable. */
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
  if (header.toString('latin1', 0, 15) !== 'SQLite format 3' || size < 512) throw beyondRepair(path)
  const pages = Math.max(header.readUInt32BE(28), Math.ceil(statSync(copy).size / size))
  truncateSync(copy, pages * size)
}

const beyondRepair = (path: string, cause?: unknown): StoreError =>
  new StoreError(
    'damaged',
    `${path} cannot be repaired: its first page, which says where everything is, is destroyed; restore it from a copy`,
    { cause },
  )

/** The list of tables is on the first page of the file. */
function requireTableList(from: DatabaseSync, path: string): void {
  try {
    if (schemaVersion(from) !== 0) return
  } catch (error) {
    throw beyondRepair(path, error)
  }
  throw beyondRepair(path)
}

function copyTables(from: DatabaseSync, db: DatabaseSync, options: SalvageOptions): { [table: string]: number } {
  const unreadable: { [table: string]: number } = {}
  for (const [table, key] of Object.entries(TABLES)) {
    if (options.itemsRegenerated && (table === 'item' || table === 'item_group')) continue
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

/** Passes on every readable row. @returns how many keys could not be read */
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
    // After the last readable row it is unknown whether there was another.
    if (found > 0 || last !== null) {
      failed += pending
      pending = 0
    }
  }
  return failed + Math.min(pending, WINDOW)
}

/** Facts that are written again, or that describe a file that is gone. */
const FORGOTTEN = ['rows', 'schema']

function copyMeta(from: DatabaseSync, db: DatabaseSync, options: SalvageOptions): void {
  let rows: readonly Record[] = []
  try {
    rows = from.prepare('SELECT key, value FROM meta').all()
  } catch {
    // Unreadable: opening the run writes again what it needs.
  }
  const insert = db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)')
  for (const { key, value } of rows)
    if (!FORGOTTEN.includes(String(key)) && !(options.itemsRegenerated && key === 'planned'))
      insert.run(String(key), String(value))
}

/** Rows of a page that is torn in the middle. */
const GARBLED = "NOT json_valid(usage) OR (logprobs IS NOT NULL AND NOT json_valid(logprobs)) OR typeof(text) <> 'text'"
const IMPOSSIBLE = `
  DELETE FROM score WHERE NOT json_valid(outcome);
  UPDATE attempt SET usd = NULL WHERE typeof(usd) <> 'real' AND typeof(usd) <> 'integer' OR usd < 0;
  UPDATE attempt SET max_usd = NULL WHERE typeof(max_usd) <> 'real' AND typeof(max_usd) <> 'integer' OR max_usd < 0`

/** Makes the tables consistent. @returns how many responses were dropped */
function makeConsistent(db: DatabaseSync): number {
  const dropped =
    dropAltered(db) + Number(db.prepare(`DELETE FROM response WHERE ${GARBLED} OR seq IS NULL`).run().changes)
  db.exec(IMPOSSIBLE)
  const lost = Number(
    db
      .prepare('SELECT SUM(COALESCE(usd, max_usd)) AS usd FROM attempt WHERE call NOT IN (SELECT id FROM call)')
      .get()?.['usd'] ?? 0,
  )
  const orphans = Number(db.prepare('DELETE FROM response WHERE call NOT IN (SELECT id FROM call)').run().changes)
  for (const table of ['attempt', 'score', 'raw_body'])
    db.exec(`DELETE FROM ${table} WHERE call NOT IN (SELECT id FROM call)`)
  db.exec(`
    DELETE FROM score WHERE call NOT IN (SELECT call FROM response);
    INSERT OR IGNORE INTO attempt (call, attempt_no, started, status, usage, usd, max_usd)
      SELECT call, attempt, 0, 'ok', usage, json_extract(usage, '$.usd'), json_extract(usage, '$.maxUsd') FROM response;
    UPDATE attempt SET status = 'lost' WHERE status = 'open';
    UPDATE call SET state = 'waiting', owner = NULL, lease_until = NULL WHERE state <> 'failed'
      OR NOT EXISTS (SELECT 1 FROM attempt a WHERE a.call = call.id AND a.code IS NOT NULL);
    UPDATE call SET state = 'done' WHERE id IN (SELECT call FROM response);
    DELETE FROM batch_line WHERE call NOT IN (SELECT id FROM call);`)
  db.exec(STILL_BATCHED)
  if (lost > 0)
    db.prepare(
      "INSERT INTO meta (key, value) VALUES ('carried', ?) ON CONFLICT (key) DO UPDATE SET value = CAST(value AS REAL) + ?",
    ).run(String(lost), lost)
  rebuildChain(db)
  return dropped + orphans
}

/** Calls whose last attempt is a line of an open batch wait for it: sent again, they would be paid twice. */
const STILL_BATCHED = `
  UPDATE call SET state = 'batched', owner = (SELECT MAX(l.batch) FROM batch_line l JOIN batch b ON b.key = l.batch
    WHERE l.call = call.id AND b.state = 'open') WHERE state = 'waiting' AND id IN (
    SELECT l.call FROM batch_line l JOIN batch b ON b.key = l.batch AND b.state = 'open'
    JOIN attempt a ON a.call = l.call AND a.attempt_no = l.attempt AND a.status = 'lost'
    WHERE l.attempt = (SELECT MAX(attempt_no) FROM attempt x WHERE x.call = l.call))`

const CHAINED = `SELECT ${LINK_COLUMNS} FROM response r JOIN call c ON c.id = r.call WHERE r.seq IS NOT NULL ORDER BY r.seq`

/** Drops responses whose link does not fit the one before; if that one is lost, it cannot be checked. */
function dropAltered(db: DatabaseSync): number {
  const drop = db.prepare('DELETE FROM response WHERE call = ?')
  const altered: SQLInputValue[] = []
  let before: { readonly seq: number; readonly hash: string | null } = { seq: 0, hash: null }
  for (const row of db.prepare(CHAINED).iterate()) {
    const seq = Number(row['id'])
    if (before.seq === seq - 1 && linkOf(before.hash, row) !== row['hash']) altered.push(row['call'] ?? null)
    before = { seq, hash: String(row['hash']) }
  }
  for (const call of altered) drop.run(call)
  return altered.length
}

function rebuildChain(db: DatabaseSync): void {
  const update = db.prepare('UPDATE response SET seq = ?, hash = ? WHERE call = ?')
  const links: (readonly [seq: number, hash: string, call: SQLInputValue])[] = []
  let head: string | null = null
  for (const row of db.prepare(CHAINED).iterate()) {
    head = linkOf(head, row)
    links.push([links.length + 1, head, row['call'] ?? null])
  }
  for (const link of links) update.run(...link)
}
