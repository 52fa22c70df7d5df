import {
  constituents,
  type Derivation,
  heights,
  type Pcfg,
  plainReading,
  turned,
} from '../../libraries/grammars/pcfg/index.ts'

/**
 * Where in the derivation a token stands: inside a lowest-level constituent, at the start of one (a word), of one a level
 * up (a phrase), of a higher one (a clause), at a token that an earlier choice decides, or at the end of the string.
 */
export const positionClasses = ['within', 'word', 'phrase', 'clause', 'agreement', 'end'] as const
type PositionClass = (typeof positionClasses)[number]

/**
 * The class of every token and, last, of the end. In a recursive grammar the height of a constituent is that of its
 * subtree.
 */
export function classesOf(grammar: Pcfg, derivation: Derivation): PositionClass[] {
  if (grammar.reading === 'crossed') {
    // A token has the class that it has in the nested reading, where its partner stands as many levels up.
    const nested = classesOf(plainReading(grammar), derivation).slice(0, -1)
    return [...turned(nested), 'end']
  }
  const all = constituents(grammar, derivation)
  const length = all[0]?.end ?? 0
  const known = heights(grammar)
  const height = all.map((c) => (known === null ? 1 : (known[c.nonterminal] as number)))
  if (known === null)
    for (let i = all.length - 1; i >= 0; i--) {
      const parent = parentOf(all, i)
      if (parent >= 0) height[parent] = Math.max(height[parent] as number, (height[i] as number) + 1)
    }
  const highest = Array.from({ length }, () => 0)
  const agreeing = new Set<number>()
  for (const [i, { nonterminal, start, end }] of all.entries()) {
    if (grammar.agreement.includes(nonterminal) && end === start + 1) agreeing.add(start)
    highest[start] = Math.max(highest[start] as number, height[i] as number)
  }
  const classes = highest.map((most, at): PositionClass => {
    if (agreeing.has(at)) return 'agreement'
    if (most === 0) return 'within'
    return most === 1 ? 'word' : most === 2 ? 'phrase' : 'clause'
  })
  return [...classes, 'end']
}

/** Constituents are listed parents first: the parent is the last earlier one that is one level up. */
function parentOf(all: readonly { readonly depth: number }[], i: number): number {
  for (let j = i - 1; j >= 0; j--) if ((all[j]?.depth as number) === (all[i]?.depth as number) - 1) return j
  return -1
}
