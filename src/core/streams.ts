import { enc, sha256 } from './hash.ts'
import { LruCache } from './memo.ts'
import { checkName } from './seed.ts'
import { bucketsOfSplit, partitionBucket } from './split-partition.ts'
import { type Stream, streamFromKey } from './stream.ts'
import type { RandomStreams } from './task.ts'

/** Key derivation by three levels of SHA-256 (integrity 1.3). */

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

/** A base key with its label keys, which are worth remembering: there are few labels and millions of streams. */
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

/** Which keys a split admits; null where the task has no fence. */
export interface Fence {
  readonly domain: string
  readonly split: string
}

interface Binding {
  /** Put before every label, e.g. `draw/`. */
  readonly prefix: string
  /** Put before the author's indices. */
  readonly bound: readonly number[]
  readonly fence: Fence | null
  /** May a key be opened again? Only where the caller remembers what it drew and may have forgotten it: layouts. */
  readonly again: boolean
}

/** Of keys asked about lately: tasks that choose among words ask about the same few for every item. */
const regions = new LruCache<number, string>(64)

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
    const { fence } = this.binding
    if (fence === null) throw new Error('draws.admits was asked, but the task declares no fence')
    const region = regions.get(`${fence.domain}\n${canonical}`, () => partitionBucket(fence.domain, canonical))
    return bucketsOfSplit(fence.split).includes(region)
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

/** Streams for one call of a task's function: labels prefixed, indices bound, each key opened at most once. */
export function bindStreams(
  space: KeySpace,
  prefix: string,
  bound: readonly number[],
  fence: Fence | null = null,
): RandomStreams {
  return new BoundStreams(space, { prefix, bound, fence, again: false })
}

/** Streams for a layout, whose orders are cached and drawn anew when forgotten: a key may be opened again. */
export function layoutStreams(space: KeySpace): RandomStreams {
  return new BoundStreams(space, { prefix: 'touchstone/', bound: [], fence: null, again: true })
}
