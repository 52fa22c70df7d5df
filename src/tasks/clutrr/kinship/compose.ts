import type { Kin } from './question.ts'

/**
 * The relation of X to Y by row (X to Z) and column (Z to Y), for three different people. Only what always holds where
 * parents are married to each other, siblings share both parents, aunts and uncles are siblings of a parent, and people
 * have one spouse.
 */
const table: { readonly [first in Kin]: { readonly [second in Kin]?: Kin } } = {
  parent: { parent: 'grandparent', child: 'spouse', sibling: 'parent', spouse: 'parentInLaw', uncle: 'grandparent' },
  child: { parent: 'sibling', child: 'grandchild', sibling: 'nephew', spouse: 'child', childInLaw: 'grandchild' },
  sibling: { parent: 'uncle', sibling: 'sibling', child: 'child', grandchild: 'grandchild', nephew: 'nephew' },
  spouse: {
    parent: 'parent',
    child: 'childInLaw',
    grandparent: 'grandparent',
    parentInLaw: 'parentInLaw',
    childInLaw: 'child',
  },
  grandparent: { sibling: 'grandparent' },
  grandchild: { spouse: 'grandchild' },
  uncle: { sibling: 'uncle' },
  nephew: { child: 'grandchild' },
  parentInLaw: { spouse: 'parent', parent: 'grandparent' },
  childInLaw: { spouse: 'childInLaw' },
}

export const compose = (first: Kin, second: Kin): Kin | null => table[first][second] ?? null

/** How a relation along links i to j (j excluded) comes about: a link by its number, or two parts put together. */
export type Derivation = number | readonly [Derivation, Derivation]

interface Composed {
  readonly kin: Kin
  readonly how: Derivation
}

/**
 * What the persons of a chain are of one another, in all ways of putting its links together: `at(i, j)` is what person i is
 * of the later person j. Null where two ways give two relations: then two of the names are one person.
 */
export function composeChain(chain: readonly Kin[]): { at(i: number, j: number): Composed | null } | null {
  const n = chain.length
  const cells = new Map<number, Composed>()
  const key = (i: number, j: number): number => i * (n + 1) + j
  for (const [i, kin] of chain.entries()) cells.set(key(i, i + 1), { kin, how: i })
  for (let length = 2; length <= n; length++)
    for (let i = 0; i + length <= n; i++)
      for (let middle = i + 1; middle < i + length; middle++) {
        const first = cells.get(key(i, middle))
        const second = cells.get(key(middle, i + length))
        const kin = first === undefined || second === undefined ? null : compose(first.kin, second.kin)
        if (kin === null || first === undefined || second === undefined) continue
        const known = cells.get(key(i, i + length))
        if (known !== undefined && known.kin !== kin) return null
        if (known === undefined) cells.set(key(i, i + length), { kin, how: [first.how, second.how] })
      }
  return { at: (i, j) => cells.get(key(i, j)) ?? null }
}
