import { memoize, memoizeWeak } from '../../core/index.ts'

/** Places of texts in a list, -1: missing; in as few bytes as the list allows. */
export type Codes = Int8Array | Int16Array | Int32Array

/** A column in memory. Booleans are the numbers 1 and 0. */
export type Column =
  | { readonly kind: 'number'; readonly numbers: Numbers }
  | { readonly kind: 'text'; readonly codes: Codes; readonly levels: readonly string[] }

/** Whole numbers that fit in two bytes, as most features and counts are, and others in eight. */
type Held = Int16Array | Float64Array

/** Numbers from the first that is there to the last: the features of a task are missing in all rows of others. */
export interface Numbers {
  /** Rows of the column. */
  readonly length: number
  /** The row of the first number that is held. */
  readonly from: number
  readonly held: Held
}

/** In two bytes, a missing number is the least one. */
const MISSING = -0x8000

/** Collects the numbers of a column row by row; a row that is not set, or set to NaN, is missing. */
export class NumberBuilder {
  private held: Held

  constructor(length: number) {
    this.held = new Int16Array(length).fill(MISSING)
  }

  set(row: number, value: number): void {
    const { held } = this
    if (held instanceof Float64Array) held[row] = value
    else if (Number.isNaN(value)) held[row] = MISSING
    else if (isShort(value)) held[row] = value
    else {
      const wide = widen({ length: held.length, from: 0, held })
      wide[row] = value
      this.held = wide
    }
  }

  /** The column of the first rows. */
  done(length = this.held.length): Column {
    return { kind: 'number', numbers: trim(this.held.subarray(0, length)) }
  }
}

/** Collects the texts of a column row by row; a row that is not set is missing. */
export class TextBuilder {
  private codes: Codes
  private readonly known = new Map<string, number>()
  private last: { readonly text: string; readonly code: number } = { text: '', code: -1 }

  constructor(length: number) {
    this.codes = new Int8Array(length).fill(-1)
  }

  set(row: number, text: string): void {
    // Neighbouring rows often hold the same text.
    if (this.last.code < 0 || text !== this.last.text) this.last = { text, code: this.codeOf(text) }
    this.codes[row] = this.last.code
  }

  private codeOf(text: string): number {
    const code = this.known.get(text)
    if (code !== undefined) return code
    // Files are UTF-8, which has no lone surrogates.
    const whole = text.toWellFormed()
    if (whole !== text) return this.codeOf(whole)
    const next = this.known.size
    this.known.set(text, next)
    if (next > maxCode(this.codes)) this.codes = wider(this.codes)
    return next
  }

  /** The column of the first rows. */
  done(length = this.codes.length): Column {
    return { kind: 'text', codes: this.codes.subarray(0, length), levels: [...this.known.keys()] }
  }
}

const maxCode = (codes: Codes): number =>
  codes instanceof Int8Array ? 0x7f : codes instanceof Int16Array ? 0x7fff : 0x7fffffff

const wider = (codes: Codes): Codes => (codes instanceof Int8Array ? Int16Array.from(codes) : Int32Array.from(codes))

/** Codes for as many rows, of a list of as many texts. */
const codesOf = (length: number, levels: number): Codes =>
  new (levels <= 0x80 ? Int8Array : levels <= 0x8000 ? Int16Array : Int32Array)(length)

/** Codes in four bytes, as analyses read them. */
export const wideCodes: (codes: Codes) => Int32Array = (codes) => (codes instanceof Int32Array ? codes : widened(codes))

const widened = memoizeWeak((codes: Int8Array | Int16Array) => Int32Array.from(codes))

function trim(held: Held): Numbers {
  const { length } = held
  const isThere =
    held instanceof Float64Array ? (i: number) => !Number.isNaN(held[i]) : (i: number) => held[i] !== MISSING
  let [from, to] = [0, length]
  while (from < to && !isThere(from)) from++
  while (to > from && !isThere(to - 1)) to--
  return { length, from, held: to - from === length ? held : held.slice(from, to) }
}

const isShort = (value: number): boolean => Number.isInteger(value) && value > MISSING && value <= 0x7fff

/** The numbers in eight bytes, NaN where missing: made on demand, and kept as long as somebody uses them. */
export const wideNumbers = (numbers: Numbers): Float64Array => {
  const { length, held } = numbers
  return held instanceof Float64Array && held.length === length ? held : wideOf(numbers)
}

const wideOf = memoizeWeak(widen)

function widen({ length, from, held }: Numbers): Float64Array {
  const wide = new Float64Array(length)
  wide.fill(Number.NaN, 0, from).fill(Number.NaN, from + held.length)
  if (held instanceof Float64Array) wide.set(held, from)
  else
    for (let i = 0; i < held.length; i++) {
      const value = held[i] as number
      wide[from + i] = value === MISSING ? Number.NaN : value
    }
  return wide
}

/** The code of each row, -1 where a number is missing, and the different numbers in their order of appearance. */
export function distinctNumbers({ length, from, held }: Numbers): {
  readonly codes: Int32Array
  readonly values: readonly number[]
} {
  const missing = held instanceof Int16Array ? MISSING : Number.NaN
  const known = new Map<number, number>()
  const codes = new Int32Array(length).fill(-1)
  for (let i = 0; i < held.length; i++) {
    const value = held[i] as number
    if (Object.is(value, missing)) continue
    const code = known.get(value) ?? known.size
    if (code === known.size) known.set(value, code)
    codes[from + i] = code
  }
  return { codes, values: [...known.keys()] }
}

/** Numbers as a category, made once a column. */
export const numberLevels = memoize(
  (numbers: Numbers): { readonly codes: Codes; readonly levels: readonly string[] } => {
    const { codes, values } = distinctNumbers(numbers)
    const narrow = codesOf(codes.length, values.length)
    narrow.set(codes)
    return { codes: narrow, levels: values.map(String) }
  },
)

/** Some rows of a column; levels that none of them has are dropped. */
export function columnAt(column: Column, rows: Int32Array): Column {
  if (column.kind === 'number') return { kind: 'number', numbers: numbersAt(column.numbers, rows) }
  const place = new Int32Array(column.levels.length).fill(-1)
  const levels: string[] = []
  const codes = codesOf(rows.length, column.levels.length)
  for (let i = 0; i < rows.length; i++) {
    const code = column.codes[rows[i] as number] as number
    if (place[code] === -1) {
      place[code] = levels.length
      levels.push(column.levels[code] as string)
    }
    codes[i] = place[code] ?? -1
  }
  return { kind: 'text', codes, levels }
}

function numbersAt({ from, held }: Numbers, rows: Int32Array): Numbers {
  const short = held instanceof Int16Array
  const made = short ? new Int16Array(rows.length) : new Float64Array(rows.length)
  const missing = short ? MISSING : Number.NaN
  for (let i = 0; i < rows.length; i++) {
    const at = (rows[i] as number) - from
    made[i] = at >= 0 && at < held.length ? (held[at] as number) : missing
  }
  return trim(made)
}

/** Does any row have a value? */
export const holdsValue = (column: Column): boolean =>
  column.kind === 'text' ? column.levels.length > 0 : column.numbers.held.length > 0

/** The value of one row; null: missing. */
export function valueAt(column: Column, row: number): string | number | null {
  if (column.kind === 'text') return column.levels[column.codes[row] as number] ?? null
  const { from, held } = column.numbers
  const value = held[row - from]
  return value === undefined || Number.isNaN(value) || (held instanceof Int16Array && value === MISSING) ? null : value
}
