import { z } from 'zod'
import type { Features } from '../../../core/index.ts'
import { tokensOf } from '../../../formal/pcfg/index.ts'
import type { Language } from '../languages/compiled.ts'
import type { Given, Shared, Truth } from './types.ts'

const text = (description: string, role: string) => z.string().describe(description).meta({ role })

export const features = z.object({
  language: text('name of the language', 'difficulty'),
  repetition: z.int().describe('which draw of the example list').meta({ role: 'nuisance' }),
  k: z.int().describe('in-context examples').meta({ role: 'difficulty', unit: 'strings' }),
  test: z.int().describe('which test string of its distance; the same string for every k').meta({ role: 'id' }),
  kind: text('inside, edited or unrelated', 'truth'),
  distance: z
    .int()
    .nullable()
    .describe('edits from the source string; 0 = of the language; null = unrelated')
    .meta({ role: 'truth', unit: 'edits' }),
  nearest: z
    .int()
    .nullable()
    .describe(
      'exact distance to the nearest string of the language; null = unknown or, for an unrelated string, above 3',
    )
    .meta({ role: 'truth', unit: 'edits' }),
  edit: text('none, substitute, insert, delete, mixed or unrelated', 'truth'),
  length: z.int().describe('tokens of the string').meta({ role: 'difficulty', unit: 'tokens' }),
  lengthProbability: z
    .number()
    .describe('P(a string of the language is as long as this one); 6 significant digits')
    .meta({ role: 'truth', unit: 'probability' }),
})

/** How far the exact distance is looked for. */
const farthest = 3

export function featuresOf(shared: Shared, language: Language, given: Given, truth: Truth, test: number): Features {
  const tokens = tokensOf(language.grammar, given.text) as number[]
  const kind = truth.inside ? 'inside' : truth.source === null ? 'unrelated' : 'edited'
  const kinds = new Set(truth.edits.map((edit) => edit.kind))
  return {
    language: shared.language,
    repetition: shared.repetition,
    k: given.k,
    test,
    kind,
    distance: kind === 'unrelated' ? null : truth.edits.length,
    nearest: truth.inside ? 0 : (language.distance(tokens, truth.edits.length || farthest) ?? null),
    edit:
      kind === 'edited' ? (kinds.size === 1 ? ([...kinds][0] as string) : 'mixed') : kind === 'inside' ? 'none' : kind,
    length: tokens.length,
    lengthProbability: Number(language.lengthProbability(tokens.length).toPrecision(6)),
  }
}
