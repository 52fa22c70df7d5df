import { z } from 'zod'
import { presentationShape } from '../common/presentation.ts'

export const config = z
  .strictObject({
    ask: z
      .enum(['choose', 'judge'])
      .default('choose')
      .describe('Which of All, No, Some, Some-not follows (one of four); or does a given conclusion follow (Yes/No)'),
    terms: z
      .int()
      .min(3)
      .max(60)
      .default(3)
      .describe('Terms on the way from subject to predicate; one statement fewer'),
    distractors: z
      .enum(['balanced', 'none'])
      .default('balanced')
      .describe(
        'balanced: three further statements, so that each kind of statement occurs equally often whatever the answer',
      ),
    existentialImport: z
      .boolean()
      .default(false)
      .describe(
        'Does "All" imply that there are some? Told in the prompt; with it the strongest conclusion is asked for',
      ),
    nouns: z
      .enum(['neutral', 'nonsense', 'congruent', 'incongruent'])
      .default('neutral')
      .describe(
        'Nouns of which no class holds another, invented words, or nouns of which every statement is really true (or false)',
      ),
    ...presentationShape,
  })
  .superRefine((c, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const real = c.nouns === 'congruent' || c.nouns === 'incongruent'
    if (real && c.terms > 4) wrong('terms', 'real nouns for every statement are found for at most 4 terms')
    if (c.nouns === 'neutral' && c.terms > 30) wrong('terms', 'at most 30 terms with real nouns; use nouns "nonsense"')
    if (c.ask === 'judge' && c.existentialImport)
      wrong('existentialImport', 'judge is defined without existential import')
  })
export type Config = z.infer<typeof config>
