/** Remembers a derived form by object identity: compiled grammars of a group's shared JSON and the like. */
export function remember<K extends object, V>(compute: (key: K) => V): (key: K) => V {
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

/** A map that forgets what was used longest ago. */
export class LeastRecent<V, K = number> {
  private readonly entries = new Map<K, V>()
  private readonly capacity: number

  constructor(capacity: number) {
    this.capacity = capacity
  }

  get(key: K, compute: () => V): V {
    const found = this.entries.get(key)
    if (found !== undefined) {
      this.entries.delete(key)
      this.entries.set(key, found)
      return found
    }
    const value = compute()
    this.entries.set(key, value)
    if (this.entries.size > this.capacity) {
      const oldest = this.entries.keys().next()
      if (oldest.done !== true) this.entries.delete(oldest.value)
    }
    return value
  }
}
