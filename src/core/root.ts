import { MerkleTree, merkleLeaf } from './merkle.ts'
import type { Source } from './source.ts'

/**
 * The root of the items 0..count-1 (holes included), as the manifest of a dataset of them says it: 64 hex digits.
 *
 * @param count - left out: the whole of a finite config.
 * @throws RangeError for an endless source without a count.
 *
 * @example
 * import { itemsRoot, openLab } from '@touchstone-eval/touchstone'
 *
 * const lab = await openLab()
 * const task = lab.task('family/task')
 * const source = task.source(task.preset('small').config, { split: 'test', seed: '1' })
 * console.log(itemsRoot(source, 100)) // the root that `touchstone generate --count 100` writes
 */
export function itemsRoot(source: Source, count: number | null = source.layout.size): string {
  if (count === null) throw new RangeError('an endless source has no whole: say how many indices')
  const tree = new MerkleTree()
  for (let index = 0; index < count; index++) tree.add(merkleLeaf(source.item(index).hash))
  return tree.root()
}
