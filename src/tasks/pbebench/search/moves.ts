import type { Rule } from '../../../rewriting/index.ts'
import type { Explanation, Gap } from './explain.ts'
import type { Workshop } from './workshop.ts'

/** What a rule would do, applied to the words or undone on the outputs. */
export interface Move {
  readonly rule: Rule
  readonly forward: boolean
  /** The pairs that it changes, and the new words or outputs. */
  readonly indices: readonly number[]
  readonly texts: readonly string[]
  /** Summed weight of these pairs before. */
  readonly before: number
  /** Fall of the summed weight, less 1 for the rule: 0 pays for itself, below 0 does damage. -Infinity: impossible. */
  readonly gain: number
}

const EVEN = 1e-9
/** Places in one word whose undoing is tried one by one. */
const PLACES = 3

const rewrite = (text: string, [left, right]: Rule): string => text.split(left).join(right)

const impossible = (rule: Rule, forward: boolean, indices: readonly number[], before: number): Move => ({
  rule,
  forward,
  indices,
  texts: [],
  before,
  gain: Number.NEGATIVE_INFINITY,
})

/** What a move makes of a state. */
export function gapAfter(gap: Gap, { forward, indices, texts }: Move): Gap {
  const changed = [...(forward ? gap.words : gap.outputs)]
  for (const [k, i] of indices.entries()) changed[i] = texts[k] as string
  return forward ? { words: changed, outputs: gap.outputs } : { words: gap.words, outputs: changed }
}

/** Applying a rule to the words: every word that holds its left side changes, for good or bad. */
export function forwardMove(shop: Workshop, known: Explanation, rule: Rule): Move {
  const [indices, texts]: [number[], string[]] = [[], []]
  let [before, after] = [0, 0]
  const restore = project(shop, known, rule, true)
  for (let i = 0; i < known.words.length; i++) {
    const word = known.words[i] as string
    if (!word.includes(rule[0])) continue
    const next = rewrite(word, rule)
    if (next.length > shop.longest) {
      restore()
      return impossible(rule, true, [i], known.costs[i] as number)
    }
    indices.push(i)
    texts.push(next)
    before += known.costs[i] as number
    after += shop.least(next, known.outputs[i] as string)
  }
  restore()
  if (indices.length === 0) return impossible(rule, true, [], 0)
  return { rule, forward: true, indices, texts, before, gain: before - after - 1 }
}

/**
 * Undoing a rule on the outputs: for every output the cheapest text from which the rule makes it. A pair that this does
 * not help stays as it is, so undoing can do no damage; but where the left side stands in an output, some place must
 * be undone for the rule to have left it there.
 */
export function backwardMove(shop: Workshop, known: Explanation, rule: Rule): Move {
  const [left, right] = rule
  if (right === '') return impossible(rule, false, [], 0)
  const [indices, texts]: [number[], string[]] = [[], []]
  let [before, after] = [0, 0]
  const restore = project(shop, known, rule, false)
  for (let i = 0; i < known.outputs.length; i++) {
    const output = known.outputs[i] as string
    const forced = output.includes(left)
    const cost = known.costs[i] as number
    let least = Number.POSITIVE_INFINITY
    let best: string | null = null
    if (output.includes(right)) {
      // A coincidence of two or three letters is unlikely, so undoing it is accepted at an equal cost.
      if (!forced) least = right.length > 1 ? cost + EVEN : cost - EVEN
      for (const candidate of sources(output, rule)) {
        if (candidate.length > shop.longest) continue
        const here = shop.least(known.words[i] as string, candidate)
        if (here < least) {
          least = here
          best = candidate
        }
      }
    }
    if (best === null) {
      if (!forced) continue
      restore()
      return impossible(rule, false, [i], cost)
    }
    indices.push(i)
    texts.push(best)
    before += cost
    after += least
  }
  restore()
  if (indices.length === 0) return impossible(rule, false, [], 0)
  return { rule, forward: false, indices, texts, before, gain: before - after - 1 }
}

/** Texts that the rule turns into `output`, other than itself: any of the first places undone, and all of them. */
export function sources(output: string, rule: Rule): string[] {
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
 * share it stays cheap in its new form. Returns what undoes this.
 */
function project(shop: Workshop, known: Explanation, [left, right]: Rule, forward: boolean): () => void {
  const { pieces } = shop
  const lowered: [id: number, weight: number][] = []
  const lower = (id: number, value: number): void => {
    const now = pieces.weight[id] as number
    if (now <= value) return
    lowered.push([id, now])
    pieces.weight[id] = value
  }
  for (const id of known.used.keys()) {
    const [s, t] = [pieces.left[id] as string, pieces.right[id] as string]
    if (s === left && t === right) continue
    if (forward) {
      if (!s.includes(left)) continue
      const rewritten = rewrite(s, [left, right])
      if (rewritten === '' || rewritten.length > shop.side || rewritten === t) continue
      lower(pieces.id(rewritten, t), (pieces.weight[id] as number) * 1.0005)
    } else {
      if (!t.includes(right)) continue
      const rewritten = rewrite(t, [right, left])
      if (rewritten === s || rewritten.length > 2 * shop.side) continue
      const other = pieces.id(s, rewritten)
      const scale = (pieces.cost[other] as number) / (pieces.cost[id] as number)
      lower(other, (pieces.weight[id] as number) * scale * (right.length > 1 ? 0.995 : 1.0005))
    }
  }
  return () => {
    for (const [id, weight] of lowered.reverse()) pieces.weight[id] = weight
  }
}
