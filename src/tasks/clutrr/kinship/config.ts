import { z } from 'zod'

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
