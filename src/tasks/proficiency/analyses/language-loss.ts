import { mean } from '../../../libraries/statistics/index.ts'
import type { Context, ScoredString, StringWeighting } from './contexts.ts'
import { type Mean, meanEstimate } from './mean-of.ts'

/** The unit of a loss. */
type Per = 'string' | 'terminal' | 'token'

/**
 * The loss over the whole language, not over the strings that the split allows: the oracle's exact loss (H(L) for `string`) plus the
 * excess of the drawn strings, weighted by their strata in the language. Without weights (older runs, imports) the mean as drawn.
 */
export const languageLoss = (contexts: readonly Context[], per: Per): Mean | null => {
  const lists = weightedStrings(contexts)
  return lists === null ? drawnLoss(contexts, per) : meanEstimate(weighted(lists, per, floorOf))
}

/** The excess over the oracle, weighted alike. */
export const languageExcess = (contexts: readonly Context[], per: Per): Mean | null => {
  const lists = weightedStrings(contexts)
  if (lists !== null) return meanEstimate(weighted(lists, per, () => 0))
  const drawn = insideOf(contexts)
  if (drawn.flat().some(({ floor }) => floor === null)) return null
  return meanEstimate(drawn.map((list) => list.map((s) => (s.nats - (s.floor ?? 0)) / unitsOf(s, per))))
}

/** The plain mean over the drawn strings of the language: given the split partition. */
export const drawnLoss = (contexts: readonly Context[], per: Per): Mean | null =>
  meanEstimate(insideOf(contexts).map((list) => list.map((s) => s.nats / unitsOf(s, per))))

const insideOf = (contexts: readonly Context[]) =>
  contexts.map(({ strings }) => strings.filter((s) => s.distance === '0')).filter((list) => list.length > 0)

type Weighted = ScoredString & { readonly floor: number; readonly weighting: StringWeighting }

const isWeighted = (s: ScoredString): s is Weighted => s.floor !== null && s.weighting !== null

/** null where a string has no weight. */
function weightedStrings(contexts: readonly Context[]): Weighted[][] | null {
  const lists = insideOf(contexts)
  const own = lists.map((list) => list.filter(isWeighted))
  return own.every((list, i) => list.length === lists[i]?.length) ? own : null
}

/** Terms whose mean is the mean of `base` plus the self-normalised weighted excess. */
function weighted(
  lists: readonly (readonly Weighted[])[],
  per: Per,
  base: (s: Weighted, per: Per) => number,
): number[][] {
  const all = lists.flat()
  const typical = mean(all.map(({ weighting: { weight } }) => weight))
  return lists.map((list) =>
    list.map((s) => base(s, per) + ((s.weighting.weight / typical) * (s.nats - s.floor)) / unitsOf(s, per)),
  )
}

const unitsOf = (s: ScoredString, per: Per): number =>
  per === 'string' ? 1 : per === 'terminal' ? s.terminals : s.tokens

/** The oracle's loss over the language; per token: per terminal times the terminals per token of this string. */
const floorOf = ({ weighting, terminals, tokens }: Weighted, per: Per): number => {
  if (per === 'string') return weighting.entropy
  return per === 'terminal' ? weighting.entropyPerTerminal : (weighting.entropyPerTerminal * terminals) / tokens
}
