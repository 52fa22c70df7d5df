import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import type { DrawContext, DrawResult, RandomStreams } from '../../../core/index.ts'
import { type Derivation, derivationOf } from '../grammars/derivation.ts'
import type { Dial } from '../grammars/dial.ts'
import { type Shared, textOf } from '../grammars/grammar.ts'
import { logDerivations } from '../grammars/measure-parses.ts'
import {
  bandFeature,
  countFeature,
  drawMember,
  formFeature,
  formOf,
  type Given,
  noMember,
  sizeFeatures,
  sizesOf,
  uselessShare,
} from '../grammars/strings.ts'
import { withstandsLookAhead, withstandsParsers } from './shortcuts.ts'

export const features = z.object({
  length: countFeature('Tokens in the string', 'tokens'),
  ...sizeFeatures,
  form: formFeature,
  work: countFeature('Items that an exact parser writes down: of a bottom-up or Earley chart, the smaller', 'items'),
  band: bandFeature,
  useless: feature(z.number(), 'nuisance', 'Share of the chart that no parse of the string uses', 'share'),
  parses: feature(z.number(), 'nuisance', 'log10 of the number of derivations'),
})

/** A string that neither a one-branching tree nor a parser with look-ahead at the edges derives, with one derivation. */
export function draw(
  config: Dial,
  shared: Shared,
  at: DrawContext,
  draws: RandomStreams,
): DrawResult<Given, Derivation, z.infer<typeof features>> {
  const stream = draws.stream('string')
  const band = at.levels['band'] as number
  // Derivations of a regular grammar all branch to the right.
  const withstands = config.form === 'regular' ? withstandsLookAhead : withstandsParsers
  const found = drawMember(config, shared, band, stream, (tokens) => withstands(shared, tokens, stream))
  if (found === null) return noMember
  const { tokens, work } = found
  const string = textOf(shared, tokens)
  return {
    kind: 'drawn',
    given: { string },
    answer: derivationOf(shared, string),
    features: {
      length: tokens.length,
      ...sizesOf(shared),
      form: formOf(config),
      work,
      band,
      useless: uselessShare(shared, tokens),
      parses: logDerivations(shared, tokens),
    },
  }
}
