import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import { rounded } from '../../../core/index.ts'
import { tokensOf } from '../../../libraries/grammars/pcfg/index.ts'
import type { Language } from '../languages/compiled.ts'
import type { Given, Shared, Truth } from './types.ts'

const text = (description: string, role: string) => z.string().describe(description).meta({ role })

export const features = z.object({
  language: text('name of the language', 'difficulty'),
  repetition: feature(z.int(), 'nuisance', 'repetition of the example list'),
  k: feature(z.int(), 'difficulty', 'in-context examples', 'strings'),
  test: feature(z.int(), 'id', 'which test string of its distance; the same string for every k'),
  kind: text('inside, edited, `twin` or unrelated', 'truth'),
  distance: feature(
    z.int().nullable(),
    'truth',
    'edits from the source string; 0: a member; null: `twin` or unrelated',
    'edits',
  ),
  nearest: feature(
    z.int().nullable(),
    'truth',
    'exact distance to the nearest member; null: unknown, or above 3 for `twin` and unrelated strings',
    'edits',
  ),
  edit: text(
    'none, substitute, insert, delete, mixed, exchange-2 to exchange-6 (`twin` of that order) or unrelated',
    'truth',
  ),
  order: feature(
    z.int().nullable(),
    'truth',
    'maximum k of equal k-gram counts of a `twin` and its member; null: no `twin`',
    'tokens',
  ),
  length: feature(z.int(), 'difficulty', 'tokens of the string', 'tokens'),
  lengthProbability: feature(
    z.number(),
    'truth',
    'P(a string of the language is as long as this one); 6 significant digits',
    'probability',
  ),
})

export type ItemFeatures = z.infer<typeof features>

/** Maximum exact distance that is computed. */
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
