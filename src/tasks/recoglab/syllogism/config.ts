import { z } from 'zod'
import { presentationShape } from '../common/presentation.ts'
import { chooseTerms, judgeTerms } from './drawing/twins.ts'

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
      .default(4)
      .describe('Terms on the way from subject to predicate; one statement fewer'),
    construction: z
      .enum(['twins', 'padded', 'path'])
      .default('twins')
      .describe(
        'twins: the same statements asked about for every answer, and "none follows" is one; path: the statements on the way and no others, as published; padded: and three more, so that each kind of statement occurs equally often',
      ),
    pairs: z.boolean().default(false).describe('Twins are asked together, one index each'),
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
    if (real && c.construction === 'twins')
      wrong('construction', 'real nouns fit the statements of one way only: use "padded" or "path"')
    if (c.pairs && c.construction !== 'twins') wrong('pairs', 'only construction "twins" has twins to ask together')
    const nouns = nounsOf(c)
    if (c.nouns === 'neutral' && nouns > 30)
      wrong(
        'terms',
        `these statements have ${nouns} terms, and at most 30 real nouns are unrelated: use nouns "nonsense"`,
      )
    if (c.nouns === 'nonsense' && nouns > 300) wrong('terms', `these statements have ${nouns} terms; at most 300`)
    if (c.ask === 'judge' && c.existentialImport)
      wrong('existentialImport', 'judge is defined without existential import')
  })
export type Config = z.infer<typeof config>

/** How many terms the statements are about, not counting those of `padded`. */
export function nounsOf(c: { readonly ask: string; readonly construction: string; readonly terms: number }): number {
  if (c.construction !== 'twins') return c.terms
  return c.ask === 'choose' ? chooseTerms(c.terms) : judgeTerms(c.terms)
}
