import { z } from 'zod'

const count = (what: string) => z.int().describe(what).meta({ role: 'difficulty', unit: 'count' })

/** The columns of every analysis (specs: the four grammar statistics as published, all after trimming). */
export const features = z.object({
  length: z.int().describe('Tokens in the string').meta({ role: 'difficulty', unit: 'tokens' }),
  label: z.boolean().describe('Is the string in the language?').meta({ role: 'truth' }),
  terminals: count('Distinct terminals of the grammar'),
  nonterminals: count('Distinct nonterminals in binary rules, S counted'),
  lexical: count('Lexical rules'),
  nonlexical: count('Binary rules'),
  coverage: z
    .number()
    .describe('Share of the lengths of the config at which the grammar has strings')
    .meta({ role: 'nuisance', unit: 'share' }),
  bigramLegal: z
    .boolean()
    .describe('Can the first token begin, the last end, and each adjacent pair occur in some string of the language?')
    .meta({ role: 'nuisance' }),
  kind: z.string().nullable().describe('How a negative was made; null for positives').meta({ role: 'truth' }),
  order: z
    .int()
    .nullable()
    .describe(
      'Longest n-grams whose counts a string of the other answer, its twin, has in common with it; null where none was looked for or found',
    )
    .meta({ role: 'nuisance' }),
  parses: z.number().nullable().describe('log10 of the number of parses; null for negatives').meta({ role: 'truth' }),
  depth: z.int().nullable().describe('Height of the first parse tree; null for negatives').meta({ role: 'truth' }),
})

/** What `draw` tells of an item, and nothing else. */
export type ItemFeatures = z.infer<typeof features>
