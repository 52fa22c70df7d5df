import { float, type Stream } from '../../../core/index.ts'
import type { Rule } from '../../../rewriting/index.ts'
import { candidates, longer } from './candidates.ts'
import { explain, type Gap } from './explain.ts'
import { backwardMove, forwardMove, type Move } from './moves.ts'
import type { Meter } from './problem.ts'
import type { Workshop } from './workshop.ts'

export interface PeelOptions {
  /** Give up where more rules than this would be needed. */
  readonly most: number
  readonly letters: string
  /** 0: the same every time; otherwise how far weights and gains are blurred. */
  readonly noise: number
  /** Charge rules for the damage they may do elsewhere. */
  readonly careful: boolean
}

/**
 * One greedy run from both ends: rules are applied to the words or undone on the outputs, whichever brings the two
 * closer, until they meet. Returns the cascade in order, or null.
 */
export function peel(shop: Workshop, start: Gap, options: PeelOptions, stream: Stream, meter: Meter): Rule[] | null {
  const first: Rule[] = []
  const last: Rule[] = []
  const seen = new Set<string>()
  let gap = start
  shop.tidy()
  while (!meter.spent) {
    // An analysis is work too, also where it ends the run.
    meter.step()
    const known = explain(shop, gap, options.noise, options.careful, stream)
    if (known.unsolved === 0) return [...first, ...last.reverse()]
    const done = first.length + last.length
    if (done >= options.most || done + 0.9 * known.used.size > options.most + 0.5) return null
    seen.add(stateKey(gap))
    let best: Move | null = null
    let value = Number.NEGATIVE_INFINITY
    const consider = (move: Move | null, uses: number): void => {
      meter.step()
      if (move === null) return
      const blurred = move.gain + 0.03 * Math.min(uses, 6) + options.noise * 0.15 * float(stream)
      if (blurred <= value || seen.has(stateKey(move.gap))) return
      best = move
      value = blurred
    }
    for (const { rule, uses } of candidates(shop, gap, known, options.letters, stream)) {
      consider(backwardMove(shop, gap, known, rule), uses)
      consider(forwardMove(shop, gap, known, rule), uses)
      if (meter.spent) return null
    }
    if (value < -0.25)
      for (const { rule, uses } of longer(shop, gap, known)) {
        consider(forwardMove(shop, gap, known, rule), uses)
        if (meter.spent) return null
      }
    if (best === null) return null
    const chosen: Move = best
    if (chosen.forward) first.push(chosen.rule)
    else last.push(chosen.rule)
    gap = chosen.gap
  }
  return null
}

const stateKey = ({ words, outputs }: Gap): string => `${words.join('\n')}\n>\n${outputs.join('\n')}`
