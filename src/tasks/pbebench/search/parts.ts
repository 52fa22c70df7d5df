/** Parts of words that can be left sides, numbered. */
export class Parts {
  private readonly ids = new Map<string, number>()
  private readonly words = new Map<string, Int32Array>()
  private readonly side: number

  constructor(side: number) {
    this.side = side
  }

  get size(): number {
    return this.ids.size
  }

  id(text: string): number {
    let id = this.ids.get(text)
    if (id === undefined) {
      id = this.ids.size
      this.ids.set(text, id)
    }
    return id
  }

  /** The parts of a word, each once. */
  of(word: string): Int32Array {
    let found = this.words.get(word)
    if (found === undefined) {
      const all = new Set<number>()
      for (let at = 0; at < word.length; at++)
        for (let end = at + 1; end <= Math.min(word.length, at + this.side); end++)
          all.add(this.id(word.slice(at, end)))
      found = Int32Array.from(all)
      this.words.set(word, found)
    }
    return found
  }
}

/** In how many of some words each part stands. */
export class Census {
  private counts = new Int32Array(1 << 11)
  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
  }

  add(word: string, change: 1 | -1): void {
    const parts = this.parts.of(word)
    if (this.parts.size > this.counts.length) {
      const wider = new Int32Array(2 * this.parts.size)
      wider.set(this.counts)
      this.counts = wider
    }
    for (let k = 0; k < parts.length; k++) {
      const part = parts[k] as number
      this.counts[part] = (this.counts[part] as number) + change
    }
  }

  of(part: number): number {
    return part < this.counts.length ? (this.counts[part] as number) : 0
  }
}
