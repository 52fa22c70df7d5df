import { z } from 'zod'
import { feature, presentationFeatures } from '../common/features.ts'

export const features = z.object({
  families: feature(z.int(), 'difficulty', 'Families in the records'),
  maxMembers: feature(z.int(), 'difficulty', 'Most members a family may have'),
  people: feature(z.int(), 'nuisance', 'People in the records'),
  ask: feature(z.string(), 'stratum', 'What is asked'),
  hop: feature(z.int().nullable(), 'difficulty', 'How many records the two families are apart', 'records'),
  format: feature(z.string(), 'nuisance', 'How the records are written'),
  tie: feature(z.boolean(), 'truth', 'The two are equal and the rule decides'),
  shared: feature(z.int().nullable(), 'truth', 'Hobbies in common'),
  label: feature(z.string(), 'truth', 'The balanced part of the answer'),
  ...presentationFeatures,
})

/** What `draw` tells of an item, and nothing else. */
export type ItemFeatures = z.infer<typeof features>
