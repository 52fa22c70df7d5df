import type { DatabaseSync } from 'node:sqlite'
import { CommitQueue } from './commit-queue.ts'
import { LedgerReader } from './ledger-reader.ts'
import { Recorder, type Redaction } from './recorder.ts'
import { ITEM_COLUMNS, leasedCallOf, OPEN_BATCH_COLUMNS, openBatchOf } from './records.ts'
import type {
  BatchEvent,
  BatchLine,
  BookingResult,
  ImportedCall,
  LeasedCall,
  OpenBatch,
  PlanBatch,
  RunEvent,
  RunStore,
} from './run-store.ts'
import { checkVersion, createTables, schemaVersion } from './schema.ts'
import type { BatchLease } from './shared-limits.ts'
import { LocalLimits } from './shared-limits.ts'
import { BATCH_COLUMNS, type BatchSnapshot, type CallSnapshot, snapshotBatch } from './snapshots.ts'
import { type Record, Sql } from './sql.ts'
import { asynchronous, guarded, openSqlite } from './sqlite.ts'

export interface LedgerOptions {
  readonly readOnly?: boolean
  /** Every commit survives power loss too. */
  readonly fsync?: boolean
  readonly redact: Redaction
}

/** Lines of a batch whose calls still wait for their results. */
const OPEN_LINES = `SELECT l.id, l.line_no, l.attempt, a.max_usd, c.id AS call, c.style, c.model, c.settings, c.sample, ${ITEM_COLUMNS}
  FROM batch_line l JOIN call c ON c.id = l.call AND c.state = 'batched' AND c.owner = l.batch JOIN item i ON i.id = c.item
  LEFT JOIN attempt a ON a.call = l.call AND a.attempt_no = l.attempt WHERE l.batch = ?`

/** Events share a transaction that come within this many ms, up to this many. */
const COMMIT_MS = 5
const COMMIT_EVENTS = 100

/** The ledger of a run: {@link RunStore} on one SQLite file in WAL mode. */
export class Ledger extends LedgerReader implements RunStore {
  readonly path: string
  readonly isShared = false
  readonly sharedLimits = new LocalLimits()
  /** One process works on a ledger, under its lock: the lease is always its own. */
  readonly batchLease: BatchLease = {
    acquire: () => Promise.resolve(true),
    renew: () => Promise.resolve(true),
    commit: async (_model, _owner, events) => {
      await this.commit(events)
      return true
    },
    release: () => Promise.resolve(),
  }
  private readonly commits: CommitQueue<RunEvent>
  private readonly readOnly: boolean

  constructor(path: string, options: LedgerOptions) {
    const sql = new Sql(openLedger(path, options), path)
    super(sql, new Recorder(sql, options.redact))
    this.path = path
    this.readOnly = options.readOnly ?? false
    const write = (events: readonly RunEvent[]): void => this.recorder.write(() => this.recorder.record(events))
    this.commits = new CommitQueue(write, COMMIT_MS, COMMIT_EVENTS)
  }

  plan(batch: PlanBatch): Promise<void> {
    return asynchronous(() => this.recorder.write(() => this.recorder.plan(batch)))
  }

  lease(n: number, owner: string, ms: number, model: string): Promise<readonly LeasedCall[]> {
    return this.leaseOf(owner, ms, () =>
      this.sql.all("SELECT id FROM call WHERE state = 'waiting' AND model = ? ORDER BY priority LIMIT ?", model, n),
    )
  }

  /** Leases the waiting calls of one model on these items. */
  leaseItems(items: readonly string[], owner: string, ms: number, model: string): Promise<readonly LeasedCall[]> {
    return this.leaseOf(owner, ms, () =>
      this.sql.all(
        "SELECT id FROM call WHERE state = 'waiting' AND model = ? AND item IN (SELECT value FROM json_each(?))",
        model,
        JSON.stringify(items),
      ),
    )
  }

  private leaseOf(owner: string, ms: number, which: () => readonly Record[]): Promise<readonly LeasedCall[]> {
    return asynchronous(() => {
      void this.commits.flush()
      const now = Date.now()
      return this.recorder.write(() => {
        this.sql.run(
          "UPDATE call SET state = 'waiting', owner = NULL, lease_until = NULL WHERE state = 'leased' AND lease_until < ? AND owner <> ?",
          now,
          owner,
        )
        const rows = this.sql.all(
          `SELECT c.id AS call, c.style, c.model, c.settings, c.sample, ${ITEM_COLUMNS},
             (SELECT COALESCE(MAX(attempt_no), 0) FROM attempt a WHERE a.call = c.id) AS attempts
           FROM json_each(?) w JOIN call c ON c.id = w.value JOIN item i ON i.id = c.item ORDER BY c.priority, c.id`,
          JSON.stringify(which().map(({ id }) => Number(id))),
        )
        return rows.map((row): LeasedCall => {
          const id = Number(row['call'])
          const attempt = Number(row['attempts']) + 1
          this.sql.run("UPDATE call SET state = 'leased', owner = ?, lease_until = ? WHERE id = ?", owner, now + ms, id)
          this.recorder.beginAttempt(id, attempt, now)
          return this.leasedOf(row, attempt)
        })
      })
    })
  }

  commit(events: readonly RunEvent[]): Promise<void> {
    return this.commits.add(events)
  }

  /** The cost limit is the process's own, and so are all leases. */
  async bookAttempt(attempt: Extract<RunEvent, { kind: 'attempt' }>): Promise<BookingResult> {
    await this.commit([attempt])
    return 'booked'
  }

  remainingBudget(): Promise<null> {
    return Promise.resolve(null)
  }

  recordBatch(event: BatchEvent): Promise<'booked'> {
    return asynchronous(() => {
      // Earlier events come before it on disk.
      void this.commits.flush()
      this.sql.durably(() => this.recorder.write(() => this.recorder.recordBatch(event)))
      return 'booked'
    })
  }

  openBatches(model?: string): Promise<readonly OpenBatch[]> {
    return asynchronous(() =>
      this.sql
        .all(
          `SELECT ${OPEN_BATCH_COLUMNS} FROM batch WHERE state = 'open' AND model = COALESCE(?, model) ORDER BY id`,
          model ?? null,
        )
        .map(openBatchOf),
    )
  }

  findBatchLines(key: string, numbers: readonly number[]): Promise<readonly BatchLine[]> {
    return asynchronous(() => {
      void this.commits.flush()
      const these = `${OPEN_LINES} AND l.line_no IN (SELECT value FROM json_each(?)) ORDER BY l.line_no`
      return this.sql.all(these, key, JSON.stringify(numbers)).map((row) => this.lineOf(row))
    })
  }

  async *openBatchLines(key: string): AsyncGenerator<readonly BatchLine[]> {
    void this.commits.flush()
    for await (const rows of this.pages(`${OPEN_LINES} AND l.id > ? ORDER BY l.id LIMIT ?`, key))
      yield rows.map((row) => this.lineOf(row))
  }

  knownBatchIds(): Promise<ReadonlySet<string>> {
    return asynchronous(
      () =>
        new Set(
          this.sql
            .all('SELECT provider_id FROM batch WHERE provider_id IS NOT NULL')
            .map((row) => String(row['provider_id'])),
        ),
    )
  }

  private lineOf(row: Record): BatchLine {
    return {
      lineNo: Number(row['line_no']),
      maxUsd: Number(row['max_usd'] ?? 0),
      call: this.leasedOf(row, Number(row['attempt'])),
    }
  }

  private leasedOf(row: Record, attempt: number): LeasedCall {
    return leasedCallOf(row, attempt, (group) => this.groups.get(group))
  }

  retry(codes?: readonly string[]): Promise<number> {
    return asynchronous(() =>
      this.recorder.write(() => {
        const which =
          codes === undefined
            ? ''
            : ` AND (SELECT code FROM attempt a WHERE a.call = call.id ORDER BY attempt_no DESC LIMIT 1) IN (${codes.map(() => '?').join(', ')})`
        const sql = `UPDATE call SET state = 'waiting', owner = NULL, lease_until = NULL WHERE state = 'failed'${which}`
        return this.sql.run(sql, ...(codes ?? []))
      }),
    )
  }

  /** Puts every leased call back to waiting and marks its open attempt lost, right after the run's lock was taken. */
  reclaim(): Promise<number> {
    return asynchronous(() =>
      this.recorder.write(() => {
        this.sql.run(
          "UPDATE attempt SET status = 'lost' WHERE status = 'open' AND call IN (SELECT id FROM call WHERE state = 'leased')",
        )
        const sql = "UPDATE call SET state = 'waiting', owner = NULL, lease_until = NULL WHERE state = 'leased'"
        return this.sql.run(sql)
      }),
    )
  }

  /** Books US dollars of probes, or of attempts that are lost. */
  bookExtra(usd: number): Promise<void> {
    return asynchronous(() =>
      this.recorder.write(() => {
        this.recorder.putMeta('carried', String(Number(this.recorder.meta('carried') ?? 0) + usd))
      }),
    )
  }

  /**
   * Adds responses made elsewhere: a call that is not planned is added, its attempt is marked `imported`. A call that has a
   * response keeps it. @returns whether each was added
   */
  importCalls(calls: readonly ImportedCall[]): Promise<readonly boolean[]> {
    return asynchronous(() =>
      calls.length === 0 ? [] : this.recorder.write(() => calls.map((call) => this.recorder.importCall(call))),
    )
  }

  /**
   * Adds what another ledger holds of calls that are planned here; responses are appended to the chain of this ledger.
   * @returns how many calls were added
   */
  addSnapshots(calls: readonly CallSnapshot[]): Promise<number> {
    return asynchronous(() => this.recorder.write(() => this.recorder.addSnapshots(calls)))
  }

  /**
   * Replaces what is known of calls of this ledger by what became of them in another store. A call that has a response
   * here stays as it is. @returns how many were replaced
   */
  restoreSnapshots(calls: readonly CallSnapshot[]): Promise<number> {
    return asynchronous(() => this.recorder.write(() => this.recorder.restoreSnapshots(calls)))
  }

  /** All batches with their lines, open or over. */
  *batchSnapshots(): Generator<BatchSnapshot> {
    for (const batch of this.sql.all(`SELECT ${BATCH_COLUMNS} FROM batch ORDER BY id`))
      yield snapshotBatch(this.sql, batch)
  }

  /** Replaces what is known of batches by what became of them in another store. */
  restoreBatches(batches: readonly BatchSnapshot[]): Promise<void> {
    return asynchronous(() => this.recorder.write(() => this.recorder.restoreBatches(batches)))
  }

  /** Adds planned calls under the ids that they have in another store. */
  copyCalls(calls: readonly Record[]): Promise<void> {
    return asynchronous(() => this.recorder.write(() => this.recorder.copyCalls(calls)))
  }

  /** Removes calls without a response that are not `wanted`; what was booked for them stays booked. */
  async removeCalls(wanted: (call: Record) => boolean): Promise<void> {
    const unwanted: number[] = []
    for await (const page of this.pages("SELECT * FROM call WHERE state <> 'done' AND id > ? ORDER BY id LIMIT ?"))
      unwanted.push(...page.filter((call) => !wanted(call)).map(({ id }) => Number(id)))
    if (unwanted.length === 0) return
    this.recorder.write(() => {
      const before = this.bookedUsd()
      for (const id of unwanted) {
        for (const table of ['attempt', 'raw_body']) this.sql.run(`DELETE FROM ${table} WHERE call = ?`, id)
        this.sql.run('DELETE FROM call WHERE id = ?', id)
      }
      const carried = Number(this.recorder.meta('carried') ?? 0) + before - this.bookedUsd()
      this.recorder.putMeta('carried', String(carried))
    })
  }

  setMeta(key: string, value: string): Promise<void> {
    return asynchronous(() => this.recorder.write(() => this.recorder.putMeta(key, value)))
  }

  /** What was written so far survives the loss of the log beside the file. */
  checkpoint(): void {
    void this.commits.flush()
    this.sql.checkpoint()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    void this.commits.flush()
    this.sql.close(!this.readOnly)
  }
}

/** Opens the file and creates its tables where it is empty. @throws StoreError for a file of another version */
function openLedger(path: string, options: LedgerOptions): DatabaseSync {
  const { readOnly = false, fsync = false } = options
  const db = openSqlite(path, { readOnly, fsync })
  try {
    const found = guarded(path, () => schemaVersion(db))
    if (found !== 0) {
      checkVersion(found, path)
      return db
    }
    if (!readOnly) {
      guarded(path, () => createTables(db))
      return db
    }
  } catch (error) {
    db.close()
    throw error
  }
  // A file that is only read needs the tables, too.
  db.close()
  openLedger(path, { ...options, readOnly: false }).close()
  return openSqlite(path, { readOnly, fsync })
}
