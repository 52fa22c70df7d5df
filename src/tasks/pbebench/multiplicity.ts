import { type Rule, replaceAll } from '../../libraries/rewriting/index.ts'
import { corpusOf } from './sampling/left-sides.ts'
import type { Examples } from './types.ts'

/**
 * How many cascades answer a question, counted exactly in corners of the space of all cascades that can be searched
 * whole. Rules are counted as texts of the question's letters, within its limits (right sides may be empty), and every rule
 * must change a word when it runs: a rule that does nothing could be added anywhere.
 */

/** Cascades of one and of two rules that give the outputs. The cost grows with the number of right sides. */
export function countShort(question: Examples): { readonly one: number; readonly two: number } {
  const found = shortCascades(question)
  const one = found.filter((cascade) => cascade.length === 1).length
  return { one, two: found.length - one }
}

/**
 * All cascades of one and of two rules that give the outputs. A changed word that the first rule does not touch is the
 * second rule's alone, which leaves few second rules.
 */
export function shortCascades({ inputs, outputs, limits: { letters, side } }: Examples): readonly (readonly Rule[])[] {
  const [start, goal] = [corpusOf(inputs), corpusOf(outputs)]
  const out: (readonly Rule[])[] = oneRule(start, goal, side).map((rule) => [rule])
  for (const [left, rights] of effective(start, letters, side)) {
    const parts = start.split(left)
    const untouched = [...inputs.keys()].filter((i) => inputs[i] !== outputs[i] && !inputs[i]?.includes(left))
    if (untouched.length === 0) {
      for (const right of rights)
        for (const rule of oneRule(parts.join(right), goal, side)) out.push([[left, right], rule])
      continue
    }
    const [before, after] = [inputs, outputs].map((words) => corpusOf(untouched.map((i) => words[i] as string))) as [
      string,
      string,
    ]
    const touched = inputs.findIndex((word) => word.includes(left))
    const pieces = (inputs[touched] as string).split(left)
    for (const rule of oneRule(before, after, side))
      for (const right of rights) {
        if (replaceAll(pieces.join(right), rule) !== outputs[touched]) continue
        if (replaceAll(parts.join(right), rule) === goal) out.push([[left, right], rule])
      }
  }
  return out
}

/** Does one rule within the side limit, of any letters, turn the inputs into the outputs? */
export const solvedByOneRule = ({ inputs, outputs }: Pick<Examples, 'inputs' | 'outputs'>, side: number): boolean =>
  oneRule(corpusOf(inputs), corpusOf(outputs), side).length > 0

/** Other rules that could stand at `place`, with the rest of the cascade unchanged. */
export function countReplacements(
  { inputs, outputs, limits }: Examples,
  rules: readonly Rule[],
  place: number,
): number {
  const before = rules.slice(0, place).reduce(replaceAll, corpusOf(inputs))
  const rest = rules.slice(place + 1)
  if (rest.length === 0) return oneRule(before, corpusOf(outputs), limits.side).length - 1
  let count = 0
  const words = before.split('\n')
  for (const [left, rights] of effective(before, limits.letters, limits.side)) {
    // The shortest word that the left side touches refutes nearly all right sides.
    const [probe] = [...words.keys()]
      .filter((i) => (words[i] as string).includes(left))
      .sort((a, b) => (words[a] as string).length - (words[b] as string).length)
    const [word, output] = [words[probe as number] as string, outputs[probe as number] as string]
    for (const right of rights) {
      if (rest.reduce(replaceAll, replaceAll(word, [left, right])) !== output) continue
      let now = replaceAll(before, [left, right])
      let works = true
      for (const rule of rest) {
        const next = replaceAll(now, rule)
        works &&= next !== now
        now = next
      }
      if (works && now === corpusOf(outputs)) count++
    }
  }
  return count - 1
}

/** Rules of the cascade that can be omitted, one at a time. */
export function countSpare({ inputs, outputs }: Examples, rules: readonly Rule[]): number {
  const [start, goal] = [corpusOf(inputs), corpusOf(outputs)]
  return rules.filter((_, k) => rules.toSpliced(k, 1).reduce(replaceAll, start) === goal).length
}

/** Left sides that stand in the words, each with all right sides that differ from it. */
function* effective(corpus: string, letters: string, side: number): Generator<readonly [string, Iterable<string>]> {
  const lefts = new Set<string>()
  for (let at = 0; at < corpus.length; at++)
    for (let n = 1; n <= side && at + n <= corpus.length; n++) {
      const left = corpus.slice(at, at + n)
      if (left.includes('\n')) break
      lefts.add(left)
    }
  const rights = textsUpTo(letters, side)
  for (const left of lefts) yield [left, rights.filter((right) => right !== left)]
}

function textsUpTo(letters: string, length: number): readonly string[] {
  const all = ['']
  let layer = ['']
  for (let n = 0; n < length; n++) {
    layer = layer.flatMap((text) => Array.from(letters, (letter) => text + letter))
    all.push(...layer)
  }
  return all
}

/**
 * Rules that turn one corpus into the other. The left side starts at or before the first difference, which determines
 * the right side: its length from the lengths of that word, its letters from the output.
 */
function oneRule(corpus: string, goal: string, side: number): readonly Rule[] {
  let first = 0
  while (first < corpus.length && corpus[first] === goal[first]) first++
  if (first === corpus.length && first === goal.length) return []
  // The word around the first difference, in both.
  const from = first === 0 ? 0 : corpus.lastIndexOf('\n', first - 1) + 1
  const word = corpus.slice(from, end(corpus, first))
  const output = goal.slice(from, end(goal, first))
  const found: Rule[] = []
  const tried = new Set<string>()
  for (let at = 0; at <= first - from; at++)
    for (let n = 1; n <= side && at + n <= word.length; n++) {
      const left = word.slice(at, at + n)
      if (tried.has(left) || word.indexOf(left) !== at) continue
      tried.add(left)
      const times = word.split(left).length - 1
      const length = n + (output.length - word.length) / times
      if (!Number.isInteger(length) || length < 0 || length > side) continue
      const right = output.slice(at, at + length)
      if (corpus.split(left).join(right) === goal) found.push([left, right])
    }
  return found
}

const end = (corpus: string, at: number): number => {
  const stop = corpus.indexOf('\n', at)
  return stop === -1 ? corpus.length : stop
}
