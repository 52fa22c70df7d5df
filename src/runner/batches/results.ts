import { hash } from 'node:crypto'
import type { LineResult } from '../../models/index.ts'
import { lineNumber } from './lines.ts'

/** The results of one batch, however often its lines are told. */
export class Results {
  private readonly key: string
  private readonly told = new Map<number, string>()
  private readonly disputed = new Set<number>()

  /** @param key - of the batch: lines of others are left out. */
  constructor(key: string) {
    this.key = key
  }

  /** What was not told before, by line. */
  fresh(page: readonly LineResult[]): readonly { readonly no: number; readonly result: LineResult }[] {
    return page.flatMap((result) => {
      const no = lineNumber(this.key, result.id)
      if (no === null) return []
      const words = hash('sha256', JSON.stringify(result), 'hex')
      const before = this.told.get(no)
      if (before === undefined) this.told.set(no, words)
      else if (before !== words) this.disputed.add(no)
      return before === undefined ? [{ no, result }] : []
    })
  }

  /** How many lines were told. */
  get size(): number {
    return this.told.size
  }

  /** How many lines were told again, and otherwise. */
  get contradicted(): number {
    return this.disputed.size
  }
}
