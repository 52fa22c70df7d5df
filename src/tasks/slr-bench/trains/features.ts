import { z } from 'zod'

const feature = <T extends z.ZodType>(type: T, role: 'difficulty' | 'stratum' | 'nuisance', text: string): T =>
  type.describe(text).meta({ role })

export const features = z.object({
  tier: feature(z.string(), 'stratum', 'Tier of the rule: basic, easy, medium, hard'),
  level: feature(z.int().nullable(), 'difficulty', 'Level of the published curriculum; null: generated'),
  properties: feature(z.int().nullable(), 'difficulty', 'Properties that the rule reads; null: not told by a record'),
  trains: feature(z.int(), 'difficulty', 'Trains shown'),
  cars: feature(z.int().nullable(), 'difficulty', 'Cars a train; null: they differ'),
  first: feature(z.string().nullable(), 'nuisance', 'Attributes the rule reads of a car'),
  second: feature(z.string().nullable(), 'nuisance', 'Attributes it reads of the car behind'),
  part: feature(z.string(), 'stratum', 'The file of a published record; generated'),
})

/** What `draw` tells of an item, and nothing else. */
export type ItemFeatures = z.infer<typeof features>
