import { memoize } from '../../../../core/index.ts'
import { compiled } from '../compiled.ts'
import type { Shared } from '../prompt.ts'

/** The symbols and rules of a grammar, to be found by name. */
export interface Names {
  readonly symbols: ReadonlyMap<string, number>
  readonly terminals: ReadonlyMap<string, number>
  readonly binary: ReadonlySet<string>
  readonly lexical: ReadonlySet<string>
}

export const namesOf = memoize((shared: Shared): Names => {
  const { nonterminals, terminals, binary, lexical } = compiled(shared)
  const rules = (flat: Int32Array, width: number): ReadonlySet<string> =>
    new Set(Array.from({ length: flat.length / width }, (_, i) => flat.slice(width * i, width * (i + 1)).join(' ')))
  return {
    symbols: new Map(nonterminals.map((name, i) => [name, i])),
    terminals: new Map(terminals.map((name, i) => [name, i])),
    binary: rules(binary, 3),
    lexical: rules(lexical, 2),
  }
})
