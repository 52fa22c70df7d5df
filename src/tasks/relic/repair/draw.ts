import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import {
  below,
  between,
  type DrawContext,
  type DrawResult,
  LruCache,
  memoize,
  pick,
  type RandomStreams,
  type Stream,
} from '../../../core/index.ts'
import { type NgramModel, ngramModel } from '../../../libraries/grammars/negatives/ngram-model.ts'
import { applySwap, swapFinder } from '../../../libraries/grammars/negatives/segment-swap.ts'
import { nearestMember } from '../../../libraries/grammars/recognise/distance.ts'
import { bandsOf } from '../grammars/dial.ts'
import { isOwn, liftedOf, namesOf, type Shared, textOf } from '../grammars/grammar.ts'
import { drawLength, languageOf, recognizerOf } from '../grammars/languages.ts'
import {
  countFeature,
  drawMember,
  formFeature,
  formOf,
  type Given,
  notFound,
  sizeFeatures,
  sizesOf,
  workOf,
} from '../grammars/strings.ts'
import type { Config } from './task.ts'

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
const TRIES = 600

/** The string with a token replaced, put in or taken out. */
function edited(tokens: Int32Array, terminals: number, stream: Stream): Int32Array {
  const at = below(stream, tokens.length)
  const token = below(stream, terminals)
  const kind = pick(stream, ['out', 'in', 'replaced'])
  const behind = tokens.subarray(kind === 'in' ? at : at + 1)
  return Int32Array.from([...tokens.subarray(0, at), ...(kind === 'out' ? [] : [token]), ...behind])
}

/** Strings of the language from which a trigram model is counted. */
const SAMPLE = 1500
/** A drawn number below this of single edits looks likelier than any that repairs the string. */
const LIKELIER = 16

const models = memoize((_shared: Shared) => new LruCache<NgramModel, string>(16))

/** All strings one edit away. */
function singleEdits(tokens: Int32Array, terminals: number): readonly (readonly number[])[] {
  const all = [...tokens]
  return Array.from({ length: tokens.length + 1 }, (_, at) => at).flatMap((at) => {
    const [before, behind, beyond] = [all.slice(0, at), all.slice(at), all.slice(at + 1)]
    const put = Array.from({ length: terminals }, (_, token) => [...before, token])
    const kept = put.map((start) => [...start, ...behind])
    return at === all.length ? kept : [[...before, ...beyond], ...kept, ...put.map((start) => [...start, ...beyond])]
  })
}

/**
 * Is there a single edit that repairs the string, and do so many others look likelier than each such: by the probability of the whole
 * string, and by that over uniform tokens?
 */
function isHidden(shared: Shared, model: NgramModel, tokens: Int32Array, likelier: number): boolean {
  const { accepts } = recognizerOf(shared)
  const edits = singleEdits(tokens, liftedOf(shared).cnf.terminals.length)
  const right = edits.map((edit) => accepts(edit))
  if (!right.includes(true)) return false
  const ratios = edits.map(model.ordinariness)
  // A token out or in changes the chance of uniform tokens by their number, the end counted.
  const chances = ratios.map((ratio, k) => {
    const longer = tokens.length - edits[k]!.length
    return longer === 0 ? ratio : longer > 0 ? ratio * (model.boundary + 1) : ratio / (model.boundary + 1)
  })
  return [ratios, chances].every((scores) => {
    const best = Math.max(...scores.filter((_, k) => right[k]))
    return scores.filter((score) => score > best).length >= likelier
  })
}

/** A string of the language after one or two swaps of segments that keep all pairs of neighbouring tokens; of a grammar of one's own edits where no swap exists. */
export function draw(
  config: Config,
  shared: Shared,
  at: DrawContext,
  draws: RandomStreams,
  cell: RandomStreams,
): DrawResult<Given, Answer, z.infer<typeof features>> {
  const stream = draws.stream('string')
  const wanted = at.levels['distance'] as number
  const band = (at.levels['band'] ?? 0) as number
  const [low, high] = bandsOf(config)[band] as readonly [number, number]
  const { cnf } = liftedOf(shared)
  const find = swapFinder(cnf.terminals.length)
  const model = (): NgramModel =>
    models(shared).get(JSON.stringify([config, band]), () => {
      const { sampler } = languageOf(shared, config.maxLength)
      const strings = cell.stream('model')
      const drawn = () => sampler.sample(strings, drawLength(config, shared, strings))
      return ngramModel(Array.from({ length: SAMPLE }, drawn), cnf.terminals.length)
    })
  const likelier = below(stream, LIKELIER)
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
    if (wanted === 1 && !isOwn(shared) && !isHidden(shared, model(), tokens, likelier)) continue
    const nearest = nearestMember(cnf, tokens, wanted)
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
  return notFound(`none of ${TRIES} damaged strings is ${wanted} edit${wanted === 1 ? '' : 's'} from the language`)
}
