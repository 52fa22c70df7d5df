import type { Cnf } from '../../../src/libraries/grammars/index.ts'

/** All strings of a length over the first `terminals` numbers. */
export function* strings(terminals: number, length: number): Generator<number[]> {
  if (length === 0) {
    yield []
    return
  }
  for (const rest of strings(terminals, length - 1)) for (let t = 0; t < terminals; t++) yield [...rest, t]
}

/** A parse tree: a word, or a rule's two children. */
export type Tree = { readonly symbol: number; readonly children: readonly [Tree, Tree] | number }

/** Every parse tree of a symbol over a span, by plain recursion; the rules are taken as a set. */
export function trees(cnf: Cnf, symbol: number, tokens: readonly number[]): Tree[] {
  const found = new Map<string, Tree>()
  if (tokens.length === 1)
    for (let at = 0; at < cnf.lexical.length; at += 2)
      if (cnf.lexical[at] === symbol && cnf.lexical[at + 1] === tokens[0])
        found.set('', { symbol, children: tokens[0] as number })
  for (let at = 0; at < cnf.binary.length; at += 3) {
    if (cnf.binary[at] !== symbol) continue
    const [b, c] = [cnf.binary[at + 1] as number, cnf.binary[at + 2] as number]
    for (let split = 1; split < tokens.length; split++)
      for (const [l, left] of trees(cnf, b, tokens.slice(0, split)).entries())
        for (const [r, right] of trees(cnf, c, tokens.slice(split)).entries())
          found.set(`${b} ${c} ${split} ${l} ${r}`, { symbol, children: [left, right] })
  }
  return [...found.values()]
}

/** nltk's `Tree.height`: a word counts 1. */
export const height = (tree: Tree): number =>
  typeof tree.children === 'number' ? 2 : 1 + Math.max(height(tree.children[0]), height(tree.children[1]))

/** All grammars over `rules` with at most `most` of them, as flat binary and lexical lists. */
export function* subsets<T>(items: readonly T[], most: number): Generator<T[]> {
  if (items.length === 0 || most === 0) {
    yield []
    return
  }
  yield* subsets(items.slice(1), most)
  for (const rest of subsets(items.slice(1), most - 1)) yield [items[0] as T, ...rest]
}
