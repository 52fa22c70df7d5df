import { float, type Stream } from '../../../core/index.ts'
import type { Rule } from '../../../libraries/rewriting/index.ts'
import { type Candidate, candidates, longer } from './candidates.ts'
import { Explanation, type Gap, type State } from './explain.ts'
import { holding, type Moves, moveAt } from './move-cache.ts'
import { type Move, stateAfter } from './moves.ts'
import type { Meter } from './problem.ts'
import type { SearchTables } from './search-tables.ts'

export interface BidirectionalOptions {
  /** Give up where more rules than this would be needed. */
  readonly most: number
  readonly letters: string
  /** 0: the same every time; otherwise how far weights and gains are blurred. */
  readonly noise: number
}

/** Moves whose explanation is made anew before one is chosen: the gain under old weights is a rough guide. */
const LOOK = 6

/**
 * One greedy run from both ends: rules are applied to the words or undone on the outputs, whichever brings the two
 * closer, until they meet. Returns the cascade in order, or null.
 */
export function bidirectional(
  tables: SearchTables,
  start: Gap,
  options: BidirectionalOptions,
  stream: Stream,
  meter: Meter,
): Rule[] | null {
  // Nothing can be written from an empty word.
  if (start.words.some((word, i) => word === '' && start.outputs[i] !== '')) return null
  tables.tidy()
  const known = new Explanation(tables, start, options.noise, stream)
  const rules = follow(tables, known, options, stream, meter)
  known.close()
  return rules
}

function follow(
  tables: SearchTables,
  known: Explanation,
  options: BidirectionalOptions,
  stream: Stream,
  meter: Meter,
): Rule[] | null {
  const { most, noise } = options
  const [first, last]: [Rule[], Rule[]] = [[], []]
  let state: State = { words: [...known.words], outputs: [...known.outputs] }
  const seen = [state]
  let kept: Moves = new Map()
  while (!meter.spent) {
    meter.step()
    if (known.unsolved === 0) return [...first, ...last.reverse()]
    const done = first.length + last.length
    if (done >= most || done + 0.9 * known.used.size > most + 0.5) return null
    const near: { move: Move; state: State; cost: number }[] = []
    for (const move of ranked(tables, known, kept, options, stream, meter)) {
      const next = stateAfter(state, move)
      if (seen.some((other) => same(other, next))) continue
      if (meter.spent) return null
      meter.step()
      known.become(next)
      const cost = known.cost + noise * 0.3 * float(stream)
      near.push({ move, state: next, cost })
      if (near.length === LOOK) break
    }
    const best = near.reduce<(typeof near)[number] | null>((a, b) => (a === null || b.cost < a.cost ? b : a), null)
    if (best === null) return null
    const rule = tables.rewrites.ruleOf(best.move.piece)
    if (best.move.forward) first.push(rule)
    else last.push(rule)
    state = best.state
    known.become(state)
    kept = holding(tables, known, kept, best.move.indices)
    seen.push(state)
  }
  return null
}

const same = (a: State, b: State): boolean =>
  a.words.every((word, i) => word === b.words[i] && a.outputs[i] === b.outputs[i])

/** The moves of a state, best first. */
function ranked(
  tables: SearchTables,
  known: Explanation,
  kept: Moves,
  { letters, noise }: BidirectionalOptions,
  stream: Stream,
  meter: Meter,
): readonly Move[] {
  const out: { move: Move; value: number }[] = []
  const consider = (key: number, uses: number): void => {
    if (meter.spent) return
    const move = moveAt(tables, known, kept, key, meter)
    if (move.gain === Number.NEGATIVE_INFINITY) return
    out.push({ move, value: move.gain + 0.03 * Math.min(uses, 6) + noise * 0.15 * float(stream) })
  }
  const tryAll = (list: readonly Candidate[], both: boolean): void => {
    for (const { id, uses } of list) {
      if (both) consider(-id, uses)
      consider(id, uses)
    }
  }
  tryAll(candidates(tables, known, letters, stream), true)
  if (out.every(({ value }) => value < -0.25)) tryAll(longer(tables, known), false)
  return out.sort((a, b) => b.value - a.value).map(({ move }) => move)
}
