import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import type { DrawContext, DrawResult, RandomStreams, Stream } from '../../../core/index.ts'
import { applySwap, swapFinder } from '../../../libraries/grammars/negatives/segment-swap.ts'
import { liftedOf, type Shared, textOf } from '../grammars/grammar.ts'
import {
  bandFeature,
  countFeature,
  drawMember,
  type Given,
  noMember,
  sizeFeatures,
  sizesOf,
} from '../grammars/strings.ts'
import { withstandsParsers } from '../parse/shortcuts.ts'
import { type Translation, translations, wordsInOrder } from './synchronous.ts'
import type { Config } from './task.ts'

/** Words of the target language, in codes. */
export type Answer = readonly string[]

export const features = z.object({
  length: countFeature('Tokens in the string', 'tokens'),
  ...sizeFeatures,
  work: countFeature('Items of a bottom-up chart', 'items'),
  band: bandFeature,
  translations: feature(z.int(), 'nuisance', 'Different translations', 'count'),
})

/** Exchanges tried for a twin of a string. */
const SWAPS = 12

/** A string that is not translated by its words in the order of the source, or in the reverse order, and that no parser without a chart derives. */
export function draw(
  config: Config,
  shared: Shared,
  at: DrawContext,
  draws: RandomStreams,
): DrawResult<Given, Answer, z.infer<typeof features>> {
  const stream = draws.stream('string')
  const band = at.levels['band'] as number
  let found: readonly Translation[] = []
  const member = drawMember(config, shared, band, stream, (tokens) => {
    found = translations(shared, tokens) ?? []
    return (
      found.length > 0 &&
      (!config.unique || found.length === 1) &&
      found.every((one) => !isInOrder(shared, one)) &&
      withstandsParsers(shared, tokens, stream) &&
      (!config.pairs || hasTwin(shared, tokens, found, stream))
    )
  })
  if (member === null) return noMember
  return {
    kind: 'drawn',
    given: { string: textOf(shared, member.tokens) },
    answer: found[0]!.words,
    features: {
      length: member.tokens.length,
      ...sizesOf(shared),
      work: member.work,
      band,
      translations: found.length,
    },
  }
}

function isInOrder(shared: Shared, one: Translation): boolean {
  const words = wordsInOrder(shared, one)
  const text = one.words.join(' ')
  return text === words.join(' ') || text === words.toReversed().join(' ')
}

/** Has another string of the language the same pairs of neighbours, and other words in its translations? */
function hasTwin(shared: Shared, tokens: Int32Array, found: readonly Translation[], stream: Stream): boolean {
  const swaps = swapFinder(liftedOf(shared).cnf.terminals.length)(tokens, 2)
  for (let tries = 0; swaps !== null && tries < SWAPS; tries++) {
    const swap = swaps(stream)
    if (swap === null) continue
    const others = translations(shared, applySwap(tokens, swap)) ?? []
    if (others.length > 0 && others.every((one) => bag(one) !== bag(found[0]!))) return true
  }
  return false
}

const bag = ({ words }: Translation): string => [...words].sort().join(' ')
