import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { type PluginRecord, pluginRecords } from '../../core/index.ts'
import { explained, StoreError, writeFileAtomic } from '../../store/index.ts'
import { type Adapt, adaptSchema } from '../adaptive/stop-rule.ts'
import type { Limits } from '../plan/experiment.ts'
import type { RunModel, RunSource } from '../plan/resolve.ts'
import type { RunShard } from '../plan/shard.ts'
import { type Until, untilSchema } from '../sequential/rule.ts'

/** What a run is: written once, before its first call. */
export interface RunFile {
  readonly schema: 'touchstone/run/1'
  /** Random: names the run to its ledger, and its attempts to providers. Runs of 0.1.0 have none. */
  readonly id?: string
  readonly name: string
  readonly created: string
  readonly seed: string
  readonly software: { readonly package: string; readonly version: string; readonly node: string }
  /** With which plugins it was made; absent: with none. */
  readonly plugins?: readonly PluginRecord[]
  /** Plugins of an older scorer, which graded it before; absent: there were none. */
  readonly pluginsBefore?: readonly PluginRecord[]
  readonly sources: readonly RunSource[]
  /** Which part of the items this folder asks about; absent: all of them. */
  readonly shard?: RunShard
  readonly models: readonly RunModel[]
  readonly limits: Limits
  /** When the run knows enough to stop, said before its first call; absent: when all is asked. */
  readonly until?: Until
  /** How the run chooses what it asks next, said before its first call; absent: all is asked. */
  readonly adapt?: Adapt
  /** Environment variables that hold secrets; never their values. */
  readonly secrets: readonly string[]
  /** How far the ledger was when this was written last; absent until there is one. */
  readonly reached?: Reached
}

/** What a ledger held: one that holds less is not the ledger of this run any more. */
export interface Reached {
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
  pluginsBefore: pluginRecords.optional(),
  shard: z.strictObject({ index: z.int().min(0), of: z.int().min(1) }).optional(),
  sources: z.array(z.looseObject({ kind: z.enum(['generated', 'imported']), task: z.string(), version: z.int() })),
  models: z.array(z.looseObject({ name: z.string(), spec: z.string() })),
  limits: z.looseObject({}),
  until: untilSchema.optional(),
  adapt: adaptSchema.optional(),
  secrets: z.array(z.string()),
  id: z.string().optional(),
  reached: z
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
    value = JSON.parse(text)
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
