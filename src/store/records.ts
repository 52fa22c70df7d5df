import type { SQLOutputValue } from 'node:sqlite'
import type { Features, Finish, Json, Outcome, Problem, TokenLogprob } from '../core/index.ts'
import { StoreError } from './errors.ts'
import type { StoredItem, StoredResponse, Usage } from './run-store.ts'
import type { Record } from './sql.ts'

/** The columns of an item, of the table alias `i`, as {@link itemOf} reads them. */
export const ITEM_COLUMNS =
  'i.ord, i.id AS item, i.source, i.idx, i.stratum, i.task, i.version, i.config, i.draw, i.grp, i.given, i.answer, i.features, i.leaf'

/** @throws StoreError for what somebody else wrote. */
function json<T>(value: SQLOutputValue | undefined): T {
  try {
    return JSON.parse(String(value)) as T
  } catch {
    throw new StoreError(
      'damaged',
      `a record of the run is not JSON, as this program writes it: ${String(value).slice(0, 100)}`,
    )
  }
}

export function itemOf(row: Record): StoredItem {
  return {
    id: String(row['item']),
    ord: Number(row['ord']),
    source: Number(row['source']),
    index: Number(row['idx']),
    stratum: Number(row['stratum']),
    task: String(row['task']),
    version: Number(row['version']),
    config: String(row['config']),
    draw: String(row['draw']),
    group: String(row['grp']),
    given: json<Json>(row['given']),
    answer: json<Json>(row['answer']),
    features: json<Features>(row['features']),
    leaf: String(row['leaf']),
  }
}

/** What an item asks and the answer to it, and where it belongs. */
export interface StoredProblem {
  readonly source: number
  readonly group: string
  readonly problem: Problem<Json, Json, Json>
}

export const problemOf = (row: Record, shared: Json): StoredProblem => ({
  source: Number(row['source']),
  group: String(row['grp']),
  problem: { shared, given: json<Json>(row['given']), answer: json<Json>(row['answer']) },
})

export function responseOf(row: Record): StoredResponse {
  return {
    finish: row['finish'] as Finish,
    text: String(row['text']),
    reasoning: row['reasoning'] === null ? null : String(row['reasoning']),
    logprobs: row['logprobs'] === null ? null : json<readonly TokenLogprob[]>(row['logprobs']),
    usage: json<Usage>(row['usage']),
    raw: row['raw'] === null || row['raw'] === undefined ? null : String(row['raw']),
  }
}

export const outcomeOf = (text: SQLOutputValue | undefined): Outcome | null =>
  text === null || text === undefined ? null : json<Outcome>(text)

/** A cell without an outcome is one whose attempts all failed. */
export const unscored = (record: Record): Outcome => ({
  kind: 'failed',
  boundary: (record['boundary'] as 'provider' | null) ?? 'runner',
  code: String(record['code'] ?? 'unscored'),
  message: String(record['message'] ?? 'the response has not been scored'),
})
