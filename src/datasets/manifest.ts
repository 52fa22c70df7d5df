import { z } from 'zod'
import { canonicalConfig, type Json, parseJson, pluginRecords, sha256Hex, UsageError } from '../core/index.ts'
import type { PromptKind } from './columns.ts'

/** `manifest.json`: the identity of a dataset and the hashes of its files (docs/formats.md#a-dataset). */

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.int().min(0)
const name = z.string().regex(/^[a-z0-9][a-z0-9./-]{0,63}$/)
const json = z.json() as z.ZodType<Json>

const shard = z.strictObject({
  file: z.string().regex(/^[a-z0-9-]+\.(parquet|jsonl)$/),
  kind: z.enum(['items', 'groups', 'prompts']),
  first: count,
  count,
  bytes: count,
  sha256: hash,
  subroots: z.array(hash).exactOptional(),
})

const strata = z.strictObject({
  factors: z.array(z.string()),
  filled: z.array(z.strictObject({ levels: z.array(json), count })),
  empty: z.array(z.strictObject({ levels: z.array(json), proof: z.string(), count })),
  notFound: z.array(z.strictObject({ levels: z.array(json), reason: z.string(), tries: count })),
})

const manifestSchema = z.strictObject({
  schema: z.literal('touchstone/manifest/1'),
  task: name,
  version: z.int().min(1),
  preset: z.string().nullable(),
  config: z.record(z.string(), json),
  configHash: hash,
  split: name,
  seed: z.union([
    z.strictObject({ text: z.string() }),
    z.strictObject({ commitment: hash, beacon: z.string().nullable().exactOptional() }),
  ]),
  first: count,
  indices: count,
  count,
  empty: z.strictObject({ proved: count, notFound: count }),
  plan: json.exactOptional(),
  features: z.record(z.string(), json),
  root: hash,
  salted: z.boolean(),
  planHash: hash.exactOptional(),
  groups: z.strictObject({
    count,
    root: hash,
    layout: z.enum(['none', 'group-major', 'interleaved']),
  }),
  shards: z.array(shard),
  files: z.record(z.string(), z.strictObject({ bytes: count, sha256: hash })),
  strata,
  partition: z.strictObject({ domain: z.string(), keyVersion: z.int() }).nullable(),
  prompts: z
    .strictObject({
      style: z.string(),
      promptVersion: z.int(),
      /** Detail of the worked solutions beside the prompts; true: full. */
      solutions: z.union([z.literal(true), z.enum(['reason', 'short'])]).exactOptional(),
      root: hash,
    })
    .nullable(),
  scorerVersion: z.int(),
  generator: z.strictObject({
    package: z.string(),
    version: z.string(),
    node: z.string().exactOptional(),
  }),
  plugins: pluginRecords.exactOptional(),
  audit: z.strictObject({ sha256: hash, status: z.string() }).nullable(),
  created: z.string().exactOptional(),
})

/** Task, config, split and seed of a dataset, with the hashes of its files. */
export type Manifest = z.infer<typeof manifestSchema>
export type Shard = Manifest['shards'][number]
export type Strata = Manifest['strata']

export const parseManifest = (text: string, path: string): Manifest => parseDocument(manifestSchema, text, path)

/** Parses a JSON file by its schema. @throws UsageError with what does not fit */
export function parseDocument<T>(schema: z.ZodType<T>, text: string, path: string): T {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${error instanceof Error ? error.message : error}`)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new UsageError(`${path} does not fit this version:\n${z.prettifyError(parsed.error)}`)
}

/**
 * The identity of a dataset (docs/concepts.md#hashes): independent of time, Node version and Parquet encoder.
 *
 * @example
 * import { manifestId, openDataset } from '@touchstone-eval/touchstone/node'
 *
 * export const sameSet = async (a: string, b: string): Promise<boolean> =>
 *   manifestId((await openDataset(a)).manifest) === manifestId((await openDataset(b)).manifest)
 */
export function manifestId(manifest: Manifest): string {
  const { created: _created, generator, shards, files: _files, ...rest } = manifest
  const { node: _node, ...stable } = generator
  const body = {
    ...rest,
    generator: stable,
    shards: shards.map(({ sha256: _sha256, bytes: _bytes, ...shard }) => shard),
  }
  return sha256Hex(`touchstone/manifest/1\n${canonicalConfig(body)}`)
}

/** Prompts of the dataset; null: none. */
export const promptKindOf = ({ prompts }: Manifest): PromptKind | null =>
  prompts === null
    ? null
    : { style: prompts.style, solutions: prompts.solutions === true ? 'full' : (prompts.solutions ?? false) }
