/** An exact fraction in lowest terms with a positive denominator. */
export interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

/** @throws {RangeError} when the denominator is zero */
export function rational(numerator: bigint, denominator = 1n): Rational {
  if (denominator === 0n) throw new RangeError('a fraction needs a denominator other than 0')
  const sign = denominator < 0n ? -1n : 1n
  const divisor = greatestCommonDivisor(numerator < 0n ? -numerator : numerator, denominator * sign)
  return { numerator: (sign * numerator) / divisor, denominator: (sign * denominator) / divisor }
}

const FORM = /^(\d{0,30})(?:\.(\d{0,30}))?(?:\/(\d{1,30}))?$/

/** Reads `1/4`, `0.25`, `.25` or `2`, exactly; null for anything else, and for more than 30 digits in a part. */
export function parseRational(text: string): Rational | null {
  const [, whole = '', decimals = '', denominator] = FORM.exec(text) ?? []
  if (whole + decimals === '' || (denominator !== undefined && (decimals !== '' || BigInt(denominator) === 0n)))
    return null
  if (denominator !== undefined) return rational(BigInt(whole), BigInt(denominator))
  return rational(BigInt(whole + decimals), BigInt(`1${'0'.repeat(decimals.length)}`))
}

/** `p/q`, or `p` for whole numbers. */
export const printRational = ({ numerator, denominator }: Rational): string =>
  denominator === 1n ? `${numerator}` : `${numerator}/${denominator}`
