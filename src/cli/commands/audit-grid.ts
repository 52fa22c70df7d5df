import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../core/errors.ts'
import type { Audit, Test } from '../../datasets/index.ts'
import type { AuditRequest, Lab } from '../../lab/index.ts'
import { aligned } from '../output.ts'
import { type DatasetFlags, resolveConfig } from '../words.ts'

/** What an audit of one cell of a grid of knobs says. */
export type GridRow =
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

export interface GridRequest extends DatasetFlags {
  readonly task: string
  /** Knobs with their values: `key=a,b,c`. */
  readonly grid: readonly string[]
  readonly count: number
  readonly audit: Pick<AuditRequest, 'style' | 'alpha' | 'see' | 'certify' | 'deciding' | 'undeclared'>
  readonly signal: AbortSignal
  readonly onCell: (done: number, total: number) => void
}

const mostCells = 400

/** Every combination of the values, the last knob fastest. @throws UsageError */
export function cellsOf(grid: readonly string[]): string[][] {
  const knobs = grid.map((text) => {
    const at = text.indexOf('=')
    const values = at < 1 ? [] : (text.slice(at + 1).match(/(?:\[[^\]]*\]|[^,[\]])+/gu) ?? [])
    if (values.length === 0) throw new UsageError(`--grid: expected key=value,value,..., got "${text}"`)
    return values.map((value) => `${text.slice(0, at)}=${value.trim()}`)
  })
  const count = knobs.reduce((product, values) => product * values.length, 1)
  if (count > mostCells) throw new UsageError(`--grid: ${count} cells are more than ${mostCells}; ask for fewer values`)
  return knobs.reduce<string[][]>((cells, values) => cells.flatMap((cell) => values.map((v) => [...cell, v])), [[]])
}

/** Makes a data set of every cell, audits it and throws it away. */
export async function auditGrid(lab: Lab, request: GridRequest): Promise<GridRow[]> {
  const cells = cellsOf(request.grid)
  const rows: GridRow[] = []
  for (const cell of cells) {
    request.onCell(rows.length, cells.length)
    try {
      rows.push(await audited(lab, request, cell))
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      rows.push({ kind: 'refused', cell, message: error.message })
    }
  }
  return rows
}

async function audited(lab: Lab, request: GridRequest, cell: readonly string[]): Promise<GridRow> {
  const { split, seed, signal } = request
  const task = lab.task(request.task)
  const { config } = await resolveConfig(task, { ...request, set: [...(request.set ?? []), ...cell] })
  const size = task.source(config, { split, seed }).layout.size ?? Number.POSITIVE_INFINITY
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-grid-'))
  try {
    const out = join(folder, 'data')
    const count = Math.min(request.count, size)
    await lab.generate({ task: task.name, config, split, seed, count, out, signal })
    return rowOf(cell, await lab.audit(out, { ...request.audit, write: false, signal }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function rowOf(cell: readonly string[], audit: Audit): GridRow {
  const worst = audit.tests.find(({ status, n }) => n > 0 && (status === 'pass' || status === 'fail'))
  return {
    kind: 'audited',
    cell,
    items: audit.dataset.count,
    status: audit.status,
    worst:
      worst === undefined
        ? null
        : {
            probe: worst.probe,
            mode: worst.mode,
            gain: worst.gain,
            ci: worst.ci,
            pAdjusted: worst.pAdjusted,
            status: worst.status,
          },
    detectable: audit.detectable,
    bound: audit.bound,
    failed: [
      ...audit.tests.filter(({ status }) => status === 'fail').map(({ probe }) => probe),
      ...audit.checks.filter(({ status }) => status === 'fail').map(({ name }) => name),
    ],
  }
}

/** One line a cell. */
export function gridTable(rows: readonly GridRow[]): string[] {
  const head = ['cell', 'items', 'verdict', 'worst probe', 'gain', 'p (Holm)', 'detectable', 'gain at most']
  const lines = rows.map((row) =>
    row.kind === 'refused'
      ? [row.cell.join(' '), '', 'refused', row.message]
      : [
          row.cell.join(' '),
          String(row.items),
          row.failed.length > 1 ? `${row.status} (${row.failed.length})` : row.status,
          row.worst === null ? '' : row.worst.mode === 'within' ? `${row.worst.probe} (in groups)` : row.worst.probe,
          row.worst?.gain.toFixed(4) ?? '',
          row.worst?.pAdjusted.toPrecision(2) ?? '',
          row.detectable.toFixed(4),
          row.bound?.upper.toFixed(4) ?? '',
        ],
  )
  return aligned([head, ...lines], [1, 4, 5, 6, 7])
}
