import { below, coin, pick, sampleIndices, shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/stream.ts'
import type { Streams } from '../../../core/task.ts'
import { drawTwins } from '../../../core/twins.ts'
import { randomTree } from '../../../graphs/generate.ts'
import { type Edge, neighbours } from '../../../graphs/graph.ts'
import { distancesFrom, shortestPath } from '../../../graphs/search.ts'
import { walkOrder } from '../common/walk.ts'
import type { Config } from './config.ts'
import { countsAround } from './counts.ts'
import { type Bits, countsHash, type Orientation, orientation, statementsOf, type Turnable } from './orientation.ts'
import type { Statement } from './question.ts'

const TREES = 6000
/** Of how many trees orientations are to agree in the two of each statement too. */
const TREES_BY_STATEMENT = 4
const ORIENTATIONS = 40

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
    const isNear = ([u, v]: Edge) => on.has(u) || on.has(v)
    const edges: Turnable = {
      n,
      leading: round,
      free: rest.filter(isNear),
      fixed: rest.filter((edge) => !isNear(edge)).map(([u, v]): Statement => (coin(stream) ? [u, v] : [v, u])),
    }
    const draw = (kind: 'fair' | 'foul') =>
      orientation(edges, kind === 'fair' ? broken(stream, round.length) : closed(stream, round.length), stream)
    // On long ways few pairs of orientations agree in each statement too: then counts of entities have to do.
    const beside = i < TREES_BY_STATEMENT ? 'statements' : []
    const alike = drawTwins(['fair', 'foul'], ORIENTATIONS, draw, countsHash(edges, beside))
    if (alike === null) continue
    const [fair, foul] = [alike.get('fair'), alike.get('foul')].map((drawn) =>
      statementsOf(edges, drawn as Orientation),
    ) as [readonly Statement[], readonly Statement[]]
    if (countsAround(n, fair, []) !== countsAround(n, foul, [])) continue
    const chosen = consistent ? fair : foul
    return {
      statements: walkOrder(n, shuffle(stream, chosen), stream),
      distance,
      answer: consistent ? 'Consistent' : 'Inconsistent',
    }
  }
  return null
}

const edgeKey = (u: number, v: number): string => (u < v ? `${u} ${v}` : `${v} ${u}`)

/** Once round the cycle, one way or the other. */
const closed = (stream: Stream, length: number): Bits => new Uint8Array(length).fill(coin(stream) ? 1 : 0)

/** Some steps of the cycle against the others, as often one as two as any number of them. */
function broken(stream: Stream, length: number): Bits {
  const bits = closed(stream, length)
  for (const i of sampleIndices(stream, length, 1 + below(stream, length - 1))) bits[i] = 1 - (bits[i] as number)
  return bits
}
