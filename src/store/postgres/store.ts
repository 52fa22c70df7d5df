import type postgres from 'postgres'
import { type Json, UsageError } from '../../core/index.ts'
import { type ChainState, LINKED, walkChain } from '../chain.ts'
import type { Redaction } from '../recorder.ts'
import { ITEM_COLUMNS, itemOf, responseOf } from '../records.ts'
import type {
  BatchEvent,
  CellState,
  Counts,
  LeasedCell,
  OpenBatch,
  OpenLine,
  PlanBatch,
  RunEvent,
  ScorableResponse,
  StoredItem,
  WorkStore,
} from '../run-store.ts'
import type { Record } from '../sql.ts'
import type { WholeCell } from '../whole-cell.ts'
import { connect } from './connect.ts'
import { recordable, type Tx, writeBatch } from './events.ts'
import { FUNCTIONS } from './functions.ts'
import { Gathered } from './gathered.ts'
import { fillCells, plainRow, wholeCellsOf } from './move.ts'
import { reach, reachOnce } from './reach.ts'
import { PREFIX, RUN_FACT, SCHEMA_VERSION, schemaOf, TABLES } from './schema.ts'
import { SharedCache } from './shared-cache.ts'
import { makeTraffic, PostgresTraffic } from './traffic.ts'

export interface PostgresOptions {
  readonly redact: Redaction
  /** `make` a new run, or `open` one that is there. */
  readonly mode: 'make' | 'open'
}

const PAGE = 1000

/** The code of the trigger that keeps to the budget. */
const OVER_BUDGET = 'TS001'

/** Ms since 1970 by the clock of the database, which all workers share. */
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

const CELL = `c.id AS cell, c.style, c.model, c.settings, c.sample, ${ITEM_COLUMNS}`
const OPEN_LINES = `SELECT l.id, l.no, l.attempt, a.most, ${CELL}
  FROM line l JOIN cell c ON c.id = l.cell AND c.state = 'batched' AND c.owner = l.batch JOIN item i ON i.id = c.item
  LEFT JOIN attempt a ON a.cell = l.cell AND a.no = l.attempt WHERE l.batch = $1`

/** A run in a PostgreSQL database, for any number of workers: {@link WorkStore} in a schema of its own. */
export class PostgresStore implements WorkStore {
  private readonly sql: postgres.Sql
  private redact: Redaction
  private readonly schema: string
  private readonly commits: Gathered<RunEvent>
  private readonly groups: SharedCache
  readonly traffic: PostgresTraffic
  /** Cells that were leased here and have not ended. */
  private readonly inHand = new Set<number>()
  private leasing: Promise<unknown> = Promise.resolve()

  private constructor(sql: postgres.Sql, schema: string, redact: Redaction) {
    this.sql = sql
    this.schema = schema
    this.redact = redact
    this.traffic = new PostgresTraffic(sql, (text) => this.redact.shapes(text))
    this.commits = new Gathered(async (events) => {
      const text = JSON.stringify(recordable(events, this.redact))
      await reach(() => this.sql`SELECT record(${text}::text::jsonb)`)
    })
    this.groups = new SharedCache(async (ids) => {
      const rows = await reach(() => this.sql`SELECT id, shared FROM grp WHERE id = ANY (${ids})`)
      return new Map(rows.map((row) => [String(row['id']), String(row['shared'])]))
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
      const there = await reachOnce(
        sql`SELECT 1 FROM information_schema.tables WHERE table_schema = ${schema} AND table_name = 'meta'`,
      )
      if (mode === 'open' && there.length === 0)
        throw new UsageError(`the store has no run ${run}: touchstone worker --status names those it has`)
      if (mode === 'make') {
        const whole = there.length > 0 ? await reachOnce(sql`SELECT 1 FROM meta WHERE key = ${RUN_FACT}`) : []
        if (whole.length > 0)
          throw new UsageError(`the store has the run ${run} already: touchstone pull brings it back`)
        await makeTraffic(sql)
        // What was not brought here to its end, nobody has worked on.
        await reachOnce(
          sql.begin((tx) =>
            tx.unsafe(`DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}; ${TABLES}; ${FUNCTIONS}`),
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
    await reach(
      () =>
        this
          .sql`UPDATE cell SET lease_until = ${this.sql.unsafe(NOW)} + ${ms} WHERE owner = ${owner} AND state = 'leased'`,
    )
  }

  /** Puts what this owner holds back to waiting: it is gone. */
  async surrender(owner: string): Promise<void> {
    await reach(
      () =>
        this
          .sql`UPDATE cell SET state = 'waiting', owner = NULL, lease_until = NULL WHERE owner = ${owner} AND state = 'leased'`,
    )
  }

  async commit(events: readonly RunEvent[]): Promise<void> {
    await this.commits.add(events)
    for (const event of events)
      if (event.kind === 'response' || event.kind === 'release' || (event.kind === 'failure' && event.final))
        this.inHand.delete(event.cell)
  }

  async book(event: BatchEvent): Promise<void> {
    await this.commits.settled()
    // PostgreSQL commits survive power loss unless it was told otherwise.
    await reachOnce(this.sql.begin((tx) => writeBatch(tx, event, this.redact)))
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

  async reserve({ cell, attempt, started, most = 0 }: Extract<RunEvent, { kind: 'attempt' }>): Promise<boolean> {
    try {
      await reach(
        () => this.sql`INSERT INTO attempt (cell, no, started, status, most)
        VALUES (${cell}, ${attempt}, ${started}, 'open', ${most})
        ON CONFLICT (cell, no) DO UPDATE SET started = excluded.started, most = excluded.most WHERE attempt.status = 'open'`,
      )
      return true
    } catch (error) {
      if (((error as Error).cause as { readonly code?: unknown } | undefined)?.code === OVER_BUDGET) return false
      throw error
    }
  }

  async spent(): Promise<number> {
    const [row] = await reach(() => this.sql`SELECT usd FROM money`)
    return Number(row?.['usd'] ?? 0)
  }

  async carry(usd: number): Promise<void> {
    await reachOnce(this.sql`WITH booked AS (UPDATE money SET usd = usd + ${usd})
      INSERT INTO meta (key, value) VALUES ('carried', ${usd}::float8::text)
      ON CONFLICT (key) DO UPDATE SET value = (meta.value::float8 + excluded.value::float8)::text`)
  }

  /** What is booked, and what attempts and carried money come to, in US dollars; null: it is not known what was carried. */
  async booked(): Promise<{ readonly booked: number; readonly owed: number } | null> {
    const [row] = await reach(
      () => this
        .sql`SELECT m.usd AS booked, c.value::float8 + (SELECT COALESCE(SUM(COALESCE(usd, most)), 0) FROM attempt) AS owed
        FROM money m JOIN meta c ON c.key = 'carried'`,
    )
    return row === undefined ? null : { booked: Number(row['booked']), owed: Number(row['owed']) }
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

  /** All there is of every cell, streaming: what a ledger takes back. */
  async *wholeCells(): AsyncGenerator<readonly WholeCell[]> {
    for await (const rows of this.pages('SELECT id FROM cell WHERE id > $1 ORDER BY id LIMIT $2', []))
      yield await reach(() =>
        wholeCellsOf(
          this.sql,
          rows.map(({ id }) => Number(id)),
        ),
      )
  }

  /** All that became of these cells. */
  wholeCellsOf(ids: readonly number[]): Promise<readonly WholeCell[]> {
    return reach(() => wholeCellsOf(this.sql, ids))
  }

  /** All items in their order with what their groups share, streaming. */
  async *items(): AsyncGenerator<readonly { readonly item: StoredItem; readonly shared: Json }[]> {
    // Positions begin at 0, pages at what is above the last one seen.
    const sql = `SELECT i.ord + 1 AS id, ${ITEM_COLUMNS} FROM item i WHERE i.ord > $1::bigint - 1 ORDER BY i.ord LIMIT $2`
    for await (const rows of this.pages(sql, [])) {
      const shared = await this.groups.get(rows.map((row) => String(row['grp'])))
      yield rows.map((row) => {
        const item = itemOf(row)
        return { item, shared: shared(item.group) }
      })
    }
  }

  /** All cells as they were planned, streaming. */
  plannedCells(): AsyncGenerator<readonly Record[]> {
    const sql = `SELECT id, item, style, model, settings, sample, turn FROM cell WHERE id > $1 ORDER BY id LIMIT $2`
    return this.pages(sql, [])
  }

  /**
   * Cells that are done or failed, with the number of their attempts, streaming. What is answered after this was asked for is
   * left out: the chain of the others has no gap.
   */
  async *endedCells(): AsyncGenerator<
    readonly { readonly id: number; readonly state: string; readonly attempts: number }[]
  > {
    const { links } = await this.chainEnd()
    const sql = `SELECT id, state, (SELECT COUNT(*) FROM attempt a WHERE a.cell = c.id) AS attempts
      FROM cell c LEFT JOIN response r ON r.cell = c.id
      WHERE state IN ('done', 'failed') AND COALESCE(r.seq, 0) <= $1::bigint AND id > $2 ORDER BY id LIMIT $3`
    for await (const rows of this.pages(sql, [String(links)]))
      yield rows.map(({ id, state, attempts }) => ({
        id: Number(id),
        state: String(state),
        attempts: Number(attempts),
      }))
  }

  /** Cells whose owner has given a sign of life in time. */
  async held(): Promise<number> {
    const [row] = await reach(
      () => this.sql`SELECT COUNT(*) AS n FROM cell WHERE state = 'leased' AND lease_until >= ${this.sql.unsafe(NOW)}`,
    )
    return Number(row?.['n'] ?? 0)
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

  // ---- reading

  async counts(model?: string): Promise<Counts> {
    const rows = await reach(
      () =>
        this
          .sql`SELECT state, COUNT(*) AS n FROM cell WHERE model = COALESCE(${model ?? null}::text, model) GROUP BY state`,
    )
    const counts: { [state in CellState]: number } = { waiting: 0, leased: 0, batched: 0, done: 0, failed: 0 }
    for (const row of rows) counts[row['state'] as CellState] = Number(row['n'])
    return counts
  }

  async openBatches(model?: string): Promise<readonly OpenBatch[]> {
    const rows = await reach(
      () => this.sql`SELECT key, model, lines, remote, intended, tried FROM batch
      WHERE state = 'open' AND model = COALESCE(${model ?? null}::text, model) ORDER BY id`,
    )
    return rows.map((row) => ({
      key: String(row['key']),
      model: String(row['model']),
      lines: Number(row['lines']),
      remote: row['remote'] === null ? null : String(row['remote']),
      intended: Number(row['intended']),
      tried: Number(row['tried']),
    }))
  }

  async openLine(key: string, no: number): Promise<OpenLine | null> {
    await this.commits.settled()
    const rows = await reach(() => this.sql.unsafe(`${OPEN_LINES} AND l.no = $2`, [key, no]))
    return (await this.lines(rows))[0] ?? null
  }

  async *openLines(key: string): AsyncGenerator<readonly OpenLine[]> {
    await this.commits.settled()
    for await (const rows of this.pages(`${OPEN_LINES} AND l.id > $2 ORDER BY l.id LIMIT $3`, [key]))
      yield await this.lines(rows)
  }

  async remotes(): Promise<ReadonlySet<string>> {
    const rows = await reach(() => this.sql`SELECT remote FROM batch WHERE remote IS NOT NULL`)
    return new Set(rows.map((row) => String(row['remote'])))
  }

  async *responses(): AsyncGenerator<readonly ScorableResponse[]> {
    const sql = `SELECT r.cell AS id, c.style, r.attempt, r.finish, r.text, r.reasoning, r.logprobs, r.usage, r.raw, ${ITEM_COLUMNS}
      FROM response r JOIN cell c ON c.id = r.cell JOIN item i ON i.id = c.item WHERE r.cell > $1 ORDER BY r.cell LIMIT $2`
    for await (const rows of this.pages(sql, [])) {
      const shared = await this.groups.get(rows.map((row) => String(row['grp'])))
      yield rows.map((row) => {
        const item = itemOf(row)
        return {
          cell: Number(row['id']),
          item,
          shared: shared(item.group),
          style: String(row['style']),
          response: responseOf({
            ...row,
            text: plain(row['text']),
            reasoning: plain(row['reasoning']),
            raw: plain(row['raw']),
          }),
        }
      })
    }
  }

  async head(): Promise<string | null> {
    return (await this.chainEnd()).head
  }

  async checkChain(): Promise<ChainState> {
    await this.commits.settled()
    const said = await this.chainEnd()
    const sql = `SELECT ${LINKED} FROM response r LEFT JOIN cell c ON c.id = r.cell
      WHERE r.seq <= $1::bigint AND r.seq > $2 ORDER BY r.seq LIMIT $3`
    const found = await walkChain(this.plainPages('response', sql, [String(said.links)]))
    if (found.kind === 'broken' || (found.links === said.links && found.head === said.head)) return found
    return {
      kind: 'broken',
      cell: null,
      message: `it has ${found.links} links, and ${said.links} were recorded: the last ones are gone`,
    }
  }

  private async chainEnd(): Promise<{ readonly links: number; readonly head: string | null }> {
    const [row] = await reach(() => this.sql`SELECT links, head FROM chain`)
    return { links: Number(row?.['links'] ?? 0), head: row?.['head'] == null ? null : String(row['head']) }
  }

  async meta(key: string): Promise<string | null> {
    const rows = await reach(() => this.sql`SELECT value FROM meta WHERE key = ${key}`)
    return rows[0] === undefined ? null : String(rows[0]['value'])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.commits.settled()
    await this.sql.end({ timeout: 5 })
  }

  private async leased(rows: readonly Record[]): Promise<readonly LeasedCell[]> {
    const shared = await this.groups.get(rows.map((row) => String(row['grp'])))
    return rows.map((row) => {
      const item = itemOf(row)
      return {
        id: Number(row['cell']),
        attempt: Number(row['attempt']),
        item,
        shared: shared(item.group),
        style: String(row['style']),
        model: String(row['model']),
        settings: String(row['settings']),
        sample: Number(row['sample']),
      }
    })
  }

  private async lines(rows: readonly postgres.Row[]): Promise<readonly OpenLine[]> {
    const cells = await this.leased(rows)
    return rows.flatMap((row, i) => {
      const cell = cells[i]
      return cell === undefined ? [] : [{ no: Number(row['no']), most: Number(row['most'] ?? 0), cell }]
    })
  }

  /** One page after another of a query whose last two values are (after, limit), keyed by an integer column `id`. */
  private async *pages(query: string, values: readonly string[]): AsyncGenerator<readonly Record[]> {
    let after = 0
    for (;;) {
      const rows = await reach(() => this.sql.unsafe(query, [...values, after, PAGE]))
      if (rows.length === 0) return
      after = Number(rows.at(-1)?.['id'])
      yield rows as readonly Record[]
    }
  }

  private async *plainPages(
    table: string,
    query: string,
    values: readonly string[],
  ): AsyncGenerator<readonly Record[]> {
    for await (const rows of this.pages(query, values)) yield rows.map((row) => plainRow(table, row))
  }

  private async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return reachOnce(this.sql.begin(work) as Promise<T>)
  }
}

const plain = (text: unknown): string | null => (typeof text === 'string' ? (JSON.parse(text) as string) : null)

/** A PostgreSQL statement has at most 65,535 values. */
function* pages<T>(rows: readonly T[]): Generator<T[]> {
  for (let i = 0; i < rows.length; i += PAGE) yield rows.slice(i, i + PAGE)
}
