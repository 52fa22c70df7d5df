import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defined } from '../core/defined.ts'
import { isUsageError, type Json, type JsonObject, UsageError } from '../core/index.ts'
import type { Audit, Test } from '../datasets/index.ts'
import { inTemporaryFolder } from '../store/index.ts'
import { auditFolder, configOf, generateDataset } from './datasets.ts'
import type { Environment } from './environment.ts'
import type { auditGridRequest, Valid } from './requests/index.ts'
import { withParameter } from './set-parameter.ts'

/** The audit of one combination of parameter values. */
export type AuditedConfig =
  | {
      readonly kind: 'audited'
      /** `key=value` of each parameter. */
      readonly config: readonly string[]
      readonly items: number
      readonly status: Audit['status']
      /** The deciding probe with the smallest p; null where no probe applies. */
      readonly worst: Pick<Test, 'probe' | 'mode' | 'gain' | 'ci' | 'pAdjusted' | 'status'> | null
      /** Minimum detectable gain (power 80 %). */
      readonly detectable: number
      readonly failed: readonly string[]
    }
  /** The task rejects this configuration, or has too few items of it. */
  | { readonly kind: 'refused'; readonly config: readonly string[]; readonly message: string }

const MAX_CONFIGS = 400

/**
 * Generates a dataset for every combination of the values, the last parameter fastest, audits it and deletes it.
 *
 * @throws UsageError for more than 400 combinations; a rejected combination becomes a row.
 */
export async function auditGrid(
  here: Environment,
  request: Valid<typeof auditGridRequest>,
): Promise<readonly AuditedConfig[]> {
  const combinations = combinationsOf(request.grid)
  const rows: AuditedConfig[] = []
  for (const values of combinations) {
    request.onProgress?.(rows.length, combinations.length)
    const config = values.map(
      ([parameter, value]) => `${parameter}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    try {
      rows.push(rowOf(config, await auditOne(here, request, values)))
    } catch (error) {
      if (!isUsageError(error)) throw error
      rows.push({ kind: 'refused', config, message: error.message })
    }
  }
  return rows
}

type Values = readonly (readonly [parameter: string, value: Json])[]

function combinationsOf(grid: Valid<typeof auditGridRequest>['grid']): readonly Values[] {
  const values = Object.entries(grid)
  const count = values.reduce((product, [, tried]) => product * tried.length, 1)
  if (count === 0) throw new UsageError('--grid: every parameter needs at least one value')
  if (count > MAX_CONFIGS)
    throw new UsageError(`--grid: at most ${MAX_CONFIGS} combinations, got ${count}. Give fewer values`)
  return values.reduce<readonly Values[]>(
    (sofar, [parameter, tried]) => sofar.flatMap((one) => tried.map((value): Values => [...one, [parameter, value]])),
    [[]],
  )
}

async function auditOne(here: Environment, request: Valid<typeof auditGridRequest>, values: Values): Promise<Audit> {
  const { task: name, preset, config: base, grid: _, count: max = 5000, onProgress: __, ...rest } = request
  const { split = 'test', seed = '1', signal, ...audit } = rest
  const task = here.task(name)
  const start: JsonObject = preset === undefined ? (base ?? {}) : { ...task.preset(preset).config, ...base }
  const { config } = configOf(task, {
    config: values.reduce((changed, [parameter, value]) => withParameter(changed, parameter, value), start),
  })
  const size = task.source(config, { split, seed: String(seed) }).layout.size ?? Number.POSITIVE_INFINITY
  return inTemporaryFolder(tmpdir(), 'touchstone-grid-', async (folder) => {
    const out = join(folder, 'data')
    const count = Math.min(max, size)
    await generateDataset(here, { task: name, config, split, seed, count, out, ...defined({ signal }) })
    return auditFolder(here, out, { ...audit, write: false, ...defined({ signal }) })
  })
}

function rowOf(
  config: readonly string[],
  { tests, checks, dataset, status, minimumDetectable: detectable }: Audit,
): AuditedConfig {
  const worst = tests.find((test) => test.n > 0 && (test.status === 'pass' || test.status === 'fail'))
  return {
    kind: 'audited',
    config,
    items: dataset.count,
    status,
    worst: worst === undefined ? null : decisive(worst),
    detectable,
    failed: [
      ...tests.filter((test) => test.status === 'fail').map(({ probe }) => probe),
      ...checks.filter((check) => check.status === 'fail').map(({ name }) => name),
    ],
  }
}

const decisive = ({ probe, mode, gain, ci, pAdjusted, status }: Test) => ({ probe, mode, gain, ci, pAdjusted, status })
