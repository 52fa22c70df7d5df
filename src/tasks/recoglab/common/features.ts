import { z } from 'zod'
import type { Presentation } from './presentation.ts'

/** A feature's description with its role (integrity 3.4) and unit. */
export const feature = <T extends z.ZodType>(
  type: T,
  role: 'difficulty' | 'stratum' | 'nuisance' | 'truth' | 'id',
  text: string,
  unit?: string,
): T => type.describe(text).meta({ role, ...(unit === undefined ? {} : { unit }) })

/** How the context is shown: the same for every item of a dataset, a column for comparisons between datasets. */
export const presentationFeatures = {
  order: feature(z.string(), 'nuisance', 'Order of the statements'),
  filler: feature(z.string(), 'nuisance', 'Kind of irrelevant sentences'),
  fillerLines: feature(z.int(), 'nuisance', 'Irrelevant sentences asked for', 'sentences'),
  padTokens: feature(z.int(), 'nuisance', 'Length the context is padded to; 0: not padded', 'tokens'),
}

export const presentationValues = (config: Presentation) => ({
  order: config.order,
  filler: config.filler,
  fillerLines: config.fillerLines,
  padTokens: config.padTokens,
})

/** The largest integer whose square is at most n. */
export function wholeRoot(n: number): number {
  let root = 0
  while ((root + 1) * (root + 1) <= n) root++
  return root
}
