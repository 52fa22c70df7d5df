import { type Features, LruCache, memoize, type Problem, type TokenLogprob } from '../../../core/index.ts'
import { bestDerivation, tokensOf } from '../../../libraries/grammars/pcfg/index.ts'
import { lossBySegment } from '../../../libraries/language/segments.ts'
import { mean } from '../../../libraries/statistics/index.ts'
import { type Language, languageOf } from '../languages/compiled.ts'
import { classesOf, positionClasses } from '../positions.ts'
import { fenceSide } from './measure-population.ts'
import { weightingOf } from './measure-weights.ts'
import { writtenStarts } from './string-format.ts'
import type { Given, Shared, Truth } from './types.ts'

/**
 * Metrics of a scored string, in nats (negative log-probabilities).
 *
 * - `nats`: of the whole text; `tokens`: the model's; `terminals`: the grammar's (a scored terminator counts as one);
 *   `natsPerToken` is the paper's loss(M, s), `natsPerTerminal` compares tokenizers.
 * - `misaligned`: tokens of the model that span two terminals.
 * - `mass`, `natsInAlphabet`: where the model gives it for every token, the mean probability of what the prompt is made of, and the
 *   loss given that one of these tokens comes.
 * - `editPlace`: of strings with one edit, its class in the derivation: an index into {@link positionClasses}.
 * - of members: weights of the language (`weight`, `entropy` .., see Weighting), `floor` = -ln P(s), `excess` = nats -
 *   floor, and, where nothing is misaligned, per position class `<class>Nats`, `<class>Floor` and `<class>Count`.
 */
export function measure(
  { shared, given, answer }: Problem<Shared, Given, Truth>,
  tokens: readonly TokenLogprob[],
): { readonly [name: string]: number } {
  const text = tokens.map((token) => token.text).join('')
  const starts = writtenStarts({ shared, given }, text)
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
    ...massOf(tokens, nats, starts.length),
    ...editPlace(shared, answer),
    ...(answer.inside ? againstFloor(shared, given, nats, starts.length, misaligned === 0 ? losses : null) : {}),
  }
}

/** Loss left when what goes to tokens that no string is made of is shared out among those that are. */
function massOf(tokens: readonly TokenLogprob[], nats: number, terminals: number) {
  const masses = tokens.flatMap(({ mass }) => mass ?? [])
  if (masses.length < tokens.length) return {}
  const lost = masses.reduce((sum, mass) => sum - Math.log(mass), 0)
  return { mass: mean(masses), natsInAlphabet: (nats - lost) / terminals }
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
  readonly rules: readonly number[]
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
      rules: [...new Set(derivation)],
    }
  })

/** The same string is measured for many models and contexts: the last ones are kept. */
const floorsOf = memoize((_language: Language) => new LruCache<Floor, string>(20_000))

/** Rules beyond this number have no bit in a double. */
const MAX_RULES = 50

/**
 * What a report asks of a string. `validation`: 1 for one of the validation split, 0 for others that were drawn. `rules`: those that
 * derive a member, or the one that was changed; 2^number of each, summed.
 */
export const itemFacts = {
  names: ['validation', 'rules'],
  of({ shared, given, answer }: Problem<Shared, Given, Truth>): () => Features {
    return () => {
      const language = languageOf(shared.grammar)
      const isDrawn = shared.fenced === 'string' && answer.seen === null
      const isDerived = answer.inside && language.grammar.rules.length <= MAX_RULES
      const used =
        answer.changed !== null ? [answer.changed.rule] : isDerived ? floorOf(language, given.text).rules : []
      return {
        ...(isDrawn ? { validation: Number(fenceSide(given.text) === 'validation') } : {}),
        ...(used.length > 0 ? { rules: used.reduce((sum, rule) => sum + 2 ** rule, 0) } : {}),
      }
    }
  },
} as const
