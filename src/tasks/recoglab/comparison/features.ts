import { z } from 'zod'
import { feature, presentationFeatures } from '../common/features.ts'

export const features = z.object({
  entities: feature(z.int(), 'difficulty', 'People or things in the context'),
  distance: feature(
    z.int(),
    'difficulty',
    'Statements between the two asked about (consistency: between the ends of the extra one)',
    'statements',
  ),
  relation: feature(z.string(), 'stratum', 'What is compared'),
  entityKind: feature(z.string(), 'stratum', 'People, things or strings'),
  network: feature(z.string(), 'stratum', 'Chain or tree'),
  ask: feature(z.string(), 'stratum', 'Order, feasibility or consistency'),
  congruency: feature(z.string(), 'stratum', 'Relation of the order to the real world'),
  queryWord: feature(z.string().nullable(), 'stratum', 'The comparative in the question'),
  firstNamed: feature(z.string().nullable(), 'truth', 'Whether the lesser or the greater is named first'),
  margin: feature(z.number().nullable(), 'difficulty', 'Real ratio of the two asked about', 'ratio'),
  minMargin: feature(z.number().nullable(), 'difficulty', 'Least real ratio of neighbours', 'ratio'),
  label: feature(z.string(), 'truth', 'The answer'),
  ...presentationFeatures,
})

/** What `draw` tells of an item, and nothing else. */
export type ItemFeatures = z.infer<typeof features>
