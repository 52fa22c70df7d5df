import type { Estimate } from '../../../core/index.ts'
import { clusteredMeanEstimate, clusteredShare, mean } from '../../../libraries/statistics/index.ts'
import type { Context, ScoredString, StringWeighting } from './contexts.ts'

/** A mean with its interval; a plain number where a single value has none. */
export type Mean = Estimate | number

/**
 * The mean over all values, in any unit. With several repetitions the interval clusters by them, with one it takes strings as
 * independent. null where there is no value or a value is missing.
 */
export function meanEstimate(byRepetition: readonly (readonly number[])[]): Mean | null {
  const values = byRepetition.flat()
  if (values.some(Number.isNaN)) return null
  return clusteredMeanEstimate(values, clustersOf(byRepetition)) ?? values[0] ?? null
}

/** As {@link meanEstimate}, of values in 0..1: the interval stays there. */
export const shareEstimate = (byRepetition: readonly (readonly number[])[]): Estimate | null =>
  clusteredShare(byRepetition.flat(), clustersOf(byRepetition))

export const centreOf = (of: Mean): number => (typeof of === 'number' ? of : of.value)

const clustersOf = (byRepetition: readonly (readonly number[])[]): number[] =>
  byRepetition.length > 1
    ? byRepetition.flatMap((list, i) => list.map(() => i))
    : (byRepetition[0] ?? []).map((_, i) => i)

/** The mean over the strings at one distance, by repetition. */
export const meanAt = (
  contexts: readonly Context[],
  distance: string,
  value: (string: ScoredString) => number,
): Mean | null =>
  meanEstimate(
    contexts
      .map(({ strings }) => strings.filter((s) => s.distance === distance).map(value))
      .filter((list) => list.length > 0),
  )

/** The unit of a loss. */
type Per = 'string' | 'terminal' | 'token'

/**
 * The loss over the whole language, not over the strings that the split allows: the oracle's exact loss (H(L) for `string`) plus the
 * excess of the drawn strings, weighted by their strata in the language.
 */
export const languageLoss = (contexts: readonly Context[], per: Per): Mean | null => weighted(contexts, per, floorOf)

/** The excess over the oracle, weighted alike. */
export const languageExcess = (contexts: readonly Context[], per: Per): Mean | null => weighted(contexts, per, () => 0)

/** The plain mean over the drawn strings of the language: given the split partition. */
export const drawnLoss = (contexts: readonly Context[], per: Per): Mean | null =>
  meanAt(contexts, '0', (s) => s.nats / unitsOf(s, per))

type Weighted = ScoredString & { readonly floor: number; readonly weighting: StringWeighting }

/** The mean of `base` plus the self-normalised weighted excess; null without strings of the language. */
function weighted(contexts: readonly Context[], per: Per, base: (s: Weighted, per: Per) => number): Mean | null {
  const lists = contexts
    .map(({ strings }) => strings.filter((s): s is Weighted => s.distance === '0' && s.weighting !== null))
    .filter((list) => list.length > 0)
  if (lists.length === 0) return null
  const typical = mean(lists.flat().map(({ weighting: { weight } }) => weight))
  return meanEstimate(
    lists.map((list) =>
      list.map((s) => base(s, per) + ((s.weighting.weight / typical) * (s.nats - s.floor)) / unitsOf(s, per)),
    ),
  )
}

const unitsOf = (s: ScoredString, per: Per): number =>
  per === 'string' ? 1 : per === 'terminal' ? s.terminals : s.tokens

/** The oracle's loss over the language; per token: per terminal times the terminals per token of this string. */
const floorOf = ({ weighting, terminals, tokens }: Weighted, per: Per): number => {
  if (per === 'string') return weighting.entropy
  return per === 'terminal' ? weighting.entropyPerTerminal : (weighting.entropyPerTerminal * terminals) / tokens
}
