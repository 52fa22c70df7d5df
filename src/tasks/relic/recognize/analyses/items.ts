import { type Frame, memoize } from '../../../../core/index.ts'

/** A row of each item, however many models were asked about it. */
export const itemRows = memoize((frame: Frame) => firstOf(frame, 'item'))
/** A row of each grammar. */
export const grammarRows = memoize((frame: Frame) => firstOf(frame, 'group'))

function firstOf(frame: Frame, column: 'item' | 'group'): readonly number[] {
  const { codes } = frame.category(column)
  const first = new Map<number, number>()
  for (const [row, code] of codes.entries()) if (code >= 0 && !first.has(code)) first.set(code, row)
  return [...first.values()]
}
