/**
 * Numbers pairs of whole numbers, none negative, in the order in which they are first asked for. What a search looks up
 * most, so it is a small table: slots with open addressing lead to the pairs.
 */
export class PairNumbers {
  size = 0
  /** Numbers of pairs, raised by 1; 0: the slot is free. */
  private slots = new Int32Array(1 << 10)
  private pairs = new Int32Array(1 << 10)

  /** The number of a pair; one that is new gets the next, which is `size` before. */
  of(first: number, second: number): number {
    const { slots, pairs } = this
    for (let slot = this.slotOf(first, second); ; slot = (slot + 1) & (slots.length - 1)) {
      const number = (slots[slot] as number) - 1
      if (number === -1) return this.add(slot, first, second)
      if (pairs[2 * number] === first && pairs[2 * number + 1] === second) return number
    }
  }

  first(number: number): number {
    return this.pairs[2 * number] as number
  }

  second(number: number): number {
    return this.pairs[2 * number + 1] as number
  }

  /** Where the search for a pair begins. */
  private slotOf(first: number, second: number): number {
    const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)
    return (mixed ^ (mixed >>> 15)) & (this.slots.length - 1)
  }

  private add(slot: number, first: number, second: number): number {
    const number = this.size++
    this.slots[slot] = number + 1
    this.pairs[2 * number] = first
    this.pairs[2 * number + 1] = second
    if (2 * this.size === this.slots.length) this.widen()
    return number
  }

  private widen(): void {
    const { pairs } = this
    this.pairs = new Int32Array(2 * pairs.length)
    this.pairs.set(pairs)
    const slots = new Int32Array(2 * this.slots.length)
    this.slots = slots
    for (let number = 0; number < this.size; number++) {
      let slot = this.slotOf(pairs[2 * number] as number, pairs[2 * number + 1] as number)
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = number + 1
    }
  }
}
