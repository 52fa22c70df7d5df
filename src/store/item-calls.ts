import type { Outcome } from '../core/index.ts'
import type { Ledger } from './ledger.ts'
import { outcomeIn, responseOf } from './records.ts'
import type { StoredResponse } from './run-store.ts'

/** One planned call of an item, with what came of it so far. */
export interface ItemCell {
  readonly cell: number
  readonly style: string
  readonly model: string
  readonly settings: string
  readonly sample: number
  readonly response: StoredResponse | null
  /** By the newest scorer; of a cell that was given up, why. null: not yet known. */
  readonly outcome: Outcome | null
}

const CELLS = `
  SELECT c.id, c.style, c.model, c.settings, c.sample, c.state, r.cell AS answered, r.finish, r.text, r.reasoning, r.logprobs,
    r.usage, NULL AS raw, s.outcome, a.boundary, a.code, a.message
  FROM cell c
  LEFT JOIN response r ON r.cell = c.id
  LEFT JOIN score s ON s.cell = c.id AND s.scorer = (SELECT MAX(scorer) FROM score x WHERE x.cell = c.id)
  LEFT JOIN attempt a ON a.cell = c.id AND a.no = (SELECT MAX(no) FROM attempt y WHERE y.cell = c.id)
  WHERE c.item = ? AND c.id > ? ORDER BY c.id LIMIT ?`

/** Every cell of an item, in the order of the plan. */
export async function itemCells(ledger: Ledger, item: string): Promise<readonly ItemCell[]> {
  const cells: ItemCell[] = []
  for await (const page of ledger.pages(CELLS, item))
    for (const row of page) {
      const outcome: Outcome | null =
        row['state'] === 'failed'
          ? {
              kind: 'failed',
              boundary: (row['boundary'] as 'provider' | null) ?? 'runner',
              code: String(row['code'] ?? 'unscored'),
              message: String(row['message'] ?? ''),
            }
          : outcomeIn(row)
      cells.push({
        cell: Number(row['id']),
        style: String(row['style']),
        model: String(row['model']),
        settings: String(row['settings']),
        sample: Number(row['sample']),
        response: row['answered'] === null ? null : responseOf(row),
        outcome,
      })
    }
  return cells
}

/** What was answered and thought in every cell that has a response, streaming, in the order of the plan. */
export async function* responseTexts(
  ledger: Ledger,
): AsyncGenerator<readonly { readonly cell: number; readonly text: string; readonly reasoning: string | null }[]> {
  const sql = 'SELECT cell AS id, text, reasoning FROM response WHERE cell > ? ORDER BY cell LIMIT ?'
  for await (const page of ledger.pages(sql))
    yield page.map(({ id, text, reasoning }) => ({
      cell: Number(id),
      text: String(text),
      reasoning: reasoning === null ? null : String(reasoning),
    }))
}

/** The items before and after one in the order of the run; null at its ends. */
export async function neighbours(
  ledger: Ledger,
  ord: number,
): Promise<{ readonly before: string | null; readonly after: string | null }> {
  const sql =
    'SELECT i.ord + 1 AS id, i.id AS item FROM item i WHERE i.ord BETWEEN ? AND ? AND i.ord + 1 > ? ORDER BY i.ord LIMIT ?'
  const near = new Map<number, string>()
  for await (const page of ledger.pages(sql, ord - 1, ord + 1))
    for (const row of page) near.set(Number(row['id']) - 1, String(row['item']))
  return { before: near.get(ord - 1) ?? null, after: near.get(ord + 1) ?? null }
}
