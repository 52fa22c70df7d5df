import { below, sample, shuffle } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'
import { randomPolytree } from '../../../../libraries/graphs/generate.ts'
import type { Graph } from '../../../../libraries/graphs/graph.ts'
import { generations } from '../../../../libraries/graphs/graph.ts'
import type { FamilyAsk } from '../question.ts'

/** How many families to try for one that has candidates. */
const FAMILIES = 20_000

/**
 * A family and the question for its oldest or youngest generation. The candidates have equally many parents and
 * children, and so have their relatives; exactly one belongs to the generation, and only whole paths show which. null:
 * no family found.
 */
export function drawGeneration(
  kind: FamilyAsk['kind'],
  people: number,
  candidates: number,
  stream: Stream,
): { readonly graph: Graph; readonly ask: FamilyAsk } | null {
  if (candidates === 0) {
    const graph = randomPolytree(stream, people)
    return { graph, ask: { kind, member: below(stream, people), among: null } }
  }
  for (let i = 0; i < FAMILIES; i++) {
    const graph = randomPolytree(stream, people)
    const level = generations(graph) as Int32Array
    const wanted = kind === 'oldest' ? 0 : Math.max(...level)
    const signatures = around(graph)
    const [inside, outside] = [true, false].map((is) =>
      [...level.keys()].filter((v) => (level[v] === wanted) === is),
    ) as [number[], number[]]
    const alike = (v: number) => outside.filter((other) => signatures[other] === signatures[v])
    const right = shuffle(stream, inside).find((v) => alike(v).length >= candidates - 1)
    if (right === undefined) continue
    const among = shuffle(stream, [right, ...sample(stream, alike(right), candidates - 1)])
    return { graph, ask: { kind, member: below(stream, people), among } }
  }
  return null
}

/** Of everybody how many parents and children they have, and the same of each of these, as text. */
function around({ n, edges }: Graph): readonly string[] {
  const parents: number[][] = Array.from({ length: n }, () => [])
  const children: number[][] = Array.from({ length: n }, () => [])
  for (const [parent, child] of edges) {
    parents[child]?.push(parent)
    children[parent]?.push(child)
  }
  /** As one number each: 2^12 times the parents plus the children. */
  const own = Int32Array.from(
    { length: n },
    (_, v) => 4096 * (parents[v] as number[]).length + (children[v] as number[]).length,
  )
  const all = (list: readonly number[] | undefined) =>
    Int32Array.from(list ?? [], (v) => own[v] as number)
      .sort()
      .join()
  return Array.from(own, (counts, v) => `${counts} ${all(parents[v])} ${all(children[v])}`)
}
