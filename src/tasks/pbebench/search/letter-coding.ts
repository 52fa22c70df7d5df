import type { Rule } from '../../../libraries/rewriting/index.ts'
import type { SearchProblem } from './problem.ts'

/** A problem whose letters are one code unit each, so that no rule cuts one in half, with the way there and back. */
export interface LetterCoding {
  readonly problem: SearchProblem
  readonly to: (rules: readonly Rule[]) => readonly Rule[]
  readonly back: (rules: readonly Rule[]) => readonly Rule[]
}

/** The units that may stand for letters above U+FFFF: private use and what follows. */
const FIRST = 0xe000
const LAST = 0xfffd

/** Gothic, cuneiform and other letters above U+FFFF get stand-ins that the problem does not use; others stay. */
export function letterCoding(problem: SearchProblem): LetterCoding {
  const { inputs, outputs, letters } = problem
  const used = new Set([...inputs, ...outputs, letters].flatMap((text) => [...text]))
  const high = [...used].filter((letter) => letter.length > 1)
  const same = (rules: readonly Rule[]): readonly Rule[] => rules
  if (high.length === 0) return { problem, to: same, back: same }
  const there = new Map<string, string>()
  const home = new Map<string, string>()
  let unit = FIRST
  for (const letter of high) {
    while (used.has(String.fromCharCode(unit))) unit++
    if (unit > LAST) throw new RangeError(`words of ${high.length} different letters above U+FFFF are not searched`)
    there.set(letter, String.fromCharCode(unit))
    home.set(String.fromCharCode(unit), letter)
    unit++
  }
  const translated = (text: string, by: ReadonlyMap<string, string>): string =>
    Array.from(text, (letter) => by.get(letter) ?? letter).join('')
  const all = (rules: readonly Rule[], by: ReadonlyMap<string, string>): readonly Rule[] =>
    rules.map(([left, right]): Rule => [translated(left, by), translated(right, by)])
  return {
    problem: {
      ...problem,
      inputs: inputs.map((word) => translated(word, there)),
      outputs: outputs.map((word) => translated(word, there)),
      letters: translated(letters, there),
    },
    to: (rules) => all(rules, there),
    back: (rules) => all(rules, home),
  }
}
