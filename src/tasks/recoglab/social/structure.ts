import type { Structure } from '../../../core/task.ts'
import { neighbours } from '../../../graphs/graph.ts'
import { distancesFrom } from '../../../graphs/search.ts'
import { ordered } from '../common/presentation.ts'
import type { Given, Question } from './question.ts'

type Said = Extract<Structure, { readonly kind: 'statements' }>

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
      return { ...said, asked: [ask.member], ...family(given, ask.member) }
  }
}

/** Everybody of a family; it is compared whole, so the radius is that of the graph: from nobody is it seen whole before. */
function family({ people, edges }: Given, member: number): Pick<Said, 'candidates' | 'radius'> {
  const lists = neighbours({ n: people.length, edges })
  const from = distancesFrom(lists, member)
  const candidates = people.map((_, v) => ((from[v] as number) >= 0 ? v : null))
  const reach = candidates.map((v) => (v === null ? people.length : Math.max(...distancesFrom(lists, v))))
  return { candidates, radius: Math.min(...reach) }
}
