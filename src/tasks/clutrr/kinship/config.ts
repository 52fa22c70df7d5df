import { z } from 'zod'
import type { Curriculum, Preset } from '../../../core/task.ts'

export const config = z.strictObject({
  hops: z
    .union([z.literal(4), z.literal(6), z.literal(8)])
    .default(4)
    .describe('Sentences in the chain between the two people: 4, 6 or 8'),
  distractors: z.int().min(0).max(4).default(0).describe('Irrelevant sentences per family'),
  order: z
    .enum(['random', 'along'])
    .default('random')
    .describe('Sentences shuffled, or in the order of the chains, the families side by side'),
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
    summary: 'Chains of 4 sentences, and 2 irrelevant ones per family',
    config: { hops: 4, distractors: 2 },
  },
  along: {
    summary: 'Chains of 4 sentences, in order, three families side by side',
    config: { hops: 4, order: 'along' },
  },
}

const lengths = [4, 6, 8] as const

/** Longer chains. */
export const curriculum: Curriculum<Config> = {
  count: lengths.length,
  grows: 'proof',
  config: (level) => ({ hops: lengths[level] ?? 8 }),
}
