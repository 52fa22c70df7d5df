import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Features, Json } from '../core/index.ts'
import { unpackBody } from './bodies.ts'
import { type ChainState, LINKED, walkChain } from './chain.ts'
import { explain, isStoreError } from './errors.ts'
import { GroupCache } from './group-cache.ts'
import { GroupCommit } from './group-commit.ts'
import type { RowNames } from './names.ts'
import { Recorder, type Redaction } from './recorder.ts'
import { ITEM_COLUMNS, itemOf, outcomeOf, problemOf, responseOf, type StoredProblem, unscored } from './records.ts'
import type {
  BatchEvent,
  CellState,
  Counts,
  EndedCell,
  GroupedOutcome,
  ImportedCell,
  LeasedCell,
  OpenBatch,
  OpenLine,
  PlanBatch,
  QueuedItem,
  RunEvent,
  ScorableResponse,
  StoredItem,
  StoredResponse,
  UnitSize,
  UnreadBody,
  WorkStore,
} from './run-store.ts'
import { MIGRATIONS, migrate, refuseNewer, schemaVersion } from './schema.ts'
import { type Record, Sql } from './sql.ts'
import { guarded, openSqlite } from './sqlite.ts'
import { type WholeCell, wholeCell } from './whole-cell.ts'

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

/** How many rows one page of a streaming read holds. */
const PAGE = 1000

/** The ledger of a run: {@link WorkStore} on one SQLite file in WAL mode. */
export class Ledger implements WorkStore {
  readonly path: string
  private readonly sql: Sql
  private readonly recorder: Recorder
  private readonly commits: GroupCommit<RunEvent>
  private readonly groups: GroupCache
  private readonly readOnly: boolean

  /** Opens or makes the file; an older schema is brought up to date (for reading too), a newer one refused. */
  constructor(path: string, options: LedgerOptions) {
    this.path = path
    this.readOnly = options.readOnly ?? false
    this.sql = new Sql(openUpToDate(path, options), path)
    this.recorder = new Recorder(this.sql, options.redact)
    this.commits = new GroupCommit((events) => this.recorder.write(() => this.recorder.record(events)))
    this.groups = new GroupCache((id) => {
      const row = this.sql.one('SELECT shared FROM grp WHERE id = ?', id)
      return row === undefined ? null : String(row['shared'])
    })
  }

  // ---- writing

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

  book(event: BatchEvent): Promise<void> {
    return asynchronous(() => {
      // What was committed before comes before it on disk.
      this.commits.flush()
      this.sql.durably(() => this.recorder.write(() => this.recorder.recordBatch(event)))
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

  openLine(key: string, no: number): Promise<OpenLine | null> {
    return asynchronous(() => {
      this.commits.flush()
      const row = this.sql.one(`${OPEN_LINES} AND l.no = ?`, key, no)
      return row === undefined ? null : this.lineOf(row)
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

  /** Why cells are given up, the commonest first: the code of their last attempt, and what the first of them was told. */
  failures(): readonly { readonly code: string; readonly cells: number; readonly message: string }[] {
    const rows = this.sql.all(
      `SELECT a.code, COUNT(*) AS cells, a.message, MIN(c.id) FROM cell c JOIN attempt a ON a.cell = c.id
       AND a.no = (SELECT MAX(no) FROM attempt b WHERE b.cell = c.id)
       WHERE c.state = 'failed' GROUP BY a.code ORDER BY cells DESC, a.code`,
    )
    return rows.map((row) => ({
      code: String(row['code']),
      cells: Number(row['cells']),
      message: String(row['message']),
    }))
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

  // ---- reading

  counts(model?: string): Promise<Counts> {
    return asynchronous(() => {
      const where = model === undefined ? '' : 'WHERE model = ?'
      const rows = this.sql.all(
        `SELECT state, COUNT(*) AS n FROM cell ${where} GROUP BY state`,
        ...(model === undefined ? [] : [model]),
      )
      const counts = noCells()
      for (const row of rows) counts[row['state'] as CellState] = Number(row['n'])
      return counts
    })
  }

  /** {@link counts} of every model that has cells, in one pass over them. */
  countsByModel(): ReadonlyMap<string, Counts> {
    const found = new Map<string, { [state in CellState]: number }>()
    for (const row of this.sql.all('SELECT model, state, COUNT(*) AS n FROM cell GROUP BY model, state')) {
      const model = String(row['model'])
      const counts = found.get(model) ?? noCells()
      counts[row['state'] as CellState] = Number(row['n'])
      found.set(model, counts)
    }
    return found
  }

  /** Has any cell been answered? */
  answered(): boolean {
    return this.sql.one('SELECT 1 AS there FROM response LIMIT 1') !== undefined
  }

  /** How many of each: facts for status and reports. */
  sizes(): { readonly items: number; readonly cells: number; readonly responses: number; readonly attempts: number } {
    const count = (table: string): number => Number(this.sql.one(`SELECT COUNT(*) AS n FROM ${table}`)?.['n'] ?? 0)
    return { items: count('item'), cells: count('cell'), responses: count('response'), attempts: count('attempt') }
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

  /** All there is of every cell, streaming: what another ledger adopts. */
  async *wholeCells(): AsyncGenerator<readonly WholeCell[]> {
    for await (const cells of this.pages('SELECT * FROM cell WHERE id > ? ORDER BY id LIMIT ?'))
      yield cells.map((cell) => wholeCell(this.sql, cell))
  }

  /**
   * Takes over what another ledger holds of cells that are planned here: attempts with their money, responses, scores,
   * unreadable bodies. Responses are hung into the chain of this ledger. @returns how many cells were taken over.
   */
  adopt(cells: readonly WholeCell[]): Promise<number> {
    return asynchronous(() => this.recorder.write(() => this.recorder.adopt(cells)))
  }

  /** An item with what its group shares; null for one that is not in the run. */
  item(id: string): { readonly item: StoredItem; readonly shared: Json } | null {
    const row = this.sql.one(`SELECT ${ITEM_COLUMNS} FROM item i WHERE i.id = ?`, id)
    if (row === undefined) return null
    const item = itemOf(row)
    return { item, shared: this.groups.get(item.group) }
  }

  /** All items in their order, streaming. */
  async *items(): AsyncGenerator<readonly { readonly item: StoredItem; readonly shared: Json }[]> {
    // Positions begin at 0, pages at what is above the last one seen.
    for await (const page of this.pages(
      `SELECT i.ord + 1 AS id, ${ITEM_COLUMNS} FROM item i WHERE i.ord > ? - 1 ORDER BY i.ord LIMIT ?`,
    ))
      yield page.map((row) => {
        const item = itemOf(row)
        return { item, shared: this.groups.get(item.group) }
      })
  }

  /** What the items of some sources ask and the answers, in their order, streaming: without what is known of them. */
  async *problems(sources: readonly number[]): AsyncGenerator<readonly StoredProblem[]> {
    for await (const page of this.pages(
      `SELECT ord + 1 AS id, source, grp, given, answer FROM item
       WHERE source IN (SELECT value FROM json_each(?)) AND ord > ? - 1 ORDER BY ord LIMIT ?`,
      JSON.stringify(sources),
    ))
      yield page.map((row) => problemOf(row, this.groups.get(String(row['grp']))))
  }

  /** How many cells each model has in each group of items, or in each item. */
  unitSizes(unit: 'group' | 'item' = 'group'): readonly UnitSize[] {
    const column = unit === 'group' ? 'i.grp' : 'i.id'
    const sql = `SELECT ${column} AS unit, c.model, COUNT(*) AS n FROM cell c JOIN item i ON i.id = c.item GROUP BY ${column}, c.model`
    return this.sql
      .all(sql)
      .map((row) => ({ unit: String(row['unit']), model: String(row['model']), cells: Number(row['n']) }))
  }

  /** Who is asked which items when, streaming: as many rows as there are cells. */
  async *queue(): AsyncGenerator<readonly QueuedItem[]> {
    const sql = `SELECT c.id, c.model, c.turn, i.id AS item, i.ord, i.grp, i.source, i.features FROM cell c JOIN item i ON i.id = c.item
      WHERE c.id > ? ORDER BY c.id LIMIT ?`
    for await (const rows of this.pages(sql))
      yield rows.map((row) => ({
        model: String(row['model']),
        turn: Number(row['turn']),
        item: String(row['item']),
        ord: Number(row['ord']),
        group: String(row['grp']),
        source: Number(row['source']),
        features: JSON.parse(String(row['features'])) as Features,
      }))
  }

  /** Names of the models that have cells. */
  models(): readonly string[] {
    return this.sql.all('SELECT DISTINCT model FROM cell ORDER BY model').map((row) => String(row['model']))
  }

  /** The response in one cell, of the same settings or else of the first ones that have it. */
  find(cell: {
    readonly item: string
    readonly style: string
    readonly model: string
    readonly settings: string
    readonly sample: number
  }): StoredResponse | null {
    const row = this.sql.one(
      `SELECT r.* FROM cell c JOIN response r ON r.cell = c.id WHERE c.item = ? AND c.style = ? AND c.model = ? AND c.sample = ?
       ORDER BY c.settings <> ?, c.id LIMIT 1`,
      cell.item,
      cell.style,
      cell.model,
      cell.sample,
      cell.settings,
    )
    return row === undefined ? null : responseOf(row)
  }

  /** The newest outcomes of a range of cells, as JSON text. */
  outcomes(first: number, last: number): ReadonlyMap<number, string> {
    const rows = this.sql.all(
      'SELECT cell, outcome FROM score WHERE cell BETWEEN ? AND ? ORDER BY cell, scorer',
      first,
      last,
    )
    return new Map(rows.map((row) => [Number(row['cell']), String(row['outcome'])]))
  }

  /** What the items of a group share. */
  shared(group: string): Json {
    return this.groups.get(group)
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

  /** Where an item is in the run; null for one that is not in it. */
  place(item: string): { readonly ord: number; readonly group: string } | null {
    const row = this.sql.one('SELECT ord, grp FROM item WHERE id = ?', item)
    return row === undefined ? null : { ord: Number(row['ord']), group: String(row['grp']) }
  }

  /** US dollars booked for all attempts: what each cost, or what it can cost at most where that is not known. */
  spent(): number {
    const attempts = Number(this.sql.one('SELECT SUM(COALESCE(usd, most)) AS usd FROM attempt')?.['usd'] ?? 0)
    return attempts + Number(this.recorder.meta('carried') ?? 0)
  }

  spentByModel(): readonly (readonly [model: string, usd: number])[] {
    const sql =
      'SELECT c.model, SUM(COALESCE(a.usd, a.most)) AS usd FROM attempt a JOIN cell c ON c.id = a.cell GROUP BY c.model'
    return this.sql.all(sql).map((row) => [String(row['model']), Number(row['usd'] ?? 0)])
  }

  async *verdicts(): AsyncGenerator<readonly GroupedOutcome[]> {
    const sql = `SELECT c.id, c.model, i.grp, s.outcome FROM cell c JOIN item i ON i.id = c.item
      JOIN score s ON s.cell = c.id AND s.scorer = (SELECT MAX(scorer) FROM score x WHERE x.cell = c.id)
      WHERE c.state = 'done' AND c.id > ? ORDER BY c.id LIMIT ?`
    for await (const rows of this.pages(sql))
      yield rows.flatMap((row) => {
        const outcome = outcomeOf(row['outcome'])
        return outcome === null ? [] : [{ model: String(row['model']), group: String(row['grp']), outcome }]
      })
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
   * Takes over what became of cells of this ledger in another store, in the place of what is here: attempts with their
   * money, responses, scores. A cell that is answered here is left alone. @returns how many were taken over.
   */
  takeBack(cells: readonly WholeCell[]): Promise<number> {
    return asynchronous(() => this.recorder.write(() => this.recorder.takeBack(cells)))
  }

  /** Plans cells under the ids that they have in another store. */
  copyCells(cells: readonly Record[]): Promise<void> {
    return asynchronous(() => this.recorder.write(() => this.recorder.copyCells(cells)))
  }

  /** How cells of a range of ids ended: state and number of attempts, as text. */
  endings(first: number, last: number): ReadonlyMap<number, string> {
    const rows = this.sql.all(
      `SELECT id, state, (SELECT COUNT(*) FROM attempt a WHERE a.cell = c.id) AS attempts FROM cell c
       WHERE id BETWEEN ? AND ? AND state IN ('done', 'failed')`,
      first,
      last,
    )
    return new Map(rows.map(({ id, state, attempts }) => [Number(id), `${String(state)} ${Number(attempts)}`]))
  }

  /** The last link of the chain of responses; null: none yet. */
  head(): string | null {
    const row = this.sql.one('SELECT hash FROM response WHERE seq IS NOT NULL ORDER BY seq DESC LIMIT 1')
    return row === undefined ? null : String(row['hash'])
  }

  /** Is there a link with this hash? */
  hasLink(link: string): boolean {
    return this.sql.one('SELECT 1 AS there FROM response WHERE hash = ? LIMIT 1', link) !== undefined
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

  /** Responses that are in no chain: recorded before there was one. */
  unlinked(): number {
    return Number(this.sql.one('SELECT COUNT(*) AS n FROM response WHERE seq IS NULL')?.['n'] ?? 0)
  }

  checkChain(): Promise<ChainState> {
    const sql = `SELECT ${LINKED} FROM response r LEFT JOIN cell c ON c.id = r.cell WHERE r.seq > ? ORDER BY r.seq LIMIT ?`
    return walkChain(this.pages(sql))
  }

  /** What SQLite finds wrong with the file, in its words; empty: nothing. */
  integrity(): readonly string[] {
    const rows = this.sql.all('PRAGMA integrity_check(20)').map((row) => String(row['integrity_check']))
    return rows.filter((words) => words !== 'ok')
  }

  /** What came of answers that could not be read, of cells without a response; the latest attempt of each cell first. */
  async *unread(): AsyncGenerator<readonly UnreadBody[]> {
    const sql = `SELECT b.rowid AS id, b.cell, b.attempt, b.packed, a.started, a.ended, a.http, a.request_id, a.most,
        c.style, c.model, c.settings, ${ITEM_COLUMNS}
      FROM body b JOIN cell c ON c.id = b.cell JOIN item i ON i.id = c.item
      JOIN attempt a ON a.cell = b.cell AND a.no = b.attempt
      WHERE c.state <> 'done' AND b.rowid > ? ORDER BY b.rowid LIMIT ?`
    for await (const rows of this.pages(sql))
      yield rows.map((row) => {
        const item = itemOf(row)
        return {
          cell: Number(row['cell']),
          attempt: Number(row['attempt']),
          body: () => unpackBody(row['packed'] as Uint8Array),
          started: Number(row['started']),
          ended: Number(row['ended'] ?? row['started']),
          http: row['http'] === null ? null : Number(row['http']),
          requestId: row['request_id'] === null ? null : String(row['request_id']),
          most: row['most'] === null ? null : Number(row['most']),
          item,
          shared: this.groups.get(item.group),
          style: String(row['style']),
          model: String(row['model']),
          settings: String(row['settings']),
        }
      })
  }

  async *responses(): AsyncGenerator<readonly ScorableResponse[]> {
    const sql = `SELECT c.id, c.style, ${ITEM_COLUMNS}, r.finish, r.text, r.reasoning, r.logprobs, r.usage, NULL AS raw
      FROM cell c JOIN response r ON r.cell = c.id JOIN item i ON i.id = c.item WHERE c.id > ? ORDER BY c.id LIMIT ?`
    for await (const rows of this.pages(sql))
      yield rows.map((row) => {
        const item = itemOf(row)
        return {
          cell: Number(row['id']),
          item,
          shared: this.groups.get(item.group),
          style: String(row['style']),
          response: responseOf(row),
        }
      })
  }

  /** Cells that are done or failed with all that came of them, in the order of the plan, streaming. */
  async *ended(): AsyncGenerator<readonly EndedCell[]> {
    const sql = `SELECT c.id, c.style, c.model, c.settings, c.sample, ${ITEM_COLUMNS}, r.cell AS answered, r.finish, r.text,
        r.reasoning, r.logprobs, r.usage, NULL AS raw, s.outcome, a.started, a.ended, a.boundary, a.code, a.message
      FROM cell c JOIN item i ON i.id = c.item
      LEFT JOIN response r ON r.cell = c.id
      LEFT JOIN score s ON s.cell = c.id AND s.scorer = (SELECT MAX(scorer) FROM score x WHERE x.cell = c.id)
      LEFT JOIN attempt a ON a.cell = c.id AND a.no = COALESCE(r.attempt, (SELECT MAX(no) FROM attempt y WHERE y.cell = c.id))
      WHERE c.state IN ('done', 'failed') AND c.id > ? ORDER BY c.id LIMIT ?`
    for await (const rows of this.pages(sql))
      yield rows.map((row): EndedCell => {
        const item = itemOf(row)
        const time = (name: string): number | null => (row[name] == null ? null : Number(row[name]))
        return {
          item,
          shared: this.groups.get(item.group),
          style: String(row['style']),
          model: String(row['model']),
          settings: String(row['settings']),
          sample: Number(row['sample']),
          response: row['answered'] === null ? null : responseOf(row),
          outcome: outcomeOf(row['outcome']) ?? unscored(row),
          started: time('started'),
          ended: time('ended'),
        }
      })
  }

  /** One page of a query that takes (after, limit), keyed by an integer column `id` in ascending order; streaming. */
  pages(sql: string, ...values: readonly SQLInputValue[]): AsyncGenerator<readonly Record[]> {
    return this.pagesAfter(0, sql, ...values)
  }

  /** The same from the first row beyond `after` on. */
  async *pagesAfter(from: number, sql: string, ...values: readonly SQLInputValue[]): AsyncGenerator<readonly Record[]> {
    let after = from
    for (;;) {
      const rows = this.sql.all(sql, ...values, after, PAGE)
      if (rows.length === 0) return
      after = Number(rows.at(-1)?.['id'])
      yield rows
    }
  }

  /** A read-only query for tools; small results only. */
  query(sql: string, ...values: readonly SQLInputValue[]): readonly Record[] {
    return this.sql.all(sql, ...values)
  }

  meta(key: string): Promise<string | null> {
    return asynchronous(() => this.recorder.meta(key))
  }

  setMeta(key: string, value: string): Promise<void> {
    return asynchronous(() => this.recorder.write(() => this.recorder.putMeta(key, value)))
  }

  /** Counts the transactions that changed the ledger: a derived file that carries another number is stale. */
  revision(): number {
    return Number(this.recorder.meta('revision') ?? 0)
  }

  names(): RowNames {
    return this.recorder.names()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.commits.flush()
    this.sql.close(!this.readOnly)
  }
}

const noCells = (): { [state in CellState]: number } => ({ waiting: 0, leased: 0, batched: 0, done: 0, failed: 0 })

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

/** SQLite here is synchronous; the interface is not, so that another store may be remote. */
async function asynchronous<T>(work: () => T): Promise<T> {
  return work()
}
