import { UsageError } from '../../core/errors.ts'
import type { Json } from '../../core/index.ts'
import type { AuditedCell, AuditGridRequest } from '../../lab/index.ts'
import { readYaml } from '../../runner/plan/yaml.ts'
import { aligned } from '../output.ts'

/** `key=a,b,c`, each value as YAML; brackets hold lists together. @throws UsageError */
export function gridKnobs(grid: readonly string[]): AuditGridRequest['knobs'] {
  const knobs: { [knob: string]: Json[] } = {}
  for (const text of grid) {
    const at = text.indexOf('=')
    const knob = text.slice(0, Math.max(at, 0))
    const values = at < 1 ? [] : (text.slice(at + 1).match(/(?:\[[^\]]*\]|[^,[\]])+/gu) ?? [])
    if (values.length === 0) throw new UsageError(`--grid: expected key=value,value,..., got "${text}"`)
    if (knobs[knob] !== undefined) throw new UsageError(`--grid: ${knob} is given twice; put its values in one list`)
    knobs[knob] = values.map((value) => readYaml(value.trim(), `a value of --grid ${text}`).value as Json)
  }
  return knobs
}

/** One line a cell. */
export function gridTable(rows: readonly AuditedCell[]): string[] {
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
