import { coin, pick, shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/stream.ts'
import type { Streams } from '../../../core/task.ts'
import { randomTree } from '../../../graphs/generate.ts'
import { type Edge, neighbours } from '../../../graphs/graph.ts'
import { distancesFrom, shortestPath } from '../../../graphs/search.ts'
import { walkOrder } from '../common/walk.ts'
import type { Config } from './config.ts'
import type { Statement } from './question.ts'

const TREES = 4000
const ORIENTATIONS = 60

interface Orientation {
  readonly statements: readonly Statement[]
  /** How many entities are never the greater, and how many never the lesser. */
  readonly signature: string
}

/**
 * A random tree with one more statement between two entities `distance` apart, so exactly one cycle, of
 * distance + 1 statements, whatever the label: inconsistent sets run round it in one direction, consistent ones do
 * not. Both are drawn on the same tree and must agree in how many entities are never the greater and how many never
 * the lesser; then the label picks one. So the labels differ in nothing that counting can see.
 */
export function drawConsistency(
  config: Config,
  distance: number,
  consistent: boolean,
  source: Streams,
): { readonly statements: readonly Statement[]; readonly distance: number; readonly answer: string } | null {
  const stream = source.stream('tree')
  const n = config.entities
  for (let i = 0; i < TREES; i++) {
    const tree = randomTree(stream, n)
    const lists = neighbours(tree)
    const pairs: Edge[] = []
    for (let u = 0; u < n; u++) {
      const from = distancesFrom(lists, u)
      for (let v = u + 1; v < n; v++) if (from[v] === distance) pairs.push([u, v])
    }
    if (pairs.length === 0) continue
    const [a, b] = pick(stream, pairs)
    const path = shortestPath(lists, a, b) as number[]
    const round: Edge[] = path.map((u, j) => [u, path[(j + 1) % path.length] as number])
    const onRound = new Set(path.slice(1).map((v, j) => edgeKey(path[j] as number, v)))
    const rest = tree.edges.filter(([u, v]) => !onRound.has(edgeKey(u, v)))
    const fair = acyclic(stream, n, round, rest)
    for (let j = 0; j < ORIENTATIONS; j++) {
      const foul = oriented(n, coin(stream) ? round : round.map(([u, v]): Edge => [v, u]), turned(stream, rest))
      if (foul.signature !== fair.signature) continue
      const chosen = consistent ? fair : foul
      return {
        statements: walkOrder(n, shuffle(stream, chosen.statements), stream),
        distance,
        answer: consistent ? 'Consistent' : 'Inconsistent',
      }
    }
  }
  return null
}

const edgeKey = (u: number, v: number): string => (u < v ? `${u} ${v}` : `${v} ${u}`)
const turned = (stream: Stream, edges: readonly Edge[]): Edge[] =>
  edges.map(([u, v]): Edge => (coin(stream) ? [u, v] : [v, u]))

/** All edges by coin, but not once round the cycle. */
function acyclic(stream: Stream, n: number, round: readonly Edge[], rest: readonly Edge[]): Orientation {
  for (;;) {
    const cycle = turned(stream, round)
    const same = cycle.filter((edge, i) => edge[0] === round[i]?.[0]).length
    if (same > 0 && same < round.length) return oriented(n, cycle, turned(stream, rest))
  }
}

function oriented(n: number, cycle: readonly Edge[], rest: readonly Edge[]): Orientation {
  const statements = [...cycle, ...rest]
  const greater = new Uint8Array(n)
  const lesser = new Uint8Array(n)
  for (const [u, v] of statements) {
    lesser[u] = 1
    greater[v] = 1
  }
  let never = 0
  let only = 0
  for (let v = 0; v < n; v++) {
    if (greater[v] === 0) never++
    if (lesser[v] === 0) only++
  }
  return { statements, signature: `${never} ${only}` }
}
