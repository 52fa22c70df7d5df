/**
 * Caches a derived value by object identity, e.g. the compiled grammar of a group's shared JSON.
 *
 * @example
 * import { memoize } from '@touchstone-eval/touchstone/task'
 *
 * interface Words {
 *   readonly words: readonly string[]
 * }
 * const lengths = memoize(({ words }: Words) => words.map((word) => word.length))
 */
export function memoize<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>()
  return (key) => {
    let entry = known.get(key)
    if (entry === undefined) {
      entry = { value: compute(key) }
      known.set(key, entry)
    }
    return entry.value
  }
}

/** As {@link memoize}, but the value may be collected when nobody uses it: for large values that are cheap to make again. */
export function memoizeWeak<K extends object, V extends object>(compute: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, WeakRef<V>>()
  return (key) => {
    const held = known.get(key)?.deref()
    if (held !== undefined) return held
    const value = compute(key)
    known.set(key, new WeakRef(value))
    return value
  }
}

/** A map that drops the least recently used entries when their total weight exceeds its capacity. */
export class LruCache<V, K = number> {
  private readonly entries = new Map<K, { readonly value: V; readonly weight: number }>()
  private readonly capacity: number
  private readonly weigh: (value: V, key: K) => number
  private weight = 0

  /** Without `weigh` each entry weighs 1, so the capacity is a number of entries. */
  constructor(capacity: number, weigh: (value: V, key: K) => number = () => 1) {
    this.capacity = capacity
    this.weigh = weigh
  }

  get(key: K, compute: () => V): V {
    const found = this.entries.get(key)
    if (found !== undefined) {
      this.entries.delete(key)
      this.entries.set(key, found)
      return found.value
    }
    const value = compute()
    const weight = this.weigh(value, key)
    this.entries.set(key, { value, weight })
    this.weight += weight
    for (const [oldest, gone] of this.entries) {
      if (this.weight <= this.capacity) break
      this.entries.delete(oldest)
      this.weight -= gone.weight
    }
    return value
  }
}
