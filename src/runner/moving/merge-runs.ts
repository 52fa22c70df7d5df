import { rm } from 'node:fs/promises'
import { join as pathOf, resolve } from 'node:path'
import { z } from 'zod'
import { canonicalConfig, type Json, UsageError } from '../../core/index.ts'
import { explained, lockHolder, parseStored, partial, replace } from '../../store/index.ts'
import {
  newRun,
  openRun,
  RUN_FILES,
  type Run,
  type RunContext,
  requireEmptyFolder,
  saveLedgerState,
  withRun,
} from '../folder/run.ts'
import type { RunFile } from '../folder/run-file.ts'
import { writePlan } from '../plan/plan.ts'
import { isMadeHere, rememberRun } from '../trust.ts'

export interface MergeResult {
  readonly schema: 'touchstone/merged-run/1'
  readonly run: string
  readonly shards: number
  readonly calls: number
  readonly responses: number
  /** Calls that no shard has made yet. */
  readonly waiting: number
}

/**
 * Merges the shards of one run, given in any order, into the run that one process would have made: the same items, calls,
 * responses and money. Calls that a shard has not made yet wait in the merged run, and `resume` makes them.
 *
 * @throws UsageError if the shards are not all of one run, if one is in use, or if one was changed
 */
export async function mergeRuns(dirs: readonly string[], out: string, context: RunContext): Promise<MergeResult> {
  const shards: Run[] = []
  try {
    for (const dir of dirs) shards.push(await openShard(dir, context))
    const [first] = shards
    if (first === undefined) throw new UsageError('name the folders of the shards')
    checkParts(shards)
    shards.sort((a, b) => (a.file.shard?.index ?? 0) - (b.file.shard?.index ?? 0))
    const { id: _id, created: _created, ledgerState: _state, shard: _shard, ...rest } = shards[0]!.file
    const limits = limitsOf(shards)
    await requireEmptyFolder(out)
    // A run with half of its responses would look like one to resume: it gets its name when it is complete.
    const draft = partial(resolve(out))
    try {
      const merged = await withRun(await newRun({ dir: draft }, { ...rest, limits }, context), (run) => {
        if (shards.every(({ file }) => isMadeHere(file, context))) rememberRun(run.file, context)
        return join(run, shards)
      })
      await explained(out, () => replace(draft, out))
      return { ...merged, run: out }
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      throw error
    }
  } finally {
    for (const shard of shards) await shard[Symbol.asyncDispose]()
  }
}

async function join(run: Run, shards: readonly Run[]): Promise<Omit<MergeResult, 'run'>> {
  // Priorities come with the calls: no model needs to be opened for them.
  await writePlan(run, [])
  for (const { dir, ledger } of shards) {
    for await (const calls of ledger.callSnapshots())
      if ((await run.ledger.addSnapshots(calls)) < calls.length)
        throw new UsageError(`${dir} has calls that its experiment does not contain. Run verify on it`)
    await run.ledger.bookExtra(Number((await ledger.meta('carried')) ?? 0))
  }
  await joinIgnored(run, shards)
  await saveLedgerState(run)
  const { calls, responses } = run.ledger.sizes()
  const { waiting } = await run.ledger.counts()
  return { schema: 'touchstone/merged-run/1', shards: shards.length, calls, responses, waiting }
}

async function openShard(dir: string, context: RunContext): Promise<Run> {
  const holder = lockHolder(pathOf(dir, RUN_FILES.lock))
  if (holder !== null)
    throw new UsageError(`process ${holder.pid} on ${holder.host} is working on ${dir}: wait until it ends`)
  const run = await openRun(dir, context, { mode: 'read' })
  try {
    const chain = await run.ledger.checkChain()
    if (chain.kind === 'broken') throw new UsageError(`${dir} was changed: ${chain.message}; run verify on it`)
    if ((await run.ledger.meta('planned')) !== 'yes')
      throw new UsageError(`planning of ${dir} was interrupted. Finish it: touchstone resume ${dir}`)
    const batches = await run.ledger.openBatches()
    if (batches.length > 0)
      throw new UsageError(
        `${dir} waits for ${batches.length} batches: touchstone resume ${dir}, or touchstone resume ${dir} --cancel-batches`,
      )
    return run
  } catch (error) {
    await run[Symbol.asyncDispose]()
    throw error
  }
}

/** @throws UsageError unless these are all shards of one run, each once */
function checkParts(shards: readonly Run[]): void {
  const [first, ...others] = shards as [Run, ...Run[]]
  const of = first.file.shard?.of
  if (of === undefined) throw new UsageError(`${first.dir} is a complete run. merge joins runs made with --shard`)
  const asked = factsOf(first.file)
  for (const { dir, file } of others) {
    const own = factsOf(file)
    const [other] = Object.keys(asked).filter((fact) => own[fact] !== asked[fact])
    if (other !== undefined) {
      const { at, one, two } = difference(JSON.parse(own[other]!) as Json, JSON.parse(asked[other]!) as Json)
      throw new UsageError(
        `${dir} and ${first.dir} are not shards of one run: their ${other} differs (${at}${shown(one)}, and there ${shown(two)})`,
      )
    }
  }
  const there = shards.map(({ file }) => file.shard?.index)
  const missing = Array.from({ length: of }, (_, index) => index).filter((index) => !there.includes(index))
  if (missing.length > 0)
    throw new UsageError(`shard ${missing.map((index) => `${index}/${of}`).join(', ')} is missing`)
  const twice = there.findIndex((index, k) => there.indexOf(index) < k)
  if (twice >= 0)
    throw new UsageError(
      `${shards[there.indexOf(there[twice])]?.dir} and ${shards[twice]?.dir} are both shard ${there[twice]}/${of}: leave one of them out`,
    )
}

/** Those of the first shard, with the sum of all cost limits. */
function limitsOf(shards: readonly Run[]): RunFile['limits'] {
  const { usd: _usd, ...limits } = shards[0]!.file.limits
  const shares = shards.flatMap(({ file }) => file.limits.usd ?? [])
  return shares.length < shards.length ? limits : { ...limits, usd: shares.reduce((sum, share) => sum + share, 0) }
}

/** What all shards of a run have in common, each as text. */
const factsOf = ({
  name,
  seed,
  sources,
  models,
  plugins,
  software,
  shard,
}: RunFile): { readonly [fact: string]: string } =>
  Object.fromEntries(
    Object.entries({
      'number of shards': shard?.of ?? null,
      'version of touchstone': software.version,
      name,
      seed,
      'list of items': sources,
      'list of models': models,
      'list of plugins': plugins ?? [],
    }).map(([fact, value]) => [fact, canonicalConfig(JSON.parse(JSON.stringify(value)) as Json)]),
  )

/** The first path at which two values differ, such as `0.settings.0.maxTokens: `; `undefined`: one has nothing there. */
function difference(
  one: Json | undefined,
  two: Json | undefined,
  at = '',
): { readonly at: string; readonly one: Json | undefined; readonly two: Json | undefined } {
  const [left, right] = [one, two].map((value) => (typeof value === 'object' && value !== null ? value : null)) as [
    { readonly [key: string]: Json } | null,
    { readonly [key: string]: Json } | null,
  ]
  const keys = left === null || right === null ? [] : [...new Set([...Object.keys(left), ...Object.keys(right)])]
  const key = keys.find((name) => JSON.stringify(left?.[name]) !== JSON.stringify(right?.[name]))
  if (key === undefined) return { at: at === '' ? '' : `${at}: `, one, two }
  return difference(left?.[key], right?.[key], at === '' ? key : `${at}.${key}`)
}

function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? 'none'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const ignoredSettings = z.record(z.string(), z.array(z.string()))

/** Settings that a model's provider ignored, in any shard. */
async function joinIgnored(run: Run, shards: readonly Run[]): Promise<void> {
  const all = new Map<string, Set<string>>()
  for (const { ledger } of shards) {
    const text = (await ledger.meta('ignored')) ?? '{}'
    const names = parseStored(ignoredSettings, text, 'what the ledger says of settings that a route ignored')
    for (const [model, own] of Object.entries(names)) all.set(model, new Set([...(all.get(model) ?? []), ...own]))
  }
  if (all.size === 0) return
  const joined = Object.fromEntries([...all].map(([model, names]) => [model, [...names].sort()]))
  await run.ledger.setMeta('ignored', JSON.stringify(joined))
}
