import { z } from 'zod'
import type { Curriculum, Preset } from '../../../core/task.ts'

export const config = z.strictObject({
  hops: z
    .union([z.literal(4), z.literal(6), z.literal(8)])
    .default(4)
    .describe('Sentences from the one person asked about to the other: 4, 6 or 8, the two in the middle decide'),
  distractors: z
    .int()
    .min(0)
    .max(4)
    .default(0)
    .describe('Sentences beside the chain of each family, about people who matter to nothing'),
  order: z
    .enum(['random', 'along'])
    .default('random')
    .describe('Sentences shuffled, or family by family along the chains'),
})
export type Config = z.infer<typeof config>

export const presets: { readonly [name: string]: Preset<Config> } = {
  ...Object.fromEntries(
    ([4, 6, 8] as const).map((hops): [string, Preset<Config>] => [
      `hops-${hops}`,
      { summary: `Chains of ${hops} sentences, shuffled with those of two other families`, config: { hops } },
    ]),
  ),
  distractors: {
    summary: 'Chains of 4 sentences, and 2 in each family that matter to nothing',
    config: { hops: 4, distractors: 2 },
  },
  along: { summary: 'Chains of 4 sentences, told in order', config: { hops: 4, order: 'along' } },
}

const lengths = [4, 6, 8] as const

/** Longer chains. */
export const curriculum: Curriculum<Config> = {
  count: lengths.length,
  grows: 'proof',
  config: (level) => ({ hops: lengths[level] ?? 8 }),
}
