import { z } from 'zod'
import type { Curriculum } from '../../../core/index.ts'
import { parseGraph } from '../../../libraries/graphs/parse-graph.ts'
import { namesParameter } from '../common/names.ts'
import { presentationShape } from '../common/presentation.ts'
import { type Presets as PresetsOf, presetsOf } from '../common/presets.ts'
import { rebalanceShape } from '../common/rebalance.ts'
import { isDirected, type RelationName, relations } from './relations.ts'
import { alikeWithinOf, peopleNeeded } from './sampling/generation.ts'
import { isFamily } from './sampling/network.ts'
import { distances } from './sampling/pairs.ts'

export const config = z
  .strictObject({
    ask: z
      .enum(['next-hop', 'hops', 'path', 'oldest', 'youngest'])
      .default('hops')
      .describe('Next hop of a message; number of hops; exact path; a member of the oldest or youngest generation'),
    network: z
      .enum(['chain', 'tree', 'erdos-renyi', 'grid', 'communities', 'karate', 'given'])
      .default('tree')
      .describe('Shape of the network; oldest and youngest always use a polytree with at most two parents each'),
    names: namesParameter.describe('Your people, separated by commas (default: our first names)'),
    people: z.int().min(4).max(110).default(10).describe('Number of people'),
    edgePerMille: z.int().min(1).max(1000).default(300).describe('Erdos-Renyi: chance of each edge, in thousandths'),
    columns: z.int().min(1).max(110).default(5).describe('Grid: people in a row; must divide the number of people'),
    communities: z.int().min(1).max(30).default(3).describe('Communities: their number, in a ring'),
    graph: z
      .string()
      .max(4_000_000)
      .default('')
      .describe('Given: a graph as JSON, GraphML or an edge list; its nodes get names from our list'),
    relation: z
      .enum(Object.keys(relations) as [RelationName, ...RelationName[]])
      .default('friend')
      .describe('What a statement says about two people'),
    wording: z
      .enum(['plain', 'flavoured', 'flavoured-stating'])
      .default('plain')
      .describe(
        'Presentation: one sentence pattern; sentences that imply the relation; or more than eighty that state it',
      ),
    passing: z
      .enum(['both-ways', 'one-way'])
      .default('both-ways')
      .describe('Whether a message may also travel against the direction of the relation'),
    nameOrder: z
      .enum(['random', 'fixed'])
      .default('random')
      .describe('Presentation: which of two people a symmetric statement names first'),
    minDistance: z.int().min(0).default(0).describe('Minimum number of hops; 0: 1 for hops, 2 for next hop and path'),
    maxDistance: z
      .int()
      .min(0)
      .default(0)
      .describe('Maximum number of hops; 0: what nearly every network of this kind has'),
    endpoints: z
      .enum(['matched', 'any'])
      .default('matched')
      .describe('hops, matched: the degrees of the two people do not depend on their distance'),
    candidates: z
      .int()
      .min(0)
      .max(3)
      .default(3)
      .describe('oldest and youngest: number of candidates with similar relatives; 0: the whole family, as published'),
    alikeWithin: z
      .int()
      .min(0)
      .max(20)
      .default(0)
      .describe(
        'oldest and youngest: statements from each candidate up to which all look alike; 0: as many as the people allow',
      ),
    ...rebalanceShape,
    ...presentationShape,
  })
  .superRefine((c, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const generations = c.ask === 'oldest' || c.ask === 'youngest'
    if (c.wording === 'flavoured' && relations[c.relation].flavoured === undefined)
      wrong('wording', `"${c.relation}" has no sentences that imply it; friend, parent, sibling and enemies have`)
    if (c.wording === 'flavoured-stating' && relations[c.relation].stating === undefined)
      wrong(
        'wording',
        `"${c.relation}" has no flavoured sentences that state it; friend, class, parent and enemies have`,
      )
    if (c.passing === 'one-way' && !isDirected(c.relation))
      wrong('passing', `"${c.relation}" holds both ways; one-way needs a directed relation such as parent or teacher`)
    if (generations && c.relation !== 'parent' && c.relation !== 'child')
      wrong('relation', `${c.ask} needs relation "parent" or "child"`)
    if (generations && c.network !== 'tree') wrong('network', `${c.ask} needs network "tree"`)
    if (isFamily(c.relation) && c.network !== 'tree' && c.network !== 'chain')
      wrong(
        'network',
        `"${c.relation}" needs a chain or a tree: elsewhere somebody would have three parents, or an ancestor twice`,
      )
    if (c.candidates === 1) wrong('candidates', 'expected 0, 2 or 3 candidates')
    const needed = peopleNeeded(c.candidates, alikeWithinOf(c))
    if (generations && c.candidates > 1 && c.people < needed)
      wrong(
        'people',
        `${c.candidates} candidates who look alike within ${alikeWithinOf(c)} statements need ${needed} people`,
      )
    if (c.alikeWithin > 0 && (!generations || c.candidates === 0))
      wrong('alikeWithin', 'only candidates for oldest or youngest look alike')
    if (generations && c.rebalance === 'published') wrong('rebalance', `${c.ask} has no distance to balance`)
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
    if (low > high) wrong('maxDistance', `no distance is possible: the minimum is ${low}, the maximum ${high}`)
    if (c.maxDistance > high) wrong('maxDistance', `at most ${high} in such a network`)
  })
export type Config = z.infer<typeof config>

type Presets = PresetsOf<Config>

/** The published networks: our name and theirs (basic and hard 1-4, flower and noflower 10-70), and what they are. */
type Network = readonly [key: string, alias: string | null, says: string, config: Partial<Config>]
const networks: readonly Network[] = [
  ...[10, 20, 30, 40].map(
    (people, i): Network => [
      `chain-${people}`,
      `basic${i + 1}`,
      `chain of ${people}, plain`,
      { network: 'chain', people },
    ],
  ),
  ...[10, 20, 30, 40].map((people, i): Network => tree(`hard-tree-${people}`, `hard${i + 1}`, people, 'flavoured')),
  ...[10, 20, 30, 40, 50, 60, 70].flatMap((people) => [
    tree(`tree-${people}-flavoured`, `flower${people}`, people, 'flavoured'),
    ...(people === 20 ? [tree('tree-20-flavoured-stating', null, people, 'flavoured-stating')] : []),
    tree(`tree-${people}-plain`, `noflower${people}`, people, 'plain'),
  ]),
]

function tree(key: string, alias: string | null, people: number, wording: Config['wording']): Network {
  const says = wording === 'flavoured-stating' ? 'flavoured and stated' : wording
  const config = { network: 'tree', people, ...(wording === 'plain' ? {} : { wording }) } as const
  return [key, alias, `random tree of ${people}, ${says}`, config]
}

const messages: Presets = presetsOf(
  networks.flatMap((network) => [
    { network, path: false },
    { network, path: true },
  ]),
  ({ network: [key, alias, says, config], path }) => [
    `${path ? 'path' : 'hops'}-${key}`,
    `${path ? 'exact path' : 'number of hops'}, ${says} (figures 2, 4, 5, 10, 11)`,
    { ...config, ask: path ? 'path' : 'hops' },
    alias === null ? undefined : `social_network_FastestMessage_${path ? 'ExactPath' : 'NumHops'}_${alias}`,
  ],
)

const capacity: Presets = presetsOf([10, 20, 30, 40, 50, 60, 70], (people) => [
  `capacity-${people}`,
  `Next hop, chain of ${people} (sweep of figure 3)`,
  { ask: 'next-hop', network: 'chain', people },
])

/** Figure 6: three ways of lengthening; the filler sweeps keep ten people, the node sweep is hops-tree-N-plain. */
const filler: Presets = presetsOf(
  (['prose', 'entities'] as const).flatMap((kind) => [10, 20, 40, 80].map((lines) => ({ kind, lines }))),
  ({ kind, lines }) => [
    `filler-${kind}-${lines}`,
    `Number of hops, random tree of 10 and ${lines} sentences of ${kind === 'prose' ? 'prose' : 'entity'} filler (sweep of figure 6)`,
    { filler: kind, fillerLines: lines },
  ],
)

const generations: Presets = presetsOf(
  (['oldest', 'youngest'] as const).flatMap((ask) => [
    { ask, people: 16, alikeWithin: 3 },
    { ask, people: 24, alikeWithin: 4 },
  ]),
  ({ ask, people, alikeWithin }) => [
    `${ask}-${people}`,
    `Which of three people who look alike within ${alikeWithin} statements is of the ${ask} generation, family of ${people}`,
    { ask, relation: 'parent', people, alikeWithin },
  ],
)

export const presets: Presets = {
  'next-hop-tree-10': {
    summary: 'Next hop, random tree of 10 friends, flavoured',
    aliases: ['baby_single'],
    config: { ask: 'next-hop', wording: 'flavoured' },
  },
  ...generations,
  'oldest-10-published': {
    summary: 'Any member of the oldest generation of a family of 10',
    config: { ask: 'oldest', relation: 'parent', candidates: 0 },
  },
  'youngest-10-published': {
    summary: 'Any member of the youngest generation of a family of 10',
    config: { ask: 'youngest', relation: 'parent', candidates: 0 },
  },
  'grid-25': { summary: 'Number of hops on a 5 x 5 grid', config: { network: 'grid', people: 25, columns: 5 } },
  'communities-15': {
    summary: 'Number of hops in three communities of five in a ring',
    config: { network: 'communities', people: 15 },
  },
  'karate-34': {
    summary: 'Exact path among the 34 members of a karate club (Zachary 1977)',
    config: { network: 'karate', people: 34, ask: 'path' },
  },
  'erdos-renyi-20': {
    summary: 'Exact path in a connected random network of 20',
    config: { network: 'erdos-renyi', people: 20, edgePerMille: 150, ask: 'path' },
  },
  'one-way-20': {
    summary: 'Number of hops from teacher to student, random tree of 20, one way',
    config: { relation: 'teacher', passing: 'one-way', people: 20 },
  },
  ...messages,
  ...capacity,
  ...filler,
}

/** More people, and messages that are handed on more often. */
export const curriculum: Curriculum<Config> = {
  count: 10,
  grows: 'proof',
  config: (level) => ({
    ask: 'hops',
    network: 'tree',
    people: 6 + 4 * level,
    minDistance: 1 + level,
    maxDistance: 2 + level,
  }),
}
