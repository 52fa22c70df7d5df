import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonObject, UsageError } from '../core/index.ts'
import { type ContractResult, checkTask } from '../testing/check.ts'
import type { Watched } from './datasets.ts'
import type { Installed } from './installed.ts'

/** Which configs of a task are asked every law. */
export interface CheckRequest extends Watched {
  /** Left out: all presets of the task; of a task without presets, its defaults. */
  readonly presets?: readonly string[]
}

/** What the laws say of one config. */
export interface CheckedConfig {
  /** null: the config of a dataset, or the defaults. */
  readonly preset: string | null
  readonly config: JsonObject
  readonly results: readonly ContractResult[]
}

/** What the laws say of a task, config by config. */
export interface Checked {
  readonly schema: 'touchstone/check/1'
  readonly task: string
  readonly version: number
  readonly configs: readonly CheckedConfig[]
  /** Laws that are broken in some config. */
  readonly failed: readonly string[]
}

/** Asks every law of a task, by its name or by a dataset that it made. @throws UsageError */
export async function checkLaws(here: Installed, what: string, request: CheckRequest = {}): Promise<Checked> {
  const isDataset = existsSync(join(what, 'manifest.json'))
  if (isDataset && request.presets !== undefined)
    throw new UsageError(`${what} is a dataset: it says its own config; presets are of a task`)
  const asked = isDataset ? await ofDataset(here, what) : ofTask(here, what, request.presets)
  const configs: CheckedConfig[] = []
  for (const { preset, config } of asked.configs) {
    request.signal?.throwIfAborted()
    configs.push({ preset, config, results: checkTask(asked.task, config) })
    request.onProgress?.(configs.length, asked.configs.length)
    // A law may take seconds; whoever wants to stop is heard between configs.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const results = configs.flatMap((one) => one.results)
  const failed = [...new Set(results.flatMap((result) => (result.kind === 'failed' ? [result.test] : [])))]
  return { schema: 'touchstone/check/1', task: asked.task.name, version: asked.task.version, configs, failed }
}

async function ofDataset(here: Installed, folder: string) {
  const { openDataset } = await import('../datasets/index.ts')
  const { manifest } = await openDataset(folder)
  const task = here.task(manifest.task)
  return { task, configs: [{ preset: manifest.preset, config: task.configure(manifest.config) }] }
}

function ofTask(here: Installed, name: string, presets: readonly string[] | undefined) {
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
