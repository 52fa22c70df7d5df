import type { Rule } from './replace.ts'

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

export type Direction = 'feeds' | 'bleeds'

/** null where no string shows it. `left` and `target` must not be empty. */
export function exactEffect(rule: Rule, target: string, direction: Direction, strict = false): Effect | null {
  const [left, right] = rule
  if (left === right) return null
  const m = machine(rule, target)
  return strict ? strictEffect(m, direction) : countedEffect(m, direction)
}

const shareLetter = (a: string, b: string): boolean => {
  for (const letter of a) if (b.includes(letter)) return true
  return false
}

/**
 * Both relations at once. Two cases need no search: a rule whose left side shares no letter with the target cannot touch
 * an occurrence of it, and one whose right side shares none (and is not empty) cannot be part of a new one.
 */
export function exactRelations(rule: Rule, target: string): { readonly feeds: boolean; readonly bleeds: boolean } {
  const [left, right] = rule
  const mayFeed = left !== right && (right === '' || shareLetter(right, target))
  const mayBleed = left !== right && shareLetter(left, target)
  if (!mayFeed && !mayBleed) return { feeds: false, bleeds: false }
  const m = machine(rule, target)
  return {
    feeds: mayFeed && countedEffect(m, 'feeds') !== null,
    bleeds: mayBleed && countedEffect(m, 'bleeds') !== null,
  }
}

export const exactFeeds = (rule: Rule, target: string): boolean => exactRelations(rule, target).feeds
export const exactBleeds = (rule: Rule, target: string): boolean => exactRelations(rule, target).bleeds

/** A scan for overlapping occurrences: next[state * letters + letter], hit marks a full match on the way. */
interface Scan {
  readonly next: Uint8Array
  readonly hit: Uint8Array
}

interface Machine {
  readonly letters: readonly string[]
  readonly states: number
  /** By state * letters + letter. */
  readonly to: Uint16Array
  readonly read: Uint8Array
  readonly written: Uint8Array
  /** What the letters still held back write when the string ends here. */
  readonly flushed: Uint8Array
}

function scan(pattern: readonly number[], letters: number, restart: boolean): Scan {
  const m = pattern.length
  const border = borders(pattern)
  const next = new Uint8Array(m * letters)
  const hit = new Uint8Array(m * letters)
  for (let state = 0; state < m; state++)
    for (let letter = 0; letter < letters; letter++) {
      let at = state
      while (at > 0 && pattern[at] !== letter) at = border[at] as number
      if (pattern[at] === letter) at++
      if (at === m) {
        hit[state * letters + letter] = 1
        at = restart ? 0 : (border[m] as number)
      }
      next[state * letters + letter] = at
    }
  return { next, hit }
}

/** border[k]: the longest proper prefix of pattern[0..k) that is also its end. */
function borders(pattern: readonly number[]): number[] {
  const border = [0, 0]
  for (let k = 1; k < pattern.length; k++) {
    let at = border[k] as number
    while (at > 0 && pattern[at] !== pattern[k]) at = border[at] as number
    border.push(pattern[at] === pattern[k] ? at + 1 : 0)
  }
  return border
}

function machine([left, right]: Rule, target: string): Machine {
  const known = [...new Set([...left, ...right, ...target])]
  // One letter that is in none of the three strings stands for all such letters.
  const letters = [...known, freshLetter(known)]
  const code = (text: string): number[] => [...text].map((symbol) => known.indexOf(symbol))
  const [s, t, goal] = [code(left), code(right), code(target)]
  const k = letters.length
  const rewrite = scan(s, k, true)
  const count = scan(goal, k, false)
  const [m, g] = [s.length, goal.length]
  const states = m * g * g
  const to = new Uint16Array(states * k)
  const read = new Uint8Array(states * k)
  const written = new Uint8Array(states * k)
  const flushed = new Uint8Array(states)
  const write = (from: number, symbols: readonly number[]): [state: number, hits: number] => {
    let [at, hits] = [from, 0]
    for (const symbol of symbols) {
      hits += count.hit[at * k + symbol] as number
      at = count.next[at * k + symbol] as number
    }
    return [at, hits]
  }
  for (let held = 0; held < m; held++)
    for (let output = 0; output < g; output++) {
      const rest = write(output, s.slice(0, held))[1]
      for (let input = 0; input < g; input++) flushed[(held * g + input) * g + output] = rest
      for (let letter = 0; letter < k; letter++) {
        const edge = held * k + letter
        const stays = rewrite.next[edge] as number
        // What is no longer a possible beginning of the left side leaves the window as it came.
        const leaves = rewrite.hit[edge] === 1 ? t : [...s.slice(0, held), letter].slice(0, held + 1 - stays)
        const [after, hits] = write(output, leaves)
        for (let input = 0; input < g; input++) {
          const from = ((held * g + input) * g + output) * k + letter
          to[from] = (stays * g + (count.next[input * k + letter] as number)) * g + after
          read[from] = count.hit[input * k + letter] as number
          written[from] = hits
        }
      }
    }
  return { letters, states, to, read, written, flushed }
}

function freshLetter(known: readonly string[]): string {
  for (let code = 0x61; ; code++) {
    const letter = String.fromCodePoint(code)
    if (!known.includes(letter)) return letter
  }
}

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

/** Longest sums by length of the walk, until one is positive at its end or nothing improves any more. */
function countedEffect(m: Machine, direction: Direction): Effect | null {
  const sign = direction === 'feeds' ? 1 : -1
  const best = new Int32Array(m.states).fill(-1_000_000_000)
  const walks = Array.from<Walk | null>({ length: m.states }).fill(null)
  best[0] = 0
  let front = [0]
  const k = m.letters.length
  while (front.length > 0) {
    const reached = new Map<number, { sum: number; walk: Walk }>()
    for (const state of front) {
      const before = walks[state] as Walk | null
      for (let letter = 0; letter < k; letter++) {
        const edge = state * k + letter
        const next = m.to[edge] as number
        const sum = (best[state] as number) + sign * ((m.written[edge] as number) - (m.read[edge] as number))
        const held = reached.get(next)
        if (sum <= (best[next] as number) || (held !== undefined && held.sum >= sum)) continue
        const walk: Walk = {
          letter,
          before,
          read: (before?.read ?? 0) + (m.read[edge] as number),
          written: (before?.written ?? 0) + (m.written[edge] as number),
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
      if ((best[state] as number) + sign * (m.flushed[state] as number) > 0) {
        const walk = walks[state] as Walk
        return { witness: spell(m, walk), before: walk.read, after: walk.written + (m.flushed[state] as number) }
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
        const edge = state * k + letter
        const [read, written] = [m.read[edge] as number, m.written[edge] as number]
        if ((feeds ? read : written) > 0) continue
        const after = {
          state: m.to[edge] as number,
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
        const rest = m.flushed[after.state] as number
        const ends = feeds ? after.layer === 1 || rest > 0 : after.layer === 1 && rest === 0
        if (ends) return { witness: spell(m, longer), before: longer.read, after: longer.written + rest }
        next.push({ ...after, walk: longer })
      }
    front = next
  }
  return null
}
