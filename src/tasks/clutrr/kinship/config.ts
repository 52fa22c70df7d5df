import { z } from 'zod'
import type { Curriculum, Preset } from '../../../core/task.ts'
import { HOPS, type Hops } from './chains.ts'

/** What a sentence beside the chain says; `mixed`: each item has a random choice of the three. */
export const FACTS = ['irrelevant', 'supporting', 'disconnected'] as const
export type FactKind = (typeof FACTS)[number]

interface Part {
  readonly facts: 'clean' | FactKind
  readonly hops: Hops
}

const part = (own: Part['facts']): readonly Part[] => [
  { facts: own, hops: 2 },
  ...(['clean', ...FACTS] as const).map((facts): Part => ({ facts, hops: 3 })),
]
const clean = HOPS.map((hops): Part => ({ facts: 'clean', hops }))

/** The kinds of items in the test files of CLUTRR/v1, about equally many of each; the two of `gen` differ in training data only. */
export const parts: { readonly [name: string]: readonly Part[] } = {
  gen_train234_test2to10: clean,
  gen_train23_test2to10: clean,
  rob_train_clean_23_test_all_23: part('clean'),
  rob_train_disc_23_test_all_23: part('disconnected'),
  rob_train_irr_23_test_all_23: part('irrelevant'),
  rob_train_sup_23_test_all_23: part('supporting'),
}
const partNames = Object.keys(parts)

export const config = z.strictObject({
  hops: z.literal(HOPS).default(4).describe('Sentences in the chain between the two people: 2 to 10'),
  distractors: z.int().min(0).max(4).default(0).describe('Facts beside the chain, per family'),
  noise: z
    .enum([...FACTS, 'mixed'])
    .default('irrelevant')
    .describe(
      'These facts: about a relative of the chain (irrelevant), a second way between neighbours of the chain (supporting), about others (disconnected), or mixed',
    ),
  part: z
    .enum(partNames)
    .nullable()
    .default(null)
    .describe('As this test part of CLUTRR: one family alone, with the lengths and facts of the part'),
  order: z
    .enum(['random', 'along'])
    .default('random')
    .describe('Sentences shuffled, or in the order of the chains, the families side by side'),
})
export type Config = z.infer<typeof config>

export const presets: { readonly [name: string]: Preset<Config> } = {
  ...Object.fromEntries(
    HOPS.map((hops): [string, Preset<Config>] => [
      `hops-${hops}`,
      { summary: `Chains of ${hops} sentences, shuffled with those of two other families`, config: { hops } },
    ]),
  ),
  distractors: {
    summary: 'Chains of 4 sentences, and 2 irrelevant ones per family',
    config: { hops: 4, distractors: 2 },
  },
  along: {
    summary: 'Chains of 4 sentences, in order, three families side by side',
    config: { hops: 4, order: 'along' },
  },
  'along-8': {
    summary: 'The same with chains of 8, whose ends tell less',
    config: { hops: 8, order: 'along' },
  },
  supporting: {
    summary: 'Chains of 4 sentences, and 2 detours of two sentences per family that agree with them',
    config: { hops: 4, distractors: 2, noise: 'supporting' },
  },
  disconnected: {
    summary: 'Chains of 4 sentences, and 2 per family about people whom nothing links to it',
    config: { hops: 4, distractors: 2, noise: 'disconnected' },
  },
  noisy: {
    summary: 'Chains of 4 sentences, and 3 facts per family: irrelevant, supporting or disconnected',
    config: { hops: 4, distractors: 3, noise: 'mixed' },
  },
  ...Object.fromEntries(
    partNames.map((name): [string, Preset<Config>] => [
      name.replaceAll('_', '-'),
      { summary: `One family, as the part ${name} of CLUTRR`, config: { part: name } },
    ]),
  ),
}

const lengths = [4, 6, 8] as const

/** Longer chains. */
export const curriculum: Curriculum<Config> = {
  count: lengths.length,
  grows: 'proof',
  config: (level) => ({ hops: lengths[level] ?? 8 }),
}
