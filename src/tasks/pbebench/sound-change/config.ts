import { z } from 'zod'
import type { Curriculum, DeclaredShortcut, Preset } from '../../../core/index.ts'
import { interactions } from '../../../libraries/rewriting/sounds/index.ts'

export const config = z
  .strictObject({
    laws: z
      .array(z.int().min(2).max(20))
      .min(1)
      .max(19)
      .refine((list) => new Set(list).size === list.length, 'duplicate number in the list')
      .default([3, 4, 5, 6])
      .describe('laws per younger language'),
    languages: z
      .array(z.int().min(1).max(3))
      .min(1)
      .max(3)
      .default([1])
      .describe('younger languages per older language'),
    interactions: z
      .array(z.enum(interactions))
      .min(1)
      .max(4)
      .refine((list) => new Set(list).size === list.length, 'duplicate interaction in the list')
      .default([...interactions])
      .describe('relation of two laws of the first younger language, in at least two of the words shown'),
    words: z.int().min(10).max(200).default(50).describe('words shown'),
    unseen: z.int().min(5).max(200).default(50).describe('held-out words'),
    changed: z.int().min(1).max(20).default(3).describe('minimum number of shown words that need each law'),
    loans: z
      .number()
      .min(0)
      .max(0.5)
      .default(0)
      .describe('share of the words shown that are loans, which no law explains'),
    spare: z.int().min(0).max(100).default(10).describe('laws that an answer may have beyond the number of true laws'),
    size: z.int().min(1).max(10_000_000).nullable().default(null).describe('number of items; null: endless'),
    attempts: z.int().min(1).max(100_000).default(5000).describe('maximum lists of laws drawn per item'),
  })
  .refine(({ words, changed }) => changed * 2 <= words, {
    path: ['changed'],
    error: 'changed is too large for the number of words: increase words or decrease changed',
  })

export type Config = z.infer<typeof config>

export const presets: { readonly [name: string]: Preset<Config> } = {
  'sound-change': {
    summary:
      'one younger language by 3-6 natural laws, 50 words shown and 50 held out: 240 items, 15 in each of 16 strata',
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
    summary: 'two or three younger languages per older language, 3-6 laws each: 240 items',
    config: { languages: [2, 3], laws: [3, 4, 6], size: 240 },
  },
  'sound-change-loans': {
    summary: 'as sound-change, and one word in ten is a loan that no law explains: 240 items',
    config: { loans: 0.1, size: 240 },
  },
}

/** More laws, which hide one another's traces. */
export const curriculum: Curriculum<Config> = {
  count: 5,
  grows: 'proof',
  config: (level) => ({ laws: [2 + 2 * level] }),
}

/** What answers earn that find no law of the item. */
export const declaredShortcuts = (): readonly DeclaredShortcut[] =>
  ['answerer/no-laws', 'answerer/most-frequent', 'answerer/best-constant'].map((probe) => ({
    probe,
    why: 'words that no law changes are correct without any law (share: feature `unchanged`)',
    gain: [0, 0.9],
  }))
