import type { SQLInputValue } from 'node:sqlite'
import type { Json } from '../core/index.ts'
import { unpackBody } from './bodies.ts'
import { type ChainState, LINKED, walkChain } from './chain.ts'
import { GroupCache } from './group-cache.ts'
import type { RowNames } from './names.ts'
import type { Recorder } from './recorder.ts'
import {
  featuresOf,
  ITEM_COLUMNS,
  itemOf,
  outcomeIn,
  problemOf,
  responseOf,
  type StoredProblem,
  unscored,
} from './records.ts'
import type {
  CellState,
  Counts,
  EndedCell,
  GroupedOutcome,
  QueuedItem,
  ScorableResponse,
  StoredItem,
  StoredResponse,
  UnitSize,
  UnreadBody,
} from './run-store.ts'
import type { Record, Sql } from './sql.ts'
import { asynchronous } from './sqlite.ts'
import { type WholeCell, wholeCell } from './whole-cell.ts'

/** How many rows one page of a streaming read holds. */
const PAGE = 1000

/** What a ledger tells of its run; nothing here changes it. */
export abstract class LedgerFacts {
  protected readonly sql: Sql
  protected readonly recorder: Recorder
  protected readonly groups: GroupCache

  protected constructor(sql: Sql, recorder: Recorder) {
    this.sql = sql
    this.recorder = recorder
    this.groups = new GroupCache((id) => {
      const row = sql.one('SELECT shared FROM grp WHERE id = ?', id)
      return row === undefined ? null : String(row['shared'])
    })
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

  /** How many of each. */
  sizes(): { readonly items: number; readonly cells: number; readonly responses: number } {
    return { items: this.count('item'), cells: this.count('cell'), responses: this.responseCount() }
  }

  /** How many responses there are, without the rest of {@link sizes}. */
  responseCount(): number {
    return this.count('response')
  }

  /** Are there so many responses? Those of the chain are counted by an index, all only where they are too few. */
  hasResponses(least: number): boolean {
    return least === 0 || this.count('response WHERE seq IS NOT NULL') >= least || this.responseCount() >= least
  }

  private count(rows: string): number {
    return Number(this.sql.one(`SELECT COUNT(*) AS n FROM ${rows}`)?.['n'] ?? 0)
  }

  /** All there is of every cell, streaming: what another ledger adopts. */
  async *wholeCells(): AsyncGenerator<readonly WholeCell[]> {
    for await (const cells of this.pages('SELECT * FROM cell WHERE id > ? ORDER BY id LIMIT ?'))
      yield cells.map((cell) => wholeCell(this.sql, cell))
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
        features: featuresOf(row['features']),
      }))
  }

  /** Names of the models that have cells. */
  models(): readonly string[] {
    return this.sql.all('SELECT DISTINCT model FROM cell ORDER BY model').map((row) => String(row['model']))
  }

  /** The settings that a model has cells with, in the order of its plan. */
  settings(model: string): readonly string[] {
    const rows = this.sql.all('SELECT settings, MIN(id) FROM cell WHERE model = ? GROUP BY settings ORDER BY 2', model)
    return rows.map((row) => String(row['settings']))
  }

  /** The response in one cell. */
  find(cell: {
    readonly item: string
    readonly style: string
    readonly model: string
    readonly settings: string
    readonly sample: number
  }): StoredResponse | null {
    const row = this.sql.one(
      `SELECT r.* FROM cell c JOIN response r ON r.cell = c.id WHERE c.item = ? AND c.style = ? AND c.model = ? AND c.sample = ?
       AND c.settings = ?`,
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
        const outcome = outcomeIn(row)
        return outcome === null ? [] : [{ model: String(row['model']), group: String(row['grp']), outcome }]
      })
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
        r.reasoning, r.logprobs, r.usage, CASE WHEN a.status = 'imported' THEN r.raw END AS raw, a.status, s.outcome, a.started, a.ended, a.boundary, a.code, a.message
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
          outcome: outcomeIn(row) ?? unscored(row),
          started: time('started'),
          ended: time('ended'),
          isImported: row['status'] === 'imported',
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

  /** Counts the transactions that changed the ledger: a derived file that carries another number is stale. */
  revision(): number {
    return Number(this.recorder.meta('revision') ?? 0)
  }

  names(): RowNames {
    return this.recorder.names()
  }
}

const noCells = (): { [state in CellState]: number } => ({ waiting: 0, leased: 0, batched: 0, done: 0, failed: 0 })
