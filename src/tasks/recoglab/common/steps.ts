import { type CheckedStep, isArray, type Json } from '../../../core/index.ts'

/** A list of whole numbers, of this length if one is given; null: it is none. */
export function integers(value: Json | undefined, length?: number): readonly number[] | null {
  if (value === undefined || !isArray(value) || (length !== undefined && value.length !== length)) return null
  return value.every((v) => Number.isInteger(v)) ? (value as readonly number[]) : null
}

export const spanOf = ({ index = 0, 0: { length } }: RegExpMatchArray): readonly [start: number, end: number] => [
  index,
  index + length,
]

/** Steps by where they stand in the text. */
export const inOrder = (steps: readonly CheckedStep[]): CheckedStep[] =>
  [...steps].sort((a, b) => a.span[0] - b.span[0])
