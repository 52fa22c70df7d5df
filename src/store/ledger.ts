import type { DatabaseSync } from 'node:sqlite'
import { GroupCommit } from './commit-queue.ts'
import { explain, isStoreError } from './errors.ts'
import { LedgerFacts } from './ledger-reader.ts'
import { Recorder, type Redaction } from './recorder.ts'
import { ITEM_COLUMNS, itemOf } from './records.ts'
import type {
  BatchEvent,
  ImportedCell,
  LeasedCell,
  OpenBatch,
  OpenLine,
  PlanBatch,
  RunEvent,
  WorkStore,
} from './run-store.ts'
import { MIGRATIONS, migrate, refuseNewer, schemaVersion } from './schema.ts'
import { BATCH_COLUMNS, type WholeBatch, type WholeCell, wholeBatch } from './snapshots.ts'
import { type Record, Sql } from './sql.ts'
import { asynchronous, guarded, openSqlite } from './sqlite.ts'

export interface LedgerOptions {
  readonly readOnly?: boolean
  /** Every commit survives power loss too. */
  readonly durable?: boolean
  readonly redact: Redaction
  /** For tests of migration. */
  readonly migrations?: readonly string[]
}

/** Lines of a batch whose cells still wait for it. */
const OPEN_LINES = `SELECT l.id, l.no, l.attempt, a.most, c.id AS cell, c.style, c.model, c.settings, c.sample, ${ITEM_COLUMNS}
  FROM line l JOIN cell c ON c.id = l.cell AND c.state = 'batched' AND c.owner = l.batch JOIN item i ON i.id = c.item
  LEFT JOIN attempt a ON a.cell = l.cell AND a.no = l.attempt WHERE l.batch = ?`

/** The ledger of a run: {@link WorkStore} on one SQLite file in WAL mode. */
export class Ledger extends LedgerFacts implements WorkStore {
  readonly path: string
  private readonly commits: GroupCommit<RunEvent>
  private readonly readOnly: boolean

  /** Opens or makes the file; an older schema is brought up to date (for reading too), a newer one refused. */
  constructor(path: string, options: LedgerOptions) {
    const sql = new Sql(openUpToDate(path, options), path)
    super(sql, new Recorder(sql, options.redact))
    this.path = path
    this.readOnly = options.readOnly ?? false
    this.commits = new GroupCommit((events) => this.recorder.write(() => this.recorder.record(events)))
  }

  plan(batch: PlanBatch): Promise<void> {
    return asynchronous(() => this.recorder.write(() => this.recorder.plan(batch)))
  }

  lease(n: number, owner: string, ms: number, model: string): Promise<readonly LeasedCell[]> {
    return this.leaseOf(owner, ms, () =>
      this.sql.all("SELECT id FROM cell WHERE state = 'waiting' AND model = ? ORDER BY turn LIMIT ?", model, n),
    )
  }

  /** Hands out the waiting cells of one model that ask these items, as `lease` does. */
  leaseItems(items: readonly string[], owner: string, ms: number, model: string): Promise<readonly LeasedCell[]> {
    return this.leaseOf(owner, ms, () =>
      this.sql.all(
        "SELECT id FROM cell WHERE state = 'waiting' AND model = ? AND item IN (SELECT value FROM json_each(?))",
        model,
        JSON.stringify(items),
      ),
    )
  }

  private leaseOf(owner: string, ms: number, which: () => readonly Record[]): Promise<readonly LeasedCell[]> {
    return asynchronous(() => {
      this.commits.flush()
      const now = Date.now()
      return this.recorder.write(() => {
        this.sql.run(
          "UPDATE cell SET state = 'waiting', owner = NULL, lease_until = NULL WHERE state = 'leased' AND lease_until < ? AND owner <> ?",
          now,
          owner,
        )
        const rows = this.sql.all(
          `SELECT c.id AS cell, c.style, c.model, c.settings, c.sample, ${ITEM_COLUMNS},
             (SELECT COALESCE(MAX(no), 0) FROM attempt a WHERE a.cell = c.id) AS attempts
           FROM json_each(?) w JOIN cell c ON c.id = w.value JOIN item i ON i.id = c.item ORDER BY c.turn, c.id`,
          JSON.stringify(which().map(({ id }) => Number(id))),
        )
        return rows.map((row): LeasedCell => {
          const id = Number(row['cell'])
          const attempt = Number(row['attempts']) + 1
          this.sql.run("UPDATE cell SET state = 'leased', owner = ?, lease_until = ? WHERE id = ?", owner, now + ms, id)
          this.recorder.begin(id, attempt, now)
          return this.leasedOf(row, attempt)
        })
      })
    })
  }

  commit(events: readonly RunEvent[]): Promise<void> {
    return this.commits.add(events)
  }

  book(event: BatchEvent): Promise<'booked'> {
    return asynchronous(() => {
      // What was committed before comes before it on disk.
      this.commits.flush()
      this.sql.durably(() => this.recorder.write(() => this.recorder.recordBatch(event)))
      return 'booked'
    })
  }

  openBatches(model?: string): Promise<readonly OpenBatch[]> {
    return asynchronous(() =>
      this.sql
        .all(
          `SELECT key, model, lines, remote, intended, tried FROM batch WHERE state = 'open' AND model = COALESCE(?, model) ORDER BY id`,
          model ?? null,
        )
        .map((row) => ({
          key: String(row['key']),
          model: String(row['model']),
          lines: Number(row['lines']),
          remote: row['remote'] === null ? null : String(row['remote']),
          intended: Number(row['intended']),
          tried: Number(row['tried']),
        })),
    )
  }

  openLinesOf(key: string, numbers: readonly number[]): Promise<readonly OpenLine[]> {
    return asynchronous(() => {
      this.commits.flush()
      const these = `${OPEN_LINES} AND l.no IN (SELECT value FROM json_each(?)) ORDER BY l.no`
      return this.sql.all(these, key, JSON.stringify(numbers)).map((row) => this.lineOf(row))
    })
  }

  async *openLines(key: string): AsyncGenerator<readonly OpenLine[]> {
    this.commits.flush()
    for await (const rows of this.pages(`${OPEN_LINES} AND l.id > ? ORDER BY l.id LIMIT ?`, key))
      yield rows.map((row) => this.lineOf(row))
  }

  remotes(): Promise<ReadonlySet<string>> {
    return asynchronous(
      () =>
        new Set(this.sql.all('SELECT remote FROM batch WHERE remote IS NOT NULL').map((row) => String(row['remote']))),
    )
  }

  private lineOf(row: Record): OpenLine {
    return { no: Number(row['no']), most: Number(row['most'] ?? 0), cell: this.leasedOf(row, Number(row['attempt'])) }
  }

  private leasedOf(row: Record, attempt: number): LeasedCell {
    const item = itemOf(row)
    return {
      id: Number(row['cell']),
      attempt,
      item,
      shared: this.groups.get(item.group),
      style: String(row['style']),
      model: String(row['model']),
      settings: String(row['settings']),
      sample: Number(row['sample']),
    }
  }

  retry(codes?: readonly string[]): Promise<number> {
    return asynchronous(() =>
      this.recorder.write(() => {
        const which =
          codes === undefined
            ? ''
            : ` AND (SELECT code FROM attempt a WHERE a.cell = cell.id ORDER BY no DESC LIMIT 1) IN (${codes.map(() => '?').join(', ')})`
        const sql = `UPDATE cell SET state = 'waiting', owner = NULL, lease_until = NULL WHERE state = 'failed'${which}`
        return this.sql.run(sql, ...(codes ?? []))
      }),
    )
  }

  /** Puts every leased cell back to waiting and marks its open attempt lost: for whoever has just taken the run's lock. */
  reclaim(): Promise<number> {
    return asynchronous(() =>
      this.recorder.write(() => {
        this.sql.run(
          "UPDATE attempt SET status = 'lost' WHERE status = 'open' AND cell IN (SELECT id FROM cell WHERE state = 'leased')",
        )
        const sql = "UPDATE cell SET state = 'waiting', owner = NULL, lease_until = NULL WHERE state = 'leased'"
        return this.sql.run(sql)
      }),
    )
  }

  /** Books US dollars that are of no attempt: asked besides, or by attempts that are lost. */
  carry(usd: number): Promise<void> {
    return asynchronous(() =>
      this.recorder.write(() => {
        this.recorder.putMeta('carried', String(Number(this.recorder.meta('carried') ?? 0) + usd))
      }),
    )
  }

  /**
   * Takes in answers made elsewhere: the cell is made where it is not planned, its attempt is marked `imported`. A cell
   * that has a response keeps it. @returns for each whether it was taken.
   */
  importCells(cells: readonly ImportedCell[]): Promise<readonly boolean[]> {
    return asynchronous(() =>
      cells.length === 0 ? [] : this.recorder.write(() => cells.map((cell) => this.recorder.importCell(cell))),
    )
  }

  /**
   * Takes over what another ledger holds of cells that are planned here: attempts with their money, responses, scores,
   * unreadable bodies. Responses are hung into the chain of this ledger. @returns how many cells were taken over.
   */
  adopt(cells: readonly WholeCell[]): Promise<number> {
    return asynchronous(() => this.recorder.write(() => this.recorder.adopt(cells)))
  }

  /**
   * Takes over what became of cells of this ledger in another store, in the place of what is here: attempts with their
   * money, responses, scores. A cell that is answered here is left alone. @returns how many were taken over.
   */
  takeBack(cells: readonly WholeCell[]): Promise<number> {
    return asynchronous(() => this.recorder.write(() => this.recorder.takeBack(cells)))
  }

  /** All batches there ever were with their lines, one after another. */
  *wholeBatches(): Generator<WholeBatch> {
    for (const batch of this.sql.all(`SELECT ${BATCH_COLUMNS} FROM batch ORDER BY id`))
      yield wholeBatch(this.sql, batch)
  }

  /** Takes over the batches of another store that its cells are in, in the place of what is known of them here. */
  takeBatches(batches: readonly WholeBatch[]): Promise<void> {
    return asynchronous(() => this.recorder.write(() => this.recorder.takeBatches(batches)))
  }

  /** Plans cells under the ids that they have in another store. */
  copyCells(cells: readonly Record[]): Promise<void> {
    return asynchronous(() => this.recorder.write(() => this.recorder.copyCells(cells)))
  }

  /** Takes out cells without a response that are not `wanted`; what was booked for them stays booked. */
  async forget(wanted: (cell: Record) => boolean): Promise<void> {
    const unwanted: number[] = []
    for await (const page of this.pages("SELECT * FROM cell WHERE state <> 'done' AND id > ? ORDER BY id LIMIT ?"))
      unwanted.push(...page.filter((cell) => !wanted(cell)).map(({ id }) => Number(id)))
    if (unwanted.length === 0) return
    this.recorder.write(() => {
      const before = this.spent()
      for (const id of unwanted) {
        for (const table of ['attempt', 'body']) this.sql.run(`DELETE FROM ${table} WHERE cell = ?`, id)
        this.sql.run('DELETE FROM cell WHERE id = ?', id)
      }
      const carried = Number(this.recorder.meta('carried') ?? 0) + before - this.spent()
      this.recorder.putMeta('carried', String(carried))
    })
  }

  /**
   * Remembers the hash of rows that were just made of the present revision. No change of the ledger; where the file cannot be written,
   * the rows are made anew next time.
   */
  tieRows(facts: string): void {
    const sql = "INSERT OR REPLACE INTO meta (key, value) VALUES ('rows', ?)"
    if (!this.readOnly) {
      this.sql.run(sql, facts)
      return
    }
    try {
      const db = openSqlite(this.path, { readOnly: false, durable: false })
      try {
        db.prepare(sql).run(facts)
      } finally {
        db.close()
      }
    } catch (error) {
      if (!(error instanceof Error && isStoreError(explain(error, this.path)))) throw error
    }
  }

  setMeta(key: string, value: string): Promise<void> {
    return asynchronous(() => this.recorder.write(() => this.recorder.putMeta(key, value)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.commits.flush()
    this.sql.close(!this.readOnly)
  }
}

function openUpToDate(path: string, options: LedgerOptions): DatabaseSync {
  const { readOnly = false, durable = false, migrations = MIGRATIONS } = options
  const db = openSqlite(path, { readOnly, durable })
  try {
    const found = guarded(path, () => schemaVersion(db))
    refuseNewer(found, path, migrations.length)
    if (found === migrations.length) return db
    if (!readOnly) {
      guarded(path, () => migrate(db, path, migrations))
      return db
    }
  } catch (error) {
    db.close()
    throw error
  }
  // A file that is only to be read must still have the tables that readers know.
  db.close()
  openUpToDate(path, { ...options, readOnly: false }).close()
  return openSqlite(path, { readOnly, durable })
}
