import type postgres from 'postgres'
import type { Json } from '../../core/index.ts'
import { type ChainState, LINKED, walkChain } from '../chain.ts'
import { SharedCache } from '../group-cache.ts'
import { ITEM_COLUMNS, itemOf, responseOf } from '../records.ts'
import type { CellState, Counts, LeasedCell, OpenBatch, OpenLine, ScorableResponse, StoredItem } from '../run-store.ts'
import { BATCH_COLUMNS, LINE_COLUMNS, type WholeBatch, type WholeCell } from '../snapshots.ts'
import type { Record } from '../sql.ts'
import { reach } from './connect-retry.ts'
import { plainRow, plainText, wholeCellsOf } from './transfer.ts'

/** Rows a statement reads or writes at once. */
export const PAGE = 1000

/** Ms since 1970 by the clock of the database, which all workers share. */
export const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

export const CELL = `c.id AS cell, c.style, c.model, c.settings, c.sample, ${ITEM_COLUMNS}`
const LINES = `SELECT l.id, l.no, l.cell, l.attempt, a.most FROM line l
  LEFT JOIN attempt a ON a.cell = l.cell AND a.no = l.attempt WHERE l.batch = $1`

/** What is read of a run in a PostgreSQL database; nothing here writes. */
export abstract class PostgresFacts {
  protected readonly sql: postgres.Sql
  private readonly groups: SharedCache

  constructor(sql: postgres.Sql) {
    this.sql = sql
    this.groups = new SharedCache(async (ids) => {
      const rows = await reach(() => this.sql`SELECT id, shared FROM grp WHERE id = ANY (${ids})`)
      return new Map(rows.map((row) => [String(row['id']), String(row['shared'])]))
    })
  }

  /** Resolves when all that was to be written is written. */
  protected abstract settled(): Promise<void>

  async spent(): Promise<number> {
    const [row] = await reach(() => this.sql`SELECT usd FROM money`)
    return Number(row?.['usd'] ?? 0)
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

  /** All batches there ever were with their lines, one after another: what a ledger takes back. */
  async *wholeBatches(): AsyncGenerator<WholeBatch> {
    const batches = await reach(() => this.sql.unsafe(`SELECT ${BATCH_COLUMNS} FROM batch ORDER BY id`))
    for (const batch of batches) {
      const lines = await reach(() =>
        this.sql.unsafe(`SELECT ${LINE_COLUMNS} FROM line WHERE batch = $1 ORDER BY no`, [String(batch['key'])]),
      )
      yield { batch: plainRow('batch', batch), lines: lines.map((line) => plainRow('line', line)) }
    }
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
      FROM cell c LEFT JOIN response r ON r.cell = c.id AND r.cell > $2
      WHERE state IN ('done', 'failed') AND COALESCE(r.seq, 0) <= $1::bigint AND id > $2 ORDER BY id LIMIT $3`
    for await (const rows of this.pages(sql, [String(links)]))
      yield rows.map(({ id, state, attempts }) => ({
        id: Number(id),
        state: String(state),
        attempts: Number(attempts),
      }))
  }

  /** How many cells have ended, and a mark that is another one as soon as a further one ends. */
  async progress(): Promise<{ readonly ended: number; readonly mark: string }> {
    const { links } = await this.chainEnd()
    const [row] = await reach(
      () => this
        .sql`SELECT COUNT(*) FILTER (WHERE state = 'done') AS done, COUNT(*) FILTER (WHERE state = 'failed') AS failed,
        (SELECT COUNT(*) FROM attempt) AS attempts FROM cell`,
    )
    const [done, failed, attempts] = ['done', 'failed', 'attempts'].map((name) => Number(row?.[name])) as [
      number,
      number,
      number,
    ]
    return { ended: done + failed, mark: [links, done, failed, attempts].join(' ') }
  }

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

  async openLinesOf(key: string, numbers: readonly number[]): Promise<readonly OpenLine[]> {
    await this.settled()
    const these = `${LINES} AND l.no = ANY ($2::bigint[]) ORDER BY l.no`
    return this.stillOpen(key, await reach(() => this.sql.unsafe(these, [key, [...numbers]])))
  }

  async *openLines(key: string): AsyncGenerator<readonly OpenLine[]> {
    await this.settled()
    for await (const rows of this.pages(`${LINES} AND l.id > $2 ORDER BY l.id LIMIT $3`, [key])) {
      const lines = await this.stillOpen(key, rows)
      if (lines.length > 0) yield lines
    }
  }

  /** Those lines of a batch whose cells wait for it. In one query with their cells the database looks for these by their owner, line after line. */
  private async stillOpen(key: string, lines: readonly Record[]): Promise<readonly OpenLine[]> {
    const sql = `SELECT c.state, c.owner, ${CELL} FROM cell c JOIN item i ON i.id = c.item WHERE c.id = ANY ($1::bigint[])`
    const rows = await reach(() => this.sql.unsafe(sql, [lines.map(({ cell }) => String(cell))]))
    const byCell = new Map(rows.map((row) => [String(row['cell']), row]))
    const open = lines.flatMap((line) => {
      const row = byCell.get(String(line['cell']))
      return row?.['state'] === 'batched' && row['owner'] === key ? [{ ...row, ...line }] : []
    })
    const cells = await this.leased(open)
    return cells.map((cell, i) => ({ no: Number(open[i]?.['no']), most: Number(open[i]?.['most'] ?? 0), cell }))
  }

  async remotes(): Promise<ReadonlySet<string>> {
    const rows = await reach(() => this.sql`SELECT remote FROM batch WHERE remote IS NOT NULL`)
    return new Set(rows.map((row) => String(row['remote'])))
  }

  async *responses(): AsyncGenerator<readonly ScorableResponse[]> {
    const sql = `SELECT r.cell AS id, c.style, r.attempt, r.finish, r.text, r.reasoning, r.logprobs, r.usage, r.raw, ${ITEM_COLUMNS}
      FROM response r JOIN cell c ON c.id = r.cell AND c.id > $1 JOIN item i ON i.id = c.item WHERE r.cell > $1 ORDER BY r.cell LIMIT $2`
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
    await this.settled()
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

  protected async leased(rows: readonly Record[]): Promise<readonly LeasedCell[]> {
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

  /**
   * One page after another of a query whose last two values are (after, limit), keyed by an integer column `id`. Each table joined by
   * it says where it begins, too: the database does not see that, and reads it from its first row for every page.
   */
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
}

const plain = (text: unknown): string | null => (typeof text === 'string' ? plainText(text) : null)
