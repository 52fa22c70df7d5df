import { Sfc32, type Stream } from '../../../src/core/index.ts'
import type { Cnf } from '../../../src/libraries/grammars/index.ts'
import type { StrictlyLocalTest } from '../../../src/libraries/grammars/negatives/strictly-local.ts'
import { strings } from './enumerate.ts'

/** A warmed-up stream with a small number for a key; tests need no more. */
export function stream(key: number): Stream {
  const out = new Sfc32(key, 0x9e3779b9, 0x85ebca6b, 1)
  for (let i = 0; i < 12; i++) out.u32()
  return out
}

/** All strings of a length in the language, by plain recursion. */
export const members = (cnf: Cnf, length: number): number[][] =>
  [...strings(cnf.terminals.length, length)].filter((tokens) => accepts(cnf, tokens))

/** Membership by plain recursion over spans, remembering nothing of the kernels under test. */
export function accepts(cnf: Cnf, tokens: readonly number[]): boolean {
  const known = new Map<string, boolean>()
  const derives = (symbol: number, from: number, to: number): boolean => {
    const key = `${symbol} ${from} ${to}`
    const before = known.get(key)
    if (before !== undefined) return before
    let found = false
    if (to - from === 1)
      for (let at = 0; at < cnf.lexical.length && !found; at += 2)
        found = cnf.lexical[at] === symbol && cnf.lexical[at + 1] === tokens[from]
    for (let at = 0; at < cnf.binary.length && !found; at += 3)
      if (cnf.binary[at] === symbol)
        for (let k = from + 1; k < to && !found; k++)
          found = derives(cnf.binary[at + 1] as number, from, k) && derives(cnf.binary[at + 2] as number, k, to)
    known.set(key, found)
    return found
  }
  return tokens.length > 0 && derives(0, 0, tokens.length)
}

/** Upper 1e-6 point of chi squared with `df` degrees of freedom (Wilson and Hilferty), for goodness of fit at fixed seeds. */
export function chiSquaredLimit(df: number): number {
  const z = 4.753
  return df * (1 - 2 / (9 * df) + z * Math.sqrt(2 / (9 * df))) ** 3
}

/** Chi squared of counts against expected counts; cells expected below 5 are pooled. */
export function chiSquared(observed: readonly number[], expected: readonly number[]): { value: number; df: number } {
  let value = 0
  let cells = 0
  let restObserved = 0
  let restExpected = 0
  for (const [i, e] of expected.entries()) {
    const o = observed[i] ?? 0
    if (e < 5) {
      restObserved += o
      restExpected += e
    } else {
      value += (o - e) ** 2 / e
      cells++
    }
  }
  if (restExpected > 0) {
    value += (restObserved - restExpected) ** 2 / Math.max(restExpected, 1)
    cells++
  }
  return { value, df: Math.max(1, cells - 1) }
}

/** Is the whole string legal under a strictly local test? The empty string is not. */
export function isStrictlyLocal(legality: StrictlyLocalTest, tokens: ArrayLike<number>): boolean {
  if (tokens.length === 0) return false
  const at = (i: number) => (i < 0 || i >= tokens.length ? legality.boundary : tokens[i]!)
  for (let i = 0; i <= tokens.length; i++) if (!legality.join(at(i - 2), at(i - 1), at(i), at(i + 1))) return false
  return true
}
