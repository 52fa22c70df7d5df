import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { type PluginRecord, parseJson, pluginRecords } from '../../core/index.ts'
import { explained, StoreError, writeFileAtomic } from '../../store/index.ts'
import type { Limits } from '../plan/experiment.ts'
import type { RunModel, RunSource } from '../plan/resolve.ts'
import { type Adapt, adaptSchema, type Until, untilSchema } from '../plan/rules.ts'
import type { RunShard } from '../plan/shard.ts'

/** The definition of a run, written before its first call. */
export interface RunFile {
  readonly schema: 'touchstone/run/1'
  /** Random: identifies the run in its ledger, and its attempts at providers. */
  readonly id: string
  readonly name: string
  readonly created: string
  readonly seed: string
  readonly software: { readonly package: string; readonly version: string; readonly node: string }
  /** Plugins it was made with; absent: none. */
  readonly plugins?: readonly PluginRecord[]
  /** Plugins with an older scorer, which scored it before; absent: none. */
  readonly previousPlugins?: readonly PluginRecord[]
  readonly sources: readonly RunSource[]
  /** Part of the items in this folder; absent: all. */
  readonly shard?: RunShard
  readonly models: readonly RunModel[]
  readonly limits: Limits
  /** Stopping rule; absent: none. */
  readonly until?: Until
  /** Adaptive sampling; absent: all items are called. */
  readonly adapt?: Adapt
  /** Environment variables that hold secrets; never their values. */
  readonly secrets: readonly string[]
  /** State of the ledger when this file was last written; absent until there is one. */
  readonly ledgerState?: LedgerState
}

/** State of a ledger: one with less is not the ledger of this run any more. */
export interface LedgerState {
  readonly revision: number
  readonly responses: number
  /** The last link of the chain of responses; null: none yet. */
  readonly head: string | null
  readonly usd: number
}

const shape = z.looseObject({
  schema: z.literal('touchstone/run/1'),
  name: z.string(),
  seed: z.string(),
  plugins: pluginRecords.optional(),
  previousPlugins: pluginRecords.optional(),
  shard: z.strictObject({ index: z.int().min(0), of: z.int().min(1) }).optional(),
  sources: z.array(z.looseObject({ kind: z.enum(['generated', 'imported']), task: z.string(), version: z.int() })),
  models: z.array(z.looseObject({ name: z.string(), spec: z.string() })),
  limits: z.looseObject({}),
  until: untilSchema.optional(),
  adapt: adaptSchema.optional(),
  secrets: z.array(z.string()),
  id: z.string().min(1),
  ledgerState: z
    .looseObject({ revision: z.number(), responses: z.number(), head: z.string().nullable(), usd: z.number() })
    .optional(),
})

/** Writes run.json; `redact` is applied to its text. */
export async function writeRunFile(path: string, run: RunFile, redact: (text: string) => string): Promise<void> {
  await writeFileAtomic(path, `${redact(JSON.stringify(run, null, 1))}\n`)
}

/** Reads run.json, checked. */
export async function readRunFile(path: string): Promise<RunFile> {
  return parseRunFile(await explained(path, () => readFile(path, 'utf8')), path)
}

/** Reads the text of a run.json; `path` is for messages. @throws StoreError */
export function parseRunFile(text: string, path: string): RunFile {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw new StoreError('damaged', `${path} is not JSON: ${(error as Error).message}`)
  }
  const newer = (value as { readonly schema?: unknown } | null)?.schema
  if (typeof newer === 'string' && /^touchstone\/run\/(?!1$)\d+$/u.test(newer))
    throw new StoreError('newer', `${path} has the schema ${newer}, this program knows touchstone/run/1; update it`)
  const parsed = shape.safeParse(value)
  if (!parsed.success) throw new StoreError('damaged', `${path} is not a run: ${z.prettifyError(parsed.error)}`)
  return value as RunFile
}
