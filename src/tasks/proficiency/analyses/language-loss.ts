import type { Context, ScoredString } from './cells.ts'
import { type Mean, meanEstimate } from './mean-of.ts'

/** A loss a string, or a terminal or token of it. */
export type Per = 'string' | 'terminal' | 'token'

/**
 * The loss of the language, not of the strings that the fence lets a test draw: the oracle's exact loss over the language
 * (H(L) for `string`), plus the excess of the drawn strings over it, weighted as their strata are in the language. The
 * oracle's is H(L) whatever was drawn. Where a run has no weights (an older one, or an import) the mean as drawn.
 */
export const languageLoss = (contexts: readonly Context[], per: Per): Mean | null => {
  const lists = insideOf(contexts)
  if (lists.flat().some((s) => Number.isNaN(s.weight) || Number.isNaN(s.entropy))) return drawnLoss(contexts, per)
  return meanEstimate(weighted(lists, (s) => s.nats - s.floor, per, true))
}

/** The excess over the oracle, weighted alike. */
export const languageExcess = (contexts: readonly Context[], per: Per): Mean | null => {
  const lists = insideOf(contexts)
  if (lists.flat().some((s) => Number.isNaN(s.weight)))
    return meanEstimate(lists.map((list) => list.map((s) => (s.nats - s.floor) / unitsOf(s, per))))
  return meanEstimate(weighted(lists, (s) => s.nats - s.floor, per, false))
}

/** The plain mean over the strings of the language as drawn: given the fence. */
export const drawnLoss = (contexts: readonly Context[], per: Per): Mean | null =>
  meanEstimate(insideOf(contexts).map((list) => list.map((s) => s.nats / unitsOf(s, per))))

const insideOf = (contexts: readonly Context[]) =>
  contexts.map(({ strings }) => strings.filter((s) => s.distance === '0')).filter((list) => list.length > 0)

/** Terms whose plain mean is the self-normalised weighted one. */
function weighted(
  lists: readonly (readonly ScoredString[])[],
  excess: (s: ScoredString) => number,
  per: Per,
  whole: boolean,
): number[][] {
  const all = lists.flat()
  const mean = all.reduce((sum, s) => sum + s.weight, 0) / all.length
  return lists.map((list) =>
    list.map((s) => {
      const more = ((s.weight / mean) * excess(s)) / unitsOf(s, per)
      return whole ? floorOf(s, per) + more : more
    }),
  )
}

const unitsOf = (s: ScoredString, per: Per): number =>
  per === 'string' ? 1 : per === 'terminal' ? s.terminals : s.tokens

/** A token's floor is that of a terminal times the terminals a token of this string. */
const floorOf = (s: ScoredString, per: Per): number => {
  if (per === 'string') return s.entropy
  return per === 'terminal' ? s.entropyPerTerminal : (s.entropyPerTerminal * s.terminals) / s.tokens
}
