import { z } from 'zod'
import type { Curriculum, Preset } from '../../../core/index.ts'
import { ALL_LETTERS, LITE_LETTERS, proposerShape } from '../sampling/settings.ts'
import { COUNTED_UP_TO } from './orders.ts'

const INTERACTIONS = ['feeding', 'bleeding', 'both'] as const

const RELATED = Array.from({ length: 15 }, (_, bits) => (bits + 1).toString(2).padStart(4, '0'))

export const config = z.strictObject({
  ...proposerShape,
  lengths: z
    .array(z.int().min(2).max(COUNTED_UP_TO))
    .min(1)
    .max(COUNTED_UP_TO - 1)
    .refine((list) => new Set(list).size === list.length, 'duplicate length in the list')
    .default([3, 4, 5])
    .describe('numbers of rules; with two rules chance is 1/2'),
  categories: z
    .array(z.string().regex(/^[01]{4}$/, 'a category is four digits 0 or 1 for F, B, CF, CB'))
    .min(1)
    .max(16)
    .default(RELATED)
    .describe('planted targets: relation categories of the true order'),
  interactions: z
    .array(z.enum(INTERACTIONS))
    .min(1)
    .max(INTERACTIONS.length)
    .refine((list) => new Set(list).size === list.length, 'duplicate interaction in the list')
    .default([...INTERACTIONS])
    .describe('uniform targets: relations that pairs of the rules have in any order'),
  target: z
    .enum(['uniform', 'planted'])
    .default('uniform')
    .describe(
      'uniform: each distinct output of the rules is equally likely; planted: outputs of an order in which every rule changes a word, as published (partly predictable from the rules alone)',
    ),
  unique: z.boolean().default(false).describe('uniform targets: every order gives different outputs'),
  scramble: z
    .enum(['uniform', 'published'])
    .default('uniform')
    .describe('order shown: uniform; published: one exchange of related rules away from the target'),
  size: z.int().min(1).max(10_000_000).nullable().default(null).describe('number of items; null: endless'),
  attempts: z.int().min(1).max(100_000).default(2000).describe('maximum attempts per item'),
})

export type Config = z.infer<typeof config>

const lite = { words: 5, alphabet: LITE_LETTERS }

export const presets: { readonly [name: string]: Preset<Config> } = {
  'pbebench-perm': {
    summary: '5 pairs, 3-5 rules, uniform targets: 900 items, 100 in each of 9 strata',
    aliases: ['perm'],
    config: { ...lite, lengths: [3, 4, 5], size: 900 },
  },
  'pbebench-perm-published': {
    summary: 'as published: 2-5 rules in the planted order, one exchange of related rules: 960 items',
    aliases: ['lite-perm', 'perm-published'],
    config: { ...lite, lengths: [2, 3, 4, 5], target: 'planted', scramble: 'published', size: 960 },
  },
  'pbebench-perm-hard': {
    summary: '50 pairs, 52 letters, 6-12 rules, uniform targets: 420 items',
    aliases: ['perm-hard'],
    config: { words: 50, alphabet: ALL_LETTERS, lengths: [6, 7, 8, 9, 10, 11, 12], size: 420 },
  },
  'pbebench-perm-unique': {
    summary: '10 pairs, 6 letters, 3 rules, every order gives different outputs: 600 items, chance 1/6',
    aliases: ['perm-unique'],
    config: {
      words: 10,
      alphabet: 'abcdef',
      lengths: [3],
      interactions: ['both'],
      unique: true,
      size: 600,
    },
  },
}

/** More rules to put in order. */
export const curriculum: Curriculum<Config> = {
  count: 4,
  grows: 'proof',
  config: (level) => ({ words: 5, lengths: [2 + level] }),
}
