import { pick, sample, shuffle } from '../../../core/random.ts'
import type { DrawContext, DrawResult, EmptyDraw, RandomStreams } from '../../../core/task.ts'
import {
  type Edge,
  type Graph,
  generations,
  neighbours,
  nextHops,
  shortestPath,
} from '../../../libraries/graphs/graph.ts'
import { firstNames } from '../../../libraries/language/people.ts'
import { presentationValues } from '../common/features.ts'
import { regions, sorted } from '../common/fence.ts'
import { givenNames } from '../common/names.ts'
import { walkOrder } from '../common/walk.ts'
import type { Config } from './config.ts'
import { alikeIn, distances } from './drawing/extent.ts'
import { drawGeneration } from './drawing/generation.ts'
import { drawNetwork } from './drawing/network.ts'
import { pairsBetween } from './drawing/pairs.ts'
import type { ItemFeatures } from './features.ts'
import { type Answer, type Ask, asksFamily, type Given } from './question.ts'
import { relations } from './relations.ts'

/** How many networks to try for one that has the distances. */
const TRIES = 4000

/** The content of one item. */
export function draw(config: Config, cell: DrawContext, draws: RandomStreams): DrawResult<Given, Answer, ItemFeatures> {
  const pool = (config.names === '' ? firstNames : givenNames(config.names)).of(regions(draws))
  if (pool.length < config.people)
    return gaveUp(
      `this split has ${pool.length} names, fewer than ${config.people} people${config.names === '' ? '' : ': give more names'}`,
      true,
    )
  // Vertex v is the v-th of a random sample: names carry no information on the place in the network.
  const named = sample(draws.stream('people'), pool, config.people)
  if (config.ask === 'oldest' || config.ask === 'youngest') return family(config, config.ask, named, draws)
  const distance = Number(cell.levels['distance'])
  const stream = draws.stream('network')
  const [low, high] = distances(config)
  const oneWay = config.passing === 'one-way'
  // Only where the distance is the answer must it not show in the network: then every network has all distances.
  const [needLow, needHigh] = config.ask === 'hops' ? [low, high] : [distance, distance]
  for (let i = 0; i < TRIES; i++) {
    const graph = drawNetwork(config, stream)
    if (graph === null) return gaveUp('no connected network was found; raise edgePerMille', false)
    const classes = pairsBetween(graph, oneWay, needLow, needHigh, alikeIn(config))
    if (classes.length === 0) continue
    const [from, to] = pick(stream, pick(stream, classes)[distance - needLow] as readonly Edge[])
    const ask: Ask =
      config.ask === 'hops' ? { kind: 'hops', from, to, among: [low, high] } : { kind: config.ask, from, to }
    return finish(config, named, graph, ask, distance, stream)
  }
  return gaveUp(`no network with the distances ${needLow} to ${needHigh} was found`, false)
}

const gaveUp = (reason: string, proved: boolean): EmptyDraw => ({ kind: 'unreachable', proved, reason })

function family(config: Config, ask: 'oldest' | 'youngest', named: readonly string[], draws: RandomStreams) {
  const stream = draws.stream('network')
  const made = drawGeneration(ask, config.people, config.candidates, stream)
  if (made === null)
    return gaveUp(
      `no family of ${config.people} with ${config.candidates} people who are alike but for their generation was found: more people would help`,
      false,
    )
  return finish(config, named, made.graph, made.ask, null, stream)
}

function truth(graph: Graph, oneWay: boolean, ask: Ask, distance: number | null): number[] {
  if (asksFamily(ask)) {
    const level = generations(graph) as Int32Array
    const wanted = ask.kind === 'oldest' ? 0 : Math.max(...level)
    const { among } = ask
    return [...level.keys()].filter((v) => level[v] === wanted && (among === null || among.includes(v)))
  }
  const lists = neighbours(graph, oneWay)
  if (ask.kind === 'next-hop') return nextHops(lists, ask.from, ask.to)
  return ask.kind === 'path' ? (shortestPath(lists, ask.from, ask.to) as number[]) : [distance as number]
}

function finish(
  config: Config,
  named: readonly string[],
  graph: Graph,
  ask: Ask,
  distance: number | null,
  stream: Parameters<typeof walkOrder>[2],
): DrawResult<Given, Answer, ItemFeatures> {
  const people = sorted(named)
  const index = new Map(people.map((name, i) => [name, i]))
  const at = (v: number) => index.get(named[v] as string) as number
  const along = config.network === 'chain' ? graph.edges : walkOrder(graph.n, shuffle(stream, graph.edges), stream)
  // A parent points down; "child of" and "student of" say the same pair the other way round.
  const edges = along.map(
    ([u, v]): Edge => (config.relation === 'child' && distance === null ? [at(v), at(u)] : [at(u), at(v)]),
  )
  const given: Given = {
    relation: config.relation,
    oneWay: config.passing === 'one-way',
    people,
    edges,
    ask: asksFamily(ask)
      ? { ...ask, member: at(ask.member), among: ask.among === null ? null : ask.among.map(at).sort((a, b) => a - b) }
      : { ...ask, from: at(ask.from), to: at(ask.to) },
  }
  const found = truth(graph, given.oneWay, ask, distance)
  const answer =
    ask.kind === 'hops'
      ? found.map(String)
      : ask.kind === 'path'
        ? found.map((v) => named[v] as string)
        : sorted(found.map((v) => named[v] as string))
  return {
    kind: 'drawn',
    given,
    answer,
    features: {
      people: config.people,
      edges: graph.edges.length,
      distance,
      ask: config.ask,
      network: config.network,
      relation: config.relation,
      directed: relations[config.relation].directed,
      wording: config.wording,
      accepted: ask.kind === 'hops' || ask.kind === 'path' ? null : found.length,
      label: ask.kind === 'hops' ? (answer[0] as string) : null,
      ...presentationValues(config),
    },
  }
}
