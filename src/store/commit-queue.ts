interface Waiting<T> {
  readonly entries: readonly T[]
  resolve(): void
  reject(error: unknown): void
}

/** Entries that are written together, one write after another. */
export class CommitQueue<T> {
  private waiting: Waiting<T>[] = []
  private count = 0
  private timer: NodeJS.Timeout | null = null
  private busy = false
  private writing: Promise<void> = Promise.resolve()
  private readonly write: (entries: readonly T[]) => Promise<void> | void
  private readonly max: number
  private readonly ms: number

  /**
   * @param write - writes all entries in one transaction, or throws.
   * @param ms - for how long entries wait for others; 0: for those of the same turn of the event loop.
   * @param max - entries that wait no longer.
   */
  constructor(write: (entries: readonly T[]) => Promise<void> | void, ms: number, max = Number.POSITIVE_INFINITY) {
    this.write = write
    this.ms = ms
    this.max = max
  }

  /** Resolves when the entries are written; rejects with what `write` threw. */
  add(entries: readonly T[]): Promise<void> {
    if (entries.length === 0) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.waiting.push({ entries, resolve, reject })
      this.count += entries.length
      if (this.count >= this.max) void this.flush()
      else if (this.ms === 0) queueMicrotask(() => void this.flush())
      else this.timer ??= setTimeout(() => void this.flush(), this.ms)
    })
  }

  /** Writes what waits. Never rejects; a synchronous `write` is over when this returns, any other when it resolves. */
  flush(): Promise<void> {
    if (!this.busy) this.writing = this.drain()
    return this.writing
  }

  private async drain(): Promise<void> {
    this.busy = true
    while (this.waiting.length > 0) {
      if (this.timer !== null) clearTimeout(this.timer)
      this.timer = null
      this.count = 0
      const all = this.waiting.splice(0)
      try {
        const written = this.write(all.flatMap(({ entries }) => entries))
        if (written !== undefined) await written
        for (const one of all) one.resolve()
      } catch (error) {
        for (const one of all) one.reject(error)
      }
    }
    this.busy = false
  }
}
