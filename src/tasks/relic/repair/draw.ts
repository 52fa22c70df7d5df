import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import {
  below,
  between,
  type DrawContext,
  type DrawResult,
  pick,
  type RandomStreams,
  type Stream,
} from '../../../core/index.ts'
import { applySwap, swapFinder } from '../../../libraries/grammars/negatives/segment-swap.ts'
import { nearestMember } from '../../../libraries/grammars/recognise/distance.ts'
import { bandsOf } from '../grammars/dial.ts'
import { isOwn, liftedOf, namesOf, type Shared, textOf } from '../grammars/grammar.ts'
import { recognizerOf } from '../grammars/languages.ts'
import {
  countFeature,
  drawMember,
  formFeature,
  formOf,
  notFound,
  sizeFeatures,
  sizesOf,
  workOf,
} from '../grammars/strings.ts'
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

/** The string with a token replaced, put in or taken out. */
function edited(tokens: Int32Array, terminals: number, stream: Stream): Int32Array {
  const at = below(stream, tokens.length)
  const token = below(stream, terminals)
  const kind = pick(stream, ['out', 'in', 'replaced'])
  const behind = tokens.subarray(kind === 'in' ? at : at + 1)
  return Int32Array.from([...tokens.subarray(0, at), ...(kind === 'out' ? [] : [token]), ...behind])
}

/** A string of the language after one or two swaps of segments that keep all pairs of neighbouring tokens; of a grammar of one's own edits where no swap exists. */
export function draw(
  config: Config,
  shared: Shared,
  at: DrawContext,
  draws: RandomStreams,
): DrawResult<Given, Answer, z.infer<typeof features>> {
  const stream = draws.stream('string')
  const wanted = at.levels['distance'] as number
  const band = (at.levels['band'] ?? 0) as number
  const [low, high] = bandsOf(config)[band] as readonly [number, number]
  const { cnf } = liftedOf(shared)
  const find = swapFinder(cnf.terminals.length)
  for (let tries = 0; tries < TRIES; tries++) {
    const member = drawMember(config, shared, band, stream, () => true)
    if (member === null) break
    let { tokens } = member
    for (let swaps = between(stream, 1, 2); swaps > 0; swaps--) {
      const swap = find(tokens, 2)?.(stream)
      if (swap != null) tokens = applySwap(tokens, swap)
      else if (isOwn(shared)) tokens = edited(tokens, cnf.terminals.length, stream)
    }
    if (recognizerOf(shared).accepts(tokens)) continue
    const nearest = nearestMember(cnf, tokens, config.maxDistance)
    if (nearest?.distance !== wanted) continue
    const work = workOf(shared, nearest.tokens, formOf(config))
    if (work < low || work >= high) continue
    return {
      kind: 'drawn',
      given: { string: textOf(shared, tokens) },
      answer: namesOf(shared, nearest.tokens),
      features: {
        length: tokens.length,
        ...sizesOf(shared),
        form: formOf(config),
        work,
        distance: wanted,
      },
    }
  }
  return notFound(`none of ${TRIES} damaged strings is ${wanted} edits from the language`)
}
