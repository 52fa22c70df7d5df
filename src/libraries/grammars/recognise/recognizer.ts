import { adjacency, type BigramVerdict, bigramVerdict } from '../grammar/adjacency.ts'
import type { Cnf } from '../grammar/cnf.ts'
import { compileCrowdedKernel } from './crowded-kernel.ts'
import { compileLongRowKernel } from './long-row-kernel.ts'
import { type RecognitionTables, recognitionTables } from './recognition-tables.ts'
import { compileRowKernel, type Kernel, type LightKernel, ROW_KERNEL_LENGTH } from './row-kernel.ts'
import { compileTokenizer, type Tokenizer } from './tokenizer.ts'

/** Longest string a recogniser takes, in tokens. */
export const MAX_RECOGNIZED_TOKENS = 5000

/** Rules a pair of symbols from which on charts fill up so early that nothing else is tried (measured). */
const DENSE = 0.3

/** Charts of a length that filled up more often than others did, from which on nothing else is tried at that length. */
const GIVEN_UP = 4

/** Membership in the language of one grammar. Holds buffers: not to be shared between threads. */
export interface Recognizer {
  /**
   * Is this string of terminal numbers in the language? An integer that is no terminal makes it false; other numbers
   * are no tokens, and what they give is not defined.
   * @throws {RangeError} above {@link MAX_RECOGNIZED_TOKENS} tokens.
   */
  accepts(tokens: ArrayLike<number>): boolean
  /** The same for text, tokens separated by blanks. */
  acceptsText(text: string): boolean
  /** The linear-time local test that `accepts` begins with, and where it fails. */
  bigram(tokens: ArrayLike<number>): BigramVerdict
  readonly tokenizer: Tokenizer
}

/**
 * Compiles a grammar for recognition: bigram test first, then row propagation on end masks (two words up to 64 tokens,
 * beyond as many as needed; in code of the grammar's own where the chart fills up). Repeated and useless rules make no
 * difference. Memory with N nonterminals and T terminals, besides what grows with the rules: 1 kB a nonterminal, 8 N^2
 * bytes to find the rules of a pair, and some N T + T^2 bytes about neighbours; in compiled code also N n^2 / 8 bytes for
 * n tokens, shared by all grammars of the thread.
 *
 * @example
 * import { compileRecognizer, parseRelicGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const recognizer = compileRecognizer(parseRelicGrammar("S -> A B\nA -> A A\nA -> 'a'\nB -> 'b'"))
 * console.log(recognizer.acceptsText('a a b'), recognizer.acceptsText('b a')) // true false
 */
export function compileRecognizer(cnf: Cnf): Recognizer {
  const near = adjacency(cnf)
  const { begins, ends, pairs } = near
  const T = cnf.terminals.length
  const tokenizer = compileTokenizer(cnf.terminals)
  // Tables and kernels are made when the first string comes to them: many end at their pairs of neighbours.
  let tables: RecognitionTables | null = null
  let light: LightKernel | null = null
  let long: LightKernel | null = null
  let crowded: Kernel | null = null
  /** By length: how much oftener than not the chart filled up lately. */
  const filled = new Int8Array(MAX_RECOGNIZED_TOKENS + 1)

  const locallyLegal = (tokens: ArrayLike<number>, n: number): boolean => {
    if (n === 0) return false
    let previous = tokens[0] as number
    if (!(previous >= 0 && previous < T) || begins[previous] === 0) return false
    for (let at = 1; at < n; at++) {
      const token = tokens[at] as number
      if (!(token >= 0 && token < T) || pairs[previous * T + token] === 0) return false
      previous = token
    }
    return ends[previous] === 1
  }
  const within = (n: number) => {
    if (n > MAX_RECOGNIZED_TOKENS)
      throw new RangeError(
        `a string of ${n} tokens; at most ${MAX_RECOGNIZED_TOKENS} are recognised: cut it or reject it`,
      )
  }
  const derives = (tokens: ArrayLike<number>, n: number): boolean => {
    tables ??= recognitionTables(cnf, near)
    const dense = tables.outer.left.length > DENSE * tables.nonterminals * tables.nonterminals
    if (!dense && filled[n]! < GIVEN_UP) {
      if (n > ROW_KERNEL_LENGTH) long ??= compileLongRowKernel(tables)
      else light ??= compileRowKernel(tables)
      const verdict = n > ROW_KERNEL_LENGTH ? long!(tokens, n) : light!(tokens, n)
      if (verdict !== null) {
        if (filled[n]! > 0) filled[n]!--
        return verdict
      }
      filled[n]!++
    }
    crowded ??= compileCrowdedKernel(cnf)
    return crowded(tokens, n)
  }
  return {
    accepts(tokens) {
      const n = tokens.length
      within(n)
      return locallyLegal(tokens, n) && derives(tokens, n)
    },
    acceptsText(text) {
      const { buffer, length } = tokenizer.legalInto(text, begins, pairs)
      within(length)
      return length > 0 && ends[buffer[length - 1] as number] === 1 && derives(buffer, length)
    },
    bigram: (tokens) => bigramVerdict(near, tokens),
    tokenizer,
  }
}
