import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isUsageError, type Json, type JsonObject, UsageError } from '../core/index.ts'
import type { Audit, Test } from '../datasets/index.ts'
import { type AuditRequest, auditFolder, type Content, configOf, generateDataset } from './datasets.ts'
import type { Installed } from './installed.ts'
import { withKnob } from './knob.ts'

/** Which configs of a task to audit, over a grid of its knobs. */
export interface AuditGridRequest
  extends Content,
    Pick<AuditRequest, 'style' | 'alpha' | 'minEffect' | 'maxGain' | 'crossFit' | 'ignoreDeclared' | 'signal'> {
  /** Knobs of the config (`a.b` reaches inside) with the values to try: every combination is a cell. */
  readonly knobs: { readonly [knob: string]: readonly Json[] }
  /** Indices of each set; left out: 5,000. */
  readonly count?: number
  /** Left out: `test`. */
  readonly split?: string
  /** Left out: `1`. */
  readonly seed?: string | number
  /** Cells done, of how many. */
  readonly onProgress?: (done: number, total: number) => void
}

/** What an audit of one cell of a grid of knobs says. */
export type AuditedCell =
  | {
      readonly kind: 'audited'
      /** The knobs of the cell: `key=value`. */
      readonly cell: readonly string[]
      readonly items: number
      readonly status: Audit['status']
      /** The probe that decides with the least p; null where none has anything to see. */
      readonly worst: Pick<Test, 'probe' | 'mode' | 'gain' | 'ci' | 'pAdjusted' | 'status'> | null
      /** The gain that would have been found with power .8, and the 99 % limit of any probe's. */
      readonly detectable: number
      readonly bound: Audit['bound']
      readonly failed: readonly string[]
    }
  /** The task has no such config, or not enough items of it. */
  | { readonly kind: 'refused'; readonly cell: readonly string[]; readonly message: string }

const maxCells = 400

/**
 * Makes a dataset of every combination of the values, the last knob fastest, audits it and throws it away.
 *
 * @throws UsageError for more than 400 cells; what is wrong with one cell is said in its row.
 */
export async function auditGrid(here: Installed, request: AuditGridRequest): Promise<readonly AuditedCell[]> {
  const cells = cellsOf(request.knobs)
  const rows: AuditedCell[] = []
  for (const knobs of cells) {
    request.onProgress?.(rows.length, cells.length)
    const cell = knobs.map(([knob, value]) => `${knob}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    try {
      rows.push(rowOf(cell, await audited(here, request, knobs)))
    } catch (error) {
      if (!isUsageError(error)) throw error
      rows.push({ kind: 'refused', cell, message: error.message })
    }
  }
  return rows
}

type Cell = readonly (readonly [knob: string, value: Json])[]

function cellsOf(knobs: AuditGridRequest['knobs']): readonly Cell[] {
  const values = Object.entries(knobs)
  const count = values.reduce((product, [, tried]) => product * tried.length, 1)
  if (count === 0) throw new UsageError('`knobs`: one without a value has no cell')
  if (count > maxCells)
    throw new UsageError(`\`knobs\`: ${count} cells are more than ${maxCells}; ask for fewer values`)
  return values.reduce<readonly Cell[]>(
    (cells, [knob, tried]) => cells.flatMap((cell) => tried.map((value): Cell => [...cell, [knob, value]])),
    [[]],
  )
}

async function audited(here: Installed, request: AuditGridRequest, cell: Cell): Promise<Audit> {
  const { task: name, preset, config: base, knobs: _, count: most = 5000, onProgress: __, ...rest } = request
  const { split = 'test', seed = '1', signal, ...audit } = rest
  const task = here.task(name)
  const start: JsonObject = preset === undefined ? (base ?? {}) : { ...task.preset(preset).config, ...base }
  const { config } = configOf(task, {
    config: cell.reduce((changed, [knob, value]) => withKnob(changed, knob, value), start),
  })
  const size = task.source(config, { split, seed: String(seed) }).layout.size ?? Number.POSITIVE_INFINITY
  const stopped = signal === undefined ? {} : { signal }
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-grid-'))
  try {
    const out = join(folder, 'data')
    await generateDataset(here, { task: name, config, split, seed, count: Math.min(most, size), out, ...stopped })
    return await auditFolder(here, out, { ...audit, write: false, ...stopped })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function rowOf(
  cell: readonly string[],
  { tests, checks, dataset, status, minimumDetectable: detectable, bound }: Audit,
): AuditedCell {
  const worst = tests.find((test) => test.n > 0 && (test.status === 'pass' || test.status === 'fail'))
  return {
    kind: 'audited',
    cell,
    items: dataset.count,
    status,
    worst: worst === undefined ? null : decisive(worst),
    detectable,
    bound,
    failed: [
      ...tests.filter((test) => test.status === 'fail').map(({ probe }) => probe),
      ...checks.filter((check) => check.status === 'fail').map(({ name }) => name),
    ],
  }
}

const decisive = ({ probe, mode, gain, ci, pAdjusted, status }: Test) => ({ probe, mode, gain, ci, pAdjusted, status })
