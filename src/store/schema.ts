import { DatabaseSync } from 'node:sqlite'
import { StoreError } from './errors.ts'
import type { Record } from './sql.ts'

/** Version of the tables below, as the fact `schema` in `meta` holds it. */
const SCHEMA_VERSION = 1

/**
 * The tables of a ledger. Types are portable to PostgreSQL: text, bigint, double precision; JSON as text, times as ms UTC.
 *
 * - `call.owner`: the process that holds a leased call, or the key of the batch that a batched call is part of.
 * - `attempt.max_usd`: US dollars reserved before the attempt was sent; `usd`: what it cost, null while unknown.
 * - `response.seq`, `hash`: number and hash of its link in the chain of responses.
 * - `raw_body`: gzipped bodies of responses that no decoder could read.
 * - `batch.submitted_at`: when it was last sent; `accepted_at`: when the provider gave it `provider_id`.
 */
const TABLES = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE item_group (id TEXT PRIMARY KEY, shared TEXT NOT NULL);
  CREATE TABLE item (
    position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source BIGINT NOT NULL, item_index BIGINT NOT NULL,
    stratum BIGINT NOT NULL, task TEXT NOT NULL, version BIGINT NOT NULL, config TEXT NOT NULL, draw TEXT NOT NULL,
    item_group TEXT NOT NULL, given TEXT NOT NULL, answer TEXT NOT NULL, features TEXT NOT NULL, item_hash TEXT NOT NULL);
  CREATE TABLE call (
    id INTEGER PRIMARY KEY, item TEXT NOT NULL, style TEXT NOT NULL, model TEXT NOT NULL, settings TEXT NOT NULL,
    sample BIGINT NOT NULL, priority BIGINT NOT NULL, state TEXT NOT NULL, owner TEXT, lease_until BIGINT,
    UNIQUE (item, style, model, settings, sample));
  CREATE INDEX call_waiting ON call (model, priority) WHERE state = 'waiting';
  CREATE INDEX call_leased ON call (lease_until) WHERE state = 'leased';
  CREATE INDEX call_batched ON call (owner) WHERE state = 'batched';
  CREATE TABLE attempt (
    call BIGINT NOT NULL, attempt_no BIGINT NOT NULL, started BIGINT NOT NULL, ended BIGINT, status TEXT NOT NULL,
    http BIGINT, error_source TEXT, code TEXT, message TEXT, usage TEXT, request_id TEXT, max_usd DOUBLE PRECISION,
    usd DOUBLE PRECISION, PRIMARY KEY (call, attempt_no)) WITHOUT ROWID;
  CREATE TABLE response (
    call INTEGER PRIMARY KEY, attempt BIGINT NOT NULL, finish TEXT NOT NULL, text TEXT NOT NULL, reasoning TEXT,
    logprobs TEXT, usage TEXT NOT NULL, raw TEXT, seq BIGINT, hash TEXT);
  CREATE INDEX response_seq ON response (seq) WHERE seq IS NOT NULL;
  CREATE TABLE score (
    call BIGINT NOT NULL, scorer BIGINT NOT NULL, outcome TEXT NOT NULL, PRIMARY KEY (call, scorer)) WITHOUT ROWID;
  CREATE TABLE raw_body (
    call BIGINT NOT NULL, attempt BIGINT NOT NULL, size BIGINT NOT NULL, packed BLOB NOT NULL, PRIMARY KEY (call, attempt));
  CREATE TABLE batch (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, model TEXT NOT NULL, lines BIGINT NOT NULL, state TEXT NOT NULL,
    intended BIGINT NOT NULL, submitted_at BIGINT NOT NULL, provider_id TEXT, accepted_at BIGINT, ended BIGINT, status TEXT);
  CREATE TABLE batch_line (
    id INTEGER PRIMARY KEY, batch TEXT NOT NULL, line_no BIGINT NOT NULL, call BIGINT NOT NULL, attempt BIGINT NOT NULL,
    UNIQUE (batch, line_no));
  INSERT INTO meta (key, value) VALUES ('schema', '${SCHEMA_VERSION}');
`

/** Creates the tables of an empty file in one transaction. */
export function createTables(db: DatabaseSync): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have created them since this one looked.
    if (schemaVersion(db) === 0) db.exec(TABLES)
    db.exec('COMMIT')
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
}

/** What a file of SQLite is made of. */
export const ENTRIES = 'SELECT type, name, sql FROM sqlite_schema'

/** Names of what a ledger has besides the tables and indices of this program, or otherwise: triggers, views, tables, columns. */
export function foreignEntries(found: readonly Record[]): readonly string[] {
  const plain = new DatabaseSync(':memory:')
  plain.exec(TABLES)
  const own = plain.prepare(ENTRIES).all()
  plain.close()
  const byName = (rows: readonly Record[]) => new Map(rows.map((row) => [String(row['name']), JSON.stringify(row)]))
  const [here, there] = [byName(own), byName(found)]
  return [...new Set([...here.keys(), ...there.keys()])].filter((name) => here.get(name) !== there.get(name))
}

/** @throws StoreError unless the tables have the version that this program knows. */
export function checkVersion(found: number, path: string): void {
  if (found === SCHEMA_VERSION) return
  if (found > SCHEMA_VERSION)
    throw new StoreError(
      'newer',
      `${path} was written by a newer version of this program (ledger schema ${found}, this one knows ${SCHEMA_VERSION}); update the program to open it`,
    )
  throw new StoreError(
    'damaged',
    `${path} is not a ledger of this program (its schema is ${found}): restore it from a copy, or \`touchstone resume RUN --repair\` saves what can be read`,
  )
}

/** The version that a ledger names; 0 for an empty file, NaN for none. */
export function schemaVersion(db: DatabaseSync): number {
  const table = db.prepare("SELECT 1 AS there FROM sqlite_schema WHERE type = 'table' AND name = 'meta'").get()
  if (table === undefined) return 0
  const row = db.prepare("SELECT value FROM meta WHERE key = 'schema'").get()
  return Number(row?.['value']) || Number.NaN
}
