import { z } from 'zod'
import type { Preset } from '../../../core/index.ts'
import { interactions } from '../../../libraries/rewriting/sounds/index.ts'

export const config = z
  .strictObject({
    laws: z
      .array(z.int().min(2).max(20))
      .min(1)
      .max(19)
      .refine((list) => new Set(list).size === list.length, 'a number stands twice in the list')
      .default([3, 4, 5, 6])
      .describe('laws of each younger language'),
    languages: z.array(z.int().min(1).max(3)).min(1).max(3).default([1]).describe('younger languages of one older one'),
    interactions: z
      .array(z.enum(interactions))
      .min(1)
      .max(4)
      .refine((list) => new Set(list).size === list.length, 'an interaction stands twice in the list')
      .default([...interactions])
      .describe('what two laws of the first younger language do to one another, in two of the words shown at least'),
    words: z.int().min(10).max(200).default(50).describe('words shown'),
    unseen: z.int().min(5).max(200).default(50).describe('words kept for the score'),
    changed: z
      .int()
      .min(1)
      .max(20)
      .default(3)
      .describe('words shown that each law changes, and that need it, at least'),
    loans: z
      .number()
      .min(0)
      .max(0.5)
      .default(0)
      .describe('share of the words shown whose younger form is no heir of the older word: no law explains it'),
    spare: z.int().min(0).max(100).default(10).describe('laws that an answer may have beyond those of the truth'),
    size: z.int().min(1).max(10_000_000).nullable().default(null).describe('number of items; null: endless'),
    attempts: z.int().min(1).max(100_000).default(5000).describe('lists of laws drawn before an item is given up'),
  })
  .refine(({ words, changed }) => changed * 2 <= words, {
    path: ['changed'],
    error: 'no law changes so many of so few words: show more words or ask for fewer changes',
  })

export type Config = z.infer<typeof config>

export const presets: { readonly [name: string]: Preset<Config> } = {
  'sound-change': {
    summary: 'one younger language by 3-6 natural laws, 50 words shown and 50 kept: 240 items, 15 in each of 16 cells',
    config: { size: 240 },
  },
  'sound-change-lite': {
    summary: 'the same with 2 or 3 laws: 240 items',
    config: { laws: [2, 3], size: 240 },
  },
  'sound-change-hard': {
    summary: 'one younger language by 8, 10 or 12 laws, 80 words shown: 240 items',
    config: { laws: [8, 10, 12], words: 80, size: 240 },
  },
  'sound-change-family': {
    summary: 'two or three younger languages of one older one, 3-6 laws each: 240 items',
    config: { languages: [2, 3], laws: [3, 4, 6], size: 240 },
  },
  'sound-change-loans': {
    summary: 'as sound-change, and one word in ten is a loan that no law explains: 240 items',
    config: { loans: 0.1, size: 240 },
  },
}
