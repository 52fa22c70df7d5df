import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import type { DrawResult, DrawContext as Place, RandomStreams } from '../../../core/index.ts'
import { type Shared, textOf } from '../grammars/grammar.ts'
import type { Given } from '../grammars/strings.ts'
import type { Config } from './config.ts'
import { describeString } from './group/group.ts'
import { type Entry, type StringKind, stringsOf } from './group/length-strings.ts'

const count = (what: string) => z.int().describe(what).meta({ role: 'difficulty', unit: 'count' })

/** The columns of every analysis (specs: the four grammar statistics as published, all after trimming). */
export const features = z.object({
  length: feature(z.int(), 'difficulty', 'Tokens in the string', 'tokens'),
  label: feature(z.boolean(), 'truth', 'Is the string in the language?'),
  terminals: count('Distinct terminals of the grammar'),
  nonterminals: count('Distinct nonterminals in binary rules, S counted'),
  lexical: count('Lexical rules'),
  nonlexical: count('Binary rules'),
  coverage: feature(
    z.number(),
    'nuisance',
    'Share of the lengths of the config at which the grammar has strings',
    'share',
  ),
  bigramLegal: feature(
    z.boolean(),
    'nuisance',
    'Can the first token begin, the last end, and each adjacent pair occur in some string of the language?',
  ),
  kind: feature(z.string().nullable(), 'truth', 'How a negative was made; null for positives'),
  order: feature(
    z.int().nullable(),
    'nuisance',
    'Maximum n of equal n-gram counts with its paired string; null: unpaired',
  ),
  parses: feature(z.number().nullable(), 'truth', 'log10 of the number of parses; null for negatives'),
  depth: feature(z.int().nullable(), 'truth', 'Height of the first parse tree; null for negatives'),
})

type ItemFeatures = z.infer<typeof features>

/** One string of the place's length and label, with everything that is known of it. */
export function draw(
  config: Config,
  shared: Shared,
  at: Place,
  _draws: RandomStreams,
  streams: RandomStreams,
): DrawResult<Given, boolean, ItemFeatures> {
  const label = at.levels['label'] as boolean
  const strings = stringsOf(config, shared, at.levels as StringKind, streams)
  // A matched length has as many positives as negatives: where one class lacks a string, both have an empty index.
  const matched = config.lengths === 'matched'
  const positive = label || matched ? strings(true, at.ordinal) : null
  if (positive !== null && 'reason' in positive) return positive
  const negative = !label || matched ? strings(false, at.ordinal) : null
  if (negative !== null && 'reason' in negative) return negative
  const { tokens, kind, order } = (label ? positive : negative) as Entry
  return {
    kind: 'drawn',
    given: { string: textOf(shared, tokens) },
    answer: label,
    features: describeString(shared, tokens, label, kind, config, order),
  }
}
