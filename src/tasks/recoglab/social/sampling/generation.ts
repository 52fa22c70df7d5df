import { below, coin, pick, shuffle } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'
import { randomPolytree } from '../../../../libraries/graphs/generate.ts'
import type { Edge, Graph } from '../../../../libraries/graphs/graph.ts'
import type { FamilyAsk } from '../question.ts'

/** People that a family needs for its candidates to look alike within a number of statements. */
export const peopleNeeded = (candidates: number, alikeWithin: number): number => 1 + candidates * (alikeWithin + 2)

/** Within how many statements candidates look alike: as asked for, or as many as the family has people for. */
export const alikeWithinOf = (c: {
  readonly people: number
  readonly candidates: number
  readonly alikeWithin: number
}): number => (c.alikeWithin > 0 ? c.alikeWithin : Math.max(1, Math.floor((c.people - 1) / c.candidates) - 2))

/** How many families to try for one of the right size. */
const FAMILIES = 2000
/** How many places to try for one more relative. */
const PLACES = 200

/** A family and the question for its oldest or youngest generation. null: no family found. */
export function drawGeneration(
  kind: FamilyAsk['kind'],
  config: { readonly people: number; readonly candidates: number; readonly alikeWithin: number },
  stream: Stream,
): { readonly graph: Graph; readonly ask: FamilyAsk } | null {
  const { people, candidates } = config
  if (candidates === 0) {
    const graph = randomPolytree(stream, people)
    return { graph, ask: { kind, member: below(stream, people), among: null } }
  }
  for (let i = 0; i < FAMILIES; i++) {
    const made = alikeFamily(kind, people, candidates, alikeWithinOf(config), stream)
    if (made === null) continue
    // The family is named by a candidate: statements around anybody else would be a part of the way that is to be found.
    const among = shuffle(stream, made.among)
    return { graph: made.graph, ask: { kind, member: pick(stream, among), among } }
  }
  return null
}

/**
 * One line of relatives leads from each candidate to somebody whom they share. The lines are equal step by step but for
 * the last one: from the one candidate of the generation asked for it leads away from that generation, from the others
 * towards it. Where the last step begins, one more relative stands on its other side, so that the people there are related to
 * as many on either side. Further relatives are added to all lines at the same place, or beyond them. So nobody who reads fewer
 * statements from each candidate than lead to the shared relative can tell the candidates apart.
 */
function alikeFamily(
  kind: FamilyAsk['kind'],
  people: number,
  candidates: number,
  alikeWithin: number,
  stream: Stream,
): { readonly graph: Graph; readonly among: readonly number[] } | null {
  /** Generations towards the one asked for, seen from the right candidate, who has 0. */
  const level: number[] = []
  const parents: number[] = []
  const edges: Edge[] = []
  function newPerson(at: number): number {
    parents.push(0)
    return level.push(at) - 1
  }
  function relate(a: number, b: number): void {
    const aIsParent = (level[a] as number) > (level[b] as number) === (kind === 'oldest')
    const child = aIsParent ? b : a
    ;(parents[child] as number)++
    edges.push(aIsParent ? [a, b] : [b, a])
  }
  const steps = [-1, ...Array.from({ length: alikeWithin - 1 }, () => (coin(stream) ? 1 : -1))]
  const end = steps.reduce((sum, step) => sum + step, 0)
  const shared = newPerson(end - 1)
  /** Places beyond the lines, and those that all lines have. */
  const beyond = [[shared]]
  const lines = Array.from({ length: candidates }, (_, i) => {
    // The others are two generations off: their last step leads the other way.
    const line = [newPerson(i === 0 ? 0 : -2)]
    for (const step of steps) {
      const last = line.at(-1) as number
      const next = newPerson((level[last] as number) + step)
      relate(last, next)
      line.push(next)
    }
    const end = line.at(-1) as number
    relate(end, shared)
    const other = newPerson((level[end] as number) + (i === 0 ? 1 : -1))
    relate(end, other)
    beyond.push([other])
    return line
  })
  const among = lines.map((line) => line[0] as number)
  const alike = (lines[0] as number[]).map((_, at) => lines.map((line) => line[at] as number))
  for (let tries = 0; level.length < people && tries < PLACES; tries++) {
    const places = people - level.length >= candidates && coin(stream) ? alike : beyond
    const place = pick(stream, places)
    const step = coin(stream) ? 1 : -1
    if (place.some((v) => (level[v] as number) + step > 0 || !hasRoom(v, step))) continue
    places.push(
      place.map((v) => {
        const next = newPerson((level[v] as number) + step)
        relate(v, next)
        return next
      }),
    )
  }
  /** Nobody has more than two parents. */
  function hasRoom(v: number, step: number): boolean {
    return step > 0 !== (kind === 'oldest') || (parents[v] as number) < 2
  }
  const fits = level.length === people && level.every((at) => at <= 0) && parents.every((count) => count <= 2)
  return fits ? { graph: { n: people, edges }, among } : null
}
