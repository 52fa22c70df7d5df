import { z } from 'zod'
import { type Json, MerkleTree, merkleLeaf, parseJson, sha256Hex, sortedJson, UsageError } from '../../core/index.ts'
import { IMPORT_KEY, type Run } from '../../runner/folder/run.ts'
import type { RunFile } from '../../runner/folder/run-file.ts'
import { STORE_KEY } from '../../runner/folder/run-file.ts'
import { PROMPTS_KEY } from '../../runner/plan/prompts.ts'
import type { RunSource } from '../../runner/plan/resolve.ts'
import { callHash, callSchema, hashSchema, type SealedCall, sealedCalls } from './sealed-calls.ts'

/** The file in a run folder that `seal` writes. */
export const SEAL_FILE = 'seal.json'

const itemSchema = z.strictObject({ id: z.string(), source: z.int().min(0), index: z.int().min(0), leaf: hashSchema })
export type SealedItem = z.infer<typeof itemSchema>

const summarySchema = z.strictObject({
  config: z.string(),
  style: z.string(),
  model: z.string(),
  settings: z.string(),
  parser: z.string(),
  calls: z.int(),
  /** Mean value of the calls that did not fail; ungraded ones count 0. null for a metric, or if all failed. */
  accuracy: z.number().nullable(),
})
export type SealedSummary = z.infer<typeof summarySchema>

const sealSchema = z.strictObject({
  schema: z.literal('touchstone/seal/1'),
  id: hashSchema,
  run: z.looseObject({ sources: z.array(z.looseObject({ kind: z.string(), task: z.string(), label: z.string() })) }),
  methods: z.strictObject({
    accuracy: z.string(),
    scorers: z.record(z.string(), z.int()),
    wordings: z.record(z.string(), z.int()),
    /** SHA-256 over all prompts; null: unknown (imported). */
    prompts: hashSchema.nullable(),
  }),
  /** Length of the chain of responses, and hash of its last link. */
  chain: z.strictObject({ links: z.int().min(0), head: hashSchema.nullable() }),
  /** US dollars, to six decimals: all that was booked, and the part of it that belongs to no attempt. */
  money: z.strictObject({ usd: z.number(), extra: z.number() }),
  /** Hashes of what the run says of its stopping rule, its choices, ignored settings, empty indices, batches and older scores. */
  facts: z.record(z.string(), hashSchema),
  itemRoot: hashSchema,
  callRoot: hashSchema,
  summary: z.array(summarySchema),
  items: z.array(itemSchema),
  calls: z.array(callSchema),
})

/** A run in one file: its items and calls, the hash of every response, all scores and their summary. */
export interface Seal extends Omit<z.infer<typeof sealSchema>, 'run'> {
  readonly run: Omit<RunFile, 'secrets' | 'ledgerState'>
}

const ACCURACY = 'mean value of all calls that did not fail; unparsed, truncated and refused responses count 0'

/** Seals a run as it is: verify it first. @throws UsageError if it is not finished */
export async function sealOf(run: Run): Promise<Seal> {
  const { waiting, leased, batched } = await run.ledger.counts()
  if (waiting + leased + batched > 0 || run.ledger.sizes().calls === 0) {
    const store = await run.ledger.meta(STORE_KEY)
    const finish =
      store === null || store === ''
        ? `touchstone resume ${run.dir}, then seal it`
        : `its open calls are in a store (${store}): touchstone cluster worker, then touchstone exam seal store:${run.file.id}`
    throw new UsageError(`${run.dir} is not finished: ${finish}`)
  }
  const items: SealedItem[] = []
  for await (const page of run.ledger.items())
    for (const { item } of page)
      items.push({ id: item.id, source: item.source, index: item.index, leaf: item.itemHash })
  const calls: SealedCall[] = []
  for await (const call of sealedCalls(run.ledger)) calls.push(call)
  // The state of this copy of the ledger is not part of the run.
  const { secrets: _secrets, ledgerState: _state, ...file } = run.file
  const tasks = file.sources.map((_, number) => run.sources.scorer(number))
  const body: Omit<Seal, 'id'> = {
    schema: 'touchstone/seal/1',
    run: file,
    methods: {
      accuracy: ACCURACY,
      scorers: Object.fromEntries(tasks.map((task) => [task.name, task.scorerVersion])),
      wordings: Object.fromEntries(file.sources.map((source) => [source.task, source.promptVersion])),
      // Imported items have none.
      prompts: (await run.ledger.meta(PROMPTS_KEY)) || null,
    },
    chain: { links: calls.filter(({ link }) => link !== null).length, head: run.ledger.chainHead() },
    money: {
      usd: rounded(run.ledger.bookedUsd()),
      extra: rounded(Number((await run.ledger.meta('carried')) ?? 0)),
    },
    facts: await factsOf(run),
    itemRoot: rootOf(items.map(({ leaf }) => leaf)),
    callRoot: rootOf(calls.map(callHash)),
    summary: summaryOf(file.sources, items, calls),
    items,
    calls,
  }
  return { ...body, id: idOf(body) }
}

const rounded = (usd: number): number => Number(usd.toFixed(6))

const OLDER_SCORES = `
  SELECT call AS id, json_group_array(json_array(scorer, outcome)) AS scores FROM score s
  WHERE scorer < (SELECT MAX(scorer) FROM score x WHERE x.call = s.call) GROUP BY call HAVING call > ? ORDER BY call LIMIT ?`

async function factsOf({ ledger }: Run): Promise<Seal['facts']> {
  const facts: { [name: string]: string } = {}
  for (const name of ['until', 'adapt', 'ignored', 'empty', IMPORT_KEY]) {
    const value = await ledger.meta(name)
    if (value !== null) facts[name] = sha256Hex(value)
  }
  const batches = [...ledger.batchSnapshots()].sort((a, b) =>
    String(a.batch['key']) < String(b.batch['key']) ? -1 : 1,
  )
  if (batches.length > 0) facts['batches'] = sha256Hex(JSON.stringify(batches))
  const older: string[] = []
  for await (const page of ledger.pages(OLDER_SCORES)) for (const { id, scores } of page) older.push(`${id} ${scores}`)
  if (older.length > 0) facts['olderScores'] = rootOf(older.map(sha256Hex))
  return facts
}

/** Does the money of a seal come to what its attempts cost? A millionth is lost in rounding. */
export function isSummed({ money, calls }: Pick<Seal, 'money' | 'calls'>): boolean {
  const attempts = calls.flatMap((call) => call.attempts)
  const sum = attempts.reduce((usd, { usd: cost, maxUsd }) => usd + (cost ?? maxUsd ?? 0), money.extra)
  return Math.abs(sum - money.usd) <= 2e-6
}

/** The identity of a seal: once it is published with a date, the run cannot be changed unnoticed. */
export const idOf = ({ id: _id, ...body }: Omit<Seal, 'id'> & { readonly id?: string }): string =>
  sha256Hex(`touchstone/seal/1\n${sortedJson(JSON.parse(JSON.stringify(body)) as Json)}`)

export function rootOf(hashes: readonly string[]): string {
  const tree = new MerkleTree()
  for (const hash of hashes) tree.add(merkleLeaf(hash))
  return tree.root()
}

/** Accuracies by config, style, model, settings and parser, in the order of the calls. */
export function summaryOf(
  sources: readonly Pick<RunSource, 'label'>[],
  items: readonly SealedItem[],
  calls: readonly SealedCall[],
): SealedSummary[] {
  const configs = new Map(items.map(({ id, source }) => [id, sources[source]?.label ?? '']))
  const rows = new Map<
    string,
    { row: Omit<SealedSummary, 'accuracy' | 'calls'>; calls: number; graded: boolean; sum: number }
  >()
  for (const { item, style, model, settings, scores } of calls)
    for (const [parser, { state, value }] of Object.entries(scores)) {
      const row = { config: configs.get(item) ?? '', style, model, settings, parser }
      const key = sortedJson(row)
      const entry = rows.get(key) ?? { row, calls: 0, graded: false, sum: 0 }
      rows.set(key, entry)
      entry.calls++
      entry.graded ||= state !== 'loglikelihood' && parser !== 'error'
      entry.sum += value ?? 0
    }
  return [...rows.values()].map(({ row, calls: n, graded, sum }) => ({
    ...row,
    calls: n,
    accuracy: graded ? sum / n : null,
  }))
}

/** @throws UsageError naming what does not fit. */
export function parseSeal(text: string, name: string): Seal {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${(error as Error).message}`)
  }
  const parsed = sealSchema.safeParse(value)
  if (!parsed.success)
    throw new UsageError(`${name} is not a seal this version can read:\n${z.prettifyError(parsed.error)}`)
  return value as Seal
}
