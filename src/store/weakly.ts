/** Makes something out of a key once for as long as somebody uses what was made. */
export function weakly<K extends object, V extends object>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, WeakRef<V>>()
  return (key) => {
    const known = made.get(key)?.deref()
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, new WeakRef(value))
    return value
  }
}
