import { coin, pick, shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/stream.ts'
import type { Streams } from '../../../core/task.ts'
import { drawTwins } from '../../../core/twins.ts'
import { randomTree } from '../../../graphs/generate.ts'
import { type Edge, neighbours } from '../../../graphs/graph.ts'
import { distancesFrom, shortestPath } from '../../../graphs/search.ts'
import { walkOrder } from '../common/walk.ts'
import type { Config } from './config.ts'
import { countsOf } from './counts.ts'
import type { Statement } from './question.ts'

const TREES = 4000
const ORIENTATIONS = 60

/**
 * A random tree with one more statement between two entities `distance` apart, so exactly one cycle, of
 * distance + 1 statements, whatever the label: inconsistent sets run round it in one direction, consistent ones do
 * not. Both are drawn on the same tree until they agree in how often entities are the lesser and the greater, and the two of
 * each statement; then the label picks one. So the labels differ in nothing that counting can see.
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
    const on = new Set(path)
    const onRound = new Set(path.slice(1).map((v, j) => edgeKey(path[j] as number, v)))
    const rest = tree.edges.filter(([u, v]) => !onRound.has(edgeKey(u, v)))
    const far = turned(
      stream,
      rest.filter(([u, v]) => !on.has(u) && !on.has(v)),
    )
    const near = rest.filter(([u, v]) => on.has(u) || on.has(v))
    const alike = drawTwins(
      ['fair', 'foul'],
      ORIENTATIONS,
      (kind) => [...(kind === 'fair' ? broken(stream, round) : closed(stream, round)), ...turned(stream, near), ...far],
      (statements) => countsOf(n, statements),
    )
    if (alike === null) continue
    const chosen = alike.get(consistent ? 'fair' : 'foul') as readonly Statement[]
    return {
      statements: walkOrder(n, shuffle(stream, chosen), stream),
      distance,
      answer: consistent ? 'Consistent' : 'Inconsistent',
    }
  }
  return null
}

const edgeKey = (u: number, v: number): string => (u < v ? `${u} ${v}` : `${v} ${u}`)
const turned = (stream: Stream, edges: readonly Edge[]): Edge[] =>
  edges.map(([u, v]): Edge => (coin(stream) ? [u, v] : [v, u]))

/** Once round the cycle, one way or the other. */
const closed = (stream: Stream, round: readonly Edge[]): readonly Edge[] =>
  coin(stream) ? round : round.map(([u, v]): Edge => [v, u])

/** Each step of the cycle by coin, but not once round. */
function broken(stream: Stream, round: readonly Edge[]): readonly Edge[] {
  for (;;) {
    const cycle = turned(stream, round)
    const same = cycle.filter((edge, i) => edge[0] === round[i]?.[0]).length
    if (same > 0 && same < round.length) return cycle
  }
}
