import { taxonomyData } from './words/taxonomy-data.ts'

/** A tree of plural nouns: the classes of things that contain one another or have nothing in common. */
export interface Taxonomy {
  readonly names: readonly string[]
  /** The index of the next wider class, or -1 at the root; parents come before children. */
  readonly parent: readonly number[]
}

/** Reads the indented list. Throws where a name repeats or a line is indented by more than one step: it must be a tree. */
export function parseTaxonomy(text: string): Taxonomy {
  const names: string[] = []
  const parent: number[] = []
  const open: number[] = []
  const seen = new Set<string>()
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const depth = line.length - line.trimStart().length
    const name = line.trim()
    if (seen.has(name)) throw new Error(`"${name}" is in the taxonomy twice`)
    if (depth > open.length || (depth === 0 && names.length > 0))
      throw new Error(`"${name}" has no parent in the taxonomy`)
    seen.add(name)
    open.length = depth
    parent.push(depth === 0 ? -1 : (open[depth - 1] as number))
    open.push(names.length)
    names.push(name)
  }
  return { names, parent }
}

export const taxonomy: Taxonomy = parseTaxonomy(taxonomyData)

/** Are all members of class `a` members of `b`? True for a class itself. */
export function isKindOf(tree: Taxonomy, a: number, b: number): boolean {
  for (let at = a; at !== -1; at = tree.parent[at] as number) if (at === b) return true
  return false
}
