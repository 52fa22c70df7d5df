import { z } from 'zod'

const feature = <T extends z.ZodType>(
  type: T,
  role: 'difficulty' | 'stratum' | 'nuisance' | 'truth' | 'id',
  text: string,
  unit?: string,
): T => type.describe(text).meta({ role, ...(unit === undefined ? {} : { unit }) })

export const features = z.object({
  hops: feature(z.int(), 'difficulty', 'Sentences on the way from the one to the other', 'sentences'),
  distractors: feature(z.int(), 'difficulty', 'Sentences a family that matter to nothing', 'sentences'),
  order: feature(z.string(), 'nuisance', 'Order of the sentences'),
  people: feature(z.int().nullable(), 'nuisance', 'People in the story; null: not told by a published file'),
  sentences: feature(z.int().nullable(), 'nuisance', 'Sentences of the story'),
  first: feature(z.string().nullable(), 'nuisance', 'What the one asked about is of the next'),
  last: feature(z.string().nullable(), 'nuisance', 'What the last but one is of the other'),
  generations: feature(z.int().nullable(), 'truth', 'How many generations the one is above the other'),
  relation: feature(z.string(), 'truth', 'The answer'),
  part: feature(z.string(), 'stratum', 'The file of a published item; generated'),
})

/** What `draw` tells of an item, and nothing else. */
export type ItemFeatures = z.infer<typeof features>
