import type { Rule } from '../../../rewriting/index.ts'
import type { Explanation, Gap } from './explain.ts'
import type { Workshop } from './workshop.ts'

/** A rule applied to the words, or undone on the outputs. */
export interface Move {
  readonly rule: Rule
  readonly forward: boolean
  readonly gap: Gap
  /** Fall of the summed weight, less 1 for the rule: 0 pays for itself, below 0 does damage. */
  readonly gain: number
}

const EVEN = 1e-9
/** Places in one word whose undoing is tried one by one. */
const PLACES = 3

const rewrite = (text: string, [left, right]: Rule): string => text.split(left).join(right)

/** Applying a rule to the words: every word that holds its left side changes, for good or bad. */
export function forwardMove(shop: Workshop, gap: Gap, known: Explanation, rule: Rule): Move | null {
  const words = [...gap.words]
  let change = 0
  let touched = false
  project(shop, known, rule, true)
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string
    if (!word.includes(rule[0])) continue
    const next = rewrite(word, rule)
    if (next.length > shop.longest) return null
    words[i] = next
    touched = true
    const output = gap.outputs[i] as string
    change += (next === output ? 0 : shop.least(shop.lattice(next, output, false))) - (known.costs[i] as number)
  }
  return touched ? { rule, forward: true, gap: { words, outputs: gap.outputs }, gain: -change - 1 } : null
}

/**
 * Undoing a rule on the outputs: for every output the cheapest text from which the rule makes it. A pair that this does
 * not help stays as it is, so undoing can do no damage; but where the left side stands in an output, some place must
 * be undone for the rule to have left it there.
 */
export function backwardMove(shop: Workshop, gap: Gap, known: Explanation, rule: Rule): Move | null {
  const [left, right] = rule
  if (right === '') return null
  const outputs = [...gap.outputs]
  let change = 0
  let touched = false
  project(shop, known, rule, false)
  for (let i = 0; i < outputs.length; i++) {
    const output = outputs[i] as string
    const forced = output.includes(left)
    if (!output.includes(right)) {
      if (forced) return null
      continue
    }
    const before = known.costs[i] as number
    // A coincidence of two or three letters is unlikely, so undoing it is accepted at an equal cost.
    let least = forced ? Number.POSITIVE_INFINITY : right.length > 1 ? before + EVEN : before - EVEN
    let best: string | null = null
    for (const candidate of sources(output, rule)) {
      if (candidate.length > shop.longest) continue
      const word = gap.words[i] as string
      const cost = candidate === word ? 0 : shop.least(shop.lattice(word, candidate, false))
      if (cost < least) {
        least = cost
        best = candidate
      }
    }
    if (best === null) {
      if (forced) return null
      continue
    }
    outputs[i] = best
    touched = true
    change += least - before
  }
  return touched ? { rule, forward: false, gap: { words: gap.words, outputs }, gain: -change - 1 } : null
}

/** Texts that the rule turns into `output`, other than itself: any of the first places undone, and all of them. */
function sources(output: string, rule: Rule): string[] {
  const [left, right] = rule
  const places: number[] = []
  for (let at = output.indexOf(right); at !== -1; at = output.indexOf(right, at + right.length)) places.push(at)
  const out: string[] = []
  const tried = Math.min(places.length, PLACES)
  for (let chosen = 1; chosen < 1 << tried; chosen++) consider(places.filter((_, k) => k < tried && chosen & (1 << k)))
  if (places.length > tried) consider(places)
  return out

  function consider(list: readonly number[]): void {
    let source = ''
    let done = 0
    for (const at of list) {
      source += output.slice(done, at) + left
      done = at + right.length
    }
    source += output.slice(done)
    if (rewrite(source, rule) === output) out.push(source)
  }
}

/**
 * Rules that are in use keep their weight when the move rewrites one of their sides: what was cheap because many pairs
 * share it stays cheap in its new form.
 */
function project(shop: Workshop, known: Explanation, [left, right]: Rule, forward: boolean): void {
  shop.beginLayer()
  const { pieces } = shop
  for (const id of known.used.keys()) {
    const [s, t] = [pieces.left[id] as string, pieces.right[id] as string]
    if (s === left && t === right) continue
    if (forward) {
      if (!s.includes(left)) continue
      const rewritten = rewrite(s, [left, right])
      if (rewritten === '' || rewritten.length > shop.side || rewritten === t) continue
      shop.lower(pieces.id(rewritten, t), shop.weightOf(id) * 1.0005)
    } else {
      if (!t.includes(right)) continue
      const rewritten = rewrite(t, [right, left])
      if (rewritten === s || rewritten.length > 2 * shop.side) continue
      const other = pieces.id(s, rewritten)
      const scale = (pieces.cost[other] as number) / (pieces.cost[id] as number)
      shop.lower(other, shop.weightOf(id) * scale * (right.length > 1 ? 0.995 : 1.0005))
    }
  }
}
