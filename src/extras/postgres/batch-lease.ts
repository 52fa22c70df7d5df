import type postgres from 'postgres'
import type { JsonObject } from '../../core/index.ts'
import type { BatchLease } from '../../store/batch-lease.ts'
import type { RunEvent } from '../../store/run-store.ts'
import { withRetry } from './connect-retry.ts'
import { NOW } from './reader.ts'

/** {@link BatchLease} by rows of the database: each of its statements can be done twice. */
export class PostgresBatchLease implements BatchLease {
  private readonly sql: postgres.Sql
  private readonly facts: (events: readonly RunEvent[]) => readonly JsonObject[]

  /** @param facts - of events, as the function `record` of the database takes them */
  constructor(sql: postgres.Sql, facts: (events: readonly RunEvent[]) => readonly JsonObject[]) {
    this.sql = sql
    this.facts = facts
  }

  async acquire(model: string, owner: string, ms: number): Promise<boolean> {
    const now = this.sql.unsafe(NOW)
    const rows = await withRetry(
      () => this.sql`INSERT INTO keeper (model, owner, lease_until) SELECT ${model}, ${owner}, ${now} + ${ms}::bigint
      FROM (SELECT 1 FROM meta WHERE key = 'asked' FOR SHARE) AS asked
      ON CONFLICT (model) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
      WHERE keeper.owner = excluded.owner OR keeper.lease_until < ${now} RETURNING 1`,
    )
    return rows.length > 0
  }

  async renew(model: string, owner: string, ms: number): Promise<boolean> {
    const rows = await withRetry(
      () => this.sql`UPDATE keeper SET lease_until = ${this.sql.unsafe(NOW)} + ${ms}::bigint
      WHERE model = ${model} AND owner = ${owner} RETURNING 1`,
    )
    return rows.length > 0
  }

  async commit(model: string, owner: string, events: readonly RunEvent[]): Promise<boolean> {
    const text = JSON.stringify(this.facts(events))
    const [row] = await withRetry(() => this.sql`SELECT record_held(${text}::text::jsonb, ${model}, ${owner}) AS held`)
    return row?.['held'] === true
  }

  async release(model: string, owner: string): Promise<void> {
    await withRetry(() => this.sql`DELETE FROM keeper WHERE model = ${model} AND owner = ${owner}`)
  }
}
