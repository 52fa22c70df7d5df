import { randomUUID } from 'node:crypto'
import {
  changedPlugins,
  type Detail,
  describeChangedPlugins,
  type JsonObject,
  type Task,
  UsageError,
} from '../core/index.ts'
import type { Audit, DatasetAuditOptions, Manifest, Verification, VerifyOptions } from '../datasets/index.ts'
import type { RowFormat } from '../store/index.ts'
import { type Installed, recordsOf } from './installed.ts'
import { packageName, version } from './package.ts'
import type { Plugin } from './plugins.ts'
import { chunkPool } from './workers.ts'

/** How long work reports on itself, and how it is stopped. */
export interface Watched {
  /** Items done, of how many. */
  readonly onProgress?: (done: number, total: number) => void
  /** Stops the work; the call then throws an `AbortError`. */
  readonly signal?: AbortSignal
}

/** Which items: a task with a preset, a config, or a preset with some keys of its config changed. */
export interface Content {
  readonly task: string
  readonly preset?: string
  /** Keys of the config; those left out have the values of the preset, else the defaults. */
  readonly config?: JsonObject
}

/** What to generate, how much of it, and where to. */
export interface GenerateRequest extends Content, Watched {
  /** `train`, `validation`, `test` or a name of your own; left out: `test`. */
  readonly split?: string
  /** Left out: `1`. */
  readonly seed?: string | number
  /** Indices 0..count-1; left out: the whole of a finite config. */
  readonly count?: number
  /** Only this part of several; `merge` joins them. */
  readonly shard?: { readonly index: number; readonly of: number }
  /** The folder to make: new or empty. */
  readonly out: string
  /** Left out: `parquet`. */
  readonly format?: RowFormat
  /** Also write prompts in this style; true: in the first of the task. */
  readonly prompts?: string | true
  /**
   * With the prompts, a worked solution of every item in this detail (true: in full); without `prompts`: beside those of the
   * first style.
   */
  readonly solutions?: boolean | Detail
  /** Store a proof with every item; left out: yes. */
  readonly witnesses?: boolean
  /** Worker threads; 0: one a core; left out: 1, which is this thread. */
  readonly threads?: number
}

/** The config that is asked for, and its preset where that was left as it is. @throws UsageError */
export function configOf(
  task: Task,
  { preset, config }: Omit<Content, 'task'>,
): { readonly preset: string | null; readonly config: JsonObject } {
  if (preset === undefined) return { preset: null, config: task.configure(config ?? {}) }
  const named = task.preset(preset)
  return config === undefined
    ? { preset: named.name, config: named.config }
    : { preset: null, config: task.configure({ ...named.config, ...config }) }
}

/** @throws UsageError for a style that the task lacks. */
export function styleOf(task: Task, style: string | undefined): string {
  if (style === undefined) return task.styles[0]
  if (task.styles.includes(style)) return style
  throw new UsageError(`${task.name} has no style "${style}"; it has ${task.styles.join(', ')}`)
}

export async function generateDataset(here: Installed, request: GenerateRequest): Promise<Manifest> {
  const { generate } = await import('../datasets/index.ts')
  const { split = 'test', seed = '1', out, format = 'parquet', witnesses = true, prompts, solutions = false } = request
  const detail = solutions === true ? 'full' : solutions
  const { count, shard, threads = 1, onProgress, signal } = request
  const task = here.task(request.task)
  const content = configOf(task, request)
  const written = prompts ?? (solutions === false ? undefined : true)
  const kind =
    written === undefined
      ? {}
      : { prompts: { style: styleOf(task, written === true ? undefined : written), solutions: detail } }
  if (solutions !== false && task.solution === undefined)
    throw new UsageError(
      `${task.name} has no worked solutions${task.parsers === undefined ? ': its items are measured, not answered' : ''}`,
    )
  return withThreads(threads, here.plugins, ({ chunkMaker }) =>
    generate({
      task,
      ...content,
      split,
      seed: String(seed),
      ...(count === undefined ? {} : { count }),
      ...(shard === undefined ? {} : { shard }),
      out,
      format,
      witnesses,
      ...kind,
      generator: { package: packageName, version, node: process.version },
      ...recordsOf(here.plugins),
      created: new Date().toISOString(),
      ...(chunkMaker === undefined ? {} : { chunkMaker }),
      ...(onProgress === undefined ? {} : { onProgress }),
      ...(signal === undefined ? {} : { signal }),
    }),
  )
}

/** How much of a dataset to make anew. */
export interface VerifyRequest extends Watched {
  /** Stop after the root: nothing is made anew. */
  readonly quick?: boolean
  /** Make only this many items anew, drawn so that the publisher cannot foresee them. */
  readonly sample?: number
  /** Also ask the oracle about every answer and check every witness. */
  readonly oracles?: boolean
  /** Also audit again and compare with audit.json. */
  readonly audit?: boolean
  /** Worker threads; 0: one a core; left out: 1, which is this thread. */
  readonly threads?: number
}

export async function verifyDataset(here: Installed, folder: string, request: VerifyRequest): Promise<Verification> {
  const { openDataset, verify } = await import('../datasets/index.ts')
  const { threads = 1, sample, ...options } = request
  const dataset = await openDataset(folder)
  const task = here.task(dataset.manifest.task)
  const changed = changedPlugins(dataset.manifest.plugins ?? [], recordsOf(here.plugins).plugins ?? [])
  const verification = await withThreads(threads, here.plugins, (making) =>
    verify(dataset, task, {
      ...options,
      ...(sample === undefined ? {} : { sample, entropy: randomUUID() }),
      software: { package: packageName, version },
      ...making,
    }),
  )
  const notes = changed.map(
    (one) => `${describeChangedPlugins(one, 'the set', 'this command')}: items were made anew by that one`,
  )
  return { ...verification, notChecked: [...notes, ...verification.notChecked] }
}

/** How to audit a dataset, and what is written of it. */
export interface AuditRequest extends DatasetAuditOptions {
  /** Write audit.json and name it in manifest and card; left out: yes, but for the control `ignoreDeclared`. */
  readonly write?: boolean
}

export async function auditFolder(here: Installed, folder: string, request: AuditRequest): Promise<Audit> {
  const { auditDataset, openDataset, writeAudit } = await import('../datasets/index.ts')
  const { write = true, ...options } = request
  const dataset = await openDataset(folder)
  const task = here.task(dataset.manifest.task)
  const audit = await auditDataset(dataset, task, { ...options, style: styleOf(task, options.style) })
  if (write && options.ignoreDeclared !== true) await writeAudit(dataset, task, audit)
  return audit
}

/** Nothing for one thread: this one. */
type Making = Pick<VerifyOptions, 'chunkMaker' | 'planMaker'>

async function withThreads<T>(
  threads: number,
  plugins: readonly Plugin[],
  work: (making: Making) => Promise<T>,
): Promise<T> {
  if (threads === 1) return work({})
  const pool = await chunkPool(threads, plugins)
  try {
    return await work({ chunkMaker: pool.makerOf, planMaker: pool.planOf })
  } finally {
    await pool.close()
  }
}
