import { z } from 'zod'
import { parseGraph } from '../../../libraries/graphs/parse-graph.ts'
import { namesKnob } from '../common/names.ts'
import { presentationShape } from '../common/presentation.ts'
import { rebalanceShape } from '../common/rebalance.ts'
import { distances } from './drawing/extent.ts'
import { isFamily } from './drawing/network.ts'
import { relations } from './relations.ts'

export const config = z
  .strictObject({
    ask: z
      .enum(['next-hop', 'hops', 'path', 'oldest', 'youngest'])
      .default('hops')
      .describe(
        'Whom to hand a message to; how many hand-overs; the exact way; a member of the oldest or youngest generation',
      ),
    network: z
      .enum(['chain', 'tree', 'erdos-renyi', 'grid', 'communities', 'karate', 'given'])
      .default('tree')
      .describe('Shape of the network; oldest and youngest always use a polytree with at most two parents each'),
    names: namesKnob.describe('People of your own, with commas between them; empty: our first names'),
    people: z.int().min(4).max(110).default(10).describe('How many people'),
    edgePerMille: z.int().min(1).max(1000).default(300).describe('Erdos-Renyi: chance of each edge, in thousandths'),
    columns: z.int().min(1).max(110).default(5).describe('Grid: people in a row; must divide the number of people'),
    communities: z.int().min(1).max(30).default(3).describe('Communities: how many, in a ring'),
    graph: z
      .string()
      .max(4_000_000)
      .default('')
      .describe('Given: a graph as JSON, GraphML or an edge list; its nodes get names from our list'),
    relation: z
      .enum(Object.keys(relations) as [keyof typeof relations, ...(keyof typeof relations)[]])
      .default('friend')
      .describe('What a statement says about two people'),
    wording: z
      .enum(['plain', 'flavoured'])
      .default('plain')
      .describe('Presentation: one sentence pattern, or more than eighty'),
    passing: z
      .enum(['both-ways', 'one-way'])
      .default('both-ways')
      .describe('May a message also be handed against the direction of the relation?'),
    nameOrder: z
      .enum(['random', 'fixed'])
      .default('random')
      .describe('Presentation: which of two people a symmetric statement names first'),
    minDistance: z
      .int()
      .min(0)
      .default(0)
      .describe('Least number of hand-overs; 0: 1 for hops, 2 for next hop and path'),
    maxDistance: z
      .int()
      .min(0)
      .default(0)
      .describe('Largest number; 0: as far as (nearly) every network of the kind goes'),
    endpoints: z
      .enum(['matched', 'any'])
      .default('matched')
      .describe(
        'hops, matched: the two people have the same numbers of neighbours at every distance; on chains, as many within two steps too',
      ),
    candidates: z
      .int()
      .min(0)
      .max(6)
      .default(3)
      .describe(
        'oldest and youngest: how many people are named to choose from, alike in their parents, their children and these; 0: the whole family, as published',
      ),
    ...rebalanceShape,
    ...presentationShape,
  })
  .superRefine((c, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const generations = c.ask === 'oldest' || c.ask === 'youngest'
    if (c.wording === 'flavoured' && relations[c.relation].flavoured === null)
      wrong('wording', `"${c.relation}" has no flavoured sentences; friend, class, parent and enemies have`)
    if (c.passing === 'one-way' && !relations[c.relation].directed)
      wrong('passing', `"${c.relation}" holds both ways; one-way needs a directed relation such as parent or teacher`)
    if (generations && c.relation !== 'parent' && c.relation !== 'child')
      wrong('relation', `${c.ask} needs relation "parent" or "child"`)
    if (generations && c.network !== 'tree') wrong('network', `${c.ask} needs network "tree"`)
    if (isFamily(c.relation) && c.network !== 'tree' && c.network !== 'chain')
      wrong(
        'network',
        `"${c.relation}" needs a chain or a tree: elsewhere somebody would have three parents, or an ancestor twice`,
      )
    if (c.candidates === 1) wrong('candidates', 'one candidate is no choice: 0, or 2 to 6')
    if (generations && c.rebalance === 'published') wrong('rebalance', `${c.ask} has no distance to even out`)
    if (c.network === 'grid' && (c.people % c.columns !== 0 || c.people === c.columns))
      wrong('columns', `${c.columns} columns do not divide ${c.people} people into two or more rows`)
    if (c.network === 'communities' && c.people < 2 * c.communities)
      wrong('communities', `${c.people} people are too few for ${c.communities} communities`)
    if (c.network === 'karate' && c.people !== 34) wrong('people', 'the karate club has 34 members; set people to 34')
    if ((c.network === 'given') !== (c.graph !== '')) wrong('graph', 'network "given" and the option graph go together')
    if (c.network === 'given' && c.graph !== '') {
      const read = parseGraph(c.graph)
      if (read.kind === 'error') {
        wrong('graph', read.message)
        return
      }
      if (read.graph.n !== c.people) wrong('people', `the given graph has ${read.graph.n} nodes; set people to that`)
    }
    if (generations || context.issues.length > 0) return
    const [low, high] = distances(c)
    if (low > high) wrong('maxDistance', `no distance is left: the least is ${low}, the largest possible here ${high}`)
    if (c.maxDistance > high) wrong('maxDistance', `at most ${high} in such a network`)
  })
export type Config = z.infer<typeof config>
