import type { Outcome } from '../core/index.ts'
import type { Ledger } from './ledger.ts'
import { callOf, outcomeIn, responseOf, textOrNull } from './records.ts'
import type { StoredResponse } from './run-store.ts'

/** One planned call of an item, with its outcome so far. */
export interface ItemCall {
  readonly call: number
  readonly style: string
  readonly model: string
  readonly settings: string
  readonly sample: number
  readonly response: StoredResponse | null
  /** By the newest scorer; of a failed call, why. null: not known yet. */
  readonly outcome: Outcome | null
}

const CALLS = `
  SELECT c.id, c.style, c.model, c.settings, c.sample, c.state, r.call AS answered, r.finish, r.text, r.reasoning, r.logprobs,
    r.usage, NULL AS raw, s.outcome, a.error_source, a.code, a.message
  FROM call c
  LEFT JOIN response r ON r.call = c.id
  LEFT JOIN score s ON s.call = c.id AND s.scorer = (SELECT MAX(scorer) FROM score x WHERE x.call = c.id)
  LEFT JOIN attempt a ON a.call = c.id AND a.attempt_no = (SELECT MAX(attempt_no) FROM attempt y WHERE y.call = c.id)
  WHERE c.item = ? AND c.id > ? ORDER BY c.id LIMIT ?`

/** Every call of an item, in the order of the plan. */
export async function callsOfItem(ledger: Ledger, item: string): Promise<readonly ItemCall[]> {
  const calls: ItemCall[] = []
  for await (const page of ledger.pages(CALLS, item))
    for (const row of page) {
      const outcome: Outcome | null =
        row['state'] === 'failed'
          ? {
              kind: 'error',
              source: (row['error_source'] as 'provider' | null) ?? 'runner',
              code: String(row['code'] ?? 'unscored'),
              message: String(row['message'] ?? ''),
            }
          : outcomeIn(row)
      calls.push({
        call: Number(row['id']),
        ...callOf(row),
        response: row['answered'] === null ? null : responseOf(row),
        outcome,
      })
    }
  return calls
}

/** Text and reasoning of all responses, in the order of the plan, streaming. */
export async function* responseTexts(
  ledger: Ledger,
): AsyncGenerator<readonly { readonly call: number; readonly text: string; readonly reasoning: string | null }[]> {
  const sql = 'SELECT call AS id, text, reasoning FROM response WHERE call > ? ORDER BY call LIMIT ?'
  for await (const page of ledger.pages(sql))
    yield page.map(({ id, text, reasoning }) => ({
      call: Number(id),
      text: String(text),
      reasoning: textOrNull(reasoning),
    }))
}

/** The items before and after one in the order of the run; null at its ends. */
export async function adjacentItems(
  ledger: Ledger,
  position: number,
): Promise<{ readonly before: string | null; readonly after: string | null }> {
  const sql =
    'SELECT i.position + 1 AS id, i.id AS item FROM item i WHERE i.position BETWEEN ? AND ? AND i.position + 1 > ? ORDER BY i.position LIMIT ?'
  const near = new Map<number, string>()
  for await (const page of ledger.pages(sql, position - 1, position + 1))
    for (const row of page) near.set(Number(row['id']) - 1, String(row['item']))
  return { before: near.get(position - 1) ?? null, after: near.get(position + 1) ?? null }
}
