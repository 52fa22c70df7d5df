import { z } from 'zod'
import type { Preset } from '../../../core/index.ts'
import { ALL_LETTERS, LITE_LETTERS, proposerShape } from '../sampling/settings.ts'

const RELATED = Array.from({ length: 15 }, (_, bits) => (bits + 1).toString(2).padStart(4, '0'))

export const config = z.strictObject({
  ...proposerShape,
  lengths: z
    .array(z.int().min(2).max(20))
    .min(1)
    .max(19)
    .refine((list) => new Set(list).size === list.length, 'a length stands twice in the list')
    .default([3, 4, 5])
    .describe('numbers of rules; two rules have two orders, and any answer is right half the time'),
  categories: z
    .array(z.string().regex(/^[01]{4}$/, 'a category is four digits 0 or 1 for F, B, CF, CB'))
    .min(1)
    .max(16)
    .default(RELATED)
    .describe('relation categories of the true order; unrelated rules (0000) have no order to find'),
  scramble: z
    .enum(['uniform', 'published'])
    .default('uniform')
    .describe(
      'order shown: uniform: any, each equally likely; published: a wrong one, by one exchange of related rules if possible',
    ),
  size: z.int().min(1).max(10_000_000).nullable().default(null).describe('number of items; null: endless'),
  attempts: z.int().min(1).max(100_000).default(2000).describe('attempts at one instance before it is given up'),
})

export type Config = z.infer<typeof config>

const lite = { words: 5, alphabet: LITE_LETTERS }

export const presets: { readonly [name: string]: Preset<Config> } = {
  'pbebench-perm': {
    summary: '5 pairs, 3-5 rules in a random order: 900 items, 20 in each of 45 cells',
    aliases: ['perm'],
    config: { ...lite, lengths: [3, 4, 5], size: 900 },
  },
  'pbebench-perm-published': {
    summary: 'as published: 2-5 rules, one exchange of related rules: 960 items',
    aliases: ['lite-perm', 'perm-published'],
    config: { ...lite, lengths: [2, 3, 4, 5], scramble: 'published', size: 960 },
  },
  'pbebench-perm-hard': {
    summary: '50 pairs, 52 letters, 6-12 rules in a random order: 420 items',
    aliases: ['perm-hard'],
    config: { words: 50, alphabet: ALL_LETTERS, lengths: [6, 7, 8, 9, 10, 11, 12], size: 420 },
  },
}
