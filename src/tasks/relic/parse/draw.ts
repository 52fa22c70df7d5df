import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import { type DrawContext, type DrawResult, type RandomStreams, rounded } from '../../../core/index.ts'
import { type Derivation, namedRule } from '../grammars/derivation.ts'
import { analyzerOf, printedRules, type Shared } from '../grammars/grammar.ts'
import { drawMember, grammarFeatures, notFound, textOf, uselessShare } from '../grammars/strings.ts'
import { log10 } from '../recognize/group/measure-parses.ts'
import type { Config } from './config.ts'
import { isOneBranching, lookAhead } from './shortcuts.ts'

export interface Given {
  /** Tokens in codes, with one blank between them. */
  readonly string: string
  readonly [key: string]: string
}

const count = (text: string, unit: string) => feature(z.int(), 'difficulty', text, unit)

export const features = z.object({
  length: count('Tokens in the string', 'tokens'),
  rules: count('Rules of the grammar', 'count'),
  nonterminals: count('Nonterminals of the grammar, S counted', 'count'),
  tokens: count('Distinct tokens of the grammar', 'count'),
  form: feature(z.string(), 'nuisance', 'Form of the rules'),
  work: count('Items that an exact parser writes down: of a bottom-up or Earley chart, the smaller', 'items'),
  band: feature(z.int(), 'stratum', 'Band of work; 0 where work is not controlled'),
  useless: feature(z.number(), 'nuisance', 'Share of the chart that no parse of the string uses', 'share'),
  parses: feature(z.number(), 'nuisance', 'log10 of the number of derivations'),
})

/** Tries of the look-ahead parser that a string withstands. */
const ATTACKS = 8

/** A string that neither a one-branching tree nor a parser with look-ahead at the edges derives, with one derivation. */
export function draw(
  config: Config,
  shared: Shared,
  at: DrawContext,
  draws: RandomStreams,
): DrawResult<Given, Derivation, z.infer<typeof features>> {
  const stream = draws.stream('string')
  const band = at.levels['band'] as number
  const found = drawMember(
    config,
    shared,
    band,
    stream,
    (tokens) =>
      // Derivations of a regular grammar all branch to the right.
      (config.form === 'regular' || !isOneBranching(shared, tokens)) &&
      !Array.from({ length: ATTACKS }).some(() => lookAhead(shared, tokens, stream) !== null),
  )
  if (found === null) return notFound
  const { tokens, work } = found
  const analyzer = analyzerOf(shared)
  return {
    kind: 'drawn',
    given: { string: textOf(shared, tokens) },
    answer: printedRules(shared, analyzer.derivation(tokens) ?? []).map(namedRule),
    features: {
      length: tokens.length,
      ...grammarFeatures(shared),
      form: config.form,
      work,
      band,
      useless: uselessShare(shared, tokens),
      parses: rounded(log10(analyzer.count(tokens))),
    },
  }
}
