import { UsageError } from '../core/index.ts'
import { LINK_COLUMNS, linkOf, packBody } from './chain.ts'
import { outcomeOf } from './records.ts'
import type { Redact } from './redact.ts'
import { NameCollector, parseColumnNames } from './rows/column-names.ts'
import type { BatchEvent, ImportedCall, PlanBatch, RunEvent, Scored, StoredResponse } from './run-store.ts'
import { type BatchSnapshot, type CallSnapshot, restoreBatch, restoreCall } from './snapshots.ts'
import type { Record, Sql } from './sql.ts'

/** Bytes of packed unreadable bodies that a ledger keeps: a hostile server must not fill the disk. */
const MAX_BODY_BYTES = 256 * 1024 * 1024

/** Applied to every text before it is stored: `known` to texts of models, `shapes` to messages and provider bodies. */
export interface Redaction {
  readonly known: Redact
  readonly shapes: Redact
}

/** The only code that writes to a ledger. Its methods run inside a transaction of {@link Recorder.write}. */
export class Recorder {
  private readonly sql: Sql
  private readonly redact: Redaction
  private collected: NameCollector | null = null

  constructor(sql: Sql, redact: Redaction) {
    this.sql = sql
    this.redact = redact
  }

  /** One transaction; revision and column names change with it. A transaction that changes no row is not a revision. */
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
      // The names collected by a transaction that was rolled back are dropped with it.
      this.collected = null
      throw error
    }
  }

  /** Rows changed so far by this connection. */
  private changes(): number {
    return Number(this.sql.one('SELECT total_changes() AS n')?.['n'])
  }

  /** @throws UsageError if a prompt contains a secret: replaced, it would be another prompt; stored, no secret. */
  plan(batch: PlanBatch): void {
    const { known } = this.redact
    const asked = (value: unknown, what: string): string => rejectSecret(JSON.stringify(value), what, known)
    for (const group of batch.groups)
      this.sql.insert('item_group', { id: group.id, shared: asked(group.shared, group.id) }, 'OR IGNORE ')
    for (const item of batch.items) {
      this.collector().item(item.task, item.features)
      const { index, group, itemHash, given, answer, features, ...columns } = item
      const row = {
        ...columns,
        item_index: index,
        item_group: group,
        item_hash: itemHash,
        given: asked(given, item.id),
        answer: asked(answer, item.id),
        features: asked(features, item.id),
      }
      this.sql.insert('item', row, 'OR IGNORE ')
    }
    for (const call of batch.calls)
      this.sql.insert('call', { ...call, settings: known(call.settings), state: 'waiting' }, 'OR IGNORE ')
  }

  copyCalls(calls: readonly Record[]): void {
    const names = ['id', 'item', 'style', 'model', 'settings', 'sample', 'priority'] as const
    for (const call of calls) {
      const columns = Object.fromEntries(names.map((name) => [name, call[name] ?? null]))
      this.sql.insert('call', { ...columns, state: 'waiting' }, 'OR IGNORE ')
    }
  }

  record(events: readonly RunEvent[]): void {
    for (const event of events) {
      switch (event.kind) {
        case 'attempt':
          this.beginAttempt(event.call, event.attempt, event.started, event.maxUsd)
          break
        case 'response':
          this.recordResponse(event)
          break
        case 'failure':
          this.endAttempt(event, 'failed', {
            boundary: event.source,
            code: event.code,
            message: event.message,
            ...(event.free ? { usd: 0 } : event.usd === undefined ? {} : { usd: event.usd }),
          })
          if (event.body !== null) this.saveBody(event.call, event.attempt, event.body)
          if (event.final)
            this.sql.run(
              "UPDATE call SET state = 'failed', owner = NULL, lease_until = NULL WHERE id = ? AND state <> 'done'",
              event.call,
            )
          break
        case 'release':
          this.sql.run(
            "UPDATE attempt SET status = 'cancelled', usd = ? WHERE call = ? AND attempt_no = ? AND status = 'open'",
            event.sent ? null : 0,
            event.call,
            event.attempt,
          )
          this.sql.run(
            "UPDATE call SET state = 'waiting', owner = NULL, lease_until = NULL WHERE id = ? AND state IN ('leased', 'batched')",
            event.call,
          )
          break
        case 'score':
          this.recordScore(event.call, event.scored)
      }
    }
  }

  recordBatch(event: BatchEvent): void {
    switch (event.kind) {
      case 'intended':
        this.sql.insert('batch', {
          key: event.key,
          model: event.model,
          lines: event.lines.length,
          state: 'open',
          intended: event.at,
          submitted_at: event.at,
        })
        for (const [no, { call, attempt, maxUsd }] of event.lines.entries()) {
          this.beginAttempt(call, attempt, event.at, maxUsd)
          this.sql.insert('batch_line', { batch: event.key, line_no: no, call, attempt })
          this.sql.run(
            "UPDATE call SET state = 'batched', owner = ?, lease_until = NULL WHERE id = ? AND state = 'leased'",
            event.key,
            call,
          )
        }
        break
      case 'resubmitted':
        this.sql.run('UPDATE batch SET submitted_at = ? WHERE key = ?', event.at, event.key)
        break
      case 'accepted':
        this.sql.run(
          'UPDATE batch SET provider_id = ?, accepted_at = ? WHERE key = ?',
          event.providerId,
          event.at,
          event.key,
        )
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
    const added = this.insertResponse(event.call, event.attempt, event.response)
    this.sql.run("UPDATE call SET state = 'done', owner = NULL, lease_until = NULL WHERE id = ?", event.call)
    if (added > 0 && event.scored !== null) this.recordScore(event.call, event.scored)
  }

  private recordScore(call: number, scored: Scored): void {
    this.collector().outcome(scored.outcome)
    const outcome = this.redact.known(JSON.stringify(scored.outcome))
    this.sql.insert('score', { call, scorer: scored.scorer, outcome }, 'OR REPLACE ')
  }

  importCall(call: ImportedCall): boolean {
    const { item, style, model, settings, sample } = call
    const key = { item, style, model, settings: this.redact.known(settings), sample }
    this.sql.insert('call', { ...key, priority: 0, state: 'waiting' }, 'OR IGNORE ')
    const row = this.sql.one(
      `SELECT c.id, r.call AS answered, (SELECT COALESCE(MAX(attempt_no), 0) FROM attempt a WHERE a.call = c.id) AS attempts
       FROM call c LEFT JOIN response r ON r.call = c.id
       WHERE c.item = ? AND c.style = ? AND c.model = ? AND c.settings = ? AND c.sample = ?`,
      ...Object.values(key),
    )
    if (row === undefined || row['answered'] !== null) return false
    const attempt = Number(row['attempts']) + 1
    const now = Date.now()
    const id = Number(row['id'])
    this.insertResponse(id, attempt, call.response)
    const started = now - Math.round((call.seconds ?? 0) * 1000)
    const ended = call.seconds === null ? null : now
    this.sql.insert('attempt', { call: id, attempt_no: attempt, started, ended, status: 'imported' })
    this.sql.run("UPDATE call SET state = 'done', owner = NULL, lease_until = NULL WHERE id = ?", id)
    this.recordScore(id, call.scored)
    return true
  }

  /** @param places - `kept`: links of the chain and batches as in the other store; `new`: appended to the chain here, without batches. */
  addSnapshots(calls: readonly CallSnapshot[], places: 'kept' | 'new' = 'new'): number {
    let taken = 0
    for (const whole of calls) {
      const id = restoreCall(this.sql, whole, places === 'kept' ? 'kept' : 'left')
      if (id === null) continue
      taken++
      const { seq = null, hash = null } = whole.response ?? {}
      if (places === 'kept' && seq !== null)
        this.sql.run('UPDATE response SET seq = ?, hash = ? WHERE call = ?', seq, hash, id)
      else if (whole.response !== null) this.link(id)
      for (const { outcome } of whole.scores) this.collector().outcome(outcomeOf(outcome ?? null))
    }
    return taken
  }

  restoreSnapshots(calls: readonly CallSnapshot[]): number {
    const open = calls.filter(
      ({ call }) => this.sql.one('SELECT 1 AS there FROM response WHERE call = ?', call['id'] ?? null) === undefined,
    )
    for (const { call } of open)
      for (const table of ['attempt', 'raw_body'])
        this.sql.run(`DELETE FROM ${table} WHERE call = ?`, call['id'] ?? null)
    // The fate of an open attempt whose worker died is unknown. Lines of a batch are not lost.
    const lost = ({ call, attempts, ...rest }: CallSnapshot): CallSnapshot => ({
      ...rest,
      call,
      attempts: attempts.map((row) =>
        row['status'] === 'open' && call['state'] !== 'batched' ? { ...row, status: 'lost' } : row,
      ),
    })
    return this.addSnapshots(open.map(lost), 'kept')
  }

  restoreBatches(batches: readonly BatchSnapshot[]): void {
    for (const batch of batches) restoreBatch(this.sql, batch)
  }

  private insertResponse(call: number, attempt: number, response: StoredResponse): number {
    const { known, shapes } = this.redact
    const { finish, text, reasoning, logprobs, usage, raw } = response
    const row = {
      call,
      attempt,
      finish,
      text: known(text),
      reasoning: reasoning === null ? null : known(reasoning),
      logprobs: logprobs === null ? null : known(JSON.stringify(logprobs)),
      usage: JSON.stringify(usage),
      raw: raw === null ? null : shapes(raw),
    }
    const added = this.sql.insert('response', row, 'OR IGNORE ')
    if (added > 0) this.link(call)
    return added
  }

  /** Appends a new response to the chain. */
  private link(call: number): void {
    const last = this.sql.one('SELECT seq, hash FROM response WHERE seq IS NOT NULL ORDER BY seq DESC LIMIT 1')
    const row = this.sql.one(
      `SELECT ${LINK_COLUMNS} FROM response r JOIN call c ON c.id = r.call WHERE r.call = ?`,
      call,
    )
    if (row === undefined) return
    const before = last === undefined ? null : String(last['hash'])
    const seq = Number(last?.['seq'] ?? 0) + 1
    this.sql.run('UPDATE response SET seq = ?, hash = ? WHERE call = ?', seq, linkOf(before, row), call)
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
    // The reservation stays beside the cost.
    this.sql.run(
      `INSERT INTO attempt (call, attempt_no, started, ended, status, http, error_source, code, message, usage, request_id, usd)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (call, attempt_no) DO UPDATE SET started = excluded.started, ended = excluded.ended, status = excluded.status,
         http = excluded.http, error_source = excluded.error_source, code = excluded.code, message = excluded.message,
         usage = excluded.usage, request_id = excluded.request_id, usd = excluded.usd`,
      event.call,
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

  beginAttempt(call: number, attempt: number, started: number, most?: number): void {
    this.sql.run(
      `INSERT INTO attempt (call, attempt_no, started, status, max_usd) VALUES (?, ?, ?, 'open', ?)
       ON CONFLICT (call, attempt_no) DO UPDATE SET started = excluded.started, max_usd = excluded.max_usd WHERE status = 'open'`,
      call,
      attempt,
      started,
      most ?? null,
    )
  }

  private saveBody(call: number, attempt: number, body: string): void {
    const text = this.redact.shapes(body)
    const held = Number(this.sql.one('SELECT SUM(size) AS size FROM raw_body')?.['size'] ?? 0)
    const packed = packBody(text)
    if (held + packed.length > MAX_BODY_BYTES) return
    this.sql.insert('raw_body', { call, attempt, size: packed.length, packed }, 'OR REPLACE ')
  }

  putMeta(key: string, value: string): void {
    this.sql.insert('meta', { key, value: this.redact.shapes(value) }, 'OR REPLACE ')
  }

  meta(key: string): string | null {
    const row = this.sql.one('SELECT value FROM meta WHERE key = ?', key)
    return row === undefined ? null : String(row['value'])
  }

  private collector(): NameCollector {
    this.collected ??= new NameCollector(parseColumnNames(this.meta('names')))
    return this.collected
  }
}

function rejectSecret(text: string, what: string, known: Redact): string {
  const hidden = known(text)
  if (hidden === text) return text
  const name = /\[redacted:([^\]]+)\]/u.exec(hidden)?.[1]
  throw new UsageError(
    `the value of ${name === undefined ? 'a secret of the environment' : `the environment variable ${name}`} occurs in what is asked (${what}), and secrets are not written to disk: ${name === undefined ? 'leave it out of the environment' : `if it is none, run with \`env -u ${name} touchstone ...\``}`,
  )
}
