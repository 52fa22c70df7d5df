/** Separator of joined words: one replace over all words is 5 to 9 times as fast as one per word. */
const BREAK = '\n'

/**
 * A cascade can double a word at every rule (`a` to `aaa`, twenty times over). A run stops
 * at this many code units over all words, far more than any benchmark needs.
 *
 * @example
 * import { CORPUS_LIMIT } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(CORPUS_LIMIT) // 1048576
 */
export const CORPUS_LIMIT = 1 << 20

/** The words after a run, or the rule at which it stopped. */
export type Ran =
  | { readonly kind: 'ran'; readonly words: readonly string[] }
  /** The words outgrew {@link CORPUS_LIMIT} at rule number `rule` (from 0). */
  | { readonly kind: 'outgrown'; readonly rule: number }

const joinable = (words: readonly string[]): boolean => !words.some((word) => word.includes(BREAK))
const joinableRule = ([left, right]: Rule): boolean =>
  left !== '' && !left.includes(BREAK) && !right.includes(BREAK) && left.isWellFormed()

/**
 * One rule applied to every word.
 *
 * @example
 * import { applyRule } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(applyRule(['tata', 'tip'], ['t', 'd'])) // [ 'dada', 'dip' ]
 */
export function applyRule(words: readonly string[], rule: Rule): readonly string[] {
  if (words.length < 2 || !joinable(words) || !joinableRule(rule)) return words.map((word) => replaceAll(word, rule))
  return replaceAll(words.join(BREAK), rule).split(BREAK)
}

/**
 * Runs any rules, bounded in time and space; words keep their order and number.
 *
 * @param limit - code units of all words, with one separator between words
 *
 * @returns `outgrown` with the number of the rule, never an error
 *
 * @example
 * import { runBounded } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(runBounded(['tap'], [['t', 'd'], ['a', 'aa']]).kind) // ran
 * console.log(runBounded(['a'], Array(30).fill(['a', 'aa']), 1000)) // { kind: 'outgrown', rule: 9 }
 */
export function runBounded(words: readonly string[], cascade: Cascade, limit: number = CORPUS_LIMIT): Ran {
  let now = words
  for (const [k, rule] of cascade.entries()) {
    now = applyRule(now, rule)
    if (now.reduce((sum, word) => sum + word.length + 1, -1) > limit) return { kind: 'outgrown', rule: k }
  }
  return { kind: 'ran', words: now }
}

/**
 * The words after the whole cascade. Throws a RangeError where they outgrow {@link CORPUS_LIMIT}.
 *
 * @example
 * import { runCascade } from '@touchstone-eval/touchstone/rewriting'
 *
 * // The first rule feeds the second: the d that it writes is read.
 * console.log(runCascade(['tap', 'dip'], [['t', 'd'], ['d', 'z']])) // [ 'zap', 'zip' ]
 */
export function runCascade(words: readonly string[], cascade: Cascade): readonly string[] {
  const ran = runBounded(words, cascade)
  if (ran.kind === 'outgrown')
    throw new RangeError(`the words outgrow ${CORPUS_LIMIT} code units at rule ${ran.rule + 1}; shorten the cascade`)
  return ran.words
}

/**
 * Every intermediate state: `trace[0]` are the words, `trace[k]` the words after k rules.
 *
 * @example
 * import { traceCascade } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(traceCascade(['tap'], [['t', 'd'], ['d', 'z']])) // [ [ 'tap' ], [ 'dap' ], [ 'zap' ] ]
 */
export function traceCascade(words: readonly string[], cascade: Cascade): readonly (readonly string[])[] {
  const states: (readonly string[])[] = [words]
  for (const rule of cascade) states.push(applyRule(states.at(-1) as readonly string[], rule))
  return states
}

/**
 * How many words each rule of a trace changed.
 *
 * @example
 * import { changedPerRule, traceCascade } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(changedPerRule(traceCascade(['tap', 'dip'], [['t', 'd'], ['d', 'z']]))) // [ 1, 2 ]
 */
export function changedPerRule(trace: readonly (readonly string[])[]): readonly number[] {
  return trace.slice(1).map((after, k) => {
    const before = trace[k] as readonly string[]
    return after.reduce((sum, word, i) => sum + (word === before[i] ? 0 : 1), 0)
  })
}

/**
 * The benchmark's measure of a cascade: the summed length of all sides, in code points.
 *
 * @example
 * import { complexity } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(complexity([['th', 'd'], ['a', '']])) // 4
 */
export function complexity(cascade: Cascade): number {
  let sum = 0
  for (const [left, right] of cascade) for (const _ of left + right) sum++
  return sum
}

/**
 * One rewrite rule as data: replace every occurrence of the left side by the right side.
 * Sides are counted in Unicode code points unless said otherwise.
 */
export type Rule = readonly [left: string, right: string]

/** An ordered list of rules; each one reads what the one before it wrote. */
export type Cascade = readonly Rule[]

/**
 * Python's `str.replace(left, right)` on code points: all non-overlapping occurrences, left to right, in one pass;
 * replacements are not replaced again. An empty left side writes `right` around every code point, as in Python.
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
