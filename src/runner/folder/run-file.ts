import { existsSync, statSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { type PluginRecord, parseJson, pluginRecords, UsageError } from '../../core/index.ts'
import { explained, type Ledger, StoreError, writeFileAtomic } from '../../store/index.ts'
import type { RunShard } from '../plan/call-order.ts'
import type { Limits } from '../plan/experiment.ts'
import { type Adapt, adaptSchema, type Until, untilSchema } from '../plan/experiment.ts'
import type { RunModel, RunSource } from '../plan/resolve.ts'
import type { Run } from './run.ts'

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

/** Key of the fact in a ledger that names its run. */
const RUN_ID_KEY = 'run'

/** The present state of a ledger. */
export const ledgerState = (ledger: Ledger): LedgerState => ({
  revision: ledger.revision(),
  responses: ledger.responseCount(),
  head: ledger.chainHead(),
  usd: ledger.bookedUsd(),
})

/** Writes into a ledger which run it belongs to, and the attributes of its models. */
export async function markLedger(ledger: Ledger, { id, models }: RunFile): Promise<void> {
  const attributes = Object.fromEntries(models.map((model) => [model.name, model.attributes]))
  await ledger.setMeta('attributes', JSON.stringify(attributes))
  await ledger.setMeta(RUN_ID_KEY, id)
}

const goOn = (dir: string): string =>
  `Restore ledger.db and ledger.db-wal from a copy, or accept the loss and pay for missing responses again: touchstone resume ${dir} --accept-older-ledger`

/** @throws UsageError if run.json knows a ledger, and there is none or an empty file */
export function requireLedger(dir: string, path: string, { ledgerState }: RunFile): void {
  if (ledgerState === undefined || (existsSync(path) && statSync(path).size > 0)) return
  const what = existsSync(path) ? 'is empty' : 'is gone'
  throw new UsageError(
    `${path} ${what}, and ${join(dir, 'run.json')} recorded ${ledgerState.responses} responses ($${ledgerState.usd.toFixed(4)} booked). ${goOn(dir)}`,
  )
}

/** Is a ledger that of another run, or older than run.json says? null: neither. */
export async function ledgerFault(
  ledger: Ledger,
  { ledgerState, id }: RunFile,
): Promise<{ readonly kind: 'other' | 'older'; readonly message: string } | null> {
  const mark = await ledger.meta(RUN_ID_KEY)
  if (ledgerState === undefined) return null
  if (mark !== null && mark !== id) return { kind: 'other', message: `${ledger.path} is not the ledger of this run` }
  const { revision, responses, head } = ledgerState
  const older = (what: string) => ({ kind: 'older', message: `${ledger.path} ${what}` }) as const
  if (ledger.revision() < revision || !ledger.hasResponses(responses))
    return older(
      `is older than the run: it has ${ledger.responseCount()} responses after ${ledger.revision()} changes, the run had ${responses} after ${revision}`,
    )
  return head === null || ledger.hasLink(head) ? null : older('has lost its last response')
}

/** @throws UsageError for another or an older ledger than run.json says */
export async function requireSameLedger(dir: string, ledger: Ledger, file: RunFile): Promise<void> {
  const fault = await ledgerFault(ledger, file)
  if (fault !== null) throw new UsageError(`${fault.message}. ${goOn(dir)}`)
}

/** Accepts the ledger that is there. Money that was booked before stays booked. */
export async function acceptLedger(ledger: Ledger, file: RunFile): Promise<void> {
  await markLedger(ledger, file)
  const missing = (file.ledgerState?.usd ?? 0) - ledger.bookedUsd()
  if (missing > 0) await ledger.bookExtra(missing)
}

/** Key of the fact in a ledger that names the shared store with its open calls; empty: they came back. */
export const STORE_KEY = 'store'

/** @throws UsageError for a run whose calls workers of a shared store make */
export async function requireInFolder({ dir, ledger }: Run): Promise<void> {
  const store = await ledger.meta(STORE_KEY)
  if (store !== null && store !== '')
    throw new UsageError(
      `the calls of ${dir} are in a store (${store}): touchstone cluster worker makes them, touchstone cluster pull ${dir} brings them back`,
    )
}

/** Partial files: what `writeFileAtomic` leaves when its process is killed. */
const DRAFT = /^(?:run|live|seal|selection)\.json\.[0-9a-f]{8}\.partial$/u

/** Ms after which a partial file is abandoned. */
const ABANDONED_MS = 3_600_000

/** Is it a partial file of a process that is at work or was killed? */
export const isPartialFile = (name: string): boolean => DRAFT.test(name)

/** Removes partial files of killed processes. */
export async function removeAbandoned(dir: string, now = Date.now()): Promise<void> {
  for (const name of (await readdir(dir)).filter(isPartialFile)) {
    const path = join(dir, name)
    const found = await stat(path).catch(() => null)
    if (found !== null && now - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true, recursive: true })
  }
}

/** Runs below a folder that a message names. */
const MAX_SHOWN = 5

/**
 * Why a path is not a run folder, and which one may have been meant.
 *
 * @param file - what a run folder has.
 */
export async function explainNoRun(path: string, file: string): Promise<string> {
  const found = await stat(path).catch(() => null)
  if (found === null) return 'there is no such folder'
  if (!found.isDirectory())
    return `it is a file; give the folder of the run, such as ${dirname(path)}. Import the log of another tool: touchstone import TOOL FILE --out RUN`
  const below: string[] = []
  for (const name of (await readdir(path)).sort())
    if ((await stat(join(path, name, file)).catch(() => null)) !== null) below.push(join(path, name))
  const none = `it has no ${file}`
  if (below.length === 0) return none
  return `${none}; below it are the runs ${below.slice(0, MAX_SHOWN).join(', ')}${below.length > MAX_SHOWN ? ', …' : ''}`
}
