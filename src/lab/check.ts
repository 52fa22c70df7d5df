import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonObject, UsageError } from '../core/index.ts'
import { openDataset } from '../datasets/index.ts'
import { type ContractResult, checkTask } from '../testing/check.ts'
import type { Environment } from './environment.ts'
import type { checkTaskRequest, Valid } from './requests/index.ts'

/** Results of the contract tests for one configuration. */
export interface CheckedConfig {
  /** null: the configuration of a dataset, or the defaults. */
  readonly preset: string | null
  readonly config: JsonObject
  readonly results: readonly ContractResult[]
}

/** Results of the contract tests of a task. */
export interface ContractReport {
  readonly schema: 'touchstone/check/1'
  readonly task: string
  readonly version: number
  readonly configs: readonly CheckedConfig[]
  /** Contract tests that fail in some config. */
  readonly failed: readonly string[]
}

/** Runs the contract tests on a task, given by its name or by a dataset that it made. @throws UsageError */
export async function runContractTests(
  here: Environment,
  what: string,
  request: Valid<typeof checkTaskRequest>,
): Promise<ContractReport> {
  const isDataset = existsSync(join(what, 'manifest.json'))
  if (isDataset && request.presets !== undefined)
    throw new UsageError(`--preset: ${what} is a dataset with its own configuration`)
  const asked = isDataset ? await ofDataset(here, what) : ofTask(here, what, request.presets)
  const configs: CheckedConfig[] = []
  for (const { preset, config } of asked.configs) {
    request.signal?.throwIfAborted()
    configs.push({ preset, config, results: checkTask(asked.task, config) })
    request.onProgress?.(configs.length, asked.configs.length)
    // A test may take seconds: signals are handled between configurations.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const results = configs.flatMap((one) => one.results)
  const failed = [...new Set(results.flatMap((result) => (result.kind === 'failed' ? [result.test] : [])))]
  return { schema: 'touchstone/check/1', task: asked.task.name, version: asked.task.version, configs, failed }
}

async function ofDataset(here: Environment, folder: string) {
  const { manifest } = await openDataset(folder)
  const task = here.task(manifest.task)
  return { task, configs: [{ preset: manifest.preset, config: task.configure(manifest.config) }] }
}

function ofTask(here: Environment, name: string, presets: readonly string[] | undefined) {
  const task = here.task(name)
  const names = presets ?? Object.keys(task.presets)
  const configs =
    names.length === 0
      ? [{ preset: null, config: task.configure({}) }]
      : names.map((one) => {
          const { name: preset, config } = task.preset(one)
          return { preset, config }
        })
  return { task, configs }
}
