import { z } from 'zod'
import type { QuestionRow } from './question-rows.ts'

/** A column as a feature of items. */
export interface Feature {
  readonly schema: z.ZodType<number | string | boolean | null>
  readonly value: (row: QuestionRow) => number | string | boolean | null
}

/** Columns with more different texts are no features. */
const MAX_LEVELS = 50
/** Items hold whole numbers only; others are texts. */
const NUMBER = /^\s*-?\d{1,15}(?:\.0{1,15})?\s*$/u

/** Columns as features: numbers, yes or no, and texts that sort the rows into a few kinds. What names each row is none. */
export function rowFeatures(rows: readonly QuestionRow[], columns: readonly string[]): ReadonlyMap<string, Feature> {
  const found = new Map<string, Feature>()
  for (const column of columns) {
    const name = column
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
      .replaceAll(/^_+|_+$/gu, '')
    const feature = featureOf(column, rows)
    if (name !== '' && feature !== null && !found.has(name)) found.set(name, feature)
  }
  return found
}

function featureOf(column: string, rows: readonly QuestionRow[]): Feature | null {
  const cells = rows.map((row) => row[column] ?? null).filter((cell) => cell !== null && cell !== '')
  const levels = new Set(cells)
  if (cells.length === 0 || cells.some((cell) => typeof cell === 'object') || isName(levels.size, rows.length))
    return null
  const isNumber = cells.every((cell) => typeof cell !== 'boolean' && NUMBER.test(String(cell)))
  if (isNumber) return { schema: described(z.number().nullable(), column, 'difficulty'), value: cellAs(column, Number) }
  if (cells.every((cell) => typeof cell === 'boolean'))
    return { schema: described(z.boolean().nullable(), column, 'stratum'), value: cellAs(column, Boolean) }
  if (levels.size > MAX_LEVELS) return null
  return { schema: described(z.string().nullable(), column, 'stratum'), value: cellAs(column, String) }
}

/** Values that nearly all differ name the rows. */
const isName = (levels: number, rows: number): boolean => rows >= 10 && levels > rows / 2

const described = <T extends z.ZodType>(type: T, column: string, role: string): T =>
  type.describe(`column ${column}`).meta({ role })

const cellAs =
  <T>(column: string, convert: (cell: unknown) => T) =>
  (row: QuestionRow): T | null => {
    const cell = row[column] ?? null
    return cell === null || cell === '' ? null : convert(cell)
  }
