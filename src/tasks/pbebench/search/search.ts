import { below, float, type Stream } from '../../../core/index.ts'
import type { Rule } from '../../../libraries/rewriting/index.ts'
import { bidirectional } from './bidirectional.ts'
import { exchange } from './exchange.ts'
import { pruned, regap, window } from './improve.ts'
import { type Budget, Meter, type SearchProblem, solves } from './problem.ts'
import { SearchTables } from './search-tables.ts'

interface Search {
  /** The shortest cascade found that gives all outputs; it may be longer than the limit. null: none was found. */
  readonly rules: readonly Rule[] | null
  readonly solved: boolean
  /** Evaluations used; `solvedAt`: when the limit was first met. */
  readonly steps: number
  readonly solvedAt: number | null
}

/** Maximum tries without improvement per cascade. */
const PATIENCE = 300
/**
 * Of 20 tries, how many exchange single rules and how many solve consecutive rules again; the others drop rules that
 * touch a few words. Exchanges shorten a cascade fastest; close to the limit they need the drift of solving again.
 */
const FAR = { exchanges: 14, windows: 5 }
const NEAR = { exchanges: 5, windows: 12 }

interface SearchOptions extends Budget {
  /** Go on after the limit is met, for a shorter cascade. */
  readonly minimise?: boolean
  /** Rules to begin from, e.g. a model's, within the limits; they need not work. */
  readonly start?: readonly Rule[]
}

/**
 * Two-ended peeling with large-neighbourhood search. Anytime; the same result for the same stream and number of steps
 * on every machine. Every letter is one UTF-16 unit.
 */
export function cascadeSearch(problem: SearchProblem, stream: Stream, options: SearchOptions): Search {
  const meter = new Meter(options)
  const tables = new SearchTables(problem.side, problem)
  const least = options.minimise === true ? 0 : problem.rules
  const roomy = 4 * problem.rules + 4
  const whole = { words: problem.inputs, outputs: problem.outputs }
  const afresh = (noise: number) =>
    bidirectional(tables, whole, { most: roomy, letters: problem.letters, noise }, stream, meter)
  let best: readonly Rule[] | null = null
  let now: readonly Rule[] | null = null
  let solvedAt: number | null = null
  let tried: readonly Rule[] | null =
    options.start === undefined ? afresh(0) : adopt(tables, problem, options.start, stream, meter)
  for (let vain = 0; ; vain++) {
    const found = tried !== null && solves(problem, tried) ? pruned(problem, tried) : null
    // Equal lengths are taken too: the search drifts.
    if (found !== null && (now === null || found.length <= now.length)) {
      if (now === null || found.length < now.length) vain = 0
      now = found
      if (best === null || now.length < best.length) best = now
      if (best.length <= problem.rules) solvedAt ??= meter.used
    }
    if (meter.spent || (best !== null && best.length <= least)) break
    meter.step()
    if (vain >= PATIENCE) now = null
    const noise = 0.1 + 0.5 * float(stream)
    const turn = below(stream, 20)
    const { exchanges, windows } = now !== null && now.length <= problem.rules + 2 ? NEAR : FAR
    if (now === null) tried = afresh(noise)
    else if (turn < exchanges) tried = exchange(tables, problem, now, stream, meter)
    else if (turn < exchanges + windows) tried = window(tables, problem, now, stream, meter, noise)
    else tried = regap(tables, problem, now, stream, meter, noise)
  }
  return { rules: best, solved: solvedAt !== null, steps: meter.used, solvedAt }
}

/** Makes a cascade of rules that need not work: as many as help are kept in front, and the rest is solved. */
function adopt(
  tables: SearchTables,
  problem: SearchProblem,
  start: readonly Rule[],
  stream: Stream,
  meter: Meter,
): Rule[] | null {
  for (let keep = start.length; keep >= 0; keep--) {
    const prefix = start.slice(0, keep)
    if (solves(problem, prefix)) return prefix
    const words = prefix.reduce((now, [l, r]) => now.split(l).join(r), problem.inputs.join('\n'))
    if (words.length > 20 * problem.inputs.join('\n').length + 1000) continue
    const options = { most: Math.max(2, problem.rules - keep), letters: problem.letters, noise: 0 }
    const rest = bidirectional(tables, { words: words.split('\n'), outputs: problem.outputs }, options, stream, meter)
    if (rest !== null) return [...prefix, ...rest]
    if (meter.spent) return null
  }
  return null
}
