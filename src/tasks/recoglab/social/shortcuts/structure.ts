import type { AnonymizedQuestion } from '../../../../core/task.ts'
import { distancesFrom, neighbours } from '../../../../libraries/graphs/graph.ts'
import { ordered } from '../../common/presentation.ts'
import type { Given, Question } from '../question.ts'

/** Who is linked with whom. Only whom the first one asked about is linked with can be the next hop. */
export function structure({ shared, given }: Question): AnonymizedQuestion {
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
      return { ...said, asked: [ask.member], ...family(given, ask.member, ask.among) }
  }
}

/**
 * Those to choose from. A whole family is compared whole, so the radius is that of the graph: from nobody is it seen whole
 * before. A few are compared as soon as what is seen around them hangs together.
 */
function family({ people, edges }: Given, member: number, among: readonly number[] | null) {
  const lists = neighbours({ n: people.length, edges })
  const from = distancesFrom(lists, member)
  const candidates = (among ?? people.map((_, v) => v)).map((v) => ((from[v] as number) >= 0 ? v : null))
  const terms = candidates.filter((v) => v !== null)
  const ways = terms.map((v) => distancesFrom(lists, v))
  const radius =
    among === null
      ? Math.min(...ways.map((steps) => Math.max(...steps)))
      : Math.ceil(widestGap(ways.map((steps) => terms.map((v) => steps[v] as number))) / 2)
  return { candidates, radius }
}

/** The longest step of the shortest tree through all of them, given how far each is from each. */
function widestGap(apart: readonly (readonly number[])[]): number {
  const near = [...(apart[0] ?? [])]
  const out = new Set(near.keys())
  out.delete(0)
  let widest = 0
  while (out.size > 0) {
    const next = [...out].reduce((best, v) => ((near[v] as number) < (near[best] as number) ? v : best))
    widest = Math.max(widest, near[next] as number)
    out.delete(next)
    for (const v of out) near[v] = Math.min(near[v] as number, apart[next]?.[v] as number)
  }
  return widest
}
