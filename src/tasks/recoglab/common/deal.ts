import { shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'

/** Gives the entries of a list in random order, none again before all have been given. */
export function dealer<T>(stream: Stream, list: readonly T[]): () => T {
  let left: T[] = []
  return () => {
    if (left.length === 0) left = shuffle(stream, list)
    return left.pop() as T
  }
}
