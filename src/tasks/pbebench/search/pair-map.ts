/**
 * A map from pairs of whole numbers, none negative, to whole numbers: what a search asks most often, so it is a table
 * with open addressing in one array.
 */
export class PairMap {
  /** Three numbers a slot: the first key, raised by 1 (0: the slot is free), the second key and the value. */
  private slots = new Int32Array(3 << 8)
  private mask = (1 << 8) - 1
  private filled = 0

  /** The value of a pair, or -1. */
  get(first: number, second: number): number {
    const at = this.slotOf(first, second)
    return this.slots[at] === 0 ? -1 : (this.slots[at + 2] as number)
  }

  set(first: number, second: number, value: number): void {
    const at = this.slotOf(first, second)
    if (this.slots[at] === 0) this.filled++
    this.slots[at] = first + 1
    this.slots[at + 1] = second
    this.slots[at + 2] = value
    if (2 * this.filled > this.mask) this.widen()
  }

  /** Where a pair stands, or would stand. */
  private slotOf(first: number, second: number): number {
    const { slots, mask } = this
    const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)
    for (let slot = (mixed ^ (mixed >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const key = slots[3 * slot] as number
      if (key === 0 || (key === first + 1 && slots[3 * slot + 1] === second)) return 3 * slot
    }
  }

  private widen(): void {
    const old = this.slots
    this.mask = 2 * this.mask + 1
    this.slots = new Int32Array(3 * (this.mask + 1))
    this.filled = 0
    for (let at = 0; at < old.length; at += 3)
      if (old[at] !== 0) this.set((old[at] as number) - 1, old[at + 1] as number, old[at + 2] as number)
  }
}
