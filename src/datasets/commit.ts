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
  parseJson,
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

/** Sealed exams (docs/formats.md#a-sealed-exam): bound before anybody sits them, opened whole or item by item afterwards. */

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
  /** Of the secret and all of the above: published before the beacon's value is known. */
  commitment: hash,
  /** A public value that nobody could choose, as `drand:ROUND:VALUE`; null: the seed is the secret alone. */
  beacon: z.string().min(1).max(512).nullable(),
  /** Merkle root over the salted hashes of all indices. */
  root: hash,
  engine: z.strictObject({ package: z.string(), version: z.string() }),
  /** With which plugins it was made; absent: with none. */
  plugins: pluginRecords.exactOptional(),
})
/** What is published of a set before anybody sees it: hashes that bind its maker. */
export type Commitment = z.infer<typeof commitmentSchema>

/** The round of a beacon whose value nobody knows yet. */
const round = z.string().regex(/^[a-z0-9-]{1,64}(?::[\w.-]{1,128}){1,2}$/u)

const announcementSchema = commitmentSchema
  .omit({ root: true })
  .extend({ schema: z.literal('touchstone/announcement/1'), beacon: round })
/**
 * What is published before the value of a beacon is known: the exam is bound to a secret and to a round, and nobody, the
 * examiner included, knows its items.
 */
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
/** One item of a sealed exam with its way to the root; it says nothing of the others. */
export type ItemProof = z.infer<typeof proofSchema>

export interface Exam {
  readonly task: Task
  readonly config: JsonObject
  readonly split: string
  readonly indices: number
  readonly beacon: string | null
  /** 64 hex digits from the system's own randomness; never a word. */
  readonly secret: string
}

/** What the items of an exam are made with: named in what is published, so that others can make them. */
export interface MadeWith {
  readonly engine: Commitment['engine']
  readonly plugins?: PluginRecord[]
}

/** The seed of an exam: its secret, or what secret and beacon make, so that the examiner cannot try seeds. */
export const examSeed = (secret: string, beacon: string | null): string =>
  `secret:${beacon === null ? secret : hex(sha256(enc('touchstone/beacon/1', secret, beacon)))}`

export function commitTo(exam: Exam, made: MadeWith): Commitment {
  const { source, bound } = bind(exam, made)
  const tree = new MerkleTree()
  for (const leaf of leaves(source, exam.indices)) tree.add(leaf)
  return { ...bound, schema: 'touchstone/commitment/1', beacon: exam.beacon, root: tree.root() }
}

/** What is bound without any item: everything but beacon and root. */
function bind(
  exam: Exam,
  made: MadeWith,
): { readonly source: Source; readonly bound: Omit<Commitment, 'schema' | 'beacon' | 'root'> } {
  if (!/^[0-9a-f]{64}$/u.test(exam.secret))
    throw new UsageError('the secret of an exam is 64 hex digits, drawn by commit')
  const { task, split, indices, secret } = exam
  const source = open(exam)
  const { size } = source.layout
  if (size !== null && indices > size)
    throw new UsageError(`this config has ${size} indices, the exam asks for ${indices}`)
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

/** Binds an exam to a secret and to a beacon's round to come: `beacon` is its name, as `drand:ROUND`. */
export function announce(exam: Exam & { readonly beacon: string }, made: MadeWith): Announcement {
  const parsed = round.safeParse(exam.beacon)
  if (!parsed.success)
    throw new UsageError(`a round to come has a name as drand:5000000, without a value, got ${exam.beacon}`)
  return { ...bind(exam, made).bound, schema: 'touchstone/announcement/1', beacon: exam.beacon }
}

/** What of a commitment is not as it was announced; empty: the same exam, secret and round. */
export function checkAnnounced(announced: Announcement, commitment: Commitment): readonly string[] {
  const same = ['task', 'version', 'configHash', 'split', 'indices', 'commitment'] as const
  return [
    ...same
      .filter((key) => announced[key] !== commitment[key])
      .map((key) => `${key} was announced as ${announced[key]}, and is ${commitment[key]}`),
    ...(canonicalJson(announced.plugins ?? []) === canonicalJson(commitment.plugins ?? [])
      ? []
      : [`the plugins were announced as ${namesOf(announced.plugins)}, and are ${namesOf(commitment.plugins)}`]),
    ...(commitment.beacon?.startsWith(`${announced.beacon}:`) === true
      ? []
      : [`the round was announced as ${announced.beacon}, and the beacon is ${commitment.beacon ?? 'none'}`]),
  ]
}

const namesOf = (plugins: readonly PluginRecord[] = []): string =>
  plugins.map(({ name, sha256 }) => `${name} (sha256 ${sha256.slice(0, 12)})`).join(', ') || 'none'

/** What is wrong with a secret that is said to open a commitment; empty: every item made anew leads to the root. */
export function checkReveal(commitment: Commitment, task: Task, secret: string): readonly string[] {
  if (task.version !== commitment.version)
    return [
      `the exam is of version ${commitment.version} of ${task.name}, here is ${task.version}: install ${commitment.engine.package} ${commitment.engine.version}`,
    ]
  const { split, indices, beacon } = commitment
  const fresh = commitTo(
    { task, config: task.configure(commitment.config), split, indices, beacon, secret },
    { engine: commitment.engine },
  )
  const wrong = (what: string): string => `${what} made anew from the secret is not the one committed to`
  return [
    ...(fresh.configHash === commitment.configHash ? [] : [wrong('the hash of the config')]),
    ...(fresh.commitment === commitment.commitment ? [] : [wrong('the commitment')]),
    ...(fresh.root === commitment.root ? [] : [wrong('the root of the items')]),
  ]
}

/** Opens one index of an exam. */
export function proveItem(exam: Exam, index: number): ItemProof {
  const source = open(exam)
  if (index >= exam.indices) throw new UsageError(`the exam has indices 0 to ${exam.indices - 1}, got ${index}`)
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

/** What is wrong with a proof; `indices` and root come from the commitment, never from the proof. */
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
      : ['the proof does not lead to the root of the commitment']),
    ...(itemHash(key, { index, groupHash: item.groupHash, ...content }) === own
      ? []
      : ['the item does not have the hash that the proof says']),
    ...(shared ? ['what the item shares with its group is not what its hash says'] : []),
  ]
}

/** What the hash of an index covers, and no more. */
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

export const parseCommitment = (text: string, name: string): Commitment => read(commitmentSchema, text, name)
export const parseAnnouncement = (text: string, name: string): Announcement => read(announcementSchema, text, name)
export const parseProof = (text: string, name: string): ItemProof => read(proofSchema, text, name)

function read<T>(schema: z.ZodType<T>, text: string, name: string): T {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${(error as Error).message}`)
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success)
    throw new UsageError(`${name} is not what commit or reveal writes:\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}
