import { UsageError } from '../core/index.ts'
import { LINKED, linkOf, packBody } from './chain.ts'
import { NameCollector, type RowNames, rowNames } from './names.ts'
import { outcomeOf, written } from './records.ts'
import type { Redact } from './redact.ts'
import type { BatchEvent, ImportedCell, PlanBatch, RunEvent, Scored, StoredResponse } from './run-store.ts'
import { adoptBatch, adoptCell, type WholeBatch, type WholeCell } from './snapshots.ts'
import type { Record, Sql } from './sql.ts'

/** Bytes of unreadable bodies that a ledger keeps in all, packed: a hostile server must not fill the disk. */
const MOST_BODIES = 256 * 1024 * 1024

/** Applied to every text on its way to disk: `known` to what models wrote, `shapes` to messages and provider bodies. */
export interface Redaction {
  readonly known: Redact
  readonly shapes: Redact
}

/** The only place where facts about a run reach the disk. Its methods run inside a transaction of {@link Recorder.write}. */
export class Recorder {
  private readonly sql: Sql
  private readonly redact: Redaction
  private collected: NameCollector | null = null

  constructor(sql: Sql, redact: Redaction) {
    this.sql = sql
    this.redact = redact
  }

  /** One transaction; the revision and the column names change with it or not at all. What changes no row is no revision. */
  write<T>(work: () => T): T {
    try {
      const result = this.sql.transaction(() => {
        const before = this.changes()
        const value = work()
        if (this.collected?.changed === true) this.putMeta('names', JSON.stringify(this.collected.names()))
        if (this.changes() === before) return value
        this.sql.run(
          "INSERT INTO meta (key, value) VALUES ('revision', '1') ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
        )
        return value
      })
      if (this.collected !== null) this.collected.changed = false
      return result
    } catch (error) {
      // What was learnt in a transaction that did not happen is forgotten with it.
      this.collected = null
      throw error
    }
  }

  /** Rows changed so far by this connection. */
  private changes(): number {
    return Number(this.sql.one('SELECT total_changes() AS n')?.['n'])
  }

  /** @throws UsageError where a secret occurs in what is asked: hidden it would be another question, shown no secret. */
  plan(batch: PlanBatch): void {
    const { known } = this.redact
    const asked = (value: unknown, what: string): string => refuseSecret(JSON.stringify(value), what, known)
    for (const group of batch.groups)
      this.sql.run('INSERT OR IGNORE INTO grp (id, shared) VALUES (?, ?)', group.id, asked(group.shared, group.id))
    for (const item of batch.items) {
      this.collector().item(item.task, item.features)
      this.sql.run(
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
        asked(item.given, item.id),
        asked(item.answer, item.id),
        asked(item.features, item.id),
        item.leaf,
      )
    }
    for (const cell of batch.cells)
      this.sql.run(
        "INSERT OR IGNORE INTO cell (item, style, model, settings, sample, turn, state) VALUES (?, ?, ?, ?, ?, ?, 'waiting')",
        cell.item,
        cell.style,
        cell.model,
        known(cell.settings),
        cell.sample,
        cell.turn,
      )
  }

  copyCells(cells: readonly Record[]): void {
    const names = ['id', 'item', 'style', 'model', 'settings', 'sample', 'turn'] as const
    for (const cell of cells)
      this.sql.run(
        `INSERT OR IGNORE INTO cell (${names.join(', ')}, state) VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting')`,
        ...names.map((name) => cell[name] ?? null),
      )
  }

  record(events: readonly RunEvent[]): void {
    for (const event of events) {
      switch (event.kind) {
        case 'attempt':
          this.begin(event.cell, event.attempt, event.started, event.most)
          break
        case 'response':
          this.recordResponse(event)
          break
        case 'failure':
          this.endAttempt(event, 'failed', {
            boundary: event.boundary,
            code: event.code,
            message: event.message,
            ...(event.free ? { usd: 0 } : event.usd === undefined ? {} : { usd: event.usd }),
          })
          if (event.body !== null) this.keepBody(event.cell, event.attempt, event.body)
          if (event.final)
            this.sql.run(
              "UPDATE cell SET state = 'failed', owner = NULL, lease_until = NULL WHERE id = ? AND state <> 'done'",
              event.cell,
            )
          break
        case 'release':
          this.sql.run(
            "UPDATE attempt SET status = 'cancelled', usd = ? WHERE cell = ? AND no = ? AND status = 'open'",
            event.sent ? null : 0,
            event.cell,
            event.attempt,
          )
          this.sql.run(
            "UPDATE cell SET state = 'waiting', owner = NULL, lease_until = NULL WHERE id = ? AND state IN ('leased', 'batched')",
            event.cell,
          )
          break
        case 'score':
          this.recordScore(event.cell, event.scored)
      }
    }
  }

  recordBatch(event: BatchEvent): void {
    switch (event.kind) {
      case 'intended':
        this.sql.run(
          "INSERT INTO batch (key, model, lines, state, intended, tried) VALUES (?, ?, ?, 'open', ?, ?)",
          event.key,
          event.model,
          event.lines.length,
          event.at,
          event.at,
        )
        for (const [no, { cell, attempt, most }] of event.lines.entries()) {
          this.begin(cell, attempt, event.at, most)
          this.sql.run('INSERT INTO line (batch, no, cell, attempt) VALUES (?, ?, ?, ?)', event.key, no, cell, attempt)
          this.sql.run(
            "UPDATE cell SET state = 'batched', owner = ?, lease_until = NULL WHERE id = ? AND state = 'leased'",
            event.key,
            cell,
          )
        }
        break
      case 'tried':
        this.sql.run('UPDATE batch SET tried = ? WHERE key = ?', event.at, event.key)
        break
      case 'submitted':
        this.sql.run('UPDATE batch SET remote = ?, submitted = ? WHERE key = ?', event.remote, event.at, event.key)
        break
      case 'over':
        this.sql.run(
          "UPDATE batch SET state = 'over', status = ?, ended = ? WHERE key = ?",
          this.redact.shapes(event.status),
          event.at,
          event.key,
        )
    }
  }

  private recordResponse(event: Extract<RunEvent, { kind: 'response' }>): void {
    const { usage } = event.response
    this.endAttempt(event, 'ok', {
      usage: JSON.stringify(usage),
      ...(usage.usd === undefined ? {} : { usd: usage.usd }),
    })
    const added = this.insertResponse(event.cell, event.attempt, event.response)
    this.sql.run("UPDATE cell SET state = 'done', owner = NULL, lease_until = NULL WHERE id = ?", event.cell)
    if (added > 0 && event.scored !== null) this.recordScore(event.cell, event.scored)
  }

  private recordScore(cell: number, scored: Scored): void {
    this.collector().outcome(scored.outcome)
    this.sql.run(
      'INSERT OR REPLACE INTO score (cell, scorer, outcome) VALUES (?, ?, ?)',
      cell,
      scored.scorer,
      this.redact.known(JSON.stringify(scored.outcome)),
    )
  }

  importCell(cell: ImportedCell): boolean {
    const { item, style, model, settings, sample } = cell
    const key = [item, style, model, this.redact.known(settings), sample]
    this.sql.run(
      "INSERT OR IGNORE INTO cell (item, style, model, settings, sample, turn, state) VALUES (?, ?, ?, ?, ?, 0, 'waiting')",
      ...key,
    )
    const row = this.sql.one(
      `SELECT c.id, r.cell AS answered, (SELECT COALESCE(MAX(no), 0) FROM attempt a WHERE a.cell = c.id) AS attempts
       FROM cell c LEFT JOIN response r ON r.cell = c.id
       WHERE c.item = ? AND c.style = ? AND c.model = ? AND c.settings = ? AND c.sample = ?`,
      ...key,
    )
    if (row === undefined || row['answered'] !== null) return false
    const attempt = Number(row['attempts']) + 1
    const now = Date.now()
    const id = Number(row['id'])
    this.insertResponse(id, attempt, cell.response)
    this.sql.run(
      "INSERT INTO attempt (cell, no, started, ended, status) VALUES (?, ?, ?, ?, 'imported')",
      id,
      attempt,
      now - Math.round((cell.seconds ?? 0) * 1000),
      cell.seconds === null ? null : now,
    )
    this.sql.run("UPDATE cell SET state = 'done', owner = NULL, lease_until = NULL WHERE id = ?", id)
    this.recordScore(id, cell.scored)
    return true
  }

  /** Responses are hung behind the last one here, and batches left, where they do not keep their places in chain and batch. */
  adopt(cells: readonly WholeCell[], places: 'kept' | 'new' = 'new'): number {
    let taken = 0
    for (const whole of cells) {
      const id = adoptCell(this.sql, whole, places === 'kept' ? 'kept' : 'left')
      if (id === null) continue
      taken++
      const { seq = null, hash = null } = whole.response ?? {}
      if (places === 'kept' && seq !== null)
        this.sql.run('UPDATE response SET seq = ?, hash = ? WHERE cell = ?', seq, hash, id)
      else if (whole.response !== null) this.link(id)
      for (const { outcome } of whole.scores) this.collector().outcome(outcomeOf(outcome ?? null))
    }
    return taken
  }

  takeBack(cells: readonly WholeCell[]): number {
    const open = cells.filter(
      ({ cell }) => this.sql.one('SELECT 1 AS there FROM response WHERE cell = ?', cell['id'] ?? null) === undefined,
    )
    for (const { cell } of open)
      for (const table of ['attempt', 'body']) this.sql.run(`DELETE FROM ${table} WHERE cell = ?`, cell['id'] ?? null)
    // Nobody knows what became of a call whose worker died. What a batch holds is not lost.
    const lost = ({ cell, attempts, ...rest }: WholeCell): WholeCell => ({
      ...rest,
      cell,
      attempts: attempts.map((row) =>
        row['status'] === 'open' && cell['state'] !== 'batched' ? { ...row, status: 'lost' } : row,
      ),
    })
    return this.adopt(open.map(lost), 'kept')
  }

  takeBatches(batches: readonly WholeBatch[]): void {
    for (const batch of batches) adoptBatch(this.sql, batch)
  }

  private insertResponse(cell: number, attempt: number, response: StoredResponse): number {
    const { known, shapes } = this.redact
    const added = this.sql.run(
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
    if (added > 0) this.link(cell)
    return added
  }

  /** Hangs a new response behind the last one. */
  private link(cell: number): void {
    const last = this.sql.one('SELECT seq, hash FROM response WHERE seq IS NOT NULL ORDER BY seq DESC LIMIT 1')
    const row = this.sql.one(`SELECT ${LINKED} FROM response r JOIN cell c ON c.id = r.cell WHERE r.cell = ?`, cell)
    if (row === undefined) return
    const before = last === undefined ? null : String(last['hash'])
    const seq = Number(last?.['seq'] ?? 0) + 1
    this.sql.run('UPDATE response SET seq = ?, hash = ? WHERE cell = ?', seq, linkOf(before, row), cell)
  }

  private endAttempt(
    event: Extract<RunEvent, { kind: 'response' | 'failure' }>,
    status: string,
    more: {
      readonly boundary?: string
      readonly code?: string
      readonly message?: string
      readonly usage?: string
      readonly usd?: number
    },
  ): void {
    const { shapes } = this.redact
    // What was booked before the call was sent stays beside what it cost.
    this.sql.run(
      `INSERT INTO attempt (cell, no, started, ended, status, http, boundary, code, message, usage, request_id, usd)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (cell, no) DO UPDATE SET started = excluded.started, ended = excluded.ended, status = excluded.status,
         http = excluded.http, boundary = excluded.boundary, code = excluded.code, message = excluded.message,
         usage = excluded.usage, request_id = excluded.request_id, usd = excluded.usd`,
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
      more.usd ?? null,
    )
  }

  begin(cell: number, attempt: number, started: number, most?: number): void {
    this.sql.run(
      `INSERT INTO attempt (cell, no, started, status, most) VALUES (?, ?, ?, 'open', ?)
       ON CONFLICT (cell, no) DO UPDATE SET started = excluded.started, most = excluded.most WHERE status = 'open'`,
      cell,
      attempt,
      started,
      most ?? null,
    )
  }

  private keepBody(cell: number, attempt: number, body: string): void {
    const text = this.redact.shapes(body)
    const held = Number(this.sql.one('SELECT SUM(size) AS size FROM body')?.['size'] ?? 0)
    const packed = packBody(text)
    if (held + packed.length > MOST_BODIES) return
    this.sql.run(
      'INSERT OR REPLACE INTO body (cell, attempt, size, packed) VALUES (?, ?, ?, ?)',
      cell,
      attempt,
      packed.length,
      packed,
    )
  }

  putMeta(key: string, value: string): void {
    this.sql.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, this.redact.shapes(value))
  }

  meta(key: string): string | null {
    const row = this.sql.one('SELECT value FROM meta WHERE key = ?', key)
    return row === undefined ? null : String(row['value'])
  }

  names(): RowNames {
    return this.collector().names()
  }

  private collector(): NameCollector {
    if (this.collected === null) {
      const text = this.meta('names')
      this.collected = new NameCollector(
        text === null ? undefined : written(rowNames, text, 'what the ledger says of the columns of its rows'),
      )
    }
    return this.collected
  }
}

function refuseSecret(text: string, what: string, known: Redact): string {
  const hidden = known(text)
  if (hidden === text) return text
  const name = /\[redacted:([^\]]+)\]/u.exec(hidden)?.[1]
  throw new UsageError(
    `the value of ${name === undefined ? 'a secret of the environment' : `the environment variable ${name}`} occurs in what is asked (${what}), and secrets are not written to disk: ${name === undefined ? 'leave it out of the environment' : `if it is none, run with \`env -u ${name} touchstone ...\``}`,
  )
}
