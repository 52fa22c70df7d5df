import { z } from 'zod'
import { type Json, MerkleTree, merkleLeaf, parseJson, sha256Hex, sortedJson, UsageError } from '../../core/index.ts'
import { PROMPTS_MARK } from '../prompt-hash.ts'
import type { RunSource } from '../resolve.ts'
import type { Run } from '../run.ts'
import type { RunFile } from '../run-file.ts'
import { MOVED_MARK } from '../shared/moved.ts'
import { cellHash, cellSchema, type SealedCell, sealedCells } from './cells.ts'

/** The file in a run folder that `seal` writes. */
export const SEAL_FILE = 'seal.json'

const itemSchema = z.strictObject({ id: z.string(), source: z.int().min(0), index: z.int().min(0), leaf: z.string() })
export type SealedItem = z.infer<typeof itemSchema>

const summarySchema = z.strictObject({
  config: z.string(),
  style: z.string(),
  model: z.string(),
  settings: z.string(),
  parser: z.string(),
  cells: z.int(),
  /** Mean value of the cells that did not fail; what is not graded counts 0. Null where a measure is meant or all failed. */
  accuracy: z.number().nullable(),
})
export type SealedSummary = z.infer<typeof summarySchema>

const sealSchema = z.strictObject({
  schema: z.literal('touchstone/seal/1'),
  id: z.string(),
  run: z.looseObject({ sources: z.array(z.looseObject({ kind: z.string(), task: z.string(), label: z.string() })) }),
  methods: z.strictObject({
    accuracy: z.string(),
    scorers: z.record(z.string(), z.int()),
    wordings: z.record(z.string(), z.int()),
    /** SHA-256 over all prompts, byte by byte; null: not kept (imported, or an older version). */
    prompts: z.string().nullable(),
  }),
  /** The chain of responses: how long it is, and its last link. */
  chain: z.strictObject({ links: z.int().min(0), head: z.string().nullable() }),
  itemRoot: z.string(),
  cellRoot: z.string(),
  summary: z.array(summarySchema),
  items: z.array(itemSchema),
  cells: z.array(cellSchema),
})

/** A run in one file: what was asked, the hash of every response, its scores, and what they come to. */
export interface Seal extends Omit<z.infer<typeof sealSchema>, 'run'> {
  readonly run: Omit<RunFile, 'secrets' | 'reached'>
}

const ACCURACY = 'mean value of all cells that did not fail; unparsed, truncated and refused responses count 0'

/** The run is taken at its word: verify it first. @throws UsageError where it is not finished. */
export async function sealOf(run: Run): Promise<Seal> {
  const { waiting, leased, batched } = await run.ledger.counts()
  if (waiting + leased + batched > 0 || run.ledger.sizes().cells === 0) {
    const store = await run.ledger.meta(MOVED_MARK)
    const finish =
      store === null || store === ''
        ? `touchstone resume ${run.dir}, then seal it`
        : `its open cells are in a store (${store}): touchstone cluster worker, then touchstone exam seal store:${run.file.id ?? ''}`
    throw new UsageError(`${run.dir} is not finished: ${finish}`)
  }
  const items: SealedItem[] = []
  for await (const page of run.ledger.items())
    for (const { item } of page) items.push({ id: item.id, source: item.source, index: item.index, leaf: item.leaf })
  const cells: SealedCell[] = []
  for await (const cell of sealedCells(run.ledger)) cells.push(cell)
  // How far this copy of the ledger is, says nothing about the run.
  const { secrets: _secrets, reached: _reached, ...file } = run.file
  const tasks = file.sources.map((_, number) => run.sources.scorer(number))
  const body: Omit<Seal, 'id'> = {
    schema: 'touchstone/seal/1',
    run: file,
    methods: {
      accuracy: ACCURACY,
      scorers: Object.fromEntries(tasks.map((task) => [task.name, task.scorerVersion])),
      wordings: Object.fromEntries(file.sources.map((source) => [source.task, source.wording])),
      prompts: await run.ledger.meta(PROMPTS_MARK),
    },
    chain: { links: cells.filter(({ link }) => link !== null).length, head: run.ledger.head() },
    itemRoot: rootOf(items.map(({ leaf }) => leaf)),
    cellRoot: rootOf(cells.map(cellHash)),
    summary: summaryOf(file.sources, items, cells),
    items,
    cells,
  }
  return { ...body, id: idOf(body) }
}

/** The identity of a seal: whoever publishes it with a date cannot change the run afterwards. */
export const idOf = ({ id: _id, ...body }: Omit<Seal, 'id'> & { readonly id?: string }): string =>
  sha256Hex(`touchstone/seal/1\n${sortedJson(JSON.parse(JSON.stringify(body)) as Json)}`)

export function rootOf(hashes: readonly string[]): string {
  const tree = new MerkleTree()
  for (const hash of hashes) tree.add(merkleLeaf(hash))
  return tree.root()
}

/** What the cells come to, by config, style, model, settings and parser, in the order they come. */
export function summaryOf(
  sources: readonly Pick<RunSource, 'label'>[],
  items: readonly SealedItem[],
  cells: readonly SealedCell[],
): SealedSummary[] {
  const configs = new Map(items.map(({ id, source }) => [id, sources[source]?.label ?? '']))
  const rows = new Map<
    string,
    { row: Omit<SealedSummary, 'accuracy' | 'cells'>; cells: number; graded: boolean; sum: number }
  >()
  for (const { item, style, model, settings, scores } of cells)
    for (const [parser, { state, value }] of Object.entries(scores)) {
      const row = { config: configs.get(item) ?? '', style, model, settings, parser }
      const key = sortedJson(row)
      const entry = rows.get(key) ?? { row, cells: 0, graded: false, sum: 0 }
      rows.set(key, entry)
      entry.cells++
      entry.graded ||= state !== 'measured' && parser !== 'failed'
      entry.sum += value ?? 0
    }
  return [...rows.values()].map(({ row, cells: n, graded, sum }) => ({
    ...row,
    cells: n,
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
