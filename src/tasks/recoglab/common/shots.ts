import { fenceRegion } from '../../../core/fence.ts'
import { enc, sha256 } from '../../../core/hash.ts'
import { bindStreams, KeySpace } from '../../../core/streams.ts'
import type { Streams } from '../../../core/task.ts'
import { wordDomain } from '../../../language/partition.ts'
import type { Shown } from './presentation.ts'

/** How often an example that cannot be made is tried again. */
const TRIES = 8

/**
 * Examples for a few-shot style: keyed by the question's own view, made of the words in `mask`, shown without filler
 * or further contexts. `make` gets the number of the example and fresh streams.
 */
export function shotMaker<S extends Shown, E extends { readonly shared: S }>(
  shared: S,
  count: number,
  mask: number,
  make: (i: number, streams: Streams) => E | null,
): readonly E[] {
  const made: E[] = []
  for (let i = 0; i < count; i++) {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const key = sha256(enc('recoglab/shots/1', ...shared.view, i, attempt))
      const example = make(i, wordsOf(bindStreams(new KeySpace(key), 'shot/', []), mask))
      if (example === null) continue
      const view = [...shared.view.slice(1), (shared.view[0] as number) ^ (i + 1)].map((word) => word >>> 0)
      made.push({ ...example, shared: { ...shared, view, filler: 'none', fillerLines: 0, padTokens: 0, modules: [] } })
      break
    }
  }
  return made
}

/** The same streams with a fence that lets in the words of `mask`. */
function wordsOf(streams: Streams, mask: number): Streams {
  return {
    stream: (label, ...indices) => streams.stream(label, ...indices),
    fork: (label, ...indices) => wordsOf(streams.fork(label, ...indices), mask),
    admits: (key) => (mask & (1 << fenceRegion(wordDomain, key))) !== 0,
  }
}
