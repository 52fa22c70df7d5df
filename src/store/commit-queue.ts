/** A queue whose entries are written together, one write after another. */
export class Gathered<T> {
  private waiting: { readonly entries: readonly T[]; resolve(): void; reject(error: unknown): void }[] = []
  private writing: Promise<void> | null = null
  private readonly write: (entries: readonly T[]) => Promise<void>

  /** @param write - writes all entries in one transaction, or throws. */
  constructor(write: (entries: readonly T[]) => Promise<void>) {
    this.write = write
  }

  /** Resolves when the entries are written; rejects with what `write` threw. */
  add(entries: readonly T[]): Promise<void> {
    if (entries.length === 0) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.waiting.push({ entries, resolve, reject })
      this.writing ??= this.drain()
    })
  }

  /** Resolves when nothing is waiting. */
  async settled(): Promise<void> {
    while (this.writing !== null) await this.writing
  }

  private async drain(): Promise<void> {
    // What comes in the same turn goes along.
    await Promise.resolve()
    while (this.waiting.length > 0) {
      const all = this.waiting.splice(0)
      try {
        await this.write(all.flatMap(({ entries }) => entries))
        for (const one of all) one.resolve()
      } catch (error) {
        for (const one of all) one.reject(error)
      }
    }
    this.writing = null
  }
}

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
