import { freeze, type Json } from '../core/index.ts'
import { json } from './records.ts'

/** Parsed `shared` of groups, the most recently used kept; the same object each time, so that compiled forms stick to it. */
export class GroupCache {
  private readonly kept = new Map<string, Json>()
  private readonly read: (group: string) => string | null
  private readonly capacity: number

  /** @param read - the stored JSON text of a group; null where the items have nothing in common. */
  constructor(read: (group: string) => string | null, capacity = 256) {
    this.read = read
    this.capacity = capacity
  }

  get(group: string): Json {
    const found = this.kept.get(group)
    if (found !== undefined) {
      this.kept.delete(group)
      this.kept.set(group, found)
      return found
    }
    const text = this.read(group)
    if (text === null) return null
    const value = freeze(json(text))
    this.kept.set(group, value)
    if (this.kept.size > this.capacity) {
      const oldest = this.kept.keys().next()
      if (oldest.done !== true) this.kept.delete(oldest.value)
    }
    return value
  }
}
