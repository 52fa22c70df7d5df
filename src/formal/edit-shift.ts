import type { Stream } from '../core/stream.ts'
import { type EditRules, editChooser } from './edit-negatives.ts'
import type { Language } from './language.ts'
import type { NeighbourhoodKernel } from './neighbourhood.ts'

/** What single substitutions out of a language do to its strings, estimated from a few positives. */
export interface EditShift {
  /** share of the positives that have a fitting edit at all, 0..1 */
  readonly available: number
  /**
   * The largest change, over the terminals, of the share of strings that contain it, 0..1. Near 1 where leaving the
   * language always takes one particular token, so that its presence gives the label away.
   */
  readonly presence: number
}

/**
 * Measure a grammar before hard negatives are made for it. Expectations over the edits of each source are exact; only
 * the sources, one at each of `lengths`, are sampled. Every length must be attainable.
 */
export function editShift(
  language: Language,
  neighbourhood: NeighbourhoodKernel,
  rules: Pick<EditRules, 'legality' | 'model'>,
  lengths: readonly number[],
  stream: Stream,
): EditShift {
  const terminals = language.grammar.terminals.length
  const chooser = editChooser(rules.legality, rules.model)
  const change = new Float64Array(terminals)
  const count = new Int32Array(terminals)
  let edited = 0
  for (const length of lengths) {
    const source = language.sampler.sample(stream, length)
    const chances = chooser.chances(source, 'substitute', neighbourhood(source, 'substitute'))
    if (chances.length === 0) continue
    edited++
    count.fill(0)
    for (const token of source) count[token]!++
    for (const { edit, chance } of chances) {
      if (edit.kind !== 'substitute') continue
      const old = source[edit.at]!
      if (count[edit.token] === 0) change[edit.token]! += chance
      if (count[old] === 1) change[old]! -= chance
    }
  }
  let largest = 0
  for (const value of change) if (Math.abs(value) > largest) largest = Math.abs(value)
  return { available: edited / lengths.length, presence: edited === 0 ? 0 : largest / edited }
}
