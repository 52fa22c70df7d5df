import type { Rule } from './cascade.ts'
import { flushedAt, type Machine, machineOf, step } from './occurrence-machine.ts'

/**
 * Feeding and bleeding as they are meant: what a rule can do to another rule's left side. With p(u) the rule applied to
 * u and occ(s, u) the overlapping occurrences of s in u,
 * - the rule feeds s where some u has occ(s, p(u)) > occ(s, u), and bleeds s where some u has fewer;
 * - `strict`: some u goes from none to some, or from some to none.
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
 * @param strict - from none to some, or from some to none
 * @returns null where no string shows it. `left` and `target` must not be empty.
 *
 * @example
 * import { exactEffect } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(exactEffect(['t', 'd'], 'da', 'feeds')) // { witness: 'ta', before: 0, after: 1 }
 * console.log(exactEffect(['t', 'd'], 'pa', 'feeds')) // null
 */
export function exactEffect(rule: Rule, target: string, direction: Direction, strict = false): Effect | null {
  const [left, right] = rule
  if (left === right) return null
  const m = machineOf(rule, target)
  return strict ? strictEffect(m, direction) : countedEffect(m, direction)
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
    feeds: mayFeed && hasEffect(m, 1),
    bleeds: mayBleed && hasEffect(m, -1),
  }
}

/**
 * True if the rule creates an occurrence of `target` in some string. The left side and `target` must not be empty.
 *
 * @example
 * import { exactFeeds } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(exactFeeds(['t', 'd'], 'da')) // true
 */
export const exactFeeds = (rule: Rule, target: string): boolean => exactRelations(rule, target).feeds
/**
 * True if the rule destroys an occurrence of `target` in some string. The left side and `target` must not be empty.
 *
 * @example
 * import { exactBleeds } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(exactBleeds(['t', 'd'], 'ta')) // true
 */
export const exactBleeds = (rule: Rule, target: string): boolean => exactRelations(rule, target).bleeds

/** Smaller than any sum. */
const UNREACHED = -1_000_000_000

/** A walk, newest letter first. */
interface Walk {
  readonly letter: number
  readonly before: Walk | null
  readonly read: number
  readonly written: number
}

function spell(m: Machine, walk: Walk | null): string {
  let out = ''
  for (let at = walk; at !== null; at = at.before) out = m.letters[at.letter] + out
  return out
}

/** {@link countedEffect} without its string: the largest sum at each state, until one is positive at its end. */
function hasEffect(m: Machine, sign: 1 | -1): boolean {
  const { g, states, reading, writing, stays, flushed } = m
  const k = m.letters.length
  const best = new Array<number>(states).fill(UNREACHED)
  best[0] = 0
  const queue = [0]
  for (let place = 0; place < queue.length; place++) {
    const state = queue[place] as number
    const sum = best[state] as number
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
      if (after + sign * (flushed[kept * g + to] as number) > 0) return true
      best[next] = after
      queue.push(next)
    }
  }
  return false
}

/** Longest sums by length of the walk, until one is positive at its end or nothing improves any more. */
function countedEffect(m: Machine, direction: Direction): Effect | null {
  const sign = direction === 'feeds' ? 1 : -1
  const best = new Int32Array(m.states).fill(UNREACHED)
  const walks = Array.from<Walk | null>({ length: m.states }).fill(null)
  best[0] = 0
  let front = [0]
  const k = m.letters.length
  while (front.length > 0) {
    const reached = new Map<number, { sum: number; walk: Walk }>()
    for (const state of front) {
      const before = walks[state] as Walk | null
      for (let letter = 0; letter < k; letter++) {
        const [next, read, written] = step(m, state, letter)
        const sum = (best[state] as number) + sign * (written - read)
        const held = reached.get(next)
        if (sum <= (best[next] as number) || (held !== undefined && held.sum >= sum)) continue
        const walk: Walk = {
          letter,
          before,
          read: (before?.read ?? 0) + read,
          written: (before?.written ?? 0) + written,
        }
        reached.set(next, { sum, walk })
      }
    }
    front = []
    for (const [state, { sum, walk }] of reached) {
      best[state] = sum
      walks[state] = walk
      front.push(state)
    }
    for (const state of front)
      if ((best[state] as number) + sign * flushedAt(m, state) > 0) {
        const walk = walks[state] as Walk
        return { witness: spell(m, walk), before: walk.read, after: walk.written + flushedAt(m, state) }
      }
  }
  return null
}

/** Plain reachability: one side without any occurrence, the other with one. */
function strictEffect(m: Machine, direction: Direction): Effect | null {
  const k = m.letters.length
  const feeds = direction === 'feeds'
  // Two layers: no occurrence yet, and at least one on the side that must have some.
  const seen = new Uint8Array(m.states * 2)
  let front: { state: number; layer: 0 | 1; walk: Walk | null }[] = [{ state: 0, layer: 0, walk: null }]
  seen[0] = 1
  while (front.length > 0) {
    const next: typeof front = []
    for (const { state, layer, walk } of front)
      for (let letter = 0; letter < k; letter++) {
        const [to, read, written] = step(m, state, letter)
        if ((feeds ? read : written) > 0) continue
        const after = {
          state: to,
          layer: (layer === 1 || (feeds ? written : read) > 0 ? 1 : 0) as 0 | 1,
        }
        if (seen[after.state * 2 + after.layer] === 1) continue
        seen[after.state * 2 + after.layer] = 1
        const longer: Walk = {
          letter,
          before: walk,
          read: (walk?.read ?? 0) + read,
          written: (walk?.written ?? 0) + written,
        }
        const rest = flushedAt(m, after.state)
        const ends = feeds ? after.layer === 1 || rest > 0 : after.layer === 1 && rest === 0
        if (ends) return { witness: spell(m, longer), before: longer.read, after: longer.written + rest }
        next.push({ ...after, walk: longer })
      }
    front = next
  }
  return null
}
