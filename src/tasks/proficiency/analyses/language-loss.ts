import { mean } from '../../../libraries/statistics/index.ts'
import type { Context, ScoredString, StringWeighting } from './contexts.ts'
import { type Mean, meanAt, meanEstimate } from './mean-of.ts'

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
