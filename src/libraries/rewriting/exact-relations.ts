import { countOverlapping, type Rule, replaceAll } from './cascade.ts'
import { type Machine, machineOf } from './occurrence-machine.ts'

/**
 * Feeding and bleeding as they are meant: what a rule can do to another rule's left side. With p(u) the rule applied to
 * u and occ(s, u) the overlapping occurrences of s in u, the rule feeds s where some u has occ(s, p(u)) > occ(s, u), and
 * bleeds s where some u has fewer.
 *
 * The rule is a finite transducer (a Knuth-Morris-Pratt scan that forgets after each match), and so are both counts.
 * Their product has at most |left| * |s| * |s| states, and a walk through it gains +1 for each s written and -1 for
 * each s read; the question is whether a walk to the end can have a positive (negative) sum. That is decided by
 * relaxation, without a bound on the length of u.
 */
export interface Effect {
  /** A shortest string that shows it. */
  readonly witness: string
  readonly before: number
  readonly after: number
}

/** A rule creates occurrences of a string (feeds) or destroys them (bleeds). */
export type Direction = 'feeds' | 'bleeds'

/**
 * A shortest string that shows the effect of the rule on occurrences of `target`, with their numbers before and after.
 *
 * @returns null where no string shows it. `left` and `target` must not be empty.
 *
 * @example
 * import { exactEffect } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(exactEffect(['t', 'd'], 'da', 'feeds')) // { witness: 'ta', before: 0, after: 1 }
 * console.log(exactEffect(['t', 'd'], 'pa', 'feeds')) // null
 */
export function exactEffect(rule: Rule, target: string, direction: Direction): Effect | null {
  const witness = rule[0] === rule[1] ? null : shownBy(machineOf(rule, target), direction === 'feeds' ? 1 : -1)
  if (witness === null) return null
  const count = (text: string): number => countOverlapping(text, target)
  return { witness, before: count(witness), after: count(replaceAll(witness, rule)) }
}

const shareLetter = (a: string, b: string): boolean => {
  for (const letter of a) if (b.includes(letter)) return true
  return false
}

/**
 * Both relations at once. Two cases need no search: a rule whose left side shares no letter with the target cannot destroy
 * an occurrence, and one whose right side shares none (and is not empty) cannot create one. Neither `left` nor `target` may
 * be empty.
 *
 * @example
 * import { exactRelations } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(exactRelations(['t', 'd'], 'da')) // { feeds: true, bleeds: false }
 */
export function exactRelations(rule: Rule, target: string): { readonly feeds: boolean; readonly bleeds: boolean } {
  const [left, right] = rule
  const mayFeed = left !== right && (right === '' || shareLetter(right, target))
  const mayBleed = left !== right && shareLetter(left, target)
  if (!mayFeed && !mayBleed) return { feeds: false, bleeds: false }
  const m = machineOf(rule, target)
  return {
    feeds: mayFeed && shownBy(m, 1) !== null,
    bleeds: mayBleed && shownBy(m, -1) !== null,
  }
}

/** Smaller than any sum. */
const UNREACHED = -1_000_000_000

/** A walk by one letter from another. */
interface Walk {
  readonly state: number
  readonly sum: number
  readonly letter: number
  readonly from: Walk | null
}

/** A shortest string whose walk ends with a positive sum; null: none. Walks are followed while they improve on shorter ones. */
function shownBy(m: Machine, sign: 1 | -1): string | null {
  const { g, states, reading, writing, stays, flushed } = m
  const k = m.letters.length
  const best = new Array<number>(states).fill(UNREACHED)
  best[0] = 0
  const queue: Walk[] = [{ state: 0, sum: 0, letter: 0, from: null }]
  for (let place = 0; place < queue.length; place++) {
    const walk = queue[place] as Walk
    const { state, sum } = walk
    if (sum < (best[state] as number)) continue
    const output = state % g
    const rest = (state - output) / g
    const input = rest % g
    const held = (rest - input) / g
    for (let letter = 0; letter < k; letter++) {
      const at = input * k + letter
      const edge = held * k + letter
      const out = edge * g + output
      const after = sum + sign * ((writing.hit[out] as number) - (reading.hit[at] as number))
      const [kept, to] = [stays[edge] as number, writing.next[out] as number]
      const next = (kept * g + (reading.next[at] as number)) * g + to
      if (after <= (best[next] as number)) continue
      const longer: Walk = { state: next, sum: after, letter, from: walk }
      if (after + sign * (flushed[kept * g + to] as number) > 0) return spell(m, longer)
      best[next] = after
      queue.push(longer)
    }
  }
  return null
}

function spell(m: Machine, walk: Walk): string {
  let out = ''
  for (let at = walk; at.from !== null; at = at.from) out = m.letters[at.letter] + out
  return out
}
