import { namedStream, shuffle } from '../../../core/index.ts'

/** What a list must know of a question. */
export interface Placed {
  readonly item: string
  /** Equal for questions of which a person is asked one: twins, and the same item put in another way. */
  readonly draw: string
  /** Lists hold as many questions of every cell, where that can be. */
  readonly cell: string
}

/**
 * Questions by number in lists, one for a person. Sets of questions of one draw are dealt to slices of at most `most` sets, and
 * within a slice by a Latin square: the list t takes of the k-th set of a kind its member number (k + t), so that nobody sees
 * two of a set, every question stands in the lists equally often, and cells of a kind differ by one at most. Each list
 * comes twice, in an order drawn by the first question's name and in the reverse of it.
 */
export function counterbalanced(questions: readonly Placed[], most: number): readonly (readonly number[])[] {
  const name = questions[0]?.item ?? ''
  const kinds = kindsOf(questions, name)
  const sets = kinds.flat().length
  const slices = Math.ceil(sets / most)
  const members = Math.max(...kinds.flat().map((set) => set.length))
  const lists: number[][] = Array.from({ length: slices * members }, () => [])
  let dealt = 0
  for (const kind of kinds) {
    const ranks = Array.from({ length: slices }, () => 0)
    for (const set of kind) {
      const slice = dealt++ % slices
      const rank = ranks[slice] as number
      ranks[slice] = rank + 1
      for (let t = 0; t < members; t++) {
        const member = set[(rank + t) % members]
        if (member !== undefined) lists[slice * members + t]?.push(member)
      }
    }
  }
  return lists.flatMap((list, at) => {
    const order = shuffle(namedStream('touchstone/jspsych/order', name, String(at)), list)
    return order.length === 0 ? [] : [order, order.toReversed()]
  })
}

/** Sets of questions of one draw, by the cells of their members, shuffled within a kind. */
function kindsOf(questions: readonly Placed[], name: string): readonly (readonly (readonly number[])[])[] {
  const sets = Map.groupBy(questions.keys(), (at) => questions[at]?.draw ?? '')
  const cell = (at: number): string => questions[at]?.cell ?? ''
  const sorted = [...sets.values()].map((set) =>
    set.toSorted((a, b) => (cell(a) < cell(b) ? -1 : cell(a) > cell(b) ? 1 : a - b)),
  )
  const kinds = Map.groupBy(sorted, (set) => JSON.stringify(set.map(cell)))
  return [...kinds.values()].map((kind, at) => shuffle(namedStream('touchstone/jspsych/kind', name, String(at)), kind))
}
