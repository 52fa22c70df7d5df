import { z } from 'zod'
import type { Curriculum, Preset } from '../../../core/task.ts'

const tiers = ['basic', 'easy', 'medium', 'hard'] as const
export type Tier = (typeof tiers)[number]

export const config = z.strictObject({
  tier: z
    .enum(tiers)
    .default('basic')
    .describe(
      'What the rule reads: one property of a car; two of one car; one each of two coupled cars; three of two coupled cars',
    ),
  cars: z.int().min(3).max(8).default(4).describe('Cars per train'),
  pairs: z.int().min(6).max(24).default(12).describe('Pairs of trains with equal counts of every property'),
  hidden: z.int().min(1).max(16).default(6).describe('Pairs not shown, on which answers are compared with the rule'),
})
export type Config = z.infer<typeof config>

export const presets: { readonly [name: string]: Preset<Config> } = {
  basic: { summary: 'Some car has one property', config: { tier: 'basic' } },
  easy: { summary: 'Some car has two properties', config: { tier: 'easy' } },
  medium: { summary: 'Of two cars coupled one has a property, the next another', config: { tier: 'medium' } },
  hard: {
    summary: 'Of two cars coupled one has two properties and the other a third',
    config: { tier: 'hard', cars: 5 },
  },
}

/** The tiers in order, on longer and longer trains. */
export const curriculum: Curriculum<Config> = {
  count: tiers.length,
  grows: 'question',
  config: (level) => ({ tier: tiers[level] ?? 'hard', cars: 3 + level }),
}
