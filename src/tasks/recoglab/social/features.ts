import { z } from 'zod'
import { feature, presentationFeatures } from '../common/features.ts'

export const features = z.object({
  people: feature(z.int(), 'difficulty', 'People in the network'),
  edges: feature(z.int(), 'difficulty', 'Statements about two of them'),
  distance: feature(z.int().nullable(), 'truth', 'Hand-overs of the shortest way', 'hops'),
  ask: feature(z.string(), 'stratum', 'What is asked'),
  network: feature(z.string(), 'stratum', 'Shape of the network'),
  relation: feature(z.string(), 'stratum', 'What a statement says'),
  directed: feature(z.boolean(), 'stratum', 'The relation has a direction'),
  wording: feature(z.string(), 'nuisance', 'Plain or flavoured sentences'),
  accepted: feature(z.int().nullable(), 'truth', 'How many people are a right answer'),
  label: feature(z.string().nullable(), 'truth', 'The answer where it is a number'),
  ...presentationFeatures,
})

/** What `draw` tells of an item, and nothing else. */
export type ItemFeatures = z.infer<typeof features>
