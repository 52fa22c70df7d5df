import { allDistances } from '../../../libraries/graphs/closure.ts'
import { type Answer, asksFamily, type FamilyAsk, type Given, type Question } from './question.ts'

/**
 * All right answers by other principles than the draw's: Floyd-Warshall for distances, and for generations the
 * relaxation of the equations "child = parent + 1" until nothing changes. A way has many; it is verified instead.
 */
export function oracle(question: Question, answer: Answer): boolean {
  const { given } = question
  const { ask, people } = given
  if (ask.kind === 'path') return isShortestWay(given, answer, ask.from, ask.to)
  const [first] = answer
  if (ask.kind === 'hops') return answer.length === 1 && first === String(solve(question)[0])
  // The truth lists all accepted names, a response one; either is right when it holds accepted names only.
  const accepted = new Set(solve(question).map((v) => people[v as number] as string))
  return answer.length > 0 && answer.every((name) => accepted.has(name))
}

/** Numbers of the accepted people, the distance, or the people along one shortest way. */
export function solve({ given }: Question): readonly number[] {
  const { ask, people, edges, oneWay } = given
  const n = people.length
  if (asksFamily(ask)) return generation(given, ask)
  const d = allDistances({ n, edges }, oneWay)
  const whole = d[ask.from * n + ask.to] as number
  if (ask.kind === 'hops') return [whole]
  const steps = (u: number) => [...people.keys()].filter((v) => d[u * n + v] === 1)
  const closer = (u: number) => steps(u).filter((v) => (d[v * n + ask.to] as number) + 1 === d[u * n + ask.to])
  if (ask.kind === 'next-hop') return closer(ask.from)
  const path = [ask.from]
  while (path.at(-1) !== ask.to) path.push(closer(path.at(-1) as number)[0] as number)
  return path
}

function isShortestWay(given: Given, answer: Answer, from: number, to: number): boolean {
  const { people, edges, oneWay } = given
  const n = people.length
  const path = answer.map((name) => people.indexOf(name))
  const d = allDistances({ n, edges }, oneWay)
  return (
    path[0] === from &&
    path.at(-1) === to &&
    path.length - 1 === d[from * n + to] &&
    path.every((v, i) => v !== -1 && (i === 0 || d[(path[i - 1] as number) * n + v] === 1))
  )
}

function generation(given: Given, ask: FamilyAsk): number[] {
  const { people, edges, relation } = given
  const level: number[] = people.map(() => 0)
  // Each edge states lower = upper + 1; on a connected polytree n rounds settle all levels.
  const known: boolean[] = people.map((_, i) => i === 0)
  for (let round = 0; round < people.length; round++) {
    for (const [a, b] of edges) {
      const [upper, lower] = relation === 'child' ? [b, a] : [a, b]
      if (known[upper] && !known[lower]) {
        level[lower] = (level[upper] as number) + 1
        known[lower] = true
      } else if (known[lower] && !known[upper]) {
        level[upper] = (level[lower] as number) - 1
        known[upper] = true
      }
    }
  }
  const wanted = ask.kind === 'oldest' ? Math.min(...level) : Math.max(...level)
  return (ask.among ?? [...people.keys()]).filter((v) => level[v] === wanted)
}
