import { z } from 'zod'

const number = (what: string, unit: string, role = 'difficulty') => z.number().describe(what).meta({ role, unit })
const pairs = (what: string) =>
  z.int().describe(`pairs of laws of which the earlier ${what}, in some word`).meta({ role: 'truth', unit: 'pairs' })

export const features = z.object({
  language: z.string().describe('which languages: generated, or the names of published ones').meta({ role: 'stratum' }),
  interaction: z
    .string()
    .describe('what two laws of the first younger language do to one another in two words shown or more')
    .meta({ role: 'stratum' }),
  languages: z.int().describe('younger languages').meta({ role: 'stratum', unit: 'languages' }),
  laws: z.int().describe('laws of the first younger language').meta({ role: 'stratum', unit: 'laws' }),
  lawsInAll: z.int().describe('laws of all younger languages').meta({ role: 'truth', unit: 'laws' }),
  lawSize: z.int().describe('sounds, terms and edges of all laws').meta({ role: 'truth', unit: 'symbols' }),
  words: number('older words shown', 'words'),
  unseen: number('older words kept for the score', 'words'),
  sounds: number('different sounds of the older words shown', 'sounds'),
  length: number('length of an older word, mean', 'sounds'),
  unchanged: number('younger forms that are as the older word', 'share'),
  loans: number('forms shown that no law explains', 'forms'),
  feeding: pairs('makes places for the later one'),
  bleeding: pairs('takes places from the later one'),
  counterfeeding: pairs('would have found more, had the later one come first'),
  counterbleeding: pairs('would have found less, had the later one come first'),
  source: z.string().describe('where published words come from; empty: generated').meta({ role: 'id' }),
  licence: z.string().describe('licence of published words; empty: generated').meta({ role: 'id' }),
})

/** What `draw` tells of an item, and nothing else. */
export type ItemFeatures = z.infer<typeof features>
