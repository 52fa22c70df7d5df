import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { explain, StoreError } from './errors.ts'

/** Runs a piece of synchronous SQLite work; what it throws is explained for `path`. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explain(error, path)
  }
}

export interface SqliteMode {
  readonly readOnly: boolean
  /** Survive power loss, not only the death of the process. */
  readonly fsync: boolean
}

/** Opens a database in WAL mode after checking that the file is whole. */
export function openSqlite(path: string, mode: SqliteMode): DatabaseSync {
  return guarded(path, () => {
    checkWhole(path)
    if (mode.readOnly) return openReadOnly(path)
    const db = new DatabaseSync(path, { timeout: 5000 })
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${mode.fsync ? 'FULL' : 'NORMAL'};
      PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 2000; PRAGMA temp_store = FILE`)
    return db
  })
}

function openReadOnly(path: string): DatabaseSync {
  try {
    const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
    db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get()
    return db
  } catch (error) {
    // A folder that cannot be written has no room for the shared-memory file of WAL; without a log the file is complete.
    if (existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0) throw error
    const url = pathToFileURL(path)
    url.searchParams.set('immutable', '1')
    return new DatabaseSync(url, { readOnly: true })
  }
}

const MAGIC = 'SQLite format 3\0'

/**
 * A torn file is found at once by its length: the header says how many pages it has. Only where there is no log, which
 * may hold pages that the file has not got yet.
 */
function checkWhole(path: string): void {
  if (!existsSync(path)) return
  const { size } = statSync(path)
  if (size === 0) return
  const header = Buffer.alloc(100)
  const fd = openSync(path, 'r')
  try {
    readSync(fd, header, 0, 100, 0)
  } finally {
    closeSync(fd)
  }
  const damaged = (what: string): StoreError =>
    new StoreError(
      'damaged',
      `${path} is damaged: ${what}; touchstone resume ${dirname(path)} --repair saves what can be read, or restore it from a copy`,
    )
  if (header.toString('latin1', 0, 16) !== MAGIC) throw damaged('it does not begin like a ledger')
  const pageSize = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16)
  const pages = header.readUInt32BE(28)
  const countValid = header.readUInt32BE(24) === header.readUInt32BE(92)
  const log = existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0
  if (countValid && !log && size < pages * pageSize)
    throw damaged(`it is truncated, ${size} bytes of ${pages * pageSize}`)
}

/** SQLite here is synchronous; the interface is not, so that another store may be remote. */
export async function asynchronous<T>(work: () => T): Promise<T> {
  return work()
}
