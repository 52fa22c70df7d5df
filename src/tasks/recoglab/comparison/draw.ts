import { below, coin, pick } from '../../../core/random.ts'
import type { Stream } from '../../../core/stream.ts'
import type { Cell, Drawn, Streams, Unreachable } from '../../../core/task.ts'
import { chain, randomTree } from '../../../graphs/generate.ts'
import { type Edge, neighbours } from '../../../graphs/graph.ts'
import { distancesFrom, shortestPath } from '../../../graphs/search.ts'
import { presentationValues, rounded } from '../common/features.ts'
import { regions, sorted } from '../common/fence.ts'
import { walkOrder } from '../common/walk.ts'
import type { Config } from './config.ts'
import { drawConsistency } from './draw-consistency.ts'
import { drawEntities, type Hidden, realRatio } from './entities.ts'
import type { Ask, Given, Statement } from './question.ts'

/** How many trees to try for one that has the pair asked for. */
const TRIES = 4000

type Levels = { readonly distance: number; readonly word: 'lesser' | 'greater'; readonly answer: string }

/** The content of one item: `source` is bound to the index, or to the group where a context is asked about twice. */
export function draw(config: Config, cell: Cell, source: Streams): Drawn<Given, string> {
  const hidden = drawEntities(config, regions(source), source.stream('entities'))
  if (hidden === null) return gaveUp('no set of things in this split is far enough apart')
  if (config.ask === 'consistency') {
    const made = drawConsistency(
      config,
      Number(cell.levels['distance']),
      cell.levels['answer'] === 'Consistent',
      source,
    )
    return made === null
      ? gaveUp('no matching pair of orientations was found')
      : finish(config, hidden, made.statements, { kind: 'consistency' }, made)
  }
  const levels = levelsOf(config, cell, source)
  const made = config.network === 'chain' ? onChain(config, levels, source) : onTree(config, levels, source)
  if (made === null) return gaveUp(`no tree with a matching pair at distance ${levels.distance} was found`)
  // "lesser" asked of (first, second) is true where first is the lesser.
  const { a, b } = made
  const [first, second] = (levels.word === 'greater') === (levels.answer !== 'No') ? [b, a] : [a, b]
  const swap = levels.answer === 'Unknown' && coin(source.stream('unknown'))
  const ask: Ask = {
    kind: 'order',
    first: swap ? second : first,
    second: swap ? first : second,
    word: levels.word,
    open: config.ask === 'feasibility',
  }
  return finish(config, hidden, made.statements, ask, { distance: levels.distance, answer: levels.answer })
}

const gaveUp = (reason: string): Unreachable => ({ kind: 'unreachable', proved: false, reason })

/** In a flipped pair the stratum has no label: the two items of a group take Yes and No, which first by a coin. */
function levelsOf(config: Config, cell: Cell, source: Streams): Levels {
  const distance = Number(cell.levels['distance'])
  const word = cell.levels['word'] === 'greater' ? 'greater' : 'lesser'
  if (config.pairing === 'single') return { distance, word, answer: String(cell.levels['answer']) }
  const yesFirst = coin(source.stream('yes-first'))
  return { distance, word, answer: (cell.nth % 2 === 0) === yesFirst ? 'Yes' : 'No' }
}

interface Made {
  readonly statements: readonly Statement[]
  /** Positions in the hidden order: a below b where they are comparable. */
  readonly a: number
  readonly b: number
}

function onChain(config: Config, levels: Levels, source: Streams): Made {
  const inner = config.endpoints === 'matched' ? 1 : 0
  const low = inner + below(source.stream('pair'), config.entities - levels.distance - 2 * inner)
  return { statements: chain(config.entities).edges, a: low, b: low + levels.distance }
}

/**
 * A uniform tree that has a pair at the distance, the pair uniform among them, orientations by coin but for the way
 * between the two (monotone, or any that is not) and, where ends are matched, the other edge of each end.
 */
function onTree(config: Config, levels: Levels, source: Streams): Made | null {
  const stream = source.stream('tree')
  for (let i = 0; i < TRIES; i++) {
    const tree = randomTree(stream, config.entities)
    const lists = neighbours(tree)
    const pairs = pairsAt(lists, levels.distance, config.endpoints === 'matched')
    if (pairs.length === 0) continue
    const [a, b] = pick(stream, pairs)
    const path = shortestPath(lists, a, b) as number[]
    const up = orientation(stream, levels)
    const steps = new Map<number, Statement>()
    const key = (u: number, v: number) => (u < v ? u * config.entities + v : v * config.entities + u)
    path.slice(1).forEach((v, j) => {
      const u = path[j] as number
      steps.set(key(u, v), up[j] === true ? [u, v] : [v, u])
    })
    if (config.endpoints === 'matched') {
      balance(steps, lists, key, a, path[1] as number)
      balance(steps, lists, key, b, path.at(-2) as number)
    }
    const oriented = tree.edges.map(([u, v]): Statement => steps.get(key(u, v)) ?? (coin(stream) ? [u, v] : [v, u]))
    return { statements: walkOrder(config.entities, oriented, stream), a, b }
  }
  return null
}

/** Ordered pairs at a distance; matched: both ends have exactly two neighbours. */
function pairsAt(lists: readonly (readonly number[])[], distance: number, matched: boolean): Edge[] {
  const found: Edge[] = []
  for (let u = 0; u < lists.length; u++) {
    if (matched && lists[u]?.length !== 2) continue
    const from = distancesFrom(lists, u)
    for (let v = 0; v < lists.length; v++)
      if (from[v] === distance && (!matched || lists[v]?.length === 2)) found.push([u, v])
  }
  return found
}

/** For each step from a to b: does it lead up? All do, but for Unknown any mixture. */
function orientation(stream: Stream, levels: Levels): boolean[] {
  if (levels.answer !== 'Unknown') return Array.from({ length: levels.distance }, () => true)
  for (;;) {
    const up = Array.from({ length: levels.distance }, () => coin(stream))
    if (up.includes(true) && up.includes(false)) return up
  }
}

/** Turns the edge of `end` that is off the path so that `end` is once the lesser and once the greater. */
function balance(
  steps: Map<number, Statement>,
  lists: readonly (readonly number[])[],
  key: (u: number, v: number) => number,
  end: number,
  next: number,
): void {
  const other = (lists[end] as readonly number[]).find((v) => v !== next) as number
  const lesserOnPath = (steps.get(key(end, next)) as Statement)[0] === end
  steps.set(key(end, other), lesserOnPath ? [other, end] : [end, other])
}

/** Hidden positions become positions in the sorted list of entities, and features are added. */
function finish(
  config: Config,
  hidden: Hidden,
  statements: readonly Statement[],
  ask: Ask,
  facts: { readonly distance: number; readonly answer: string },
): Drawn<Given, string> {
  const entities = sorted(hidden.order)
  const index = new Map(entities.map((name, i) => [name, i]))
  const at = (position: number) => index.get(hidden.order[position] as string) as number
  const given: Given = {
    relation: config.relation,
    entityKind: config.entityKind,
    entities,
    statements: statements.map(([lesser, greater]): Statement => [at(lesser), at(greater)]),
    ask: ask.kind === 'order' ? { ...ask, first: at(ask.first), second: at(ask.second) } : ask,
  }
  const real = hidden.real
  const ratios =
    real === null ? [] : real.slice(1).map((thing, i) => realRatio(config, real[i] as (typeof real)[0], thing))
  const asked =
    real === null || ask.kind !== 'order'
      ? null
      : realRatio(config, real[ask.first] as (typeof real)[0], real[ask.second] as (typeof real)[0])
  return {
    kind: 'drawn',
    given,
    answer: facts.answer,
    features: {
      entities: config.entities,
      distance: facts.distance,
      relation: config.relation,
      entityKind: config.entityKind,
      network: config.network,
      ask: config.ask,
      congruency: config.entityKind === 'strings' ? 'random-string' : config.congruency,
      queryWord: ask.kind === 'order' ? ask.word : null,
      firstNamed:
        ask.kind !== 'order' || facts.answer === 'Unknown'
          ? null
          : (ask.word === 'greater') === (facts.answer === 'Yes')
            ? 'greater'
            : 'lesser',
      margin: asked === null ? null : rounded(asked),
      minMargin: ratios.length === 0 ? null : rounded(Math.min(...ratios)),
      label: facts.answer,
      ...presentationValues(config),
    },
  }
}
