import type { SQLInputValue } from 'node:sqlite'
import type { Json } from '../core/index.ts'
import { type ChainState, LINK_COLUMNS, unpackBody, walkChain } from './chain.ts'
import { GroupCache } from './group-cache.ts'
import type { Recorder } from './recorder.ts'
import {
  callOf,
  countsOf,
  featuresOf,
  ITEM_COLUMNS,
  itemOf,
  numberOrNull,
  outcomeIn,
  problemOf,
  responseOf,
  type StoredProblem,
  textOrNull,
  unscoredOutcome,
} from './records.ts'
import type {
  Counts,
  FinishedCall,
  GroupedOutcome,
  ScorableResponse,
  StoredItem,
  StoredResponse,
  UnitSize,
  UnparsedBody,
  WaitingCall,
} from './run-store.ts'
import { ENTRIES, foreignEntries } from './schema.ts'
import { type CallSnapshot, snapshotCall } from './snapshots.ts'
import type { Record, Sql } from './sql.ts'
import { asynchronous } from './sqlite.ts'

/** How many rows one page of a streaming read holds. */
const PAGE = 1000

/** The queries of a ledger; nothing here changes it. */
export abstract class LedgerReader {
  protected readonly sql: Sql
  protected readonly recorder: Recorder
  protected readonly groups: GroupCache

  protected constructor(sql: Sql, recorder: Recorder) {
    this.sql = sql
    this.recorder = recorder
    this.groups = new GroupCache((id) => {
      const row = sql.one('SELECT shared FROM item_group WHERE id = ?', id)
      return row === undefined ? null : String(row['shared'])
    })
  }

  /** Why calls failed, the most frequent first: code of the last attempt, and the message of the first call. */
  failures(): readonly { readonly code: string; readonly calls: number; readonly message: string }[] {
    const rows = this.sql.all(
      `SELECT a.code, COUNT(*) AS calls, a.message, MIN(c.id) FROM call c JOIN attempt a ON a.call = c.id
       AND a.attempt_no = (SELECT MAX(attempt_no) FROM attempt b WHERE b.call = c.id)
       WHERE c.state = 'failed' GROUP BY a.code ORDER BY calls DESC, a.code`,
    )
    return rows.map((row) => ({
      code: String(row['code']),
      calls: Number(row['calls']),
      message: String(row['message']),
    }))
  }

  counts(model?: string): Promise<Counts> {
    return asynchronous(() => {
      const where = model === undefined ? '' : 'WHERE model = ?'
      const rows = this.sql.all(
        `SELECT state, COUNT(*) AS n FROM call ${where} GROUP BY state`,
        ...(model === undefined ? [] : [model]),
      )
      return countsOf(rows)
    })
  }

  /** {@link counts} of every model, in one query. */
  countsByModel(): ReadonlyMap<string, Counts> {
    const rows = this.sql.all('SELECT model, state, COUNT(*) AS n FROM call GROUP BY model, state')
    const byModel = Map.groupBy(rows, ({ model }) => String(model))
    return new Map([...byModel].map(([model, own]) => [model, countsOf(own)]))
  }

  /** Has any call been answered? */
  answered(): boolean {
    return this.sql.one('SELECT 1 AS there FROM response LIMIT 1') !== undefined
  }

  /** How many of each. */
  sizes(): { readonly items: number; readonly calls: number; readonly responses: number } {
    return { items: this.count('item'), calls: this.count('call'), responses: this.responseCount() }
  }

  /** How many responses there are, without the rest of {@link sizes}. */
  responseCount(): number {
    return this.count('response')
  }

  /** Are there at least this many responses? Those of the chain are counted by an index, all only if these are too few. */
  hasResponses(least: number): boolean {
    return least === 0 || this.count('response WHERE seq IS NOT NULL') >= least || this.responseCount() >= least
  }

  private count(rows: string): number {
    return Number(this.sql.one(`SELECT COUNT(*) AS n FROM ${rows}`)?.['n'] ?? 0)
  }

  /** Snapshots of all calls, streaming. */
  async *callSnapshots(): AsyncGenerator<readonly CallSnapshot[]> {
    for await (const calls of this.pages('SELECT * FROM call WHERE id > ? ORDER BY id LIMIT ?'))
      yield calls.map((call) => snapshotCall(this.sql, call))
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
      `SELECT i.position + 1 AS id, ${ITEM_COLUMNS} FROM item i WHERE i.position > ? - 1 ORDER BY i.position LIMIT ?`,
    ))
      yield page.map((row) => {
        const item = itemOf(row)
        return { item, shared: this.groups.get(item.group) }
      })
  }

  /** The problems of all items of some sources, in their order, streaming. */
  async *problems(sources: readonly number[]): AsyncGenerator<readonly StoredProblem[]> {
    for await (const page of this.pages(
      `SELECT position + 1 AS id, id AS item, source, item_group, given, answer FROM item
       WHERE source IN (SELECT value FROM json_each(?)) AND position > ? - 1 ORDER BY position LIMIT ?`,
      JSON.stringify(sources),
    ))
      yield page.map((row) => problemOf(row, this.groups.get(String(row['item_group']))))
  }

  /** Calls of each model per group of items, or per item. */
  unitSizes(unit: 'group' | 'item' = 'group'): readonly UnitSize[] {
    const column = unit === 'group' ? 'i.item_group' : 'i.id'
    const sql = `SELECT ${column} AS unit, c.model, COUNT(*) AS n FROM call c JOIN item i ON i.id = c.item GROUP BY ${column}, c.model`
    return this.sql
      .all(sql)
      .map((row) => ({ unit: String(row['unit']), model: String(row['model']), calls: Number(row['n']) }))
  }

  /** All planned calls with their items and priorities, streaming. */
  async *waitingCalls(): AsyncGenerator<readonly WaitingCall[]> {
    const sql = `SELECT c.id, c.model, c.priority, i.id AS item, i.position, i.item_group, i.source, i.features FROM call c JOIN item i ON i.id = c.item
      WHERE c.id > ? ORDER BY c.id LIMIT ?`
    for await (const rows of this.pages(sql))
      yield rows.map((row) => ({
        model: String(row['model']),
        priority: Number(row['priority']),
        item: String(row['item']),
        position: Number(row['position']),
        group: String(row['item_group']),
        source: Number(row['source']),
        features: featuresOf(row['features']),
      }))
  }

  /** Names of the models that have calls. */
  models(): readonly string[] {
    return this.sql.all('SELECT DISTINCT model FROM call ORDER BY model').map((row) => String(row['model']))
  }

  /** The settings that a model has calls with, in the order of its plan. */
  settings(model: string): readonly string[] {
    const rows = this.sql.all('SELECT settings, MIN(id) FROM call WHERE model = ? GROUP BY settings ORDER BY 2', model)
    return rows.map((row) => String(row['settings']))
  }

  /** The response in one call. */
  find(call: {
    readonly item: string
    readonly style: string
    readonly model: string
    readonly settings: string
    readonly sample: number
  }): StoredResponse | null {
    const row = this.sql.one(
      `SELECT r.* FROM call c JOIN response r ON r.call = c.id WHERE c.item = ? AND c.style = ? AND c.model = ? AND c.sample = ?
       AND c.settings = ?`,
      call.item,
      call.style,
      call.model,
      call.sample,
      call.settings,
    )
    return row === undefined ? null : responseOf(row)
  }

  /** The newest outcomes of calls with ids in a range, as JSON text. */
  outcomes(first: number, last: number): ReadonlyMap<number, string> {
    const rows = this.sql.all(
      'SELECT call, outcome FROM score WHERE call BETWEEN ? AND ? ORDER BY call, scorer',
      first,
      last,
    )
    return new Map(rows.map((row) => [Number(row['call']), String(row['outcome'])]))
  }

  /** What the items of a group share. */
  shared(group: string): Json {
    return this.groups.get(group)
  }

  bookedUsd(): number {
    const attempts = Number(this.sql.one('SELECT SUM(COALESCE(usd, max_usd)) AS usd FROM attempt')?.['usd'] ?? 0)
    return attempts + Number(this.recorder.meta('carried') ?? 0)
  }

  bookedUsdByModel(): readonly (readonly [model: string, usd: number])[] {
    const sql =
      'SELECT c.model, SUM(COALESCE(a.usd, a.max_usd)) AS usd FROM attempt a JOIN call c ON c.id = a.call GROUP BY c.model'
    return this.sql.all(sql).map((row) => [String(row['model']), Number(row['usd'] ?? 0)])
  }

  async *latestOutcomes(): AsyncGenerator<readonly GroupedOutcome[]> {
    const sql = `SELECT c.id, c.model, i.item_group, s.outcome FROM call c JOIN item i ON i.id = c.item
      JOIN score s ON s.call = c.id AND s.scorer = (SELECT MAX(scorer) FROM score x WHERE x.call = c.id)
      WHERE c.state = 'done' AND c.id > ? ORDER BY c.id LIMIT ?`
    for await (const rows of this.pages(sql))
      yield rows.flatMap((row) => {
        const outcome = outcomeIn(row)
        return outcome === null ? [] : [{ model: String(row['model']), group: String(row['item_group']), outcome }]
      })
  }

  /** State and number of attempts of ended calls with ids in a range, as text. */
  endings(first: number, last: number): ReadonlyMap<number, string> {
    const rows = this.sql.all(
      `SELECT id, state, (SELECT COUNT(*) FROM attempt a WHERE a.call = c.id) AS attempts FROM call c
       WHERE id BETWEEN ? AND ? AND state IN ('done', 'failed')`,
      first,
      last,
    )
    return new Map(rows.map(({ id, state, attempts }) => [Number(id), `${String(state)} ${Number(attempts)}`]))
  }

  chainHead(): string | null {
    const row = this.sql.one('SELECT hash FROM response WHERE seq IS NOT NULL ORDER BY seq DESC LIMIT 1')
    return row === undefined ? null : String(row['hash'])
  }

  /** Has the chain a link with this hash? */
  hasLink(link: string): boolean {
    return this.sql.one('SELECT 1 AS there FROM response WHERE hash = ? LIMIT 1', link) !== undefined
  }

  checkChain(): Promise<ChainState> {
    const sql = `SELECT ${LINK_COLUMNS} FROM response r LEFT JOIN call c ON c.id = r.call WHERE r.seq > ? ORDER BY r.seq LIMIT ?`
    return walkChain(this.pages(sql))
  }

  /** What SQLite's integrity check reports; empty: nothing. */
  integrity(): readonly string[] {
    const rows = this.sql.all('PRAGMA integrity_check(20)').map((row) => String(row['integrity_check']))
    return rows.filter((words) => words !== 'ok')
  }

  /** Names of tables, columns, triggers and the like that are none of this program's. */
  foreignEntries(): readonly string[] {
    return foreignEntries(this.sql.all(ENTRIES))
  }

  /** Unreadable bodies of calls without a response, streaming. */
  async *unparsedBodies(): AsyncGenerator<readonly UnparsedBody[]> {
    const sql = `SELECT b.rowid AS id, b.call, b.attempt, b.packed, a.started, a.ended, a.http, a.request_id, a.max_usd,
        c.style, c.model, c.settings, ${ITEM_COLUMNS}
      FROM raw_body b JOIN call c ON c.id = b.call JOIN item i ON i.id = c.item
      JOIN attempt a ON a.call = b.call AND a.attempt_no = b.attempt
      WHERE c.state <> 'done' AND b.rowid > ? ORDER BY b.rowid LIMIT ?`
    for await (const rows of this.pages(sql))
      yield rows.map((row) => {
        const item = itemOf(row)
        return {
          call: Number(row['call']),
          attempt: Number(row['attempt']),
          body: () => unpackBody(row['packed'] as Uint8Array),
          started: Number(row['started']),
          ended: Number(row['ended'] ?? row['started']),
          http: numberOrNull(row['http']),
          requestId: textOrNull(row['request_id']),
          maxUsd: numberOrNull(row['max_usd']),
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
      FROM call c JOIN response r ON r.call = c.id JOIN item i ON i.id = c.item WHERE c.id > ? ORDER BY c.id LIMIT ?`
    for await (const rows of this.pages(sql))
      yield rows.map((row) => {
        const item = itemOf(row)
        return {
          call: Number(row['id']),
          item,
          shared: this.groups.get(item.group),
          style: String(row['style']),
          response: responseOf(row),
        }
      })
  }

  /** Calls that are done or failed, with their outcomes, in the order of the plan, streaming. */
  async *finishedCalls(): AsyncGenerator<readonly FinishedCall[]> {
    const sql = `SELECT c.id, c.style, c.model, c.settings, c.sample, ${ITEM_COLUMNS}, r.call AS answered, r.finish, r.text,
        r.reasoning, r.logprobs, r.usage, CASE WHEN a.status = 'imported' THEN r.raw END AS raw, a.status, s.outcome, a.started, a.ended, a.error_source, a.code, a.message
      FROM call c JOIN item i ON i.id = c.item
      LEFT JOIN response r ON r.call = c.id
      LEFT JOIN score s ON s.call = c.id AND s.scorer = (SELECT MAX(scorer) FROM score x WHERE x.call = c.id)
      LEFT JOIN attempt a ON a.call = c.id AND a.attempt_no = COALESCE(r.attempt, (SELECT MAX(attempt_no) FROM attempt y WHERE y.call = c.id))
      WHERE c.state IN ('done', 'failed') AND c.id > ? ORDER BY c.id LIMIT ?`
    for await (const rows of this.pages(sql))
      yield rows.map((row): FinishedCall => {
        const item = itemOf(row)
        return {
          item,
          shared: this.groups.get(item.group),
          ...callOf(row),
          response: row['answered'] === null ? null : responseOf(row),
          outcome: outcomeIn(row) ?? unscoredOutcome(row),
          started: numberOrNull(row['started']),
          ended: numberOrNull(row['ended']),
          isImported: row['status'] === 'imported',
        }
      })
  }

  /** Pages of a query that takes (after, limit), keyed by an integer column `id` in ascending order; streaming. */
  async *pages(sql: string, ...values: readonly SQLInputValue[]): AsyncGenerator<readonly Record[]> {
    for (let after = 0; ; ) {
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

  /** A read-only query of many rows, as lists of values. */
  arrays(sql: string): ReturnType<Sql['arrays']> {
    return this.sql.arrays(sql)
  }

  meta(key: string): Promise<string | null> {
    return asynchronous(() => this.recorder.meta(key))
  }

  /** Number of transactions that changed the ledger: a derived file with another number is stale. */
  revision(): number {
    return Number(this.recorder.meta('revision') ?? 0)
  }
}
