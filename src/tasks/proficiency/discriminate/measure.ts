import { LruCache, memoize, type Problem, type TokenLogprob } from '../../../core/index.ts'
import { bestDerivation, tokensOf } from '../../../libraries/grammars/pcfg/index.ts'
import { lossBySegment, segmentStarts } from '../../../libraries/language/segments.ts'
import { type Language, languageOf } from '../languages/compiled.ts'
import { classesOf, positionClasses } from '../positions.ts'
import { weightingOf } from './measure-weights.ts'
import { groupWidth } from './string-format.ts'
import type { Given, Shared, Truth } from './types.ts'

/**
 * Metrics of a scored string, in nats (negative log-probabilities).
 *
 * - `nats`: of the whole text; `tokens`: the model's; `terminals`: the grammar's (a scored terminator counts as one);
 *   `natsPerToken` is the paper's loss(M, s), `natsPerTerminal` compares tokenizers.
 * - `misaligned`: tokens of the model that span two terminals.
 * - `editPlace`: of strings with one edit, its class in the derivation: an index into {@link positionClasses}.
 * - of members: weights of the language (`weight`, `entropy` .., see Weighting), `floor` = -ln P(s), `excess` = nats -
 *   floor, and, where nothing is misaligned, per position class `<class>Nats`, `<class>Floor` and `<class>Count`.
 */
export function measure(
  { shared, given, answer }: Problem<Shared, Given, Truth>,
  tokens: readonly TokenLogprob[],
): { readonly [name: string]: number } {
  const names = given.text.split(' ')
  const text = tokens.map((token) => token.text).join('')
  const { terminals } = languageOf(shared.grammar).grammar
  const starts = segmentStarts(text, names, shared.format.terminator, groupWidth(terminals.length))
  if (starts === null)
    throw new Error(`the scored tokens spell ${JSON.stringify(text.slice(0, 80))}, which is not the string asked for`)
  const nats = tokens.reduce((sum, token) => sum - token.logprob, 0)
  const { losses, misaligned } = lossBySegment(tokens, starts)
  if (misaligned > 0 && shared.format.alignment === 'require')
    throw new Error(
      `${misaligned} of ${tokens.length} tokens span two terminals; set format.separator so that the tokenizer keeps them apart, or format.alignment to "report"`,
    )
  return {
    nats,
    tokens: tokens.length,
    terminals: starts.length,
    natsPerToken: nats / tokens.length,
    natsPerTerminal: nats / starts.length,
    misaligned,
    ...editPlace(shared, answer),
    ...(answer.inside ? againstFloor(shared, given, nats, starts.length, misaligned === 0 ? losses : null) : {}),
  }
}

/** Position of the one edit in the derivation of its source: an insertion counts at the token that it moves. */
function editPlace({ grammar }: Shared, { source, edits, twin }: Truth): { readonly editPlace?: number } {
  const [edit, ...more] = edits
  if (source === null || twin !== null || edit === undefined || more.length > 0) return {}
  const place = floorOf(languageOf(grammar), source).classes[edit.at]
  return place === undefined ? {} : { editPlace: positionClasses.indexOf(place) }
}

interface Floor {
  readonly perTerminal: readonly number[]
  readonly classes: readonly (typeof positionClasses)[number][]
}

function againstFloor(
  shared: Shared,
  given: Given,
  nats: number,
  terminals: number,
  losses: readonly number[] | null,
): { readonly [name: string]: number } {
  const { perTerminal, classes } = floorOf(languageOf(shared.grammar), given.text)
  const floor = perTerminal.slice(0, terminals).reduce((sum, loss) => sum + loss, 0)
  const { entropy, entropyPerTerminal, conditional, reached, weightOf } = weightingOf(shared, given.text)
  const out: { [name: string]: number } = {
    floor,
    excess: nats - floor,
    weight: weightOf(floor),
    entropy,
    entropyPerTerminal,
    reached,
    ...(conditional === null ? {} : { conditional }),
  }
  if (losses === null) return out
  for (const wanted of positionClasses) {
    let [own, least, count] = [0, 0, 0]
    for (const [i, loss] of losses.entries())
      if (classes[i] === wanted) {
        own += loss
        least += perTerminal[i] as number
        count++
      }
    if (count === 0) continue
    out[`${wanted}Nats`] = own
    out[`${wanted}Floor`] = least
    out[`${wanted}Count`] = count
  }
  return out
}

const floorOf = (language: Language, text: string): Floor =>
  floorsOf(language).get(text, () => {
    const tokens = tokensOf(language.grammar, text) as number[]
    const derivation = bestDerivation(language.grammar, tokens)
    if (derivation === null) throw new Error(`${text} was to be a string of the language and is not`)
    return {
      perTerminal: language.conditionals(tokens).map((p) => -Math.log(p)),
      classes: classesOf(language.grammar, derivation),
    }
  })

/** The same string is measured for many models and contexts: the last ones are kept. */
const floorsOf = memoize((_language: Language) => new LruCache<Floor, string>(20_000))
