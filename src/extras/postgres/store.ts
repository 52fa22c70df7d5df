import type postgres from 'postgres'
import { UsageError } from '../../core/index.ts'
import { CommitQueue } from '../../store/commit-queue.ts'
import type { Redaction } from '../../store/recorder.ts'
import {
  type BatchEvent,
  type BookingResult,
  type LeasedCall,
  type PlanBatch,
  RUN_KEY,
  type RunEvent,
  type SharedRunStore,
} from '../../store/run-store.ts'
import type { BatchSnapshot, CallSnapshot } from '../../store/snapshots.ts'
import { connect, requireOwnConnections, withoutRetry, withRetry } from './connect-retry.ts'
import { recordable, type Tx } from './events.ts'
import { BATCH_FUNCTIONS, bookable, FUNCTIONS, NOT_HELD } from './functions.ts'
import { CALL_COLUMNS, NOW, PAGE, PostgresReader } from './reader.ts'
import { OVER_BUDGET, PREFIX, SCHEMA_VERSION, schemaOf, TABLES } from './schema.ts'
import { createSharedLimits, PostgresBatchLease, PostgresSharedLimits } from './shared-limits.ts'
import { copyBatches, copyCalls } from './transfer.ts'

export interface PostgresOptions {
  readonly redact: Redaction
  /** `make` a new run, or `open` one that is there. */
  readonly mode: 'make' | 'open'
}

/** A run in a PostgreSQL database, for any number of workers: {@link SharedRunStore} in its own schema. */
export class PostgresStore extends PostgresReader implements SharedRunStore {
  readonly isShared = true
  private redact: Redaction
  private readonly schema: string
  private readonly commits: CommitQueue<RunEvent>
  readonly sharedLimits: PostgresSharedLimits
  readonly batchLease: PostgresBatchLease
  /** Calls that this process has leased and that have not ended. */
  private readonly inHand = new Set<number>()
  private leasing: Promise<unknown> = Promise.resolve()

  private constructor(sql: postgres.Sql, schema: string, redact: Redaction) {
    super(sql)
    this.schema = schema
    this.redact = redact
    this.sharedLimits = new PostgresSharedLimits(sql, (text) => this.redact.shapes(text))
    this.batchLease = new PostgresBatchLease(sql, (events) => recordable(events, this.redact))
    this.commits = new CommitQueue(async (events) => {
      const text = JSON.stringify(recordable(events, this.redact))
      await withRetry(() => this.sql`SELECT record(${text}::text::jsonb)`)
    }, 0)
  }

  /**
   * @param url - `postgres://user:password@host/database`
   * @param run - the id of the run. `make` replaces one that was not pushed to its end.
   * @throws UsageError for a run that is missing, or there already; StoreError if the database cannot be reached
   */
  static async open(url: string, run: string, { redact, mode }: PostgresOptions): Promise<PostgresStore> {
    const schema = schemaOf(run)
    const sql = connect(url, schema)
    try {
      await requireOwnConnections(sql, schema)
      const there = await withRetry(
        () => sql`SELECT 1 FROM information_schema.tables WHERE table_schema = ${schema} AND table_name = 'meta'`,
      )
      if (mode === 'open' && there.length === 0)
        throw new UsageError(`the store has no run ${run}: touchstone cluster status names those it has`)
      if (mode === 'make') {
        const whole = there.length > 0 ? await withRetry(() => sql`SELECT 1 FROM meta WHERE key = ${RUN_KEY}`) : []
        if (whole.length > 0)
          throw new UsageError(`the store already has the run ${run}. Bring it back: touchstone cluster pull`)
        await createSharedLimits(sql)
        // Nobody has worked on a run that was not pushed to its end.
        await withoutRetry(
          sql.begin((tx) =>
            tx.unsafe(
              `DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}; ${TABLES}; ${FUNCTIONS}; ${BATCH_FUNCTIONS}`,
            ),
          ),
        )
      }
      const [made] = await withRetry(() => sql`SELECT value FROM meta WHERE key = 'schema'`)
      if (made?.['value'] !== SCHEMA_VERSION)
        throw new UsageError(
          `the run ${run} was pushed by another version of this program (its tables are version ${made?.['value'] ?? 'unknown'}, this one expects ${SCHEMA_VERSION}). Pull it with the version that pushed it`,
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
      const rows = await withRetry(
        () => sql`SELECT table_schema FROM information_schema.tables
        WHERE table_name = 'money' AND starts_with(table_schema, ${PREFIX}) ORDER BY table_schema`,
      )
      // A schema of another name is none of this program's.
      return rows
        .map((row) => String(row['table_schema']))
        .filter((schema) => schemaOf(schema.slice(PREFIX.length)) === schema)
        .map((schema) => schema.slice(PREFIX.length))
    } finally {
      await sql.end({ timeout: 1 })
    }
  }

  // ---- writing

  async plan(batch: PlanBatch): Promise<void> {
    await this.write(async (tx) => {
      const { known } = this.redact
      const groups = batch.groups.map(({ id, shared }) => ({ id, shared: JSON.stringify(shared) }))
      const items = batch.items.map(({ index, group, itemHash, given, answer, features, ...rest }) => ({
        ...rest,
        item_index: index,
        item_group: group,
        item_hash: itemHash,
        given: JSON.stringify(given),
        answer: JSON.stringify(answer),
        features: JSON.stringify(features),
      }))
      const calls = batch.calls.map((call) => ({ ...call, settings: known(call.settings), state: 'waiting' }))
      for (const page of pages(groups)) await tx`INSERT INTO item_group ${tx(page)} ON CONFLICT DO NOTHING`
      for (const page of pages(items)) await tx`INSERT INTO item ${tx(page)} ON CONFLICT DO NOTHING`
      for (const page of pages(calls)) await tx`INSERT INTO call ${tx(page)} ON CONFLICT DO NOTHING`
    })
  }

  lease(n: number, owner: string, ms: number, model: string): Promise<readonly LeasedCall[]> {
    // One after another, so that calls leased by a lost connection are not mistaken for those of another lease.
    const leased = this.leasing.then(() => this.leaseNext(n, owner, ms, model))
    this.leasing = leased.catch(() => undefined)
    return leased
  }

  private async leaseNext(n: number, owner: string, ms: number, model: string): Promise<readonly LeasedCall[]> {
    await this.commits.flush()
    const taken = await withRetry((before) => {
      const held = before === 0 ? null : [...this.inHand]
      return this
        .sql`SELECT taken, try FROM take_calls(${n}::int, ${owner}, ${ms}::bigint, ${model}, ${held}::bigint[])`
    })
    const attempts = new Map(taken.map((row) => [Number(row['taken']), Number(row['try'])]))
    const rows = await withRetry(() =>
      this.sql.unsafe(
        `SELECT ${CALL_COLUMNS} FROM call c JOIN item i ON i.id = c.item WHERE c.id = ANY ($1::bigint[]) ORDER BY c.priority, c.id`,
        [[...attempts.keys()]],
      ),
    )
    for (const { call } of rows) this.inHand.add(Number(call))
    return this.leasedCalls(rows.map((row) => ({ ...row, attempt: attempts.get(Number(row['call'])) ?? 0 })))
  }

  async renewLeases(owner: string, ms: number): Promise<void> {
    const until = this.sql.unsafe(`${NOW} + ${ms}`)
    await withRetry(
      () => this.sql`WITH kept AS (UPDATE keeper SET lease_until = ${until} WHERE owner = ${owner})
      UPDATE call SET lease_until = ${until} WHERE owner = ${owner} AND state = 'leased'`,
    )
  }

  async releaseAll(owner: string): Promise<void> {
    await withRetry(
      () => this.sql`WITH left_alone AS (DELETE FROM keeper WHERE owner = ${owner})
      UPDATE call SET state = 'waiting', owner = NULL, lease_until = NULL WHERE owner = ${owner} AND state = 'leased'`,
    )
  }

  async commit(events: readonly RunEvent[]): Promise<void> {
    await this.commits.add(events)
    for (const event of events)
      if (event.kind === 'response' || event.kind === 'release' || (event.kind === 'failure' && event.final))
        this.inHand.delete(event.call)
  }

  async recordBatch(event: BatchEvent, owner: string): Promise<BookingResult> {
    await this.commits.flush()
    const text = JSON.stringify(bookable(event, this.redact))
    try {
      // PostgreSQL commits survive power loss by default.
      const [row] = await withRetry(() => this.sql`SELECT book_batch(${text}::text::jsonb, ${owner}) AS held`)
      if (row?.['held'] !== true) return 'lost'
      if (event.kind === 'intended') for (const { call } of event.lines) this.inHand.delete(call)
      return 'booked'
    } catch (error) {
      return refusal(error)
    }
  }

  /** US dollars that workers may still book; null: no limit. */
  async remainingBudget(): Promise<number | null> {
    const [row] = await withRetry(() => this.sql`SELECT cost_limit - usd AS room FROM money`)
    return row?.['room'] == null ? null : Number(row['room'])
  }

  async retry(codes?: readonly string[]): Promise<number> {
    const wanted = codes === undefined ? null : [...codes]
    const rows = await withRetry(
      () => this.sql`UPDATE call SET state = 'waiting', owner = NULL, lease_until = NULL
      WHERE state = 'failed' AND (${wanted}::text[] IS NULL
        OR (SELECT code FROM attempt a WHERE a.call = call.id ORDER BY attempt_no DESC LIMIT 1) = ANY (${wanted}::text[])) RETURNING id`,
    )
    return rows.length
  }

  async bookAttempt(event: Extract<RunEvent, { kind: 'attempt' }>, owner: string): Promise<BookingResult> {
    const { call, attempt, started, maxUsd = 0 } = event
    try {
      const rows = await withRetry(
        () => this.sql`INSERT INTO attempt (call, attempt_no, started, status, max_usd)
        SELECT id, ${attempt}::bigint, ${started}::bigint, 'open', ${maxUsd}::float8 FROM call
        WHERE id = ${call} AND state = 'leased' AND owner = ${owner}
        ON CONFLICT (call, attempt_no) DO UPDATE SET started = excluded.started, max_usd = excluded.max_usd WHERE attempt.status = 'open'
        RETURNING attempt_no`,
      )
      if (rows.length > 0) return 'booked'
      this.inHand.delete(call)
      return 'lost'
    } catch (error) {
      return refusal(error)
    }
  }

  async bookExtra(usd: number): Promise<void> {
    await withoutRetry(this.sql`WITH booked AS (UPDATE money SET usd = usd + ${usd})
      INSERT INTO meta (key, value) VALUES ('carried', ${usd}::float8::text)
      ON CONFLICT (key) DO UPDATE SET value = (meta.value::float8 + excluded.value::float8)::text`)
  }

  async setBudget(usd: number | null): Promise<void> {
    await withRetry(() => this.sql`UPDATE money SET cost_limit = ${usd}`)
  }

  setRedaction(redact: Redaction): void {
    this.redact = redact
  }

  // ---- moving

  /** Adds calls of a ledger, with all that became of them. @returns how many */
  async addSnapshots(calls: readonly CallSnapshot[]): Promise<number> {
    await withoutRetry(this.sql.begin((tx) => copyCalls(tx, calls)))
    return calls.length
  }

  /** Adds the batches of a ledger, over or open. */
  async addBatches(batches: readonly BatchSnapshot[]): Promise<void> {
    await withoutRetry(this.sql.begin((tx) => copyBatches(tx, batches)))
  }

  async close(): Promise<{ readonly calls: number; readonly models: readonly string[] }> {
    const [row] = await withRetry(() => this.sql`SELECT calls, models FROM close_run()`)
    return { calls: Number(row?.['calls'] ?? 0), models: (row?.['models'] ?? []) as readonly string[] }
  }

  async release(): Promise<void> {
    await withRetry(() => this.sql`DELETE FROM meta WHERE key = ${RUN_KEY}`)
  }

  /** Removes the run from the database. */
  async drop(): Promise<void> {
    await withoutRetry(this.sql.unsafe(`DROP SCHEMA ${this.schema} CASCADE`))
  }

  async setMeta(key: string, value: string): Promise<void> {
    await withRetry(
      () => this.sql`INSERT INTO meta (key, value) VALUES (${key}, ${this.redact.shapes(value)})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.commits.flush()
    await this.sql.end({ timeout: 5 })
  }

  protected async settled(): Promise<void> {
    await this.commits.flush()
  }

  private async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return withoutRetry(this.sql.begin(work) as Promise<T>)
  }
}

/** Why the database refused a booking. @throws any other error */
function refusal(error: unknown): BookingResult {
  const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown }
  if (code === OVER_BUDGET) return 'over'
  if (code === NOT_HELD) return 'lost'
  throw error
}

/** A PostgreSQL statement has at most 65,535 values. */
function* pages<T>(rows: readonly T[]): Generator<T[]> {
  for (let i = 0; i < rows.length; i += PAGE) yield rows.slice(i, i + PAGE)
}
