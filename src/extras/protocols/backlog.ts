interface Held {
  bytes: number
  readonly drop: () => void
}

/**
 * What clients have sent of requests that are not answered yet, in bytes. Above the limit the largest is dropped, so that
 * nobody can fill the memory with many connections, nor keep small requests out.
 */
export class Backlog {
  private readonly held = new Set<Held>()
  private readonly limit: number
  private total = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** `drop` is called at most once, and not after `end`. */
  begin(drop: () => void) {
    const one: Held = { bytes: 0, drop }
    this.held.add(one)
    const end = (): void => {
      if (this.held.delete(one)) this.total -= one.bytes
    }
    const add = (bytes: number): void => {
      if (!this.held.has(one)) return
      one.bytes += bytes
      this.total += bytes
      while (this.total > this.limit) {
        const largest = [...this.held].reduce((a, b) => (b.bytes > a.bytes ? b : a))
        this.held.delete(largest)
        this.total -= largest.bytes
        largest.drop()
      }
    }
    return { add, end }
  }
}

interface Waiting {
  readonly size: number
  readonly start: () => void
}

/**
 * Runs long pieces of work of this thread one at a time, the smallest first, with a pause after each twice as long as the
 * work took: requests of others are answered in between.
 */
export class Turns {
  private readonly waiting: Waiting[] = []
  private busy = false

  async take<T>(size: number, work: () => T): Promise<T> {
    if (this.busy) await new Promise<void>((start) => this.waiting.push({ size, start }))
    this.busy = true
    const begin = performance.now()
    try {
      return work()
    } finally {
      setTimeout(() => this.next(), 2 * (performance.now() - begin))
    }
  }

  private next(): void {
    const { waiting } = this
    if (waiting.length === 0) {
      this.busy = false
      return
    }
    const at = waiting.reduce((best, one, i) => (one.size < (waiting[best]?.size ?? 0) ? i : best), 0)
    waiting.splice(at, 1)[0]?.start()
  }
}
