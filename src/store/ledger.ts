import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import type { Features, Finish, Json, Outcome, TokenLogprob } from '../core/index.ts'
import { GroupCache } from './group-cache.ts'
import { GroupCommit } from './group-commit.ts'
import { NameCollector, type RowNames } from './names.ts'
import type { Redact } from './redact.ts'
import type {
  CellState,
  Counts,
  ImportedCell,
  LeasedCell,
  PlanBatch,
  RunEvent,
  RunStore,
  ScorableResponse,
  Scored,
  StoredItem,
  StoredResponse,
  Usage,
} from './run-store.ts'
import { MIGRATIONS, migrate, refuseNewer, schemaVersion } from './schema.ts'
import { guarded, openSqlite } from './sqlite.ts'

export interface LedgerOptions {
  readonly readOnly?: boolean
  /** Every commit survives power loss too. */
  readonly durable?: boolean
  /** Applied to every text on its way to disk: `known` to what models wrote, `shapes` to messages and provider bodies. */
  readonly redact: { readonly known: Redact; readonly shapes: Redact }
  /** For tests of migration. */
  readonly migrations?: readonly string[]
}

type Record = { readonly [column: string]: SQLOutputValue }

const ITEM =
  'i.ord, i.id AS item, i.source, i.idx, i.stratum, i.task, i.version, i.config, i.draw, i.grp, i.given, i.answer, i.features, i.leaf'

/** How many rows one page of a streaming read holds. */
const PAGE = 1000

/** The ledger of a run: {@link RunStore} on one SQLite file in WAL mode. */
export class Ledger implements RunStore {
  readonly path: string
  private readonly db: DatabaseSync
  private readonly redact: LedgerOptions['redact']
  private readonly statements = new Map<string, StatementSync>()
  private readonly commits: GroupCommit<RunEvent>
  private readonly groups: GroupCache
  private collected: NameCollector | null = null
  private readonly readOnly: boolean

  /** Opens or makes the file; an older schema is brought up to date (for reading too), a newer one refused. */
  constructor(path: string, options: LedgerOptions) {
    if (options.readOnly === true) bringUpToDate(path, options.migrations)
    this.path = path
    this.redact = options.redact
    this.readOnly = options.readOnly ?? false
    this.db = openSqlite(path, { readOnly: this.readOnly, durable: options.durable ?? false })
    try {
      guarded(path, () => {
        if (this.readOnly) refuseNewer(schemaVersion(this.db), path, options.migrations?.length)
        else migrate(this.db, path, options.migrations)
      })
    } catch (error) {
      this.db.close()
      throw error
    }
    this.commits = new GroupCommit((events) => this.write(() => this.record(events)))
    this.groups = new GroupCache((id) => {
      const row = this.one('SELECT shared FROM grp WHERE id = ?', id)
      return row === undefined ? null : String(row['shared'])
    })
  }

  // ---- writing

  plan(batch: PlanBatch): Promise<void> {
    return asynchronous(() =>
      this.write(() => {
        const { known } = this.redact
        for (const group of batch.groups)
          this.run(
            'INSERT OR IGNORE INTO grp (id, shared) VALUES (?, ?)',
            group.id,
            known(JSON.stringify(group.shared)),
          )
        for (const item of batch.items) {
          this.collector().item(item.features)
          this.run(
            'INSERT OR IGNORE INTO item (ord, id, source, idx, stratum, task, version, config, draw, grp, given, answer, features, leaf) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
            item.ord,
            item.id,
            item.source,
            item.index,
            item.stratum,
            item.task,
            item.version,
            item.config,
            item.draw,
            item.group,
            known(JSON.stringify(item.given)),
            known(JSON.stringify(item.answer)),
            known(JSON.stringify(item.features)),
            item.leaf,
          )
        }
        for (const cell of batch.cells)
          this.run(
            "INSERT OR IGNORE INTO cell (item, style, model, settings, sample, turn, state) VALUES (?, ?, ?, ?, ?, ?, 'waiting')",
            cell.item,
            cell.style,
            cell.model,
            known(cell.settings),
            cell.sample,
            cell.turn,
          )
      }),
    )
  }

  lease(n: number, owner: string, ms: number, model: string): Promise<readonly LeasedCell[]> {
    return asynchronous(() => {
      this.commits.flush()
      const now = Date.now()
      return this.write(() => {
        this.run(
          "UPDATE cell SET state = 'waiting', owner = NULL, lease_until = NULL WHERE state = 'leased' AND lease_until < ? AND owner <> ?",
          now,
          owner,
        )
        const rows = this.all(
          `SELECT c.id, c.style, c.model, c.settings, c.sample, ${ITEM},
             (SELECT COALESCE(MAX(no), 0) FROM attempt a WHERE a.cell = c.id) AS attempts
           FROM (SELECT id FROM cell WHERE state = 'waiting' AND model = ? ORDER BY turn LIMIT ?) w
           JOIN cell c ON c.id = w.id JOIN item i ON i.id = c.item ORDER BY c.turn, c.id`,
          model,
          n,
        )
        return rows.map((row): LeasedCell => {
          const id = Number(row['id'])
          const attempt = Number(row['attempts']) + 1
          this.run("UPDATE cell SET state = 'leased', owner = ?, lease_until = ? WHERE id = ?", owner, now + ms, id)
          this.begin(id, attempt, now)
          const item = itemOf(row)
          return {
            id,
            attempt,
            item,
            shared: this.groups.get(item.group),
            style: String(row['style']),
            model: String(row['model']),
            settings: String(row['settings']),
            sample: Number(row['sample']),
          }
        })
      })
    })
  }

  commit(events: readonly RunEvent[]): Promise<void> {
    return this.commits.add(events)
  }

  retry(codes?: readonly string[]): Promise<number> {
    return asynchronous(() =>
      this.write(() => {
        const which =
          codes === undefined
            ? ''
            : ` AND (SELECT code FROM attempt a WHERE a.cell = cell.id ORDER BY no DESC LIMIT 1) IN (${codes.map(() => '?').join(', ')})`
        const sql = `UPDATE cell SET state = 'waiting', owner = NULL, lease_until = NULL WHERE state = 'failed'${which}`
        return Number(this.db.prepare(sql).run(...(codes ?? [])).changes)
      }),
    )
  }

  /** Puts every leased cell back to waiting and marks its open attempt lost: for whoever has just taken the run's lock. */
  reclaim(): Promise<number> {
    return asynchronous(() =>
      this.write(() => {
        this.run(
          "UPDATE attempt SET status = 'lost' WHERE status = 'open' AND cell IN (SELECT id FROM cell WHERE state = 'leased')",
        )
        const sql = "UPDATE cell SET state = 'waiting', owner = NULL, lease_until = NULL WHERE state = 'leased'"
        return Number(this.db.prepare(sql).run().changes)
      }),
    )
  }

  // ---- reading

  counts(model?: string): Promise<Counts> {
    return asynchronous(() => {
      const where = model === undefined ? '' : 'WHERE model = ?'
      const rows = this.all(
        `SELECT state, COUNT(*) AS n FROM cell ${where} GROUP BY state`,
        ...(model === undefined ? [] : [model]),
      )
      const counts: { [state in CellState]: number } = { waiting: 0, leased: 0, batched: 0, done: 0, failed: 0 }
      for (const row of rows) counts[row['state'] as CellState] = Number(row['n'])
      return counts
    })
  }

  /** How many of each: facts for status and reports. */
  sizes(): { readonly items: number; readonly cells: number; readonly responses: number; readonly attempts: number } {
    const count = (table: string): number => Number(this.one(`SELECT COUNT(*) AS n FROM ${table}`)?.['n'] ?? 0)
    return { items: count('item'), cells: count('cell'), responses: count('response'), attempts: count('attempt') }
  }

  /**
   * Takes in answers made elsewhere: the cell is made where it is not planned, its attempt is marked `imported`. A cell
   * that has a response keeps it. @returns for each whether it was taken.
   */
  importCells(cells: readonly ImportedCell[]): Promise<readonly boolean[]> {
    return asynchronous(() => (cells.length === 0 ? [] : this.write(() => cells.map((cell) => this.importCell(cell)))))
  }

  private importCell(cell: ImportedCell): boolean {
    const { item, style, model, settings, sample } = cell
    const key = [item, style, model, this.redact.known(settings), sample]
    this.run(
      "INSERT OR IGNORE INTO cell (item, style, model, settings, sample, turn, state) VALUES (?, ?, ?, ?, ?, 0, 'waiting')",
      ...key,
    )
    const row = this.one(
      `SELECT c.id, r.cell AS answered, (SELECT COALESCE(MAX(no), 0) FROM attempt a WHERE a.cell = c.id) AS attempts
       FROM cell c LEFT JOIN response r ON r.cell = c.id
       WHERE c.item = ? AND c.style = ? AND c.model = ? AND c.settings = ? AND c.sample = ?`,
      ...key,
    )
    if (row === undefined || row['answered'] !== null) return false
    const attempt = Number(row['attempts']) + 1
    const id = Number(row['id'])
    this.insertResponse(id, attempt, cell.response)
    this.run("INSERT INTO attempt (cell, no, started, status) VALUES (?, ?, ?, 'imported')", id, attempt, Date.now())
    this.run("UPDATE cell SET state = 'done', owner = NULL, lease_until = NULL WHERE id = ?", id)
    this.recordScore(id, cell.scored)
    return true
  }

  /** An item with what its group shares; null for one that is not in the run. */
  item(id: string): { readonly item: StoredItem; readonly shared: Json } | null {
    const row = this.one(`SELECT ${ITEM} FROM item i WHERE i.id = ?`, id)
    if (row === undefined) return null
    const item = itemOf(row)
    return { item, shared: this.groups.get(item.group) }
  }

  /** All items in their order, streaming. */
  async *items(): AsyncGenerator<readonly { readonly item: StoredItem; readonly shared: Json }[]> {
    // Positions begin at 0, pages at what is above the last one seen.
    for await (const page of this.pages(
      `SELECT i.ord + 1 AS id, ${ITEM} FROM item i WHERE i.ord > ? - 1 ORDER BY i.ord LIMIT ?`,
    ))
      yield page.map((row) => {
        const item = itemOf(row)
        return { item, shared: this.groups.get(item.group) }
      })
  }

  /** Names of the models that have cells. */
  models(): readonly string[] {
    return this.all('SELECT DISTINCT model FROM cell ORDER BY model').map((row) => String(row['model']))
  }

  /** The response in one cell, of the same settings or else of the first ones that have it. */
  find(cell: {
    readonly item: string
    readonly style: string
    readonly model: string
    readonly settings: string
    readonly sample: number
  }): StoredResponse | null {
    const row = this.one(
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
    const rows = this.all(
      'SELECT cell, outcome FROM score WHERE cell BETWEEN ? AND ? ORDER BY cell, scorer',
      first,
      last,
    )
    return new Map(rows.map((row) => [Number(row['cell']), String(row['outcome'])]))
  }

  /** Where an item is in the run; null for one that is not in it. */
  place(item: string): { readonly ord: number; readonly group: string } | null {
    const row = this.one('SELECT ord, grp FROM item WHERE id = ?', item)
    return row === undefined ? null : { ord: Number(row['ord']), group: String(row['grp']) }
  }

  /** US dollars that all responses cost, as far as prices were known. */
  spent(): number {
    return Number(this.one("SELECT COALESCE(SUM(json_extract(usage, '$.usd')), 0) AS usd FROM response")?.['usd'] ?? 0)
  }

  async *responses(): AsyncGenerator<readonly ScorableResponse[]> {
    let after = 0
    for (;;) {
      const rows = this.all(
        `SELECT c.id, c.style, ${ITEM}, r.finish, r.text, r.reasoning, r.logprobs, r.usage, NULL AS raw
         FROM cell c JOIN response r ON r.cell = c.id JOIN item i ON i.id = c.item WHERE c.id > ? ORDER BY c.id LIMIT ?`,
        after,
        PAGE,
      )
      if (rows.length === 0) return
      after = Number(rows.at(-1)?.['id'])
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
  }

  /** One page of a query that takes (after, limit), keyed by an integer column `id` in ascending order; streaming. */
  async *pages(sql: string, ...values: readonly SQLInputValue[]): AsyncGenerator<readonly Record[]> {
    let after = 0
    for (;;) {
      const rows = this.all(sql, ...values, after, PAGE)
      if (rows.length === 0) return
      after = Number(rows.at(-1)?.['id'])
      yield rows
    }
  }

  /** A read-only query for tools; small results only. */
  query(sql: string, ...values: readonly SQLInputValue[]): readonly Record[] {
    return this.all(sql, ...values)
  }

  meta(key: string): Promise<string | null> {
    return asynchronous(() => this.metaNow(key))
  }

  setMeta(key: string, value: string): Promise<void> {
    return asynchronous(() => this.write(() => this.putMeta(key, value)))
  }

  /** Counts the transactions that changed the ledger: a derived file that carries another number is stale. */
  revision(): number {
    return Number(this.metaNow('revision') ?? 0)
  }

  names(): RowNames {
    return this.collector().names()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.commits.flush()
    this.statements.clear()
    guarded(this.path, () => {
      if (!this.readOnly) this.db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    })
    this.db.close()
  }

  // ---- inside

  private record(events: readonly RunEvent[]): void {
    for (const event of events) {
      switch (event.kind) {
        case 'attempt':
          this.begin(event.cell, event.attempt, event.started)
          break
        case 'response':
          this.recordResponse(event)
          break
        case 'failure':
          this.endAttempt(event, 'failed', { boundary: event.boundary, code: event.code, message: event.message })
          if (event.final)
            this.run(
              "UPDATE cell SET state = 'failed', owner = NULL, lease_until = NULL WHERE id = ? AND state <> 'done'",
              event.cell,
            )
          break
        case 'release':
          this.run(
            "UPDATE attempt SET status = 'cancelled' WHERE cell = ? AND no = ? AND status = 'open'",
            event.cell,
            event.attempt,
          )
          this.run(
            "UPDATE cell SET state = 'waiting', owner = NULL, lease_until = NULL WHERE id = ? AND state = 'leased'",
            event.cell,
          )
          break
        case 'score':
          this.recordScore(event.cell, event.scored)
      }
    }
  }

  private begin(cell: number, attempt: number, started: number): void {
    this.run(
      "INSERT OR IGNORE INTO attempt (cell, no, started, status) VALUES (?, ?, ?, 'open')",
      cell,
      attempt,
      started,
    )
  }

  private recordResponse(event: Extract<RunEvent, { kind: 'response' }>): void {
    this.endAttempt(event, 'ok', { usage: JSON.stringify(event.response.usage) })
    const added = this.insertResponse(event.cell, event.attempt, event.response)
    this.run("UPDATE cell SET state = 'done', owner = NULL, lease_until = NULL WHERE id = ?", event.cell)
    if (added > 0 && event.scored !== null) this.recordScore(event.cell, event.scored)
  }

  private insertResponse(cell: number, attempt: number, response: StoredResponse): number {
    const { known, shapes } = this.redact
    return this.run(
      'INSERT OR IGNORE INTO response (cell, attempt, finish, text, reasoning, logprobs, usage, raw) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      cell,
      attempt,
      response.finish,
      known(response.text),
      response.reasoning === null ? null : known(response.reasoning),
      response.logprobs === null ? null : known(JSON.stringify(response.logprobs)),
      JSON.stringify(response.usage),
      response.raw === null ? null : shapes(response.raw),
    )
  }

  private recordScore(cell: number, scored: Scored): void {
    this.collector().outcome(scored.outcome)
    this.run(
      'INSERT OR REPLACE INTO score (cell, scorer, outcome) VALUES (?, ?, ?)',
      cell,
      scored.scorer,
      this.redact.known(JSON.stringify(scored.outcome)),
    )
  }

  private endAttempt(
    event: Extract<RunEvent, { kind: 'response' | 'failure' }>,
    status: string,
    more: { readonly boundary?: string; readonly code?: string; readonly message?: string; readonly usage?: string },
  ): void {
    const { shapes } = this.redact
    this.run(
      'INSERT OR REPLACE INTO attempt (cell, no, started, ended, status, http, boundary, code, message, usage, request_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      event.cell,
      event.attempt,
      Math.round(event.started),
      Math.round(event.ended),
      status,
      event.http,
      more.boundary ?? null,
      more.code ?? null,
      more.message === undefined ? null : shapes(more.message),
      more.usage ?? null,
      event.requestId === null ? null : shapes(event.requestId),
    )
  }

  private collector(): NameCollector {
    if (this.collected === null) {
      const text = this.metaNow('names')
      this.collected = new NameCollector(text === null ? undefined : (JSON.parse(text) as RowNames))
    }
    return this.collected
  }

  private metaNow(key: string): string | null {
    const row = this.one('SELECT value FROM meta WHERE key = ?', key)
    return row === undefined ? null : String(row['value'])
  }

  private putMeta(key: string, value: string): void {
    this.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, this.redact.shapes(value))
  }

  /** One transaction; the revision and the column names change with it or not at all. */
  private write<T>(work: () => T): T {
    return guarded(this.path, () => {
      this.db.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        if (this.collected?.changed === true) this.putMeta('names', JSON.stringify(this.collected.names()))
        this.run(
          "INSERT INTO meta (key, value) VALUES ('revision', '1') ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
        )
        this.db.exec('COMMIT')
        if (this.collected !== null) this.collected.changed = false
        return result
      } catch (error) {
        if (this.db.isTransaction) this.db.exec('ROLLBACK')
        // What was learnt in a transaction that did not happen is forgotten with it.
        this.collected = null
        throw error
      }
    })
  }

  private prepared(sql: string): StatementSync {
    let statement = this.statements.get(sql)
    if (statement === undefined) {
      statement = this.db.prepare(sql)
      this.statements.set(sql, statement)
    }
    return statement
  }

  private run(sql: string, ...values: readonly SQLInputValue[]): number {
    return Number(this.prepared(sql).run(...values).changes)
  }

  private one(sql: string, ...values: readonly SQLInputValue[]): Record | undefined {
    return guarded(this.path, () => this.prepared(sql).get(...values))
  }

  private all(sql: string, ...values: readonly SQLInputValue[]): readonly Record[] {
    return guarded(this.path, () => this.prepared(sql).all(...values))
  }
}

/** A file that is only to be read must still have the tables that readers know. */
function bringUpToDate(path: string, migrations: readonly string[] = MIGRATIONS): void {
  const look = openSqlite(path, { readOnly: true, durable: false })
  const found = guarded(path, () => schemaVersion(look))
  look.close()
  if (found >= migrations.length) return
  const db = openSqlite(path, { readOnly: false, durable: false })
  try {
    guarded(path, () => migrate(db, path, migrations))
  } finally {
    db.close()
  }
}

/** SQLite here is synchronous; the interface is not, so that another store may be remote. */
async function asynchronous<T>(work: () => T): Promise<T> {
  return work()
}

const json = <T>(value: SQLOutputValue | undefined): T => JSON.parse(String(value)) as T

export function itemOf(row: Record): StoredItem {
  return {
    id: String(row['item']),
    ord: Number(row['ord']),
    source: Number(row['source']),
    index: Number(row['idx']),
    stratum: Number(row['stratum']),
    task: String(row['task']),
    version: Number(row['version']),
    config: String(row['config']),
    draw: String(row['draw']),
    group: String(row['grp']),
    given: json<Json>(row['given']),
    answer: json<Json>(row['answer']),
    features: json<Features>(row['features']),
    leaf: String(row['leaf']),
  }
}

export function responseOf(row: Record): StoredResponse {
  return {
    finish: row['finish'] as Finish,
    text: String(row['text']),
    reasoning: row['reasoning'] === null ? null : String(row['reasoning']),
    logprobs: row['logprobs'] === null ? null : json<readonly TokenLogprob[]>(row['logprobs']),
    usage: json<Usage>(row['usage']),
    raw: row['raw'] === null || row['raw'] === undefined ? null : String(row['raw']),
  }
}

export const outcomeOf = (text: SQLOutputValue | undefined): Outcome | null =>
  text === null || text === undefined ? null : json<Outcome>(text)
