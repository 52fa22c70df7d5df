import { z } from 'zod'

const number = (what: string, unit: string, role = 'difficulty') => z.number().describe(what).meta({ role, unit })

export const features = z.object({
  language: z.string().describe('which word list').meta({ role: 'stratum' }),
  chunk: z.int().describe('number of the chunk in its list, from 0').meta({ role: 'id' }),
  words: number('word pairs shown', 'pairs'),
  wordsChanged: number('words shown that differ from their output', 'words'),
  heldOut: number('word pairs kept out of the question', 'pairs'),
  longest: number('longest word, counted as the limits count', 'characters'),
  distanceMean: number('edit distance of a word to its output, mean', 'code points'),
  knownRules: z
    .int()
    .describe('rules of the reference cascade: the known laws, else one that a search found')
    .meta({ role: 'truth', unit: 'rules' }),
  slack: number('rules allowed minus words to change: above zero, a rule for each word is enough', 'rules'),
})

/** What `draw` tells of an item, and nothing else. */
export type ItemFeatures = z.infer<typeof features>
