import { z } from 'zod'
import type { Curriculum } from '../../../core/index.ts'
import { namesParameter } from '../common/names.ts'
import { presentationShape, wholeRoot } from '../common/presentation.ts'
import { type Presets as PresetsOf, presetsOf } from '../common/presets.ts'
import { rebalanceShape } from '../common/rebalance.ts'

export const config = z
  .strictObject({
    ask: z
      .enum(['order', 'feasibility', 'consistency'])
      .default('order')
      .describe('Which of two is more (Yes/No); the same with Unknown; or whether the statements agree'),
    network: z
      .enum(['chain', 'tree'])
      .default('chain')
      .describe('Statements along a line, or along a random tree (always for feasibility and consistency)'),
    entities: z.int().min(5).max(400).default(20).describe('Number of people or things'),
    relation: z.enum(['age', 'size', 'weight']).default('age').describe('What is compared'),
    entityKind: z
      .enum(['names', 'objects', 'strings', 'given'])
      .default('names')
      .describe('People, everyday things, strings of five letters and digits, or those of the option names'),
    names: namesParameter.describe('Your entities, separated by commas, for entityKind "given"'),
    congruency: z
      .enum(['none', 'congruent', 'incongruent'])
      .default('none')
      .describe('Things in real-world order, in reverse, or in any order'),
    separation: z
      .enum(['intervals', 'ratio'])
      .default('intervals')
      .describe('Congruency: neighbours have disjoint real intervals, or real midpoints a minimum ratio apart'),
    minRatio: z
      .int()
      .min(100)
      .max(1000)
      .default(100)
      .describe('Congruency: minimum ratio of neighbours in percent; 100: disjoint intervals are enough'),
    minDistance: z
      .int()
      .min(1)
      .default(1)
      .describe('Minimum number of statements between the two entities of the question'),
    maxDistance: z
      .int()
      .min(0)
      .default(0)
      .describe('Maximum number of statements between them; 0: as far as the network allows'),
    distanceBalance: z
      .enum(['uniform', 'natural'])
      .default('uniform')
      .describe('Every distance equally often, or in proportion to the number of pairs on a chain'),
    endpoints: z
      .enum(['matched', 'any'])
      .default('matched')
      .describe(
        'matched: both entities of the question occur once as greater and once as lesser, far from the ends of a chain',
      ),
    queryWord: z.enum(['both', 'lesser', 'greater']).default('both').describe('The comparative in the question'),
    pairing: z
      .enum(['single', 'flip', 'twins'])
      .default('single')
      .describe(
        'flip: each context is used twice, for Yes and No; twins (minimal pairs): similar contexts, one per answer',
      ),
    entityOrder: z
      .enum(['random', 'published'])
      .default('random')
      .describe('published: the true order is alphabetical, as in the original (a complete shortcut)'),
    statementWords: z
      .enum(['random', 'greater', 'lesser'])
      .default('random')
      .describe('Presentation: which side a statement begins with'),
    ...rebalanceShape,
    rebalanceField: z
      .enum(['answer', 'distance'])
      .default('answer')
      .describe('Published rule: the field that it balances'),
    ...presentationShape,
  })
  .superRefine((c, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (c.congruency !== 'none' && (c.entityKind !== 'objects' || c.relation === 'age'))
      wrong('congruency', 'congruency needs entityKind "objects" and relation "size" or "weight"')
    if (c.congruency !== 'none' && (c.network !== 'chain' || c.ask !== 'order' || c.entities > 30))
      wrong('congruency', 'congruency needs a chain of at most 30 things and ask "order"')
    if ((c.entityKind === 'given') !== (c.names !== ''))
      wrong('names', 'entityKind "given" and the option names go together')
    if (c.entityKind === 'objects' && c.entities > 40) wrong('entities', 'at most 40 things fit into every split')
    if (c.entityKind === 'names' && c.entities > 110) wrong('entities', 'at most 110 names fit into every split')
    if (c.ask !== 'order' && c.network !== 'tree') wrong('network', `ask "${c.ask}" needs network "tree"`)
    if (c.ask === 'consistency' && c.pairing === 'flip') wrong('pairing', 'ask "consistency" has no pairing "flip"')
    if (c.pairing === 'twins' && (c.network !== 'tree' || c.endpoints !== 'matched' || c.rebalance !== 'strata'))
      wrong('pairing', 'pairing "twins" needs network "tree", endpoints "matched" and rebalance "strata"')
    if (c.ask === 'feasibility' && c.pairing === 'flip') wrong('pairing', 'flip is for Yes and No only: ask "order"')
    if (c.ask === 'feasibility' && c.minDistance < 2)
      wrong('minDistance', 'feasibility needs minDistance 2 or more: neighbours are never incomparable')
    if (c.entityOrder === 'published' && c.congruency !== 'none')
      wrong('entityOrder', 'the published order and congruency exclude each other')
    if (c.rebalance === 'published' && c.pairing === 'flip')
      wrong('rebalance', 'the published rule thins single questions: use pairing "single"')
    if (c.rebalance === 'published' && c.rebalanceField === 'distance' && c.ask === 'consistency')
      wrong('rebalanceField', 'the original stores no distance for consistency: use "answer"')
    if (c.ask === 'consistency' && c.entities < 8)
      wrong('entities', 'consistency needs 8 or more: with fewer, counts tell the answer')
    if (c.ask === 'feasibility' && c.endpoints === 'matched' && c.entities < 14)
      wrong('entities', 'feasibility with endpoints "matched" needs 14 or more: with fewer, distance 2 is the only one')
    const [low, high] = distances(c)
    if (low > high) wrong('minDistance', `no distance is possible: the minimum is ${low}, the maximum ${high}`)
    if (c.maxDistance > furthest(c)) wrong('maxDistance', `at most ${furthest(c)} with these entities and endpoints`)
  })
export type Config = z.infer<typeof config>

type Extent = Pick<Config, 'ask' | 'network' | 'entities' | 'endpoints' | 'minDistance' | 'maxDistance'>

/**
 * Entities beyond either one of the question on a matched chain, at every distance: half of the longest distance. Who
 * reads fewer statements from each of the two than the proof has then comes to no end of the chain, and where on the
 * chain the two may stand does not depend on how far apart they are.
 */
export const beyond = (c: Extent): number => (c.endpoints === 'matched' ? Math.ceil(distances(c)[1] / 2) : 0)

/** The longest distance up to which a tree has people for three lines alike: 3 d + 1, or 3 d + 5 where d is odd. */
function furthestOfThree(entities: number): number {
  let longest = 2
  while (3 * (longest + 1) + (longest % 2 === 0 ? 5 : 1) <= entities) longest++
  return longest
}

/** The longest distance on a chain that leaves half as many entities beyond either end. */
function furthestInside(entities: number): number {
  const longest = Math.floor((entities - 1) / 2)
  return longest % 2 === 1 && 2 * longest + 2 > entities ? longest - 1 : longest
}

/** The maximum possible distance: minimal pairs need entities beside the path. */
function furthest(c: Extent): number {
  if (c.ask === 'consistency') return c.entities - 5
  if (c.endpoints === 'any') return c.entities - 1
  return c.ask === 'feasibility' ? furthestOfThree(c.entities) : furthestInside(c.entities)
}

/**
 * Minimum and maximum distance. On trees the default maximum grows as the root of the size, which most random trees
 * reach. For consistency: between the ends of the extra statement.
 */
export function distances(c: Extent): readonly [low: number, high: number] {
  const low = c.ask === 'order' ? c.minDistance : Math.max(2, c.minDistance)
  if (c.maxDistance > 0) return [low, Math.min(c.maxDistance, furthest(c))]
  if (c.network === 'chain') return [low, furthest(c)]
  return [low, Math.min(furthest(c), Math.max(2, wholeRoot(4 * c.entities) - 1))]
}

type Presets = PresetsOf<Config>

const congruency: Presets = presetsOf(
  (['size', 'weight'] as const).flatMap((relation) =>
    (['congruent', 'incongruent', 'random_string'] as const).map((kind) => ({ relation, kind })),
  ),
  ({ relation, kind }) => [
    `${kind.replace('_', '-')}-${relation}`,
    `Chain of 20, ${relation}, ${kind === 'random_string' ? 'meaningless strings' : `${kind} with the real world`} (figure 8)`,
    {
      relation,
      ...(kind === 'random_string' ? { entityKind: 'strings' } : { entityKind: 'objects', congruency: kind }),
      // Masses are known less well than lengths.
      ...(kind === 'random_string' ? {} : { minRatio: relation === 'size' ? 110 : 125 }),
    },
    `comparison_${kind}_${relation}`,
  ],
)

const capacity: Presets = presetsOf([5, 10, 15, 20, 30, 40, 50], (entities) => [
  `capacity-${entities}`,
  `Chain of ${entities} people, age (sweep of figure 3)`,
  { entities },
])

const ordering: Presets = presetsOf(['forward', 'reverse', 'random'] as const, (order) => [
  `order-${order}`,
  `Chain of 20 people, age, statements ${order} (sweep of figure 7)`,
  { order },
])

const feasibility = { ask: 'feasibility', network: 'tree', entities: 20, minDistance: 2 } as const
const consistency = { ask: 'consistency', network: 'tree', entities: 12 } as const

export const presets: Presets = {
  people: { summary: 'Chain of 20 people, age', aliases: ['comparison_people'], config: {} },
  objects: {
    summary: 'Chain of 20 things in any order, size',
    aliases: ['comparison_single'],
    config: { entityKind: 'objects', relation: 'size' },
  },
  'symbolic-distance': {
    summary: 'Chain of 32 people, age, every distance from 1 to 15 equally often',
    aliases: ['symoblic_distance_age', 'symbolic_distance_age'],
    config: { entities: 32 },
  },
  feasibility: {
    summary: 'Tree of 20 people, age: Yes, No or Unknown equally often at each distance (figures 9, 12)',
    config: feasibility,
  },
  'feasibility-pairs': {
    summary: 'The same, each tree used for all three answers',
    config: { ...feasibility, pairing: 'twins' },
  },
  'feasibility-published': {
    summary: 'Tree of 8 people; counts reveal much of the answer',
    aliases: ['feasible_infeasible_tree'],
    config: { ...feasibility, entities: 8, endpoints: 'any' },
  },
  consistency: {
    summary: 'Tree of 12 people with one more statement, age: consistent or not (figures 9, 12)',
    config: consistency,
  },
  'consistency-pairs': {
    summary: 'The same, as minimal pairs',
    config: { ...consistency, pairing: 'twins' },
  },
  'consistency-published': {
    summary: 'Tree of 8 people with one more statement',
    aliases: ['consistent_inconsistent_tree'],
    config: { ...consistency, entities: 8 },
  },
  tree: { summary: 'Tree of 20 people, age', config: { network: 'tree' } },
  'paired-flip': {
    summary: 'Chain of 20 people, age, every context used for Yes and No',
    config: { pairing: 'flip' },
  },
  ...congruency,
  ...capacity,
  ...ordering,
}

/** Longer chains, and questions about what lies farther apart on them: one distance a level, so that each needs more statements. */
export const curriculum: Curriculum<Config> = {
  count: 12,
  grows: 'proof',
  config: (level) => ({
    ask: 'order',
    network: 'chain',
    entities: 4 * level + 7,
    minDistance: 2 * level + 2,
    maxDistance: 2 * level + 2,
  }),
}
