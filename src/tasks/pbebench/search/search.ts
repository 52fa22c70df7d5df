import { below, float, type Stream } from '../../../core/index.ts'
import type { Rule } from '../../../rewriting/index.ts'
import { pruned, regap, window } from './improve.ts'
import { peel } from './peel.ts'
import { type Budget, Meter, type SearchProblem, solves } from './problem.ts'
import { Workshop } from './workshop.ts'

export interface Search {
  /** The shortest cascade found that gives all outputs; it may be longer than the limit. null: none was found. */
  readonly rules: readonly Rule[] | null
  readonly solved: boolean
  /** Evaluations used; `solvedAt`: when the limit was first met. */
  readonly steps: number
  readonly solvedAt: number | null
}

/** Runs from scratch before a found cascade is improved. */
const FRESH = 4

export interface SearchOptions extends Budget {
  /** Go on after the limit is met, for a shorter cascade. */
  readonly minimise?: boolean
  /** Rules to begin from, e.g. a model's; they need not work. */
  readonly start?: readonly Rule[]
}

/**
 * Two-ended peeling with large-neighbourhood search. Anytime; the same result for the same stream and number of steps
 * on every machine.
 */
export function cascadeSearch(problem: SearchProblem, stream: Stream, options: SearchOptions): Search {
  const meter = new Meter(options)
  const shop = new Workshop(problem.side, [...problem.inputs, ...problem.outputs])
  const least = options.minimise === true ? 0 : problem.rules
  const roomy = Math.max(problem.rules + 4, Math.ceil(problem.rules * 1.6))
  let best: Rule[] | null = options.start === undefined ? null : adopt(shop, problem, options.start, stream, meter)
  let solvedAt: number | null = null
  const take = (rules: Rule[] | null): void => {
    if (rules === null || !solves(problem, rules)) return
    const short = pruned(problem, rules)
    // Equal lengths are taken too: the search drifts.
    if (best === null || short.length <= best.length) best = short
    if (best.length <= problem.rules) solvedAt ??= meter.used
  }
  take(best)
  const whole = { words: problem.inputs, outputs: problem.outputs }
  const fresh = (noise: number, careful: boolean): void =>
    take(peel(shop, whole, { most: roomy, letters: problem.letters, noise, careful }, stream, meter))
  for (let run = 0; !meter.spent && (best === null || best.length > least); run++) {
    meter.step()
    const now: Rule[] | null = best
    const choice = below(stream, 20)
    const noise = run === 0 ? 0 : 0.1 + 0.5 * float(stream)
    const how = { noise, careful: choice % 4 === 0 }
    if (now === null || run < FRESH || choice < 2) fresh(noise, run % 2 === 1)
    else if (choice < 11) take(window(shop, problem, now, stream, meter, how))
    else take(regap(shop, problem, now, stream, meter, how))
  }
  return { rules: best, solved: solvedAt !== null, steps: meter.used, solvedAt }
}

/** Makes a cascade of rules that need not work: as many as help are kept in front, and the rest is solved. */
function adopt(
  shop: Workshop,
  problem: SearchProblem,
  start: readonly Rule[],
  stream: Stream,
  meter: Meter,
): Rule[] | null {
  const usable = start.filter(
    ([left, right]) => left !== '' && left.length <= problem.side && right.length <= problem.side,
  )
  for (let keep = usable.length; keep >= 0; keep--) {
    const prefix = usable.slice(0, keep)
    if (solves(problem, prefix)) return prefix
    const words = prefix.reduce((now, [l, r]) => now.split(l).join(r), problem.inputs.join('\n'))
    if (words.length > 20 * problem.inputs.join('\n').length + 1000) continue
    const options = { most: Math.max(2, problem.rules - keep), letters: problem.letters, noise: 0, careful: false }
    const rest = peel(shop, { words: words.split('\n'), outputs: problem.outputs }, options, stream, meter)
    if (rest !== null) return [...prefix, ...rest]
    if (meter.spent) return null
  }
  return null
}
