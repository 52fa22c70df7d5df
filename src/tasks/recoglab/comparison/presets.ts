import type { Preset } from '../../../core/task.ts'
import type { Config } from './config.ts'

type Named = { readonly [name: string]: Preset<Config> }

const congruency: Named = Object.fromEntries(
  (['size', 'weight'] as const).flatMap((relation) =>
    (['congruent', 'incongruent', 'random_string'] as const).map((kind): [string, Preset<Config>] => [
      `${kind.replace('_', '-')}-${relation}`,
      {
        summary: `Chain of 20, ${relation}, ${kind === 'random_string' ? 'meaningless strings' : `${kind} with the real world`} (figure 8)`,
        aliases: [`comparison_${kind}_${relation}`],
        config: {
          relation,
          entityKind: kind === 'random_string' ? 'strings' : 'objects',
          ...(kind === 'random_string' ? {} : { congruency: kind }),
        },
      },
    ]),
  ),
)

const capacity: Named = Object.fromEntries(
  [5, 10, 15, 20, 30, 40, 50].map((entities): [string, Preset<Config>] => [
    `capacity-${entities}`,
    { summary: `Chain of ${entities} people, age (sweep of figure 3)`, config: { entities } },
  ]),
)

const ordering: Named = Object.fromEntries(
  (['forward', 'reverse', 'random'] as const).map((order): [string, Preset<Config>] => [
    `order-${order}`,
    { summary: `Chain of 20 people, age, statements ${order} (sweep of figure 7)`, config: { order } },
  ]),
)

const feasibility = { ask: 'feasibility', network: 'tree', entities: 20, minDistance: 2 } as const
const consistency = { ask: 'consistency', network: 'tree', entities: 12 } as const

export const presets: Named = {
  people: { summary: 'Chain of 20 people, age', aliases: ['comparison_people'], config: {} },
  objects: {
    summary: 'Chain of 20 things in any order, size',
    aliases: ['comparison_single'],
    config: { entityKind: 'objects', relation: 'size' },
  },
  'symbolic-distance': {
    summary: 'Chain of 20 people, age, every distance equally often',
    aliases: ['symoblic_distance_age', 'symbolic_distance_age'],
    config: {},
  },
  feasibility: {
    summary: 'Tree of 20 people, age: Yes, No or Unknown equally often at each distance (figures 9, 12)',
    config: feasibility,
  },
  'feasibility-pairs': {
    summary: 'The same, each tree asked for all three answers',
    config: { ...feasibility, pairing: 'twins' },
  },
  'feasibility-published': {
    summary: 'Tree of 8 people, whose counts tell much of the answer',
    aliases: ['feasible_infeasible_tree'],
    config: { ...feasibility, entities: 8, endpoints: 'any' },
  },
  consistency: {
    summary: 'Tree of 12 people with one more statement, age: consistent or not (figures 9, 12)',
    config: consistency,
  },
  'consistency-pairs': {
    summary: 'The same, trees that look alike with either answer',
    config: { ...consistency, pairing: 'twins' },
  },
  'consistency-published': {
    summary: 'Tree of 8 people with one more statement',
    aliases: ['consistent_inconsistent_tree'],
    config: { ...consistency, entities: 8 },
  },
  tree: { summary: 'Tree of 20 people, age', config: { network: 'tree' } },
  'paired-flip': {
    summary: 'Chain of 20 people, age, every context asked about both ways',
    config: { pairing: 'flip' },
  },
  ...congruency,
  ...capacity,
  ...ordering,
}
