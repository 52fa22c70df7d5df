import { ContextTree } from './context-tree.ts'
import type { SequenceLearner } from './learner.ts'

/** A Markov chain of fixed order with `pseudo` counts added to every symbol; no back-off. Order 0 is the unigram model. */
export class Markov implements SequenceLearner {
  readonly size: number
  private readonly tree: ContextTree
  private readonly pseudo: number

  constructor(size: number, order: number, pseudo = 0.1) {
    this.size = size
    this.tree = new ContextTree(size, order)
    this.pseudo = pseudo
  }

  probability(symbol: number): number {
    const { tree, pseudo } = this
    let node = 0
    for (let order = 0; order < tree.longest; order++) {
      node = tree.longer(node, order)
      if (node === 0) return 1 / this.size
    }
    return (tree.count(node, symbol) + pseudo) / (tree.total(node) + pseudo * this.size)
  }

  read(symbol: number): void {
    const { tree } = this
    tree.begin()
    let node = 0
    for (let order = 0; order < tree.longest; order++) node = tree.grow(node, order)
    tree.add(node, symbol)
    tree.push(symbol)
  }

  mark(): number {
    return this.tree.length
  }
  rewind(mark: number): void {
    this.tree.rewind(mark)
  }
}
