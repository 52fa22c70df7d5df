import { z } from 'zod'
import { rounded } from '../../../core/index.ts'
import { tokensOf } from '../../../libraries/grammars/pcfg/index.ts'
import type { Language } from '../languages/compiled.ts'
import type { Given, Shared, Truth } from './types.ts'

const text = (description: string, role: string) => z.string().describe(description).meta({ role })

export const features = z.object({
  language: text('name of the language', 'difficulty'),
  repetition: z.int().describe('which draw of the example list').meta({ role: 'nuisance' }),
  k: z.int().describe('in-context examples').meta({ role: 'difficulty', unit: 'strings' }),
  test: z.int().describe('which test string of its distance; the same string for every k').meta({ role: 'id' }),
  kind: text('inside, edited, twin or unrelated', 'truth'),
  distance: z
    .int()
    .nullable()
    .describe('edits from the source string; 0 = of the language; null = twin or unrelated')
    .meta({ role: 'truth', unit: 'edits' }),
  nearest: z
    .int()
    .nullable()
    .describe(
      'exact distance to the nearest string of the language; null = unknown or, for a twin or an unrelated string, above 3',
    )
    .meta({ role: 'truth', unit: 'edits' }),
  edit: text(
    'none, substitute, insert, delete, mixed, exchange-1 to exchange-3 (a twin of that order) or unrelated',
    'truth',
  ),
  order: z
    .int()
    .nullable()
    .describe('largest k up to which a twin was made to keep the k-gram counts of its member; null = no twin')
    .meta({ role: 'truth', unit: 'tokens' }),
  length: z.int().describe('tokens of the string').meta({ role: 'difficulty', unit: 'tokens' }),
  lengthProbability: z
    .number()
    .describe('P(a string of the language is as long as this one); 6 significant digits')
    .meta({ role: 'truth', unit: 'probability' }),
})

/** What `draw` tells of an item, and nothing else. */
export type ItemFeatures = z.infer<typeof features>

/** How far the exact distance is looked for. */
const farthest = 3

export function featuresOf(shared: Shared, language: Language, given: Given, truth: Truth, test: number): ItemFeatures {
  const tokens = tokensOf(language.grammar, given.text) as number[]
  const kind = kindOf(truth)
  return {
    language: shared.language,
    repetition: shared.repetition,
    k: given.k,
    test,
    kind,
    distance: kind === 'unrelated' || kind === 'twin' ? null : truth.edits.length,
    nearest: truth.inside ? 0 : (language.distance(tokens, truth.edits.length || farthest) ?? null),
    edit: editOf(kind, truth),
    order: truth.twin?.order ?? null,
    length: tokens.length,
    lengthProbability: rounded(language.lengthProbability(tokens.length)),
  }
}

type Kind = 'inside' | 'edited' | 'twin' | 'unrelated'

function kindOf({ inside, source, twin }: Truth): Kind {
  if (inside) return 'inside'
  if (twin !== null) return 'twin'
  return source === null ? 'unrelated' : 'edited'
}

function editOf(kind: Kind, { edits, twin }: Truth): string {
  if (twin !== null) return `exchange-${twin.order}`
  if (kind !== 'edited') return kind === 'inside' ? 'none' : kind
  const [first, ...others] = new Set(edits.map((edit) => edit.kind))
  return first === undefined || others.length > 0 ? 'mixed' : first
}
