/**
 * Counts of what followed each context, as a tree over the reversed history: node 0 is the empty context, a child adds
 * one older symbol. Updates are journalled, so a string can be read and unread in time linear in its length.
 */
export class ContextTree {
  readonly symbols: number
  readonly depth: number
  private nodes = 1
  private children: Int32Array
  private counts: Int32Array
  private totals: Int32Array
  private kinds: Int32Array
  private history: number[] = []
  /** Undo log: new nodes (as child slots) and counted (node, symbol) pairs, with their lengths at each symbol read. */
  private readonly made: number[] = []
  private readonly counted: number[] = []
  private readonly marks: (readonly [made: number, counted: number])[] = []

  constructor(symbols: number, depth: number) {
    this.symbols = symbols
    this.depth = depth
    this.children = new Int32Array(64 * symbols)
    this.counts = new Int32Array(64 * symbols)
    this.totals = new Int32Array(64)
    this.kinds = new Int32Array(64)
  }

  /** Symbols read. */
  get length(): number {
    return this.history.length
  }

  /** Longest context there is. */
  get longest(): number {
    return Math.min(this.depth, this.history.length)
  }

  /** How often the symbol followed the node's context. */
  count(node: number, symbol: number): number {
    return this.counts[node * this.symbols + symbol] as number
  }
  total(node: number): number {
    return this.totals[node] as number
  }
  /** How many different symbols followed. */
  distinct(node: number): number {
    return this.kinds[node] as number
  }

  /** The node one older symbol below, where `order` symbols are already matched; 0 = never seen. */
  longer(node: number, order: number): number {
    const older = this.history[this.history.length - 1 - order] as number
    return this.children[node * this.symbols + older] as number
  }

  /** As `longer`, but makes the node where there is none. */
  grow(node: number, order: number): number {
    const older = this.history[this.history.length - 1 - order] as number
    const slot = node * this.symbols + older
    const found = this.children[slot] as number
    if (found !== 0) return found
    if (this.nodes === this.totals.length) this.widen()
    const fresh = this.nodes++
    this.children[slot] = fresh
    this.made.push(slot)
    return fresh
  }

  add(node: number, symbol: number): void {
    const slot = node * this.symbols + symbol
    if (this.counts[slot] === 0) this.kinds[node]! += 1
    this.counts[slot]! += 1
    this.totals[node]! += 1
    this.counted.push(slot)
  }

  /** Closes one symbol's update. `begin` marks its start. */
  begin(): void {
    this.marks.push([this.made.length, this.counted.length])
  }
  push(symbol: number): void {
    this.history.push(symbol)
  }

  /** Unreads down to `length` symbols. */
  rewind(length: number): void {
    if (length >= this.history.length) return
    const [made, counted] = this.marks[length] as readonly [number, number]
    while (this.counted.length > counted) {
      const slot = this.counted.pop() as number
      const node = Math.floor(slot / this.symbols)
      this.counts[slot]! -= 1
      this.totals[node]! -= 1
      if (this.counts[slot] === 0) this.kinds[node]! -= 1
    }
    while (this.made.length > made) {
      this.children[this.made.pop() as number] = 0
      this.nodes--
    }
    this.marks.length = length
    this.history.length = length
  }

  private widen(): void {
    const wide = (old: Int32Array) => {
      const next = new Int32Array(2 * old.length)
      next.set(old)
      return next
    }
    this.children = wide(this.children)
    this.counts = wide(this.counts)
    this.totals = wide(this.totals)
    this.kinds = wide(this.kinds)
  }
}
