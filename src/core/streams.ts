import { UsageError } from './errors.ts'
import { enc, sha256 } from './hash.ts'
import { LruCache } from './memo.ts'
import { bucketsOfSplit, partitionBucket } from './split-partition.ts'
import type { RandomStreams } from './task.ts'

/** Key derivation by three levels of SHA-256: dataset, label, indices. See docs/decisions/items-and-seeds.md. */

export function rootKey(task: string, version: number, split: string, seed: string): Uint8Array {
  return sha256(enc('touchstone/streams/1', checkName('task name', task), version, checkName('split', split), seed))
}

export function labelKey(base: Uint8Array, label: string): Uint8Array {
  return sha256(base, enc('touchstone/label/1', checkName('stream label', label)))
}

/** SHA256(label key || u8(k) || u64be(index) ...); at most 8 indices, each 0..2^53-1. */
export function streamKey(label: Uint8Array, indices: readonly number[]): Uint8Array {
  if (indices.length > 8) throw new RangeError(`a stream has at most 8 indices, got ${indices.length}`)
  const message = new Uint8Array(33 + 8 * indices.length)
  message.set(label)
  message[32] = indices.length
  const view = new DataView(message.buffer)
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i] as number
    if (!Number.isSafeInteger(index) || index < 0)
      throw new RangeError(`a stream index is an integer 0..2^53-1, got ${index}`)
    view.setUint32(33 + 8 * i, Math.floor(index / 4294967296))
    view.setUint32(37 + 8 * i, index % 4294967296)
  }
  return sha256(message)
}

/** A base key with a cache of label keys: there are few labels and millions of streams. */
export class KeySpace {
  private readonly labels = new Map<string, Uint8Array>()
  readonly base: Uint8Array

  constructor(base: Uint8Array) {
    this.base = base
  }

  key(label: string, indices: readonly number[]): Uint8Array {
    let found = this.labels.get(label)
    if (found === undefined) {
      found = labelKey(this.base, label)
      this.labels.set(label, found)
    }
    return streamKey(found, indices)
  }
}

/** The split partition that a task's content must respect. */
export interface SplitPartition {
  readonly domain: string
  readonly split: string
}

interface Binding {
  /** Put before every label, e.g. `draw/`. */
  readonly prefix: string
  /** Put before the author's indices. */
  readonly bound: readonly number[]
  readonly partition: SplitPartition | null
  /** True if a key may be opened again: layouts redraw what their cache dropped. */
  readonly again: boolean
}

/** Buckets of recently used keys: tasks that choose among words use the same few for every item. */
const buckets = new LruCache<number, string>(64)

class BoundStreams implements RandomStreams {
  private readonly space: KeySpace
  private readonly binding: Binding
  private readonly opened = new Set<string>()

  constructor(space: KeySpace, binding: Binding) {
    this.space = space
    this.binding = binding
  }

  stream(label: string, ...indices: readonly number[]): Stream {
    return streamFromKey(this.open(label, indices))
  }

  fork(label: string, ...indices: readonly number[]): RandomStreams {
    const space = new KeySpace(this.open(label, indices))
    return new BoundStreams(space, { ...this.binding, prefix: '', bound: [] })
  }

  inSplit(canonical: string): boolean {
    const { partition } = this.binding
    if (partition === null) throw new Error('inSplit was called, but the task declares no partition')
    const { domain, split } = partition
    return bucketsOfSplit(split).includes(
      buckets.get(`${domain}\n${canonical}`, () => partitionBucket(domain, canonical)),
    )
  }

  private open(label: string, indices: readonly number[]): Uint8Array {
    const { prefix, bound, again } = this.binding
    const name = indices.length === 0 ? label : `${label} ${indices.join(' ')}`
    if (!again) {
      if (this.opened.has(name))
        throw new Error(`the stream ${prefix}${name} was opened twice in one call; its draws would repeat`)
      this.opened.add(name)
    }
    return this.space.key(prefix + label, bound.length === 0 ? indices : [...bound, ...indices])
  }
}

/** Streams for one call of a task's function: labels are prefixed, indices bound, each key may be opened once. */
export function bindStreams(
  space: KeySpace,
  prefix: string,
  bound: readonly number[],
  partition: SplitPartition | null = null,
): RandomStreams {
  return new BoundStreams(space, { prefix, bound, partition, again: false })
}

/** Streams for a layout; keys may be opened again. */
export function layoutStreams(space: KeySpace): RandomStreams {
  return new BoundStreams(space, { prefix: 'touchstone/', bound: [], partition: null, again: true })
}

const MAX_SEED_BYTES = 1024

/**
 * A seed is text. A safe integer becomes its decimal text, so `--seed 42` and `seed: 42` are the same seed; a string is used as it
 * is. Text that would need normalising is an error.
 *
 * @throws UsageError
 */
export function seedText(seed: unknown): string {
  if (typeof seed === 'bigint') return String(seed)
  if (typeof seed === 'number') {
    if (!Number.isSafeInteger(seed)) throw new UsageError(`a numeric seed must be an integer below 2^53, got ${seed}`)
    return String(seed === 0 ? 0 : seed)
  }
  if (typeof seed !== 'string') throw new UsageError(`a seed is text or an integer, got ${typeof seed}`)
  if (seed === '') throw new UsageError('a seed must not be empty')
  if (!seed.isWellFormed()) throw new UsageError('a seed must be well-formed text, got a lone surrogate')
  if (seed.normalize('NFC') !== seed)
    throw new UsageError(`the seed ${JSON.stringify(seed)} is not in Unicode NFC form; write it precomposed`)
  if (new TextEncoder().encode(seed).length > MAX_SEED_BYTES)
    throw new UsageError(`a seed is at most ${MAX_SEED_BYTES} bytes long`)
  return seed
}

const namePattern = /^[a-z0-9][a-z0-9./-]{0,63}$/

/** Checks a task name, split name or stream label. */
export function checkName(kind: string, name: string): string {
  if (!namePattern.test(name))
    throw new UsageError(
      `expected a ${kind} of 1 to 64 characters (a-z 0-9 . / -) that begins with a letter or digit, got ${JSON.stringify(name)}`,
    )
  return name
}

/** A source of uniform 32-bit integers with 128 bits of state; helpers in `random.ts` are functions over it. */
export interface Stream {
  /** 0..2^32-1 */
  u32(): number
}

/** sfc32: passes PractRand and TestU01, every cycle at least 2^32 long. */
export class Sfc32 implements Stream {
  private a: number
  private b: number
  private c: number
  private counter: number

  constructor(a: number, b: number, c: number, counter: number) {
    this.a = a | 0
    this.b = b | 0
    this.c = c | 0
    this.counter = counter | 0
  }

  u32(): number {
    const t = (((this.a + this.b) | 0) + this.counter) | 0
    this.counter = (this.counter + 1) | 0
    this.a = this.b ^ (this.b >>> 9)
    this.b = (this.c + (this.c << 3)) | 0
    this.c = (((this.c << 21) | (this.c >>> 11)) + t) | 0
    return t >>> 0
  }
}

/**
 * A stream of one's own, outside items: a function of these labels and nothing else.
 *
 * @example
 * import { below, namedStream } from '@touchstone-eval/touchstone/task'
 *
 * console.log(below(namedStream('my study', 'seed 1'), 6)) // 0 to 5, the same on every machine
 */
export const namedStream = (...labels: readonly string[]): Stream =>
  streamFromKey(sha256(enc('touchstone/named/1', ...labels)))

/** The stream of a key: its first 16 bytes are the state, and 12 draws are thrown away. */
export function streamFromKey(key: Uint8Array): Stream {
  const word = (at: number) =>
    ((key[at] as number) << 24) |
    ((key[at + 1] as number) << 16) |
    ((key[at + 2] as number) << 8) |
    (key[at + 3] as number)
  const stream = new Sfc32(word(0), word(4), word(8), word(12))
  for (let i = 0; i < 12; i++) stream.u32()
  return stream
}
