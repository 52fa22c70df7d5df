import { adjacency, type BigramVerdict, bigramVerdict } from '../grammar/adjacency.ts'
import type { Cnf } from '../grammar/cnf.ts'
import { type RecognitionKernel, recognitionKernel } from './recognition-kernel.ts'
import { MAX_RECOGNIZED_TOKENS } from './recognition-tables.ts'
import { compileTokenizer, type Tokenizer } from './tokenizer.ts'

export { MAX_RECOGNIZED_TOKENS }

/** Share of legal pairs of neighbours from which on the test for them costs more than it saves (measured). */
const SELECTIVE = 0.7

/** Membership in the language of one grammar. Holds buffers: not to be shared between threads. */
export interface Recognizer {
  /**
   * Is this string of terminal numbers in the language? An integer that is no terminal makes it false; other numbers
   * are no tokens, and what they give is not defined.
   * @throws {RangeError} above `MAX_RECOGNIZED_TOKENS` tokens.
   */
  accepts(tokens: ArrayLike<number>): boolean
  /** The same for text, tokens separated by blanks. */
  acceptsText(text: string): boolean
  /** The linear-time local test that `accepts` begins with, and where it fails. */
  bigram(tokens: ArrayLike<number>): BigramVerdict
  readonly tokenizer: Tokenizer
}

/**
 * Makes a grammar ready for recognition: bigram test first, then a compiled chart of end masks (`recognition-kernel.ts`).
 * Repeated and useless rules make no difference. With N nonterminals, T terminals and R rules, the tables take some
 * N^2 / 2 + N T / 2 + T^2 + 12 R bytes, the chart of n tokens N n^2 / 8 bytes, shared by all grammars of the thread.
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
  // Made when the first string comes to it: many end at their pairs of neighbours.
  let kernel: RecognitionKernel | null = null

  /** Puts the string where the kernel reads it, while it is locally legal. */
  const isLegal = (tokens: ArrayLike<number>, n: number): boolean => {
    if (n === 0) return false
    kernel ??= recognitionKernel(cnf)
    const room = kernel.prepare(n)
    const { firstRecord, recordBytes } = kernel
    let previous = tokens[0]!
    if (!(previous >= 0 && previous < T) || begins[previous] === 0) return false
    room[0] = firstRecord + previous * recordBytes
    for (let at = 1; at < n; at++) {
      const token = tokens[at]!
      if (!(token >= 0 && token < T) || (isSelective && pairs[previous * T + token] === 0)) return false
      room[at] = firstRecord + token * recordBytes
      previous = token
    }
    return ends[previous] === 1
  }
  const isSelective = pairs.reduce((sum, legal) => sum + legal, 0) < SELECTIVE * T * T
  const within = (n: number) => {
    if (n > MAX_RECOGNIZED_TOKENS)
      throw new RangeError(
        `a string of ${n} tokens; at most ${MAX_RECOGNIZED_TOKENS} are recognised: cut it or reject it`,
      )
  }
  return {
    accepts(tokens) {
      const n = tokens.length
      within(n)
      return isLegal(tokens, n) && kernel!.accepts(n)
    },
    acceptsText(text) {
      const { buffer, length } = tokenizer.legalInto(text, begins, pairs)
      within(length)
      if (length <= 0 || ends[buffer[length - 1] as number] === 0) return false
      kernel ??= recognitionKernel(cnf)
      const room = kernel.prepare(length)
      const { firstRecord, recordBytes } = kernel
      for (let at = 0; at < length; at++) room[at] = firstRecord + buffer[at]! * recordBytes
      return kernel.accepts(length)
    },
    bigram: (tokens) => bigramVerdict(near, tokens),
    tokenizer,
  }
}
