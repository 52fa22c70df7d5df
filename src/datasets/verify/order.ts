import type { Problems } from './problems.ts'

/** Which indices came, in which order: gaps that are filled later are rows out of place, the rest are missing. */
export class OrderCheck {
  private readonly missing = new Set<number>()
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
      for (let i = this.next; i < index; i++) this.missing.add(i)
      this.next = index + 1
    } else if (this.missing.delete(index)) this.misplaced.add(index)
    else this.strange.push(index)
  }

  report(problems: Problems): void {
    for (let i = this.next; i < this.end; i++) this.missing.add(i)
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
