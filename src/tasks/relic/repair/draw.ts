import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import { between, type DrawContext, type DrawResult, type RandomStreams } from '../../../core/index.ts'
import { applySwap, swapFinder } from '../../../libraries/grammars/negatives/segment-swap.ts'
import { nearestMember } from '../../../libraries/grammars/recognise/distance.ts'
import { languageOf, liftedOf, namesOf, recognizerOf, type Shared, textOf } from '../grammars/grammar.ts'
import { countFeature, formFeature, notFound, sizeFeatures, sizesOf, workOf } from '../grammars/strings.ts'
import type { Config } from './task.ts'

export interface Given {
  /** Tokens in codes, with one blank between them. */
  readonly string: string
  readonly [key: string]: string
}
/** A string of the language, tokens in codes. */
export type Answer = readonly string[]

export const features = z.object({
  length: countFeature('Tokens in the string', 'tokens'),
  ...sizeFeatures,
  form: formFeature,
  work: countFeature('Items that an exact parser of a nearest string writes down', 'items'),
  distance: feature(z.int(), 'stratum', 'Fewest edits that make the string belong to the language', 'edits'),
})

/** Strings damaged in search of one at the wanted distance. */
const TRIES = 200

/** A string of the language after one or two swaps of segments that keep all pairs of neighbouring tokens. */
export function draw(
  config: Config,
  shared: Shared,
  at: DrawContext,
  draws: RandomStreams,
): DrawResult<Given, Answer, z.infer<typeof features>> {
  const stream = draws.stream('string')
  const wanted = at.levels['distance'] as number
  const { cnf } = liftedOf(shared)
  const { sampler } = languageOf(shared, config.maxLength)
  const find = swapFinder(cnf.terminals.length)
  for (let tries = 0; tries < TRIES; tries++) {
    let tokens: Int32Array = sampler.sample(stream, between(stream, config.minLength, config.maxLength))
    for (let swaps = between(stream, 1, 2); swaps > 0; swaps--) {
      const swap = find(tokens, 2)?.(stream)
      if (swap != null) tokens = applySwap(tokens, swap)
    }
    if (recognizerOf(shared).accepts(tokens)) continue
    const nearest = nearestMember(cnf, tokens, config.maxDistance)
    if (nearest?.distance !== wanted) continue
    return {
      kind: 'drawn',
      given: { string: textOf(shared, tokens) },
      answer: namesOf(shared, nearest.tokens),
      features: {
        length: tokens.length,
        ...sizesOf(shared),
        form: config.form,
        work: workOf(shared, nearest.tokens, config.form),
        distance: wanted,
      },
    }
  }
  return notFound(`none of ${TRIES} damaged strings is ${wanted} edits from the language`)
}
