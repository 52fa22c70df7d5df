import type postgres from 'postgres'
import type { JsonObject } from '../../core/index.ts'
import type { Redact } from '../../store/redact.ts'
import type { RunEvent } from '../../store/run-store.ts'
import type { BatchLease } from '../../store/shared-limits.ts'
import { bucketRate, type Granted, type PeerStatus, type Rate, type SharedLimits } from '../../store/shared-limits.ts'
import { withRetry } from './connect-retry.ts'
import { asJson } from './events.ts'
import { NOW } from './reader.ts'
import { plainText } from './transfer.ts'

/** Ms for which a stopped model is reported to peers, which poll every second. */
const RECENT_MS = 10_000

/**
 * What all runs of a database share, in its own schema: accounts have one limit, however many runs they serve.
 * `requests` and `tokens` say when their buckets are full again, in ms since 1970; the database's clock counts.
 */
const TABLES = `
  CREATE SCHEMA IF NOT EXISTS touchstone;
  CREATE TABLE IF NOT EXISTS touchstone.traffic (
    key TEXT PRIMARY KEY, requests DOUBLE PRECISION NOT NULL DEFAULT 0, tokens DOUBLE PRECISION NOT NULL DEFAULT 0,
    paused DOUBLE PRECISION NOT NULL DEFAULT 0, broken_at DOUBLE PRECISION, broken_by TEXT, cause TEXT);
  CREATE OR REPLACE FUNCTION touchstone.now_ms() RETURNS DOUBLE PRECISION LANGUAGE sql VOLATILE
    AS 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000';
  CREATE OR REPLACE FUNCTION touchstone.pass(
    k TEXT, sizes DOUBLE PRECISION[], back DOUBLE PRECISION,
    each_request DOUBLE PRECISION, reach_requests DOUBLE PRECISION,
    each_token DOUBLE PRECISION, reach_tokens DOUBLE PRECISION,
    OUT calls INT, OUT wait DOUBLE PRECISION) LANGUAGE plpgsql AS $pass$
    DECLARE
      r DOUBLE PRECISION; t DOUBLE PRECISION; shut DOUBLE PRECISION; present DOUBLE PRECISION; cost DOUBLE PRECISION;
    BEGIN
      INSERT INTO touchstone.traffic (key) VALUES (k) ON CONFLICT DO NOTHING;
      SELECT requests, tokens, paused INTO r, t, shut FROM touchstone.traffic WHERE key = k FOR UPDATE;
      present := touchstone.now_ms();
      r := GREATEST(r, present);
      t := GREATEST(GREATEST(t, present) - back * each_token, present);
      calls := 0;
      wait := GREATEST(0, shut - present);
      WHILE wait = 0 AND calls < COALESCE(array_length(sizes, 1), 0) LOOP
        cost := sizes[calls + 1] * each_token;
        wait := GREATEST(0, LEAST(r, r + each_request - reach_requests) - present,
          LEAST(t, t + cost - reach_tokens) - present);
        IF wait = 0 THEN
          r := r + each_request;
          t := t + cost;
          calls := calls + 1;
        END IF;
      END LOOP;
      UPDATE touchstone.traffic SET requests = r, tokens = t WHERE key = k;
    END $pass$;
`

/** Creates what all runs share, if it is missing. Creators wait for one another: IF NOT EXISTS alone is no lock. */
export async function createSharedLimits(sql: postgres.Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`SELECT pg_advisory_xact_lock(hashtext('touchstone.traffic'))`
    await tx.unsafe(TABLES)
  })
}

/** {@link SharedLimits} in a PostgreSQL database, for all its runs and workers. */
export class PostgresSharedLimits implements SharedLimits {
  private readonly sql: postgres.Sql
  private readonly redact: Redact

  constructor(sql: postgres.Sql, redact: Redact) {
    this.sql = sql
    this.redact = redact
  }

  async acquire(key: string, rate: Rate, sizes: readonly number[], back: number): Promise<Granted> {
    const requests = bucketRate('requests', rate.requests)
    const tokens = bucketRate('tokens', rate.tokens)
    const [row] = await withRetry(
      () => this.sql`SELECT calls, wait FROM touchstone.pass(
      ${key}, ${[...sizes]}::float8[], ${back}::float8,
      ${requests.each}::float8, ${requests.reach}::float8, ${tokens.each}::float8, ${tokens.reach}::float8)`,
    )
    return { calls: Number(row?.['calls'] ?? 0), waitMs: Number(row?.['wait'] ?? 0) }
  }

  async pause(key: string, ms: number): Promise<void> {
    await withRetry(
      () => this.sql`INSERT INTO touchstone.traffic (key, paused) VALUES (${key}, touchstone.now_ms() + ${ms}::float8)
      ON CONFLICT (key) DO UPDATE SET paused = GREATEST(traffic.paused, excluded.paused)`,
    )
  }

  async reportStopped(key: string, by: string, cause: string): Promise<void> {
    await withRetry(
      () => this.sql`INSERT INTO touchstone.traffic (key, broken_at, broken_by, cause)
      VALUES (${key}, touchstone.now_ms(), ${by}, ${asJson(this.redact(cause))})
      ON CONFLICT (key) DO UPDATE SET broken_at = excluded.broken_at, broken_by = excluded.broken_by, cause = excluded.cause`,
    )
  }

  async peerStatus(keys: readonly string[]): Promise<readonly PeerStatus[]> {
    const rows = await withRetry(
      () => this.sql`SELECT key, GREATEST(0, paused - touchstone.now_ms()) AS pause, broken_at, broken_by,
        cause, COALESCE(broken_at > touchstone.now_ms() - ${RECENT_MS}::float8, FALSE) AS lately
      FROM touchstone.traffic WHERE key = ANY (${[...keys]})`,
    )
    return rows.map((row) => ({
      key: String(row['key']),
      pauseMs: Number(row['pause']),
      stopped:
        row['lately'] === true
          ? {
              by: String(row['broken_by']),
              at: Number(row['broken_at']),
              cause: plainText(String(row['cause'])),
            }
          : null,
    }))
  }
}

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
