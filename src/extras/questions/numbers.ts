/** A number as it is written, exact: numerator and denominator. */
interface Fraction {
  readonly n: bigint
  readonly d: bigint
}

/** Digits of a number that is read; longer ones are none. */
const DIGITS = 400
const FACTOR = String.raw`(?:e|\s?(?:[x×*]|\\times)\s?10\s?\^\s?\{?)(?<power>[-+]?\d{1,3})\}?`
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.])(?<sign>[-+]?)[$€£¥]?(?:\\[dt]?frac\{(?<top>\d{1,${DIGITS}})\}\{(?<bottom>\d{1,${DIGITS}})\}|` +
    String.raw`(?<digits>\d{1,3}(?:,\d{3}){1,100}(?!\d)|\d{1,${DIGITS}})?(?<decimals>\.\d{1,${DIGITS}})?(?:${FACTOR})?(?:\s?/\s?(?<under>\d{1,${DIGITS}}))?)`,
  'giu',
)

/** A number in a text. */
export interface NumberAt {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The numbers of a text in their order: decimals, thousands between commas, powers of ten, fractions. */
export const numbersIn = (text: string): readonly NumberAt[] =>
  [...text.matchAll(NUMBER)].flatMap(({ 0: found, index }) =>
    /\d/u.test(found) ? [{ text: found.trim(), start: index, end: index + found.length }] : [],
  )

/** A text that is one number, maybe before a unit; null: it is not. */
export function numberOf(text: string): Fraction | null {
  const [first, ...more] = [...text.trim().matchAll(NUMBER)].filter(([found]) => /\d/u.test(found))
  if (first?.index !== 0 || more.length > 0) return null
  const { sign, top, bottom, digits = '', decimals = '.', power = '0', under = '1' } = first.groups ?? {}
  const minus = sign === '-' ? -1n : 1n
  if (top !== undefined)
    return bottom === undefined || BigInt(bottom) === 0n ? null : { n: minus * BigInt(top), d: BigInt(bottom) }
  const places = Number(power) - (decimals.length - 1)
  const whole = BigInt(`${digits.replaceAll(',', '')}${decimals.slice(1)}`)
  const divisor = BigInt(under)
  if (divisor === 0n) return null
  return places >= 0
    ? { n: minus * whole * 10n ** BigInt(places), d: divisor }
    : { n: minus * whole, d: divisor * 10n ** BigInt(-places) }
}

/** Parts of 1 that tolerances are compared in. */
const SCALE = 10n ** 15n

/** Are two numbers equal, within a distance, or a share of the target such as `1%`? Exact where that is 0. */
export function sameNumber(target: Fraction, said: Fraction, tolerance: string): boolean {
  const [left, right] = [target.n * said.d, said.n * target.d]
  if (left === right) return true
  const share = tolerance.endsWith('%')
  const allowed = BigInt(Math.round((share ? Number(tolerance.slice(0, -1)) / 100 : Number(tolerance)) * 1e15))
  const distance = abs(left - right) * SCALE
  return distance <= allowed * abs(share ? left : target.d * said.d)
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value)
