import type { Structure } from '../../../core/task.ts'
import { neighbours } from '../../../graphs/graph.ts'
import { distancesFrom } from '../../../graphs/search.ts'
import { ordered } from '../common/presentation.ts'
import type { Given, Question } from './question.ts'

/** Who is linked with whom. Only whom the first one asked about is linked with can be the next hop. */
export function structure({ shared, given }: Question): Structure {
  const { ask } = given
  const said = {
    kind: 'statements' as const,
    statements: ordered(shared, given.edges).map((places) => ({ kind: 'linked', places })),
    question: ask.kind,
  }
  switch (ask.kind) {
    case 'hops':
    case 'path':
      return { ...said, asked: [ask.from, ask.to] }
    case 'next-hop': {
      const near = (v: number) =>
        given.edges.some(([a, b]) => (a === ask.from && b === v) || (b === ask.from && a === v))
      const others = given.people.flatMap((_, v) => (v === ask.from ? [] : [near(v) ? v : null]))
      return { ...said, asked: [ask.from, ask.to], candidates: others }
    }
    default:
      return { ...said, asked: [ask.member], candidates: family(given, ask.member) }
  }
}

/** Everybody, but null for those of other families. */
function family({ people, edges }: Given, member: number): readonly (number | null)[] {
  const from = distancesFrom(neighbours({ n: people.length, edges }), member)
  return people.map((_, v) => ((from[v] as number) >= 0 ? v : null))
}
