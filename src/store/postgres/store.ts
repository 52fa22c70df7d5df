import type postgres from 'postgres'
import { UsageError } from '../../core/index.ts'
import type { Redaction } from '../recorder.ts'
import type { BatchEvent, LeasedCell, PlanBatch, Reserved, RunEvent, WorkStore } from '../run-store.ts'
import type { WholeBatch } from '../whole-batch.ts'
import type { WholeCell } from '../whole-cell.ts'
import { BATCH_FUNCTIONS, bookable, NOT_HELD } from './batches.ts'
import { connect, requireOwnConnections } from './connect.ts'
import { recordable, type Tx } from './events.ts'
import { CELL, NOW, PAGE, PostgresFacts } from './facts.ts'
import { FUNCTIONS } from './functions.ts'
import { Gathered } from './gathered.ts'
import { PostgresKeeping } from './keeping.ts'
import { fillBatches, fillCells } from './move.ts'
import { reach, reachOnce } from './reach.ts'
import { OVER_BUDGET, PREFIX, RUN_FACT, SCHEMA_VERSION, schemaOf, TABLES } from './schema.ts'
import { makeTraffic, PostgresTraffic } from './traffic.ts'

export interface PostgresOptions {
  readonly redact: Redaction
  /** `make` a new run, or `open` one that is there. */
  readonly mode: 'make' | 'open'
}

/** A run in a PostgreSQL database, for any number of workers: {@link WorkStore} in a schema of its own. */
export class PostgresStore extends PostgresFacts implements WorkStore {
  private redact: Redaction
  private readonly schema: string
  private readonly commits: Gathered<RunEvent>
  readonly traffic: PostgresTraffic
  readonly keeping: PostgresKeeping
  /** Cells that were leased here and have not ended. */
  private readonly inHand = new Set<number>()
  private leasing: Promise<unknown> = Promise.resolve()

  private constructor(sql: postgres.Sql, schema: string, redact: Redaction) {
    super(sql)
    this.schema = schema
    this.redact = redact
    this.traffic = new PostgresTraffic(sql, (text) => this.redact.shapes(text))
    this.keeping = new PostgresKeeping(sql, (events) => recordable(events, this.redact))
    this.commits = new Gathered(async (events) => {
      const text = JSON.stringify(recordable(events, this.redact))
      await reach(() => this.sql`SELECT record(${text}::text::jsonb)`)
    })
  }

  /**
   * @param url - `postgres://user:password@host/database`
   * @param run - the id of the run. One that was not brought here to its end is made anew.
   * @throws UsageError where there is no such run, or a whole one already; StoreError where the database cannot be reached.
   */
  static async open(url: string, run: string, { redact, mode }: PostgresOptions): Promise<PostgresStore> {
    const schema = schemaOf(run)
    const sql = connect(url, schema)
    try {
      await requireOwnConnections(sql, schema)
      const there = await reachOnce(
        sql`SELECT 1 FROM information_schema.tables WHERE table_schema = ${schema} AND table_name = 'meta'`,
      )
      if (mode === 'open' && there.length === 0)
        throw new UsageError(`the store has no run ${run}: touchstone cluster status names those it has`)
      if (mode === 'make') {
        const whole = there.length > 0 ? await reachOnce(sql`SELECT 1 FROM meta WHERE key = ${RUN_FACT}`) : []
        if (whole.length > 0)
          throw new UsageError(`the store has the run ${run} already: touchstone cluster pull brings it back`)
        await makeTraffic(sql)
        // What was not brought here to its end, nobody has worked on.
        await reachOnce(
          sql.begin((tx) =>
            tx.unsafe(
              `DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}; ${TABLES}; ${FUNCTIONS}; ${BATCH_FUNCTIONS}`,
            ),
          ),
        )
      }
      const [made] = await reachOnce(sql`SELECT value FROM meta WHERE key = 'schema'`)
      if (made?.['value'] !== SCHEMA_VERSION)
        throw new UsageError(
          `the run ${run} was pushed by another version of this program (its tables are version ${made?.['value'] ?? 'unknown'}, this one knows ${SCHEMA_VERSION}): pull it with that one`,
        )
      return new PostgresStore(sql, schema, redact)
    } catch (error) {
      await sql.end({ timeout: 1 })
      throw error
    }
  }

  /** The runs of a database. */
  static async runs(url: string): Promise<readonly string[]> {
    const sql = connect(url, 'public')
    try {
      await requireOwnConnections(sql, 'public')
      const rows = await reachOnce(sql`SELECT table_schema FROM information_schema.tables
        WHERE table_name = 'money' AND starts_with(table_schema, ${PREFIX}) ORDER BY table_schema`)
      return rows.map((row) => String(row['table_schema']).slice(PREFIX.length))
    } finally {
      await sql.end({ timeout: 1 })
    }
  }

  // ---- writing

  async plan(batch: PlanBatch): Promise<void> {
    await this.write(async (tx) => {
      const { known } = this.redact
      const groups = batch.groups.map(({ id, shared }) => ({ id, shared: JSON.stringify(shared) }))
      const items = batch.items.map(({ index, group, given, answer, features, ...rest }) => ({
        ...rest,
        idx: index,
        grp: group,
        given: JSON.stringify(given),
        answer: JSON.stringify(answer),
        features: JSON.stringify(features),
      }))
      const cells = batch.cells.map((cell) => ({ ...cell, settings: known(cell.settings), state: 'waiting' }))
      for (const page of pages(groups)) await tx`INSERT INTO grp ${tx(page)} ON CONFLICT DO NOTHING`
      for (const page of pages(items)) await tx`INSERT INTO item ${tx(page)} ON CONFLICT DO NOTHING`
      for (const page of pages(cells)) await tx`INSERT INTO cell ${tx(page)} ON CONFLICT DO NOTHING`
    })
  }

  lease(n: number, owner: string, ms: number, model: string): Promise<readonly LeasedCell[]> {
    // One after another: what a lost connection leased is told from what another lease is bringing.
    const leased = this.leasing.then(() => this.leaseNext(n, owner, ms, model))
    this.leasing = leased.catch(() => undefined)
    return leased
  }

  private async leaseNext(n: number, owner: string, ms: number, model: string): Promise<readonly LeasedCell[]> {
    await this.commits.settled()
    const taken = await reach((before) => {
      const held = before === 0 ? null : [...this.inHand]
      return this
        .sql`SELECT taken, try FROM take_cells(${n}::int, ${owner}, ${ms}::bigint, ${model}, ${held}::bigint[])`
    })
    const attempts = new Map(taken.map((row) => [Number(row['taken']), Number(row['try'])]))
    const rows = await reach(() =>
      this.sql.unsafe(
        `SELECT ${CELL} FROM cell c JOIN item i ON i.id = c.item WHERE c.id = ANY ($1::bigint[]) ORDER BY c.turn, c.id`,
        [[...attempts.keys()]],
      ),
    )
    for (const { cell } of rows) this.inHand.add(Number(cell))
    return this.leased(rows.map((row) => ({ ...row, attempt: attempts.get(Number(row['cell'])) ?? 0 })))
  }

  /** What this owner holds is held for `ms` more. */
  async renew(owner: string, ms: number): Promise<void> {
    const until = this.sql.unsafe(`${NOW} + ${ms}`)
    await reach(
      () => this.sql`WITH kept AS (UPDATE keeper SET lease_until = ${until} WHERE owner = ${owner})
      UPDATE cell SET lease_until = ${until} WHERE owner = ${owner} AND state = 'leased'`,
    )
  }

  /** Puts what this owner holds back to waiting: it is gone. */
  async surrender(owner: string): Promise<void> {
    await reach(
      () => this.sql`WITH left_alone AS (DELETE FROM keeper WHERE owner = ${owner})
      UPDATE cell SET state = 'waiting', owner = NULL, lease_until = NULL WHERE owner = ${owner} AND state = 'leased'`,
    )
  }

  async commit(events: readonly RunEvent[]): Promise<void> {
    await this.commits.add(events)
    for (const event of events)
      if (event.kind === 'response' || event.kind === 'release' || (event.kind === 'failure' && event.final))
        this.inHand.delete(event.cell)
  }

  async book(event: BatchEvent, owner: string): Promise<Reserved> {
    await this.commits.settled()
    const text = JSON.stringify(bookable(event, this.redact))
    try {
      // PostgreSQL commits survive power loss unless it was told otherwise.
      const [row] = await reach(() => this.sql`SELECT book_batch(${text}::text::jsonb, ${owner}) AS held`)
      if (row?.['held'] !== true) return 'lost'
      if (event.kind === 'intended') for (const { cell } of event.lines) this.inHand.delete(cell)
      return 'booked'
    } catch (error) {
      return refusal(error)
    }
  }

  /** US dollars that may still be booked; null: no limit. */
  async room(): Promise<number | null> {
    const [row] = await reach(() => this.sql`SELECT ceiling - usd AS room FROM money`)
    return row?.['room'] == null ? null : Number(row['room'])
  }

  async retry(codes?: readonly string[]): Promise<number> {
    const wanted = codes === undefined ? null : [...codes]
    const rows = await reach(
      () => this.sql`UPDATE cell SET state = 'waiting', owner = NULL, lease_until = NULL
      WHERE state = 'failed' AND (${wanted}::text[] IS NULL
        OR (SELECT code FROM attempt a WHERE a.cell = cell.id ORDER BY no DESC LIMIT 1) = ANY (${wanted}::text[])) RETURNING id`,
    )
    return rows.length
  }

  async reserve(event: Extract<RunEvent, { kind: 'attempt' }>, owner: string): Promise<Reserved> {
    const { cell, attempt, started, most = 0 } = event
    try {
      const rows = await reach(
        () => this.sql`INSERT INTO attempt (cell, no, started, status, most)
        SELECT id, ${attempt}::bigint, ${started}::bigint, 'open', ${most}::float8 FROM cell
        WHERE id = ${cell} AND state = 'leased' AND owner = ${owner}
        ON CONFLICT (cell, no) DO UPDATE SET started = excluded.started, most = excluded.most WHERE attempt.status = 'open'
        RETURNING no`,
      )
      if (rows.length > 0) return 'booked'
      this.inHand.delete(cell)
      return 'lost'
    } catch (error) {
      return refusal(error)
    }
  }

  async carry(usd: number): Promise<void> {
    await reachOnce(this.sql`WITH booked AS (UPDATE money SET usd = usd + ${usd})
      INSERT INTO meta (key, value) VALUES ('carried', ${usd}::float8::text)
      ON CONFLICT (key) DO UPDATE SET value = (meta.value::float8 + excluded.value::float8)::text`)
  }

  /** The most that all workers together may book, in US dollars; null: no limit. */
  async limit(usd: number | null): Promise<void> {
    await reach(() => this.sql`UPDATE money SET ceiling = ${usd}`)
  }

  /** What is replaced in texts from now on. */
  hide(redact: Redaction): void {
    this.redact = redact
  }

  // ---- moving

  /** Takes cells of a ledger, with all that became of them. @returns how many. */
  async fill(cells: readonly WholeCell[]): Promise<number> {
    await reachOnce(this.sql.begin((tx) => fillCells(tx, cells)))
    return cells.length
  }

  /** Takes the batches of a ledger, over or open. */
  async fillBatches(batches: readonly WholeBatch[]): Promise<void> {
    await reachOnce(this.sql.begin((tx) => fillBatches(tx, batches)))
  }

  /** From now on nothing is handed out, unless workers hold something: then all stays as it is. @returns what they hold. */
  async close(): Promise<{ readonly cells: number; readonly models: readonly string[] }> {
    const [row] = await reach(() => this.sql`SELECT cells, models FROM close_run()`)
    return { cells: Number(row?.['cells'] ?? 0), models: (row?.['models'] ?? []) as readonly string[] }
  }

  /** All of it is in a run folder: what is left here may be made anew, and is worked on by nobody. */
  async release(): Promise<void> {
    await reach(() => this.sql`DELETE FROM meta WHERE key = ${RUN_FACT}`)
  }

  /** Takes the run out of the database. */
  async drop(): Promise<void> {
    await reachOnce(this.sql.unsafe(`DROP SCHEMA ${this.schema} CASCADE`))
  }

  async setMeta(key: string, value: string): Promise<void> {
    await reach(
      () => this.sql`INSERT INTO meta (key, value) VALUES (${key}, ${this.redact.shapes(value)})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.commits.settled()
    await this.sql.end({ timeout: 5 })
  }

  protected async settled(): Promise<void> {
    await this.commits.settled()
  }

  private async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return reachOnce(this.sql.begin(work) as Promise<T>)
  }
}

/** What the database says of a booking that it refuses. @throws what is no refusal. */
function refusal(error: unknown): Reserved {
  const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown }
  if (code === OVER_BUDGET) return 'over'
  if (code === NOT_HELD) return 'lost'
  throw error
}

/** A PostgreSQL statement has at most 65,535 values. */
function* pages<T>(rows: readonly T[]): Generator<T[]> {
  for (let i = 0; i < rows.length; i += PAGE) yield rows.slice(i, i + PAGE)
}
