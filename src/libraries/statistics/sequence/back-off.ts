import { ContextTree } from './context-tree.ts'
import type { SequenceLearner } from './learner.ts'

/** How much probability a context leaves to the shorter one. */
export type Escape =
  /** PPM method C (Moffat 1990): as many escapes as different symbols seen. */
  | { readonly kind: 'ppm-c' }
  /** Interpolated absolute discounting; with update exclusion the lower orders count contexts, as Kneser and Ney (1995) do. */
  | { readonly kind: 'kneser-ney'; readonly discount: number }

/**
 * Interpolates all context orders 0..depth from the bottom up, starting at 1/size. Update exclusion: a symbol is counted
 * at the orders that did not know it and at the highest one that did.
 */
export class BackOff implements SequenceLearner {
  readonly size: number
  private readonly tree: ContextTree
  private readonly escape: Escape

  constructor(size: number, depth: number, kind: Escape) {
    this.size = size
    this.tree = new ContextTree(size, depth)
    this.escape = kind
  }

  probability(symbol: number): number {
    const { tree } = this
    let p = 1 / this.size
    for (let node = 0, order = 0; ; order++) {
      const total = tree.total(node)
      if (total === 0) break
      const count = tree.count(node, symbol)
      const distinct = tree.distinct(node)
      if (this.escape.kind === 'ppm-c') p = (count + distinct * p) / (total + distinct)
      else {
        const { discount } = this.escape
        p = (Math.max(count - discount, 0) + discount * distinct * p) / total
      }
      if (order === tree.longest) break
      node = tree.longer(node, order)
      if (node === 0) break
    }
    return p
  }

  read(symbol: number): void {
    const { tree } = this
    tree.begin()
    const path = [0]
    for (let order = 0; order < tree.longest; order++) path.push(tree.grow(path[order] as number, order))
    for (let order = path.length - 1; order >= 0; order--) {
      const node = path[order] as number
      const known = tree.count(node, symbol) > 0
      tree.add(node, symbol)
      if (known) break
    }
    tree.push(symbol)
  }

  mark(): number {
    return this.tree.length
  }
  rewind(mark: number): void {
    this.tree.rewind(mark)
  }
}

/** PPM-C with contexts up to 5. */
export const ppm = (size: number, depth = 5): SequenceLearner => new BackOff(size, depth, { kind: 'ppm-c' })

/** Interpolated Kneser-Ney with contexts up to `depth` and discount 0.6. */
export const kneserNey = (size: number, depth: number): SequenceLearner =>
  new BackOff(size, depth, { kind: 'kneser-ney', discount: 0.6 })
