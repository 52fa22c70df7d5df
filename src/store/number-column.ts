import { memoizeWeak } from '../core/index.ts'

/** Whole numbers that fit in two bytes, as most features and counts are, and others in eight. */
type Held = Int16Array | Float64Array

/** Numbers as they are held, from the first that is there to the last: the features of a task are missing in all rows of others. */
export interface Numbers {
  /** Rows of the column. */
  readonly length: number
  /** The row of the first number that is held. */
  readonly from: number
  readonly held: Held
}

/** In two bytes what is missing is the least number. */
const MISSING = -0x8000

/** Numbers that come one after another; NaN: missing. */
export class NumberColumn {
  private held: Held

  constructor(length: number) {
    this.held = new Int16Array(length).fill(MISSING)
  }

  /** Numbers from a row on. */
  put(at: number, values: Float64Array): void {
    for (let i = 0; i < values.length; i++) this.set(at + i, values[i] as number)
  }

  set(at: number, value: number): void {
    const { held } = this
    if (held instanceof Float64Array) held[at] = value
    else if (Number.isNaN(value)) held[at] = MISSING
    else if (isShort(value)) held[at] = value
    else {
      const wide = wideOf({ length: held.length, from: 0, held })
      wide[at] = value
      this.held = wide
    }
  }

  done(): Numbers {
    return trimmed(this.held)
  }
}

function trimmed(held: Held): Numbers {
  const { length } = held
  const isThere =
    held instanceof Float64Array ? (i: number) => !Number.isNaN(held[i]) : (i: number) => held[i] !== MISSING
  let [from, to] = [0, length]
  while (from < to && !isThere(from)) from++
  while (to > from && !isThere(to - 1)) to--
  return { length, from, held: to - from === length ? held : held.slice(from, to) }
}

/** The same number everywhere. */
export function constantNumbers(length: number, value: number): Numbers {
  if (Number.isNaN(value)) return { length, from: 0, held: new Int16Array(0) }
  const held = isShort(value) ? new Int16Array(length) : new Float64Array(length)
  return { length, from: 0, held: held.fill(value) }
}

const isShort = (value: number): boolean => Number.isInteger(value) && value > MISSING && value <= 0x7fff

/** The numbers in eight bytes, NaN where missing: made when asked for, and kept as long as somebody uses them. */
export const wideNumbers = (numbers: Numbers): Float64Array => {
  const { length, held } = numbers
  return held instanceof Float64Array && held.length === length ? held : widened(numbers)
}

const widened = memoizeWeak(wideOf)

function wideOf({ length, from, held }: Numbers): Float64Array {
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

/** The numbers of some rows. */
export function numbersAt({ from, held }: Numbers, rows: Int32Array): Numbers {
  const short = held instanceof Int16Array
  const made = short ? new Int16Array(rows.length) : new Float64Array(rows.length)
  const missing = short ? MISSING : Number.NaN
  for (let i = 0; i < rows.length; i++) {
    const at = (rows[i] as number) - from
    made[i] = at >= 0 && at < held.length ? (held[at] as number) : missing
  }
  return trimmed(made)
}

/** Is there any number at all? */
export const holdsNumber = ({ held }: Numbers): boolean => held.length > 0
