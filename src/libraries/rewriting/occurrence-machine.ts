import type { Rule } from './cascade.ts'

/**
 * What a rule does to the occurrences of a target, as a machine that reads any string letter by letter. The rule is a
 * Knuth-Morris-Pratt scan that forgets after each match; two more scans count the target in the string read and in the
 * string written. |left| * |target| * |target| states.
 */

/** A scan for overlapping occurrences: next[state * letters + letter], hit marks a full match on the way. */
interface Scan {
  readonly next: readonly number[]
  readonly hit: readonly number[]
}

/**
 * The product in its parts. A state is (held * g + input) * g + output: letters that may begin a left
 * side, and how much of the target the ends of the string read and of the string written may begin.
 */
export interface Machine {
  readonly letters: readonly string[]
  /** Length of the target. */
  readonly g: number
  readonly states: number
  /** Of the string read, by input * letters + letter. */
  readonly reading: Scan
  /** What is held back after a letter, by held * letters + letter. */
  readonly stays: readonly number[]
  /** Where the string written stands after a letter, and the targets it completed, by (held * letters + letter) * g + output. */
  readonly writing: Scan
  /** Targets that the letters still held back complete when the string ends, by held * g + output. */
  readonly flushed: readonly number[]
}

function scan(pattern: readonly number[], letters: number, restart: boolean): Scan {
  const m = pattern.length
  const border = borders(pattern)
  const next: number[] = []
  const hit: number[] = []
  for (let state = 0; state < m; state++)
    for (let letter = 0; letter < letters; letter++) {
      let at = state
      while (at > 0 && pattern[at] !== letter) at = border[at] as number
      if (pattern[at] === letter) at++
      hit.push(at === m ? 1 : 0)
      next.push(at < m ? at : restart ? 0 : (border[m] as number))
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

export function machineOf([left, right]: Rule, target: string): Machine {
  const known: string[] = []
  const code = (text: string): number[] => {
    const out: number[] = []
    for (const symbol of text) {
      const at = known.indexOf(symbol)
      out.push(at === -1 ? known.push(symbol) - 1 : at)
    }
    return out
  }
  const [s, goal] = [code(left), code(target)]
  // All letters that are in neither, those of the right side too, match nothing: one stands for them.
  const other = known.length
  const k = other + 1
  const t = Array.from(right, (symbol) => {
    const at = known.indexOf(symbol)
    return at === -1 ? other : at
  })
  const rewrite = scan(s, k, true)
  const reading = scan(goal, k, false)
  const [m, g] = [s.length, goal.length]
  const after: number[] = []
  const hits: number[] = []
  const flushed: number[] = []
  for (let held = 0; held < m; held++) {
    for (let letter = 0; letter < k; letter++) {
      const edge = held * k + letter
      const matched = rewrite.hit[edge] === 1
      // What is no longer a possible beginning of the left side leaves the window unchanged.
      const leaving = matched ? t.length : held + 1 - (rewrite.next[edge] as number)
      for (let output = 0; output < g; output++) {
        let [at, found] = [output, 0]
        for (let n = 0; n < leaving; n++) {
          const symbol = matched ? (t[n] as number) : n < held ? (s[n] as number) : letter
          found += reading.hit[at * k + symbol] as number
          at = reading.next[at * k + symbol] as number
        }
        after.push(at)
        hits.push(found)
      }
    }
    for (let output = 0; output < g; output++) {
      let [at, found] = [output, 0]
      for (let n = 0; n < held; n++) {
        const symbol = s[n] as number
        found += reading.hit[at * k + symbol] as number
        at = reading.next[at * k + symbol] as number
      }
      flushed.push(found)
    }
  }
  const letters = [...known, freshLetter([...known, ...right])]
  return { letters, g, states: m * g * g, reading, stays: rewrite.next, writing: { next: after, hit: hits }, flushed }
}

function freshLetter(known: readonly string[]): string {
  for (let code = 0x61; ; code++) {
    const letter = String.fromCodePoint(code)
    if (!known.includes(letter)) return letter
  }
}
