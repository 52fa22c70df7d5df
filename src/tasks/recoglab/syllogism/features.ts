import { z } from 'zod'
import { feature, presentationFeatures } from '../common/features.ts'

export const features = z.object({
  terms: feature(z.int(), 'difficulty', 'Terms on the way from subject to predicate'),
  premises: feature(z.int(), 'difficulty', 'Statements', 'statements'),
  ask: feature(z.string(), 'stratum', 'Choose one, or judge one'),
  nouns: feature(z.string(), 'stratum', 'Kind of nouns'),
  existentialImport: feature(z.boolean(), 'stratum', 'Classes are not empty'),
  construction: feature(z.string(), 'stratum', 'Statements of twins, or of one way'),
  offWay: feature(z.int(), 'nuisance', 'Statements that are not on the way', 'statements'),
  form: feature(z.string(), 'truth', 'Kinds of the statements on the way, from the subject'),
  mood: feature(z.string(), 'truth', 'Kind of the conclusion (of the one judged)'),
  label: feature(z.string(), 'truth', 'Kind of the right option, or none; Yes or No'),
  ...presentationFeatures,
})

/** What `draw` tells of an item, and nothing else. */
export type ItemFeatures = z.infer<typeof features>
