import classNouns from './data/class-nouns.json' with { type: 'json' }

/** A forest of plural nouns: two classes either hold one another or have nothing in common. */
export interface Taxonomy {
  readonly names: readonly string[]
  /** The index of the next wider class, or -1 where there is none; parents come before children. */
  readonly parent: readonly number[]
}

/** A class and what it holds: further classes by name, or a list with commas of those that hold none; such a list beside classes has the name ''. */
export type Classes = { readonly [name: string]: string | Classes }

/** Reads the classes. Throws where a name repeats or is empty, as then it is no forest. */
export function readTaxonomy(classes: Classes): Taxonomy {
  const names: string[] = []
  const parent: number[] = []
  const seen = new Set<string>()
  function add(name: string, above: number): number {
    if (name === '') throw new Error(`a class under "${names[above] ?? 'the roots'}" has no name`)
    if (seen.has(name)) throw new Error(`"${name}" is in the taxonomy twice`)
    seen.add(name)
    parent.push(above)
    return names.push(name) - 1
  }
  function visit(inside: string | Classes, above: number): void {
    if (typeof inside === 'string') for (const name of inside.split(', ')) add(name, above)
    else for (const [name, held] of Object.entries(inside)) visit(held, name === '' ? above : add(name, above))
  }
  visit(classes, -1)
  return { names, parent }
}

export const taxonomy: Taxonomy = readTaxonomy(classNouns)

const widest = new Map<string, string>()
taxonomy.names.forEach((name, id) => {
  const above = taxonomy.parent[id] as number
  widest.set(name, above === -1 ? name : (widest.get(taxonomy.names[above] as string) as string))
})

/**
 * The widest class that holds a noun; the noun itself where none does. It says which split the noun belongs to: a class
 * belongs to one split with all that it holds, so that every split has classes inside classes inside classes.
 */
export const branchOf = (noun: string): string => widest.get(noun) ?? noun

/** Are all members of class `a` members of `b`? True for a class itself. */
export function isKindOf(tree: Taxonomy, a: number, b: number): boolean {
  for (let at = a; at !== -1; at = tree.parent[at] as number) if (at === b) return true
  return false
}
