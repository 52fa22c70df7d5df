/**
 * One rewrite rule as data: replace every occurrence of the left side by the right side.
 * Sides are counted in Unicode code points unless said otherwise.
 */
export type Rule = readonly [left: string, right: string]

/** An ordered list of rules; each one reads what the one before it wrote. */
export type Cascade = readonly Rule[]

/**
 * Python's `str.replace(left, right)` on code points: all non-overlapping occurrences, left to right, in one pass;
 * what was written is not read again. An empty left side writes `right` around every code point, as in Python.
 *
 * @example
 * ```ts
 * import { replaceAll } from '@touchstone-eval/touchstone/rewriting'
 * const word: string = replaceAll('abab', ['ab', 'ba'])
 * console.log(word) // baba
 * ```
 */
export function replaceAll(text: string, [left, right]: Rule): string {
  if (left === '') {
    let out = right
    for (const symbol of text) out += symbol + right
    return out
  }
  if (!left.isWellFormed()) return replaceSymbols(text, [...left], right)
  // A well-formed pattern can only match whole code points; the function keeps `$` in the right side literal.
  return text.includes(left) ? text.replaceAll(left, () => right) : text
}

/** A pattern with a lone surrogate must not match half of a pair. */
function replaceSymbols(text: string, left: readonly string[], right: string): string {
  const symbols = [...text]
  let out = ''
  for (let i = 0; i < symbols.length; ) {
    if (left.every((symbol, k) => symbols[i + k] === symbol)) {
      out += right
      i += left.length
    } else {
      out += symbols[i]
      i++
    }
  }
  return out
}

/**
 * The number of code points.
 *
 * @example
 * import { symbolCount } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log('a𝄞'.length, symbolCount('a𝄞')) // 3 2
 */
export function symbolCount(text: string): number {
  let count = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < text.length) {
      const next = text.charCodeAt(i + 1)
      if (next >= 0xdc00 && next < 0xe000) i++
    }
    count++
  }
  return count
}

/**
 * Occurrences of `part` in `text`, overlapping ones too, by code unit. `part` must not be empty.
 *
 * @example
 * import { countOverlapping } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(countOverlapping('aaaa', 'aa')) // 3
 */
export function countOverlapping(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) count++
  return count
}

/**
 * Python's `str.count`: non-overlapping occurrences, left to right. `part` must not be empty.
 *
 * @example
 * import { countApart } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(countApart('aaaa', 'aa')) // 2
 */
export function countApart(text: string, part: string): number {
  let count = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count++
  return count
}
