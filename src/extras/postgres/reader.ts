import type postgres from 'postgres'
import type { Json } from '../../core/index.ts'
import { type ChainState, LINK_COLUMNS, walkChain } from '../../store/chain.ts'
import { SharedCache } from '../../store/group-cache.ts'
import { countsOf, ITEM_COLUMNS, itemOf, leasedCallOf, openBatchOf, responseOf } from '../../store/records.ts'
import type { BatchLine, Counts, LeasedCall, OpenBatch, ScorableResponse, StoredItem } from '../../store/run-store.ts'
import { BATCH_COLUMNS, type BatchSnapshot, type CallSnapshot, LINE_COLUMNS } from '../../store/snapshots.ts'
import type { Record } from '../../store/sql.ts'
import { withRetry } from './connect-retry.ts'
import { plainRow, plainText, snapshotsOf } from './transfer.ts'

/** Rows a statement reads or writes at once. */
export const PAGE = 1000

/** Ms since 1970 by the clock of the database, which all workers share. */
export const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

export const CALL_COLUMNS = `c.id AS call, c.style, c.model, c.settings, c.sample, ${ITEM_COLUMNS}`
const LINES = `SELECT l.id, l.line_no, l.call, l.attempt, a.max_usd FROM batch_line l
  LEFT JOIN attempt a ON a.call = l.call AND a.attempt_no = l.attempt WHERE l.batch = $1`

/** The queries of a run in a PostgreSQL database; nothing here writes. */
export abstract class PostgresReader {
  protected readonly sql: postgres.Sql
  private readonly groups: SharedCache

  constructor(sql: postgres.Sql) {
    this.sql = sql
    this.groups = new SharedCache(async (ids) => {
      const rows = await withRetry(() => this.sql`SELECT id, shared FROM item_group WHERE id = ANY (${ids})`)
      return new Map(rows.map((row) => [String(row['id']), String(row['shared'])]))
    })
  }

  /** Resolves when all pending events are written. */
  protected abstract settled(): Promise<void>

  async bookedUsd(): Promise<number> {
    const [row] = await withRetry(() => this.sql`SELECT usd FROM money`)
    return Number(row?.['usd'] ?? 0)
  }

  async bookedAndCost(): Promise<{ readonly booked: number; readonly cost: number } | null> {
    const [row] = await withRetry(
      () => this
        .sql`SELECT m.usd AS booked, c.value::float8 + (SELECT COALESCE(SUM(COALESCE(usd, max_usd)), 0) FROM attempt) AS cost
        FROM money m JOIN meta c ON c.key = 'carried'`,
    )
    return row === undefined ? null : { booked: Number(row['booked']), cost: Number(row['cost']) }
  }

  /** Snapshots of all calls, streaming. */
  async *callSnapshots(): AsyncGenerator<readonly CallSnapshot[]> {
    for await (const rows of this.pages('SELECT id FROM call WHERE id > $1 ORDER BY id LIMIT $2', []))
      yield await withRetry(() =>
        snapshotsOf(
          this.sql,
          rows.map(({ id }) => Number(id)),
        ),
      )
  }

  /** Snapshots of these calls. */
  snapshotsOf(ids: readonly number[]): Promise<readonly CallSnapshot[]> {
    return withRetry(() => snapshotsOf(this.sql, ids))
  }

  /** All batches with their lines, open or over. */
  async *batchSnapshots(): AsyncGenerator<BatchSnapshot> {
    const batches = await withRetry(() => this.sql.unsafe(`SELECT ${BATCH_COLUMNS} FROM batch ORDER BY id`))
    for (const batch of batches) {
      const lines = await withRetry(() =>
        this.sql.unsafe(`SELECT ${LINE_COLUMNS} FROM batch_line WHERE batch = $1 ORDER BY line_no`, [
          String(batch['key']),
        ]),
      )
      yield { batch: plainRow('batch', batch), lines: lines.map((line) => plainRow('batch_line', line)) }
    }
  }

  /** All items in their order with what their groups share, streaming. */
  async *items(): AsyncGenerator<readonly { readonly item: StoredItem; readonly shared: Json }[]> {
    // Positions begin at 0, pages at what is above the last one seen.
    const sql = `SELECT i.position + 1 AS id, ${ITEM_COLUMNS} FROM item i WHERE i.position > $1::bigint - 1 ORDER BY i.position LIMIT $2`
    for await (const rows of this.pages(sql, [])) {
      const shared = await this.groups.get(rows.map((row) => String(row['item_group'])))
      yield rows.map((row) => {
        const item = itemOf(row)
        return { item, shared: shared(item.group) }
      })
    }
  }

  /** All calls as they were planned, streaming. */
  plannedCalls(): AsyncGenerator<readonly Record[]> {
    const sql = `SELECT id, item, style, model, settings, sample, priority FROM call WHERE id > $1 ORDER BY id LIMIT $2`
    return this.pages(sql, [])
  }

  /**
   * Calls that are done or failed, with the number of their attempts, streaming. What is answered after this was asked for is
   * left out: the chain of the others has no gap.
   */
  async *finishedCalls(): AsyncGenerator<
    readonly { readonly id: number; readonly state: string; readonly attempts: number }[]
  > {
    const { links } = await this.chainEnd()
    const sql = `SELECT id, state, (SELECT COUNT(*) FROM attempt a WHERE a.call = c.id) AS attempts
      FROM call c LEFT JOIN response r ON r.call = c.id AND r.call > $2
      WHERE state IN ('done', 'failed') AND COALESCE(r.seq, 0) <= $1::bigint AND id > $2 ORDER BY id LIMIT $3`
    for await (const rows of this.pages(sql, [String(links)]))
      yield rows.map(({ id, state, attempts }) => ({
        id: Number(id),
        state: String(state),
        attempts: Number(attempts),
      }))
  }

  async progress(): Promise<{ readonly ended: number; readonly mark: string }> {
    const { links } = await this.chainEnd()
    const [row] = await withRetry(
      () => this
        .sql`SELECT COUNT(*) FILTER (WHERE state = 'done') AS done, COUNT(*) FILTER (WHERE state = 'failed') AS failed,
        (SELECT COUNT(*) FROM attempt) AS attempts FROM call`,
    )
    const [done, failed, attempts] = ['done', 'failed', 'attempts'].map((name) => Number(row?.[name])) as [
      number,
      number,
      number,
    ]
    return { ended: done + failed, mark: [links, done, failed, attempts].join(' ') }
  }

  async counts(model?: string): Promise<Counts> {
    const rows = await withRetry(
      () =>
        this
          .sql`SELECT state, COUNT(*) AS n FROM call WHERE model = COALESCE(${model ?? null}::text, model) GROUP BY state`,
    )
    return countsOf(rows)
  }

  async openBatches(model?: string): Promise<readonly OpenBatch[]> {
    const rows = await withRetry(
      () => this.sql`SELECT key, model, lines, provider_id, intended, submitted_at FROM batch
      WHERE state = 'open' AND model = COALESCE(${model ?? null}::text, model) ORDER BY id`,
    )
    return rows.map(openBatchOf)
  }

  async findBatchLines(key: string, numbers: readonly number[]): Promise<readonly BatchLine[]> {
    await this.settled()
    const these = `${LINES} AND l.line_no = ANY ($2::bigint[]) ORDER BY l.line_no`
    return this.stillOpen(key, await withRetry(() => this.sql.unsafe(these, [key, [...numbers]])))
  }

  async *openBatchLines(key: string): AsyncGenerator<readonly BatchLine[]> {
    await this.settled()
    for await (const rows of this.pages(`${LINES} AND l.id > $2 ORDER BY l.id LIMIT $3`, [key])) {
      const lines = await this.stillOpen(key, rows)
      if (lines.length > 0) yield lines
    }
  }

  /** Those lines whose calls wait for them. Two queries: in one, the database looks calls up by their owner, line by line. */
  private async stillOpen(key: string, lines: readonly Record[]): Promise<readonly BatchLine[]> {
    const sql = `SELECT c.state, c.owner, ${CALL_COLUMNS} FROM call c JOIN item i ON i.id = c.item WHERE c.id = ANY ($1::bigint[])`
    const rows = await withRetry(() => this.sql.unsafe(sql, [lines.map(({ call }) => String(call))]))
    const byCall = new Map(rows.map((row) => [String(row['call']), row]))
    const open = lines.flatMap((line) => {
      const row = byCall.get(String(line['call']))
      return row?.['state'] === 'batched' && row['owner'] === key ? [{ ...row, ...line }] : []
    })
    const calls = await this.leasedCalls(open)
    return calls.map((call, i) => ({
      lineNo: Number(open[i]?.['line_no']),
      maxUsd: Number(open[i]?.['max_usd'] ?? 0),
      call,
    }))
  }

  async knownBatchIds(): Promise<ReadonlySet<string>> {
    const rows = await withRetry(() => this.sql`SELECT provider_id FROM batch WHERE provider_id IS NOT NULL`)
    return new Set(rows.map((row) => String(row['provider_id'])))
  }

  async *responses(): AsyncGenerator<readonly ScorableResponse[]> {
    const sql = `SELECT r.call AS id, c.style, r.attempt, r.finish, r.text, r.reasoning, r.logprobs, r.usage, r.raw, ${ITEM_COLUMNS}
      FROM response r JOIN call c ON c.id = r.call AND c.id > $1 JOIN item i ON i.id = c.item WHERE r.call > $1 ORDER BY r.call LIMIT $2`
    for await (const rows of this.pages(sql, [])) {
      const shared = await this.groups.get(rows.map((row) => String(row['item_group'])))
      yield rows.map((row) => {
        const item = itemOf(row)
        return {
          call: Number(row['id']),
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

  async chainHead(): Promise<string | null> {
    return (await this.chainEnd()).chainHead
  }

  async checkChain(): Promise<ChainState> {
    await this.settled()
    const recorded = await this.chainEnd()
    const sql = `SELECT ${LINK_COLUMNS} FROM response r LEFT JOIN call c ON c.id = r.call
      WHERE r.seq <= $1::bigint AND r.seq > $2 ORDER BY r.seq LIMIT $3`
    const found = await walkChain(this.plainPages('response', sql, [String(recorded.links)]))
    if (found.kind === 'broken' || (found.links === recorded.links && found.head === recorded.chainHead)) return found
    return {
      kind: 'broken',
      call: null,
      message: `it has ${found.links} links, and ${recorded.links} were recorded: the last ones are gone`,
    }
  }

  private async chainEnd(): Promise<{ readonly links: number; readonly chainHead: string | null }> {
    const [row] = await withRetry(() => this.sql`SELECT links, head FROM chain`)
    return { links: Number(row?.['links'] ?? 0), chainHead: row?.['head'] == null ? null : String(row['head']) }
  }

  async meta(key: string): Promise<string | null> {
    const rows = await withRetry(() => this.sql`SELECT value FROM meta WHERE key = ${key}`)
    return rows[0] === undefined ? null : String(rows[0]['value'])
  }

  protected async leasedCalls(rows: readonly Record[]): Promise<readonly LeasedCall[]> {
    const shared = await this.groups.get(rows.map((row) => String(row['item_group'])))
    return rows.map((row) => leasedCallOf(row, Number(row['attempt']), shared))
  }

  /**
   * One page after another of a query whose last two values are (after, limit), keyed by an integer column `id`. Each table joined by
   * it says where it begins, too: the database does not see that, and reads it from its first row for every page.
   */
  private async *pages(query: string, values: readonly string[]): AsyncGenerator<readonly Record[]> {
    let after = 0
    for (;;) {
      const rows = await withRetry(() => this.sql.unsafe(query, [...values, after, PAGE]))
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
