import { mean } from '../../../libraries/statistics/index.ts'
import type { Context, ScoredString, StringWeighting } from './cells.ts'
import { type Mean, meanEstimate } from './mean-of.ts'

/** A loss a string, or a terminal or token of it. */
type Per = 'string' | 'terminal' | 'token'

/**
 * The loss of the language, not of the strings that the fence lets a test draw: the oracle's exact loss over the language
 * (H(L) for `string`), plus the excess of the drawn strings over it, weighted as their strata are in the language. The
 * oracle's is H(L) whatever was drawn. Where a run has no weights (an older one, or an import) the mean as drawn.
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

/** The plain mean over the strings of the language as drawn: given the fence. */
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

/** Terms whose plain mean is that of `base` plus the self-normalised weighted excess. */
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

/** The oracle's loss over the language. A token's is that of a terminal times the terminals a token of this string. */
const floorOf = ({ weighting, terminals, tokens }: Weighted, per: Per): number => {
  if (per === 'string') return weighting.entropy
  return per === 'terminal' ? weighting.entropyPerTerminal : (weighting.entropyPerTerminal * terminals) / tokens
}
