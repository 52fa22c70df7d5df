import { z } from 'zod'
import {
  canonicalJson,
  type EmptyIndex,
  enc,
  groupHash,
  hex,
  type Item,
  itemHash,
  type Json,
  type JsonObject,
  labelKey,
  MerkleTree,
  merkleLeaf,
  merklePath,
  type PluginRecord,
  pluginRecords,
  rootKey,
  type Source,
  sha256,
  streamKey,
  type Task,
  UsageError,
  unhex,
  verifyPath,
} from '../core/index.ts'
import { parseDocument } from './manifest.ts'

/** Sealed exams (docs/formats.md#a-sealed-exam): committed before they are taken, revealed as a whole or item by item. */

const hash = z.string().regex(/^[0-9a-f]{64}$/u)
const json = z.json() as z.ZodType<Json>

const commitmentSchema = z.strictObject({
  schema: z.literal('touchstone/commitment/1'),
  task: z.string(),
  version: z.int().min(1),
  config: z.record(z.string(), json),
  configHash: hash,
  split: z.string(),
  indices: z.int().min(1).max(10_000_000),
  /** Hash of the secret and the fields above, published before the value of the beacon is known. */
  commitment: hash,
  /** Public random value, `drand:ROUND:VALUE`; null: the seed is the secret alone. */
  beacon: z.string().min(1).max(512).nullable(),
  /** Merkle root over the salted hashes of all indices. */
  root: hash,
  engine: z.strictObject({ package: z.string(), version: z.string() }),
  plugins: pluginRecords.exactOptional(),
})
/** Hashes published before an exam, which bind its maker. */
export type Commitment = z.infer<typeof commitmentSchema>

/** A beacon and a future round, `drand:ROUND`. */
const round = z.string().regex(/^[a-z0-9-]{1,64}(?::[\w.-]{1,128}){1,2}$/u)

const announcementSchema = commitmentSchema
  .omit({ root: true })
  .extend({ schema: z.literal('touchstone/announcement/1'), beacon: round })
/** Published before the value of the beacon is known: binds the exam to a secret and a round; nobody knows its items yet. */
export type Announcement = z.infer<typeof announcementSchema>

const proofSchema = z.strictObject({
  schema: z.literal('touchstone/item-proof/1'),
  index: z.int().min(0),
  hash,
  salt: hash,
  path: z.array(hash).max(64),
  item: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('item'),
      given: json,
      answer: json,
      shared: json,
      groupHash: hash.nullable(),
      features: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    }),
    z.strictObject({ kind: z.literal('hole'), reason: z.string(), groupHash: hash.nullable() }),
  ]),
})
/** One item of a sealed exam with its Merkle path; it reveals nothing about other items. */
export type ItemProof = z.infer<typeof proofSchema>

export interface Exam {
  readonly task: Task
  readonly config: JsonObject
  readonly split: string
  readonly indices: number
  readonly beacon: string | null
  /** 64 random hex digits. */
  readonly secret: string
}

/** Published so that others can regenerate the items. */
export interface GeneratedBy {
  readonly engine: Commitment['engine']
  readonly plugins?: PluginRecord[]
}

/** The seed of an exam: its secret, or a hash of secret and beacon, so that the examiner cannot choose among seeds. */
export const examSeed = (secret: string, beacon: string | null): string =>
  `secret:${beacon === null ? secret : hex(sha256(enc('touchstone/beacon/1', secret, beacon)))}`

export function commitTo(exam: Exam, made: GeneratedBy): Commitment {
  const { source, bound } = bind(exam, made)
  const tree = new MerkleTree()
  for (const leaf of leaves(source, exam.indices)) tree.add(leaf)
  return { ...bound, schema: 'touchstone/commitment/1', beacon: exam.beacon, root: tree.root() }
}

/** The fields of a commitment except beacon and root. */
function bind(
  exam: Exam,
  made: GeneratedBy,
): { readonly source: Source; readonly bound: Omit<Commitment, 'schema' | 'beacon' | 'root'> } {
  if (!/^[0-9a-f]{64}$/u.test(exam.secret))
    throw new UsageError('the secret of an exam: expected 64 hex digits, as drawn by exam commit')
  const { task, split, indices, secret } = exam
  const source = open(exam)
  const { size } = source.layout
  if (size !== null && indices > size) throw new UsageError(`this config has ${size} indices, the exam has ${indices}`)
  const commitment = hex(
    sha256(enc('touchstone/commit/1', task.name, task.version, split, source.configHash, indices, secret)),
  )
  return {
    source,
    bound: {
      task: task.name,
      version: task.version,
      config: source.config,
      configHash: source.configHash,
      split,
      indices,
      commitment,
      ...made,
    },
  }
}

/** Binds an exam to a secret and a future beacon round, `drand:ROUND`. */
export function announce(exam: Exam & { readonly beacon: string }, made: GeneratedBy): Announcement {
  const parsed = round.safeParse(exam.beacon)
  if (!parsed.success)
    throw new UsageError(`beacon: expected a future round without its value, e.g. drand:5000000, got ${exam.beacon}`)
  return { ...bind(exam, made).bound, schema: 'touchstone/announcement/1', beacon: exam.beacon }
}

/** Differences between a commitment and its announcement; empty: same exam, secret and round. */
export function checkAnnounced(announced: Announcement, commitment: Commitment): readonly string[] {
  const same = ['task', 'version', 'configHash', 'split', 'indices', 'commitment'] as const
  return [
    ...same
      .filter((key) => announced[key] !== commitment[key])
      .map((key) => `${key}: announced ${announced[key]}, got ${commitment[key]}`),
    ...(canonicalJson(announced.plugins ?? []) === canonicalJson(commitment.plugins ?? [])
      ? []
      : [`plugins: announced ${namesOf(announced.plugins)}, got ${namesOf(commitment.plugins)}`]),
    ...(commitment.beacon?.startsWith(`${announced.beacon}:`) === true
      ? []
      : [`beacon: announced the round ${announced.beacon}, got ${commitment.beacon ?? 'none'}`]),
  ]
}

const namesOf = (plugins: readonly PluginRecord[] = []): string =>
  plugins.map(({ name, sha256 }) => `${name} (sha256 ${sha256.slice(0, 12)})`).join(', ') || 'none'

/** Regenerates an exam from its secret; returns what differs from the commitment. */
export function checkReveal(commitment: Commitment, task: Task, secret: string): readonly string[] {
  if (task.version !== commitment.version)
    return [
      `the exam is of version ${commitment.version} of ${task.name}, version ${task.version} is installed. Install ${commitment.engine.package} ${commitment.engine.version}`,
    ]
  const { split, indices, beacon } = commitment
  const fresh = commitTo(
    { task, config: task.configure(commitment.config), split, indices, beacon, secret },
    { engine: commitment.engine },
  )
  const wrong = (what: string): string => `${what} regenerated from the secret differs from the commitment`
  return [
    ...(fresh.configHash === commitment.configHash ? [] : [wrong('the hash of the config')]),
    ...(fresh.commitment === commitment.commitment ? [] : [wrong('the commitment')]),
    ...(fresh.root === commitment.root ? [] : [wrong('the root of the items')]),
  ]
}

/** Reveals one index of an exam. */
export function proveItem(exam: Exam, index: number): ItemProof {
  const source = open(exam)
  if (index >= exam.indices) throw new UsageError(`index: expected 0 to ${exam.indices - 1}, got ${index}`)
  const item = source.item(index)
  return {
    schema: 'touchstone/item-proof/1',
    index,
    hash: item.hash,
    salt: hex(salt(source, index)),
    path: merklePath([...leaves(source, exam.indices)], index),
    item: contentOf(item, source),
  }
}

/** Errors of a proof. `indices` and root come from the commitment, never from the proof. */
export function checkProof(commitment: Commitment, proof: ItemProof): readonly string[] {
  const { index, salt: salted, path, item, hash: own } = proof
  const { task, version, split, configHash } = commitment
  const key = { task, version, split, configHash }
  const content =
    item.kind === 'hole'
      ? { truth: null, features: { unreachable: item.reason } }
      : { truth: { given: item.given, answer: item.answer }, features: item.features }
  const shared = item.kind === 'item' && item.groupHash !== null && groupHash(item.shared) !== item.groupHash
  return [
    ...(verifyPath(merkleLeaf(own, unhex(salted)), index, commitment.indices, path, commitment.root)
      ? []
      : ['the path does not lead to the root of the commitment']),
    ...(itemHash(key, { index, groupHash: item.groupHash, ...content }) === own
      ? []
      : ['the item differs from the hash in the proof']),
    ...(shared ? ['the shared content differs from its hash'] : []),
  ]
}

/** Exactly what the hash of an index covers. */
function contentOf(item: Item | EmptyIndex, source: Source): ItemProof['item'] {
  if (item.kind === 'hole') {
    const group = source.group(item.group)
    return { kind: 'hole', reason: item.reason, groupHash: group.kind === 'group' ? group.hash : null }
  }
  const { given, answer, shared, groupHash: ofGroup, features } = item
  return { kind: 'item', given, answer, shared, groupHash: ofGroup, features: { ...features } }
}

const open = ({ task, config, split, secret, beacon }: Omit<Exam, 'indices'>): Source =>
  task.source(config, { split, seed: examSeed(secret, beacon) })

function* leaves(source: Source, indices: number): Generator<Uint8Array> {
  for (let index = 0; index < indices; index++) yield merkleLeaf(source.item(index).hash, salt(source, index))
}

const salt = ({ task, version, split, seed }: Source, index: number): Uint8Array =>
  streamKey(labelKey(rootKey(task, version, split, seed), 'touchstone/salt'), [index])

export const parseCommitment = (text: string, path: string): Commitment => parseDocument(commitmentSchema, text, path)
export const parseAnnouncement = (text: string, path: string): Announcement =>
  parseDocument(announcementSchema, text, path)
export const parseProof = (text: string, path: string): ItemProof => parseDocument(proofSchema, text, path)
