import type postgres from 'postgres'
import { packBody } from '../bodies.ts'
import type { Redaction } from '../recorder.ts'
import type { BatchEvent, RunEvent } from '../run-store.ts'

/** A transaction. */
export type Tx = postgres.TransactionSql

/** A text as a PostgreSQL text can hold it. */
export const asJson = (text: string): string => JSON.stringify(text)
const orNull = <T>(value: T | null, map: (value: T) => string): string | null => (value === null ? null : map(value))

/** Writes events in their order. Statements are sent without waiting for one another: the connection keeps their order. */
export async function writeEvents(tx: Tx, events: readonly RunEvent[], redact: Redaction): Promise<void> {
  const sent: Promise<unknown>[] = []
  const send = (query: postgres.PendingQuery<postgres.Row[]>): void => {
    sent.push(query)
  }
  for (const event of events) {
    const { cell } = event
    switch (event.kind) {
      case 'attempt':
        send(tx`INSERT INTO attempt (cell, no, started, status, most)
          VALUES (${cell}, ${event.attempt}, ${event.started}, 'open', ${event.most ?? null})
          ON CONFLICT (cell, no) DO UPDATE SET started = excluded.started, most = excluded.most
          WHERE attempt.status = 'open'`)
        break
      case 'response': {
        const { response, scored } = event
        const { known, shapes } = redact
        send(
          endAttempt(
            tx,
            event,
            'ok',
            { usage: JSON.stringify(response.usage), usd: response.usage.usd ?? null },
            redact,
          ),
        )
        // The score goes with the first response only.
        send(tx`WITH added AS (
            INSERT INTO response (cell, attempt, finish, text, reasoning, logprobs, usage, raw)
            VALUES (${cell}, ${event.attempt}, ${response.finish}, ${asJson(known(response.text))},
              ${orNull(response.reasoning, (text) => asJson(known(text)))},
              ${orNull(response.logprobs, (list) => known(JSON.stringify(list)))},
              ${JSON.stringify(response.usage)}, ${orNull(response.raw, (text) => asJson(shapes(text)))})
            ON CONFLICT (cell) DO NOTHING RETURNING cell)
          INSERT INTO score (cell, scorer, outcome)
          SELECT cell, ${scored?.scorer ?? 0}::bigint, ${scored === null ? '' : known(JSON.stringify(scored.outcome))}::text
          FROM added WHERE ${scored !== null}::boolean
          ON CONFLICT (cell, scorer) DO UPDATE SET outcome = excluded.outcome`)
        send(tx`UPDATE cell SET state = 'done', owner = NULL, lease_until = NULL WHERE id = ${cell}`)
        break
      }
      case 'failure': {
        const { boundary, code, message, free, body, final, attempt } = event
        const usd = free ? 0 : (event.usd ?? null)
        send(endAttempt(tx, event, 'failed', { boundary, code, message, usd }, redact))
        if (body !== null) {
          const packed = packBody(redact.shapes(body))
          send(tx`INSERT INTO body (cell, attempt, size, packed) VALUES (${cell}, ${attempt}, ${packed.length}, ${packed})
            ON CONFLICT (cell, attempt) DO NOTHING`)
        }
        if (final)
          send(tx`UPDATE cell SET state = 'failed', owner = NULL, lease_until = NULL
            WHERE id = ${cell} AND state <> 'done'`)
        break
      }
      case 'release':
        send(tx`UPDATE attempt SET status = 'cancelled', usd = ${event.sent ? null : 0}::double precision
          WHERE cell = ${cell} AND no = ${event.attempt} AND status = 'open'`)
        send(tx`UPDATE cell SET state = 'waiting', owner = NULL, lease_until = NULL
          WHERE id = ${cell} AND state IN ('leased', 'batched')`)
        break
      case 'score':
        send(tx`INSERT INTO score (cell, scorer, outcome)
          VALUES (${cell}, ${event.scored.scorer}, ${redact.known(JSON.stringify(event.scored.outcome))})
          ON CONFLICT (cell, scorer) DO UPDATE SET outcome = excluded.outcome`)
    }
  }
  await Promise.all(sent)
}

function endAttempt(
  tx: Tx,
  event: Extract<RunEvent, { kind: 'response' | 'failure' }>,
  status: string,
  more: {
    readonly boundary?: string
    readonly code?: string
    readonly message?: string
    readonly usage?: string
    readonly usd: number | null
  },
  { shapes }: Redaction,
): postgres.PendingQuery<postgres.Row[]> {
  return tx`INSERT INTO attempt (cell, no, started, ended, status, http, boundary, code, message, usage, request_id, usd)
    VALUES (${event.cell}, ${event.attempt}, ${Math.round(event.started)}, ${Math.round(event.ended)}, ${status},
      ${event.http}, ${more.boundary ?? null}, ${more.code ?? null},
      ${more.message === undefined ? null : asJson(shapes(more.message))}, ${more.usage ?? null},
      ${orNull(event.requestId, (text) => asJson(shapes(text)))}, ${more.usd})
    ON CONFLICT (cell, no) DO UPDATE SET started = excluded.started, ended = excluded.ended, status = excluded.status,
      http = excluded.http, boundary = excluded.boundary, code = excluded.code, message = excluded.message,
      usage = excluded.usage, request_id = excluded.request_id, usd = excluded.usd`
}

/** Writes what happened to a batch. */
export async function writeBatch(tx: Tx, event: BatchEvent, redact: Redaction): Promise<void> {
  switch (event.kind) {
    case 'intended': {
      const { key, model, at, lines } = event
      await tx`INSERT INTO batch (key, model, lines, state, intended, tried)
        VALUES (${key}, ${model}, ${lines.length}, 'open', ${at}, ${at})`
      const [cells, attempts, mosts] = [
        lines.map(({ cell }) => cell),
        lines.map(({ attempt }) => attempt),
        lines.map(({ most }) => most),
      ]
      await tx`INSERT INTO attempt (cell, no, started, status, most)
        SELECT u.cell, u.no, ${at}, 'open', u.most
        FROM unnest(${cells}::bigint[], ${attempts}::bigint[], ${mosts}::double precision[]) AS u (cell, no, most)
        ON CONFLICT (cell, no) DO UPDATE SET started = excluded.started, most = excluded.most WHERE attempt.status = 'open'`
      await tx`INSERT INTO line (batch, no, cell, attempt) SELECT ${key}, u.place - 1, u.cell, u.no
        FROM unnest(${cells}::bigint[], ${attempts}::bigint[]) WITH ORDINALITY AS u (cell, no, place)`
      await tx`UPDATE cell SET state = 'batched', owner = ${key}, lease_until = NULL
        WHERE id = ANY (${cells}::bigint[]) AND state = 'leased'`
      break
    }
    case 'tried':
      await tx`UPDATE batch SET tried = ${event.at} WHERE key = ${event.key}`
      break
    case 'submitted':
      await tx`UPDATE batch SET remote = ${event.remote}, submitted = ${event.at} WHERE key = ${event.key}`
      break
    case 'over':
      await tx`UPDATE batch SET state = 'over', status = ${asJson(redact.shapes(event.status))}, ended = ${event.at}
        WHERE key = ${event.key}`
  }
}
