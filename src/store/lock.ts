import { lstatSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { explain, isStoreError, StoreError } from './errors.ts'

/** Who works on a run. `since` is ISO 8601 UTC. */
export interface Holder {
  readonly pid: number
  readonly host: string
  readonly since: string
}

/**
 * The lock of a run folder. It is a lock of the operating system on a small SQLite file, so it ends with the process
 * however that dies: there are no stale locks to clean up, and no process id to guess about.
 */
export interface RunLock extends Disposable {
  readonly holder: Holder
  /** false: the folder was moved or removed, and what is at its path now belongs to somebody else. */
  isInPlace(): boolean
}

/** Takes the lock, or fails with a message that says who holds it. */
export function lockRun(path: string): RunLock {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path, { timeout: 0 })
    db.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF')
    const holder: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() }
    db.exec('BEGIN IMMEDIATE')
    db.exec('CREATE TABLE IF NOT EXISTS holder (one INTEGER PRIMARY KEY, pid INTEGER, host TEXT, since TEXT)')
    db.prepare('INSERT OR REPLACE INTO holder VALUES (1, ?, ?, ?)').run(holder.pid, holder.host, holder.since)
    db.exec('COMMIT')
    // The lock itself: a transaction that is never committed. Readers still see who committed last.
    db.exec('BEGIN IMMEDIATE')
    const now = readHolder(db)
    if (now === null || now.pid !== holder.pid || now.since !== holder.since) throw held(path, now)
    const open = db
    // The open file keeps its number, so that no other file has it.
    const identity = identityOf(path)
    return {
      holder,
      isInPlace: () => identity !== null && identityOf(path) === identity,
      [Symbol.dispose]: () => open.close(),
    }
  } catch (error) {
    const failure = isBusy(error) ? held(path, db === undefined ? null : readHolder(db)) : lockless(error, path)
    db?.close()
    throw failure
  }
}

/** Who holds the lock now, or null; takes nothing. */
export function lockHolder(path: string): Holder | null {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null
  let db: DatabaseSync
  try {
    db = new DatabaseSync(path, { timeout: 0, readOnly: false })
  } catch {
    return null
  }
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK')
    return null
  } catch (error) {
    return isBusy(error) ? readHolder(db) : null
  } finally {
    db.close()
  }
}

function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev} ${found.ino}`
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 255) === 5

/** Nothing of a run is in its lock: one that is none may go. */
function lockless(error: unknown, path: string): unknown {
  const failure = explain(error, path)
  return isStoreError(failure) && failure.code === 'damaged'
    ? new StoreError('damaged', `${path} is not a lock of this program. Remove it if no process works on the run`)
    : failure
}

function readHolder(db: DatabaseSync): Holder | null {
  try {
    const row = db.prepare('SELECT pid, host, since FROM holder WHERE one = 1').get()
    return row === undefined
      ? null
      : { pid: Number(row['pid']), host: String(row['host']), since: String(row['since']) }
  } catch {
    return null
  }
}

function held(path: string, holder: Holder | null): StoreError {
  const who = holder === null ? 'another process' : `process ${holder.pid} on ${holder.host}, since ${holder.since},`
  return new StoreError(
    'held',
    `${path.replace(/[/\\][^/\\]*$/u, '')}: ${who} is working on this run; wait until it ends, or stop it (Ctrl-C saves everything)`,
  )
}
