import { hash } from 'node:crypto'
import type { LineResult, Unread } from '../../models/index.ts'
import type { OpenBatch } from '../../store/index.ts'
import { lineNumber } from './lines.ts'

/** Why a line was not computed. */
const UNDONE: readonly string[] = ['batch-expired', 'batch-cancelled']

/** Beyond that they are not counted. */
const MAX_OTHERS = 10_000

/** The results of one batch, however often its lines are told. */
export class Results {
  private readonly key: string
  private readonly told = new Map<number, string>()
  private readonly disputed = new Set<number>()
  private readonly others = new Set<string>()
  private readonly garbled = new Set<number>()
  private done = 0
  readonly lines: number

  /** @param key - of the batch: lines of others are left out. */
  constructor({ key, lines }: Pick<OpenBatch, 'key' | 'lines'>) {
    this.key = key
    this.lines = lines
  }

  /** They are read from the beginning: what could not be read before may have been half a file. */
  begin(): void {
    this.garbled.clear()
  }

  /** What was not told before, by line. */
  fresh(page: readonly (LineResult | Unread)[]): readonly { readonly no: number; readonly result: LineResult }[] {
    return page.flatMap((result) => {
      if (result.kind === 'unread') {
        if (this.garbled.size < MAX_OTHERS) this.garbled.add(result.line)
        return []
      }
      const no = lineNumber(this.key, result.id)
      if (no === null || no >= this.lines) {
        if (this.others.size < MAX_OTHERS) this.others.add(result.id)
        return []
      }
      const words = hash('sha256', JSON.stringify(result), 'hex')
      const before = this.told.get(no)
      if (before === undefined) {
        this.told.set(no, words)
        if (result.kind === 'body' || !UNDONE.includes(result.failure.code)) this.done++
      } else if (before !== words) this.disputed.add(no)
      return before === undefined ? [{ no, result }] : []
    })
  }

  /** How many of the lines that were told were computed. */
  get computed(): number {
    return this.done
  }

  /** How many were told that are of no line of it. */
  get strange(): number {
    return this.others.size
  }

  /** Lines of the results, from 1, that cannot be read. */
  get unread(): readonly number[] {
    return [...this.garbled]
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

/** What is odd about the results of a batch, in words. @param said - how many there are, by the provider's word */
export function doubtsOf(
  batch: string,
  { lines, size, contradicted, strange, unread }: Results,
  said: number | null,
): readonly string[] {
  return [
    ...(said === null || said === size
      ? []
      : [
          `${batch} has the results of ${size} lines, and its provider says ${said}${size < lines ? '; what has none is asked again' : ''}`,
        ]),
    ...(unread.length === 0 ? [] : [`${lineList(unread)} of the results of ${batch} cannot be read`]),
    ...(contradicted === 0
      ? []
      : [`${contradicted} lines of ${batch} have two results that differ; the first of each counts`]),
    ...(strange === 0 ? [] : [`${batch} has ${strange} results of no line of it; they are left out`]),
  ]
}

/** Lines that are named one by one. */
const MAX_SHOWN = 5

function lineList(lines: readonly number[]): string {
  const more = lines.length > MAX_SHOWN ? ` and ${lines.length - MAX_SHOWN} more` : ''
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, MAX_SHOWN).join(', ')}${more}`
}
