import { isUsageError, type Json, type Outcome, type Request } from '../../core/index.ts'
import { outcomeOf, type StoredItem, type StoredResponse } from '../../store/index.ts'
import type { Run } from '../folder/run.ts'

/** What one cell of a run asked, what came, how it was read, and the truth. */
export interface ShownCell {
  readonly cell: number
  readonly item: StoredItem
  readonly style: string
  readonly model: string
  readonly settings: string
  readonly sample: number
  /** null: the installed version of the task makes other prompts, or the items were imported without any. */
  readonly request: Request | null
  /** null: nothing came, or not yet. */
  readonly response: Omit<StoredResponse, 'raw'> | null
  /** null: not scored yet. */
  readonly outcome: Outcome | null
  /** The right answer as the task writes it in words; null where it has none. */
  readonly gold: string | null
  /** Drawings of the truth as data. */
  readonly view: readonly Json[]
}

/** A cell by its number, as `rows.parquet` has it; null where the run has none such. */
export function shownCell(run: Run, cell: number): ShownCell | null {
  const { ledger, sources } = run
  const [row] = ledger.query('SELECT item, style, model, settings, sample, state FROM cell WHERE id = ?', cell)
  const found = row === undefined ? null : ledger.item(String(row['item']))
  if (row === undefined || found === null) return null
  const { item, shared } = found
  const place = {
    style: String(row['style']),
    model: String(row['model']),
    settings: String(row['settings']),
    sample: Number(row['sample']),
  }
  const answered = ledger.find({ item: item.id, ...place })
  const scored = ledger.outcomes(cell, cell).get(cell)
  const task = sources.scorer(item.source)
  const problem = sources.problem(item, shared)
  return {
    cell,
    item,
    ...place,
    request: unless(() => sources.request(item, shared, place.style)),
    response: answered === null ? null : withoutBody(answered),
    outcome: scored === undefined ? failureOf(run, cell) : outcomeOf(scored),
    gold: task.gold?.(problem) ?? null,
    view: task.view?.(problem) ?? [],
  }
}

const withoutBody = ({ raw: _raw, ...response }: StoredResponse): Omit<StoredResponse, 'raw'> => response

/** null where the task installed is another version than that which asked. */
function unless(make: () => Request): Request | null {
  try {
    return make()
  } catch (error) {
    if (isUsageError(error)) return null
    throw error
  }
}

/** Why a cell was given up; null where it still waits. */
function failureOf({ ledger }: Run, cell: number): Outcome | null {
  const [last] = ledger.query(
    "SELECT a.boundary, a.code, a.message FROM attempt a JOIN cell c ON c.id = a.cell WHERE a.cell = ? AND c.state = 'failed' ORDER BY a.no DESC LIMIT 1",
    cell,
  )
  if (last === undefined) return null
  const boundary = last['boundary'] === 'task' || last['boundary'] === 'runner' ? last['boundary'] : 'provider'
  return { kind: 'failed', boundary, code: String(last['code']), message: String(last['message'] ?? '') }
}
