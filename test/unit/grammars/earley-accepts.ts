import { type Cnf, cfgOf } from '../../../src/libraries/grammars/index.ts'
import { earleyParser } from '../../../src/libraries/grammars/recognise/earley.ts'

/** Membership by Earley's algorithm; a number that is no terminal makes it false. */
export function earleyAccepts(cnf: Cnf): (tokens: ArrayLike<number>) => boolean {
  const { accepts } = earleyParser(cfgOf(cnf))
  return (tokens) => accepts(Array.from(tokens, (token) => cnf.terminals[token] ?? ''))
}
