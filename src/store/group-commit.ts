/** A queue whose entries are written together: after `ms` milliseconds or when `most` are waiting. */
export class GroupCommit<T> {
  private waiting: T[] = []
  private settle: { resolve(): void; reject(error: unknown): void }[] = []
  private timer: NodeJS.Timeout | null = null
  private readonly write: (entries: readonly T[]) => void
  private readonly most: number
  private readonly ms: number

  /** @param write - writes all entries in one transaction, or throws. */
  constructor(write: (entries: readonly T[]) => void, most = 100, ms = 5) {
    this.write = write
    this.most = most
    this.ms = ms
  }

  /** Resolves when the entries are written; rejects with what `write` threw. */
  add(entries: readonly T[]): Promise<void> {
    if (entries.length === 0) return Promise.resolve()
    for (const entry of entries) this.waiting.push(entry)
    const done = new Promise<void>((resolve, reject) => this.settle.push({ resolve, reject }))
    if (this.waiting.length >= this.most) this.flush()
    else this.timer ??= setTimeout(() => this.flush(), this.ms)
    return done
  }

  /** Writes what is waiting now. Never throws: those who wait are told. */
  flush(): void {
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
    const { waiting, settle } = this
    this.waiting = []
    this.settle = []
    if (waiting.length === 0) return
    try {
      this.write(waiting)
      for (const one of settle) one.resolve()
    } catch (error) {
      for (const one of settle) one.reject(error)
    }
  }
}
