import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import { rounded } from '../../../core/index.ts'
import { heights, type Pcfg, tokensOf } from '../../../libraries/grammars/pcfg/index.ts'
import type { Language } from '../languages/compiled.ts'
import { symbolsOf } from '../languages/make.ts'
import type { Given, Shared, Truth } from './types.ts'

const text = (description: string, role: string) => z.string().describe(description).meta({ role })

export const features = z.object({
  language: text('name of the language', 'difficulty'),
  repetition: feature(z.int(), 'nuisance', 'repetition of the example list'),
  k: feature(z.int(), 'difficulty', 'in-context examples', 'strings'),
  test: feature(z.int(), 'id', 'which test string of its distance; the same string for every k'),
  copy: feature(z.int(), 'id', 'which of the strings that are made of one test string at the same distance'),
  kind: text('inside, edited, `twin`, rule (a changed one), unrelated, or seen (an example)', 'truth'),
  distance: feature(z.int().nullable(), 'truth', 'edits from the source string; 0: a member; null: others', 'edits'),
  nearest: feature(
    z.int().nullable(),
    'truth',
    'exact distance to the nearest member; null: unknown, or above 3 for `twin` and unrelated strings',
    'edits',
  ),
  apart: feature(z.int().nullable(), 'truth', 'exact distance to the source string; null: not edited', 'edits'),
  edit: text(
    'none, substitute, insert, delete, mixed, exchange-2 to exchange-6 (`twin` of that order), rule-1 to rule-7 (level of a changed rule), unrelated or seen',
    'truth',
  ),
  changed: text('the changed rule of the grammar that the string is from; empty: none', 'truth'),
  seen: feature(
    z.int().nullable(),
    'truth',
    'examples after which a model has read this string; null: it is no example',
    'strings',
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

export function featuresOf(
  shared: Shared,
  language: Language,
  given: Given,
  truth: Truth,
  { test, copy }: Pick<ItemFeatures, 'test' | 'copy'>,
): ItemFeatures {
  const tokens = tokensOf(language.grammar, given.text) as number[]
  const kind = kindOf(truth)
  return {
    language: shared.language,
    repetition: shared.repetition,
    k: given.k,
    test,
    copy,
    kind,
    distance: kind === 'inside' || kind === 'edited' ? truth.edits.length : null,
    apart: truth.apart,
    nearest: truth.inside ? 0 : (language.distance(tokens, truth.edits.length || farthest) ?? null),
    edit: editOf(kind, truth, language.grammar),
    changed: changeText(language.grammar, truth),
    seen: truth.seen,
    order: truth.twin?.order ?? null,
    length: tokens.length,
    lengthProbability: rounded(language.lengthProbability(tokens.length)),
  }
}

type Kind = 'inside' | 'edited' | 'twin' | 'rule' | 'unrelated' | 'seen'

function kindOf({ inside, source, twin, changed, seen }: Truth): Kind {
  if (inside) return seen === null ? 'inside' : 'seen'
  if (changed !== null) return 'rule'
  if (twin !== null) return 'twin'
  return source === null ? 'unrelated' : 'edited'
}

function changeText(grammar: Pcfg, { changed }: Truth): string {
  if (changed === null) return ''
  const { left } = grammar.rules[changed.rule] as Pcfg['rules'][number]
  return `${grammar.nonterminals[left]}: ${symbolsOf(grammar, changed.rule).join(' ')} becomes ${changed.right}`
}

function editOf(kind: Kind, { edits, twin, changed }: Truth, grammar: Pcfg): string {
  if (changed !== null) return `rule-${heights(grammar)?.[(grammar.rules[changed.rule] as Pcfg['rules'][number]).left]}`
  if (twin !== null) return `exchange-${twin.order}`
  if (kind !== 'edited') return kind === 'inside' ? 'none' : kind
  const [first, ...others] = new Set(edits.map((edit) => edit.kind))
  return first === undefined || others.length > 0 ? 'mixed' : first
}
