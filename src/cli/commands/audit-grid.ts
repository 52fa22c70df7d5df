import { UsageError } from '../../core/errors.ts'
import type { Json } from '../../core/index.ts'
import type { AuditedConfig, AuditGridRequest } from '../../lab/index.ts'
import { readYaml } from '../../runner/plan/yaml.ts'
import { aligned } from '../output.ts'

/** `KEY=A,B,C`, each value as YAML; brackets enclose lists. @throws UsageError */
export function parseGrid(grid: readonly string[]): AuditGridRequest['grid'] {
  const parameters: { [parameter: string]: Json[] } = {}
  for (const text of grid) {
    const at = text.indexOf('=')
    const parameter = text.slice(0, Math.max(at, 0))
    const values = at < 1 ? [] : (text.slice(at + 1).match(/(?:\[[^\]]*\]|[^,[\]])+/gu) ?? [])
    if (values.length === 0) throw new UsageError(`--grid: expected KEY=A,B,C, got "${text}"`)
    if (parameters[parameter] !== undefined)
      throw new UsageError(`--grid: ${parameter} is given twice. Put its values in one list`)
    parameters[parameter] = values.map((value) => readYaml(value.trim(), `a value of --grid ${text}`).value as Json)
  }
  return parameters
}

/** One line per configuration. */
export function gridTable(rows: readonly AuditedConfig[]): string[] {
  const head = ['parameters', 'items', 'status', 'worst probe', 'gain', 'p (Holm)', 'min. detectable']
  const lines = rows.map((row) =>
    row.kind === 'refused'
      ? [row.config.join(' '), '', 'rejected', row.message]
      : [
          row.config.join(' '),
          String(row.items),
          row.failed.length > 1 ? `${row.status} (${row.failed.length})` : row.status,
          row.worst === null ? '' : row.worst.mode === 'within' ? `${row.worst.probe} (in groups)` : row.worst.probe,
          row.worst?.gain.toFixed(4) ?? '',
          row.worst?.pAdjusted.toPrecision(2) ?? '',
          row.detectable.toFixed(4),
        ],
  )
  return aligned([head, ...lines], [1, 4, 5, 6])
}
