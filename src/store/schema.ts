import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from './errors.ts'

/**
 * Each entry leads from the version before to the next one; the first makes the tables. Types are portable to
 * PostgreSQL: text, bigint, double precision; JSON as text, times as ms UTC. Never edit an entry: add one.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE grp (id TEXT PRIMARY KEY, shared TEXT NOT NULL);
  CREATE TABLE item (
    ord INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source BIGINT NOT NULL, idx BIGINT NOT NULL, stratum BIGINT NOT NULL,
    task TEXT NOT NULL, version BIGINT NOT NULL, config TEXT NOT NULL, draw TEXT NOT NULL, grp TEXT NOT NULL,
    given TEXT NOT NULL, answer TEXT NOT NULL, features TEXT NOT NULL, leaf TEXT NOT NULL);
  CREATE TABLE cell (
    id INTEGER PRIMARY KEY, item TEXT NOT NULL, style TEXT NOT NULL, model TEXT NOT NULL, settings TEXT NOT NULL,
    sample BIGINT NOT NULL, turn BIGINT NOT NULL, state TEXT NOT NULL, owner TEXT, lease_until BIGINT,
    UNIQUE (item, style, model, settings, sample));
  CREATE INDEX cell_waiting ON cell (model, turn) WHERE state = 'waiting';
  CREATE INDEX cell_leased ON cell (lease_until) WHERE state = 'leased';
  CREATE TABLE attempt (
    cell BIGINT NOT NULL, no BIGINT NOT NULL, started BIGINT NOT NULL, ended BIGINT, status TEXT NOT NULL, http BIGINT,
    boundary TEXT, code TEXT, message TEXT, usage TEXT, request_id TEXT, PRIMARY KEY (cell, no)) WITHOUT ROWID;
  CREATE TABLE response (
    cell INTEGER PRIMARY KEY, attempt BIGINT NOT NULL, finish TEXT NOT NULL, text TEXT NOT NULL, reasoning TEXT,
    logprobs TEXT, usage TEXT NOT NULL, raw TEXT);
  CREATE TABLE score (
    cell BIGINT NOT NULL, scorer BIGINT NOT NULL, outcome TEXT NOT NULL, PRIMARY KEY (cell, scorer)) WITHOUT ROWID;
  `,
  // Money: what an attempt can cost at most, and what it cost where that is known. Bodies that could not be read, packed.
  `
  ALTER TABLE attempt ADD COLUMN most DOUBLE PRECISION;
  ALTER TABLE attempt ADD COLUMN usd DOUBLE PRECISION;
  UPDATE attempt SET usd = json_extract(usage, '$.usd'), most = json_extract(usage, '$.usdAtMost') WHERE usage IS NOT NULL;
  CREATE TABLE body (
    cell BIGINT NOT NULL, attempt BIGINT NOT NULL, size BIGINT NOT NULL, packed BLOB NOT NULL, PRIMARY KEY (cell, attempt));
  `,
  // Responses in a chain: the number and the hash of each link. Those from before have neither.
  `
  ALTER TABLE response ADD COLUMN seq BIGINT;
  ALTER TABLE response ADD COLUMN hash TEXT;
  CREATE INDEX response_seq ON response (seq) WHERE seq IS NOT NULL;
  `,
  // Types of features by task, where they were one a name.
  `
  UPDATE meta SET value = json_set(value, '$.features', json((
    SELECT json_group_object(task, json(types)) FROM (
      SELECT task, json_group_object(name, type) AS types FROM (
        SELECT task, name, CASE WHEN COUNT(DISTINCT type) = 1 THEN MIN(type) ELSE 'text' END AS type FROM (
          SELECT i.task AS task, f.key AS name,
            CASE f.type WHEN 'text' THEN 'text' WHEN 'true' THEN 'boolean' WHEN 'false' THEN 'boolean' ELSE 'number' END AS type
          FROM item i, json_each(i.features) f WHERE f.type <> 'null')
        GROUP BY task, name)
      GROUP BY task)))) WHERE key = 'names';
  `,
  // Provider batches: what is sent off together, in the ledger before it is sent, and its lines.
  `
  CREATE TABLE batch (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, model TEXT NOT NULL, lines BIGINT NOT NULL, state TEXT NOT NULL,
    intended BIGINT NOT NULL, tried BIGINT NOT NULL, remote TEXT, submitted BIGINT, ended BIGINT, status TEXT);
  CREATE TABLE line (
    id INTEGER PRIMARY KEY, batch TEXT NOT NULL, no BIGINT NOT NULL, cell BIGINT NOT NULL, attempt BIGINT NOT NULL,
    UNIQUE (batch, no));
  CREATE INDEX cell_batched ON cell (owner) WHERE state = 'batched';
  `,
]

/** Brings a ledger to the newest version in one transaction; a newer one is refused. */
export function migrate(db: DatabaseSync, path: string, migrations: readonly string[] = MIGRATIONS): void {
  const found = schemaVersion(db)
  if (found === migrations.length) return
  if (!Number.isInteger(found) || found < 0) throw strange(path, found)
  rejectNewer(found, path, migrations.length)
  db.exec('BEGIN IMMEDIATE')
  try {
    db.exec('CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID')
    for (const step of migrations.slice(found)) db.exec(step)
    db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('schema', ?)").run(String(migrations.length))
    db.exec('COMMIT')
  } catch (error) {
    db.exec('ROLLBACK')
    // Its tables are not those of the version that it names.
    throw stateless(error) ? strange(path, found) : error
  }
}

const strange = (path: string, found: number): StoreError =>
  new StoreError(
    'damaged',
    `${path} is no ledger of the schema that it names (${found}): restore it from a copy, or \`touchstone resume RUN --repair\` saves what can be read`,
  )

/** SQLITE_ERROR: what was asked does not fit what is there, and no disk had a part in it. */
const stateless = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 255) === 1

export function rejectNewer(found: number, path: string, known = MIGRATIONS.length): void {
  if (found > known)
    throw new StoreError(
      'newer',
      `${path} was written by a newer version of this program (ledger schema ${found}, this one knows ${known}); update the program to open it`,
    )
}

/** 0 for an empty file. */
export function schemaVersion(db: DatabaseSync): number {
  const table = db.prepare("SELECT 1 AS there FROM sqlite_schema WHERE type = 'table' AND name = 'meta'").get()
  if (table === undefined) return 0
  const row = db.prepare("SELECT value FROM meta WHERE key = 'schema'").get()
  return row === undefined ? 0 : Number(row['value'])
}
