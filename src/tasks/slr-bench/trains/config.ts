import { z } from 'zod'
import type { Curriculum, Preset } from '../../../core/task.ts'

const tiers = ['basic', 'easy', 'medium', 'hard', 'negation', 'recursion', 'arithmetic'] as const
export type Tier = (typeof tiers)[number]

export const config = z.strictObject({
  tier: z
    .enum(tiers)
    .default('basic')
    .describe(
      'What the rule reads: one property of a car; two of one car; one each of two coupled cars; three of two coupled cars; a car with one and without another; two cars anywhere behind one another; wheels of coupled cars, compared or added',
    ),
  cars: z.int().min(3).max(12).default(4).describe('Cars per train'),
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
  negation: {
    summary: 'Some car has one property and lacks another; rules of all forms come into question',
    config: { tier: 'negation' },
  },
  recursion: {
    summary: 'Anywhere behind a car with one property is a car with another; rules of all forms come into question',
    config: { tier: 'recursion' },
  },
  arithmetic: {
    summary: 'Wheels of two coupled cars, compared or added; rules of all forms come into question',
    config: { tier: 'arithmetic', cars: 5 },
  },
  large: { summary: 'As hard, in larger worlds: 32 trains of 9 cars', config: { tier: 'hard', cars: 9, pairs: 16 } },
}

/** The tiers in order, on longer and longer trains. */
export const curriculum: Curriculum<Config> = {
  count: 4,
  grows: 'question',
  config: (level) => ({ tier: tiers[level] ?? 'hard', cars: 3 + level }),
}
