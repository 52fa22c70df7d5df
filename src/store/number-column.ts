import { weakly } from './weakly.ts'

/** Numbers as they are held: whole ones that fit in two bytes, as most features and counts do, and others in eight. */
export type Numbers = Int16Array | Float64Array

/** In two bytes what is missing is the least number. */
const MISSING = -0x8000

/** Numbers that come one after another; NaN: missing. */
export class NumberColumn {
  private held: Numbers

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
      const wide = wideOf(held)
      wide[at] = value
      this.held = wide
    }
  }

  done(): Numbers {
    return this.held
  }
}

/** The same number everywhere. */
export function constantNumbers(length: number, value: number): Numbers {
  if (Number.isNaN(value)) return new Int16Array(length).fill(MISSING)
  return isShort(value) ? new Int16Array(length).fill(value) : new Float64Array(length).fill(value)
}

const isShort = (value: number): boolean => Number.isInteger(value) && value > MISSING && value <= 0x7fff

/** The numbers in eight bytes, NaN where missing: made when asked for, and kept as long as somebody uses them. */
export const wideNumbers = (numbers: Numbers): Float64Array =>
  numbers instanceof Float64Array ? numbers : widened(numbers)

const widened = weakly(wideOf)

function wideOf(numbers: Int16Array): Float64Array {
  const wide = new Float64Array(numbers.length)
  for (let i = 0; i < wide.length; i++) {
    const value = numbers[i] as number
    wide[i] = value === MISSING ? Number.NaN : value
  }
  return wide
}

/** The numbers of some rows. */
export function numbersAt<N extends Numbers>(numbers: N, rows: Int32Array): N {
  const made = new (numbers.constructor as new (length: number) => N)(rows.length)
  for (let i = 0; i < rows.length; i++) made[i] = numbers[rows[i] as number] as number
  return made
}

/** Is there any number at all? */
export const holdsNumber = (numbers: Numbers): boolean =>
  numbers instanceof Float64Array
    ? numbers.some((value) => !Number.isNaN(value))
    : numbers.some((value) => value !== MISSING)
