import type { Problems } from './problems.ts'

/** Missing indices that are remembered one by one: a forged manifest may speak of any number. */
const MAX = 1_000_000

/** Which indices came, in which order: gaps that are filled later are rows out of place, the rest are missing. */
export class OrderCheck {
  /** Indices that are missing so far, the first of them, and how many further ones there are. */
  private readonly missing = new Set<number>()
  private further = 0
  private readonly misplaced = new Set<number>()
  private readonly strange: number[] = []
  private readonly first: number
  private readonly end: number
  private next: number

  constructor(first: number, end: number) {
    this.first = first
    this.end = end
    this.next = first
  }

  see(index: number): void {
    if (index < this.first || index >= this.end) this.strange.push(index)
    else if (index >= this.next) {
      this.skip(index)
      this.next = index + 1
    } else if (this.missing.delete(index)) this.misplaced.add(index)
    else this.strange.push(index)
  }

  /** Nothing stands between the next index expected and this one. */
  private skip(to: number): void {
    const told = Math.min(to, this.next + Math.max(0, MAX - this.missing.size))
    for (let i = this.next; i < told; i++) this.missing.add(i)
    this.further += Math.max(0, to - Math.max(told, this.next))
  }

  report(problems: Problems): void {
    this.skip(this.end)
    if (this.further > 0) problems.whole('order', `${this.further} further rows are missing`)
    for (const index of this.missing) problems.report({ check: 'order', index, message: 'the row is missing' })
    for (const index of this.misplaced) problems.report({ check: 'order', index, message: 'the row is out of order' })
    for (const index of this.strange)
      problems.report({
        check: 'order',
        index,
        message:
          index < this.first || index >= this.end
            ? `the set ends before it (${this.first} to ${this.end - 1})`
            : 'the row is there twice',
      })
  }
}
