import type { Preset } from '../../../core/task.ts'
import type { Config } from './config.ts'

type Named = { readonly [name: string]: Preset<Config> }

/** The published families of networks: basic and hard 1-4, flower and noflower 10-70. */
const published = (): readonly {
  readonly key: string
  readonly alias: string
  readonly config: Partial<Config>
  readonly says: string
}[] => {
  const chains = [10, 20, 30, 40].map((people, i) => ({
    key: `chain-${people}`,
    alias: `basic${i + 1}`,
    config: { network: 'chain', people } as const,
    says: `chain of ${people}, plain`,
  }))
  const hard = [10, 20, 30, 40].map((people, i) => ({
    key: `hard-tree-${people}`,
    alias: `hard${i + 1}`,
    config: { network: 'tree', people, wording: 'flavoured' } as const,
    says: `random tree of ${people}, flavoured`,
  }))
  const flower = [10, 20, 30, 40, 50, 60, 70].flatMap((people) => [
    {
      key: `tree-${people}-flavoured`,
      alias: `flower${people}`,
      config: { network: 'tree', people, wording: 'flavoured' } as const,
      says: `random tree of ${people}, flavoured`,
    },
    {
      key: `tree-${people}-plain`,
      alias: `noflower${people}`,
      config: { network: 'tree', people } as const,
      says: `random tree of ${people}, plain`,
    },
  ])
  return [...chains, ...hard, ...flower]
}

const messages: Named = Object.fromEntries(
  published().flatMap(({ key, alias, config, says }) =>
    (
      [
        ['hops', 'NumHops', 'number of hops'],
        ['path', 'ExactPath', 'exact path'],
      ] as const
    ).map(([ask, published, words]): [string, Preset<Config>] => [
      `${ask}-${key}`,
      {
        summary: `${words}, ${says} (figures 2, 4, 5, 10, 11)`,
        aliases: [`social_network_FastestMessage_${published}_${alias}`],
        config: { ...config, ask },
      },
    ]),
  ),
)

const capacity: Named = Object.fromEntries(
  [10, 20, 30, 40, 50, 60, 70].map((people): [string, Preset<Config>] => [
    `capacity-${people}`,
    {
      summary: `Whom to hand the message to, chain of ${people} (sweep of figure 3)`,
      config: { ask: 'next-hop', network: 'chain', people },
    },
  ]),
)

/** Figure 6: three ways of lengthening; the filler sweeps keep ten people, the node sweep is hops-tree-N-plain. */
const filler: Named = Object.fromEntries(
  (['prose', 'entities'] as const).flatMap((kind) =>
    [10, 20, 40, 80].map((fillerLines): [string, Preset<Config>] => [
      `filler-${kind}-${fillerLines}`,
      {
        summary: `Number of hops, random tree of 10 and ${fillerLines} sentences of ${kind === 'prose' ? 'prose' : 'entity'} filler (sweep of figure 6)`,
        config: { filler: kind, fillerLines },
      },
    ]),
  ),
)

export const presets: Named = {
  'next-hop-tree-10': {
    summary: 'Whom to hand the message to, random tree of 10 friends, flavoured',
    aliases: ['baby_single'],
    config: { ask: 'next-hop', wording: 'flavoured' },
  },
  'oldest-16': {
    summary: 'Which of three who are alike is of the oldest generation, family of 16',
    config: { ask: 'oldest', relation: 'parent', people: 16 },
  },
  'youngest-16': {
    summary: 'Which of three who are alike is of the youngest generation, family of 16',
    config: { ask: 'youngest', relation: 'parent', people: 16 },
  },
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
