import { z } from 'zod'
import { balancedBlocks } from '../../../core/balanced-blocks.ts'
import { UsageError } from '../../../core/errors.ts'
import { feature } from '../../../core/feature.ts'
import { below, pick, sample, shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import type { DrawContext, DrawResult, EmptyDraw, Layout, RandomStreams } from '../../../core/task.ts'
import {
  distancesFrom,
  type Edge,
  type Graph,
  generations,
  neighbours,
  nextHops,
  shortestPath,
} from '../../../libraries/graphs/graph.ts'
import { firstNames } from '../../../libraries/language/people.ts'
import { givenNames, regions, sortNames } from '../common/names.ts'
import { presentationFeatures, presentationValues } from '../common/presentation.ts'
import { layoutFromList, thinned } from '../common/rebalance.ts'
import { walkOrder } from '../common/walk.ts'
import type { Config } from './config.ts'
import { type Answer, type Ask, asksFamily, type Given } from './question.ts'
import { isDirected } from './relations.ts'
import { alikeWithinOf, drawGeneration } from './sampling/generation.ts'
import { drawNetwork } from './sampling/network.ts'
import { distances, pairsBetween, stepsAlike } from './sampling/pairs.ts'

export const features = z.object({
  people: feature(z.int(), 'difficulty', 'People in the network'),
  edges: feature(z.int(), 'difficulty', 'Statements about two of them'),
  distance: feature(z.int().nullable(), 'truth', 'Hops of the shortest path', 'hops'),
  alikeWithin: feature(z.int().nullable(), 'difficulty', 'Statements within which candidates look alike', 'statements'),
  ask: feature(z.string(), 'stratum', 'What is asked'),
  network: feature(z.string(), 'stratum', 'Shape of the network'),
  relation: feature(z.string(), 'stratum', 'What a statement says'),
  directed: feature(z.boolean(), 'stratum', 'The relation has a direction'),
  wording: feature(z.string(), 'nuisance', 'Plain or flavoured sentences'),
  accepted: feature(z.int().nullable(), 'truth', 'Number of accepted people'),
  label: feature(z.string().nullable(), 'truth', 'The answer where it is a number'),
  ...presentationFeatures,
})

export type ItemFeatures = z.infer<typeof features>

/** Distances kept by the published rule, in order; null for exact strata. */
export type Plan = { readonly kept: readonly number[] } | null

export const plan = (config: Config, draws: RandomStreams): Plan =>
  config.rebalance === 'strata' ? null : { kept: thinned(config, draws, (stream) => natural(config, stream), String) }

/** The distance of a random pair in a network of the kind. */
function natural(config: Config, stream: Stream): () => number | null {
  const [low, high] = distances(config)
  return () => {
    const graph = drawNetwork(config, stream)
    if (graph === null) throw new UsageError('no connected network was found; raise edgePerMille')
    const lists = neighbours(graph, config.passing === 'one-way')
    const distance = distancesFrom(lists, below(stream, graph.n))[below(stream, graph.n)] as number
    return distance < low || distance > high ? null : distance
  }
}

/** Distances equally often; for hops the distance is the label. Generations have one stratum. */
export function layout(config: Config, known: Plan, draws: RandomStreams): Layout {
  if (config.ask === 'oldest' || config.ask === 'youngest')
    return balancedBlocks({ factors: [], units: [{ levels: { ask: config.ask } }] }, draws)
  const [low, high] = distances(config)
  const levels = Array.from({ length: high - low + 1 }, (_, i) => low + i)
  const exact =
    config.ask === 'hops'
      ? balancedBlocks({ factors: [], units: [{ levels: {} }], label: { name: 'distance', levels } }, draws)
      : balancedBlocks({ factors: ['distance'], units: levels.map((distance) => ({ levels: { distance } })) }, draws)
  if (known === null) return exact
  return layoutFromList(
    exact,
    known.kept.map((distance) => ({ distance })),
  )
}

/** How many networks to try for one that has the distances. */
const TRIES = 4000

/** The content of one item. */
export function draw(config: Config, cell: DrawContext, draws: RandomStreams): DrawResult<Given, Answer, ItemFeatures> {
  const pool = (config.names === '' ? firstNames : givenNames(config.names)).of(regions(draws))
  if (pool.length < config.people)
    return notFound(
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
    if (graph === null) return notFound('no connected network was found; raise edgePerMille', false)
    const classes = pairsBetween(graph, oneWay, needLow, needHigh, stepsAlike(config, high))
    if (classes.length === 0) continue
    const [from, to] = pick(stream, pick(stream, classes)[distance - needLow] as readonly Edge[])
    const ask: Ask =
      config.ask === 'hops' ? { kind: 'hops', from, to, among: [low, high] } : { kind: config.ask, from, to }
    return finish(config, named, graph, ask, distance, stream)
  }
  return notFound(`no network with the distances ${needLow} to ${needHigh} was found`, false)
}

const notFound = (reason: string, proved: boolean): EmptyDraw => ({ kind: 'unreachable', proved, reason })

function family(config: Config, ask: 'oldest' | 'youngest', named: readonly string[], draws: RandomStreams) {
  const stream = draws.stream('network')
  const made = drawGeneration(ask, config, stream)
  if (made === null)
    return notFound(
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
  const people = sortNames(named)
  const index = new Map(people.map((name, i) => [name, i]))
  const at = (v: number) => index.get(named[v] as string) as number
  const along = config.network === 'chain' ? graph.edges : walkOrder(graph.n, shuffle(stream, graph.edges), stream)
  // Edges of parents point down; "child of" and "student of" state the same pair reversed.
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
        : sortNames(found.map((v) => named[v] as string))
  return {
    kind: 'drawn',
    given,
    answer,
    features: {
      people: config.people,
      edges: graph.edges.length,
      distance,
      alikeWithin: asksFamily(ask) && ask.among !== null ? alikeWithinOf(config) : null,
      ask: config.ask,
      network: config.network,
      relation: config.relation,
      directed: isDirected(config.relation),
      wording: config.wording,
      accepted: ask.kind === 'hops' || ask.kind === 'path' ? null : found.length,
      label: ask.kind === 'hops' ? (answer[0] as string) : null,
      ...presentationValues(config),
    },
  }
}
