import { freeze, type Json, LruCache } from '../core/index.ts'
import { parseJsonColumn } from './records.ts'

/** Groups that are kept. */
const CAPACITY = 2000

/** What groups share, read in bulk; the same object for the same group while it is kept. */
export class SharedCache {
  private readonly kept = new Map<string, Json>()
  private readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>

  constructor(read: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>) {
    this.read = read
  }

  /** Reads the groups that are missing. @returns what each shares; null: nothing */
  async get(ids: readonly string[]): Promise<(group: string) => Json> {
    const missing = [...new Set(ids)].filter((id) => !this.kept.has(id))
    const found = missing.length === 0 ? new Map<string, string>() : await this.read(missing)
    const here = new Map<string, Json>()
    for (const id of missing) this.kept.set(id, parseJsonColumn(found.get(id) ?? 'null'))
    for (const id of ids) here.set(id, this.kept.get(id) ?? null)
    for (const id of this.kept.keys()) {
      if (this.kept.size <= CAPACITY) break
      this.kept.delete(id)
    }
    return (group) => here.get(group) ?? null
  }
}

/** What groups share, the most recently used kept; the same object each time, so that compiled forms can be cached by it. */
export class GroupCache {
  private readonly kept = new LruCache<Json, string>(256)
  private readonly read: (group: string) => string | null

  /** @param read - the stored JSON text of a group; null where the items have nothing in common. */
  constructor(read: (group: string) => string | null) {
    this.read = read
  }

  get(group: string): Json {
    return this.kept.get(group, () => freeze(parseJsonColumn(this.read(group) ?? 'null')))
  }
}
