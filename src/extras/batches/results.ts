import { hash } from 'node:crypto'
import type { LineResult, UnparsedLine } from '../../models/batching/index.ts'
import type { OpenBatch } from '../../store/index.ts'
import { lineNumber } from './lines.ts'

/** Codes of lines that were not computed. */
const UNDONE: readonly string[] = ['batch-expired', 'batch-cancelled']

/** Odd lines beyond this are not counted. */
const MAX_COUNTED = 10_000

/** The results of one batch, each line once, however often it is read. */
export class Results {
  private readonly key: string
  private readonly seen = new Map<number, string>()
  private readonly disputed = new Set<number>()
  private readonly others = new Set<string>()
  /** Numbers (from 1) of lines of the results that cannot be parsed. */
  readonly unparsedLines = new Set<number>()
  /** Lines with a computed result. */
  computed = 0
  readonly lines: number

  /** @param key - of the batch: lines of other batches are skipped. */
  constructor({ key, lines }: Pick<OpenBatch, 'key' | 'lines'>) {
    this.key = key
    this.lines = lines
  }

  /** Reading starts again: a line that could not be parsed may have been cut. */
  begin(): void {
    this.unparsedLines.clear()
  }

  /** Results that were not seen before, by line. */
  fresh(page: readonly (LineResult | UnparsedLine)[]): readonly { readonly no: number; readonly result: LineResult }[] {
    return page.flatMap((result) => {
      if (result.kind === 'unparsed') {
        if (this.unparsedLines.size < MAX_COUNTED) this.unparsedLines.add(result.line)
        return []
      }
      const no = lineNumber(this.key, result.id)
      if (no === null || no >= this.lines) {
        if (this.others.size < MAX_COUNTED) this.others.add(result.id)
        return []
      }
      const words = hash('sha256', JSON.stringify(result), 'hex')
      const before = this.seen.get(no)
      if (before === undefined) {
        this.seen.set(no, words)
        if (result.kind === 'body' || !UNDONE.includes(result.failure.code)) this.computed++
      } else if (before !== words) this.disputed.add(no)
      return before === undefined ? [{ no, result }] : []
    })
  }

  /** Results of lines that the batch does not have. */
  get foreignLines(): number {
    return this.others.size
  }

  /** Lines with a result. */
  get size(): number {
    return this.seen.size
  }

  /** Lines with two different results. */
  get contradicted(): number {
    return this.disputed.size
  }
}

/** Warnings about the results of a batch. @param reported - their number as the provider reports it */
export function resultWarnings(
  batch: string,
  { lines, size, contradicted, foreignLines, unparsedLines }: Results,
  reported: number | null,
): readonly string[] {
  return [
    ...(reported === null || reported === size
      ? []
      : [
          `${batch} has the results of ${size} lines, and its provider says ${reported}${size < lines ? '; what has none is asked again' : ''}`,
        ]),
    ...(unparsedLines.size === 0 ? [] : [`${lineList([...unparsedLines])} of the results of ${batch} cannot be read`]),
    ...(contradicted === 0
      ? []
      : [`${contradicted} lines of ${batch} have two results that differ; the first of each counts`]),
    ...(foreignLines === 0 ? [] : [`${batch} has ${foreignLines} results that match no line of it (ignored)`]),
  ]
}

/** Lines that a warning names. */
const MAX_SHOWN = 5

function lineList(lines: readonly number[]): string {
  const more = lines.length > MAX_SHOWN ? ` and ${lines.length - MAX_SHOWN} more` : ''
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, MAX_SHOWN).join(', ')}${more}`
}
