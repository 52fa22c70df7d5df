import { Buffer } from 'node:buffer'
import type postgres from 'postgres'
import type { JsonObject } from '../../core/index.ts'
import { packBody, rawHash, responseHash } from '../../store/chain.ts'
import type { Redaction } from '../../store/recorder.ts'
import type { RunEvent } from '../../store/run-store.ts'

/** A transaction. */
export type Tx = postgres.TransactionSql

/** A text as a PostgreSQL text can hold it. */
export const asJson = (text: string): string => JSON.stringify(text)
const orNull = <T>(value: T | null, map: (value: T) => string): string | null => (value === null ? null : map(value))

/** Events as the function `record` of the database takes them: secrets replaced, texts of others as JSON strings. */
export function recordable(events: readonly RunEvent[], redact: Redaction): readonly JsonObject[] {
  return events.map((event) => factOf(event, redact))
}

function factOf(event: RunEvent, redact: Redaction): JsonObject {
  const { known, shapes } = redact
  const { call, kind } = event
  switch (event.kind) {
    case 'attempt':
      return { kind, call, attempt: event.attempt, started: event.started, maxUsd: event.maxUsd ?? null }
    case 'response': {
      const { response, scored } = event
      const kept = {
        finish: response.finish,
        text: known(response.text),
        reasoning: orNull(response.reasoning, known),
        logprobs: orNull(response.logprobs, (list) => known(JSON.stringify(list))),
        usage: JSON.stringify(response.usage),
        raw: orNull(response.raw, shapes),
      }
      return {
        ...endOf(event, redact),
        ...kept,
        status: 'ok',
        usd: response.usage.usd ?? null,
        text: asJson(kept.text),
        reasoning: orNull(kept.reasoning, asJson),
        raw: orNull(kept.raw, asJson),
        responseHash: responseHash(kept),
        rawHash: rawHash(kept.raw),
        ...(scored === null ? {} : { scorer: scored.scorer, outcome: known(JSON.stringify(scored.outcome)) }),
      }
    }
    case 'failure': {
      const { source, code, message, free, body, final } = event
      const packed = body === null ? null : packBody(shapes(body))
      return {
        ...endOf(event, redact),
        status: 'failed',
        source,
        code,
        message: asJson(shapes(message)),
        usd: free ? 0 : (event.usd ?? null),
        final,
        ...(packed === null ? {} : { size: packed.length, packed: Buffer.from(packed).toString('base64') }),
      }
    }
    case 'release':
      return { kind, call, attempt: event.attempt, sent: event.sent }
    case 'score':
      return { kind, call, scorer: event.scored.scorer, outcome: known(JSON.stringify(event.scored.outcome)) }
  }
}

function endOf(event: Extract<RunEvent, { kind: 'response' | 'failure' }>, { shapes }: Redaction): JsonObject {
  return {
    kind: event.kind,
    call: event.call,
    attempt: event.attempt,
    started: Math.round(event.started),
    ended: Math.round(event.ended),
    http: event.http,
    requestId: orNull(event.requestId, (text) => asJson(shapes(text))),
  }
}
