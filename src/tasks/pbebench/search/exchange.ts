import { below, pick, type Stream } from '../../../core/index.ts'
import type { Rule } from '../../../rewriting/index.ts'
import { apply, type Meter, type SearchProblem } from './problem.ts'
import { sources } from './rewrites.ts'

/** Exchanges tried in one walk. */
const TRIES = 100

/**
 * Looks for a cascade that is one rule shorter, among those that nearly work: the rule that is missed least goes; then a
 * rule that puts one wrong word right comes in somewhere, the rule that is now missed least goes, and so on, as long as
 * no more words get wrong (an ejection chain). Null where the walk ends with a word wrong. No word may grow beyond
 * `longest` letters when rules are undone.
 */
export function exchange(
  problem: SearchProblem,
  rules: readonly Rule[],
  longest: number,
  stream: Stream,
  meter: Meter,
): readonly Rule[] | null {
  let now = withoutLeastMissed(problem, rules, -1, stream, meter)
  for (let tries = 0; tries < TRIES && now !== null && !meter.spent; tries++) {
    const { rules: known, states, wrong } = now
    if (wrong.length === 0) return known
    meter.step()
    const index = pick(stream, wrong)
    const at = below(stream, known.length + 1)
    const word = states[at]?.[index] as string
    const goal = undone(problem.outputs[index] as string, known.slice(at), longest, stream)
    const fitting = goal === null || goal === word ? [] : repairs(word, goal, problem.side)
    if (fitting.length === 0) continue
    const more = known.toSpliced(at, 0, pick(stream, fitting))
    const next = withoutLeastMissed(problem, more, at, stream, meter)
    if (next !== null && next.wrong.length <= wrong.length) now = next
  }
  return null
}

/** A cascade, the words before each of its rules and after the last, and which of them are wrong in the end. */
interface Run {
  readonly rules: readonly Rule[]
  readonly states: readonly (readonly string[])[]
  readonly wrong: readonly number[]
}

/** Null where words outgrow all bounds on the way. */
function runOf({ inputs, outputs }: SearchProblem, rules: readonly Rule[]): Run | null {
  const states = [inputs]
  let corpus: string | null = inputs.join('\n')
  for (const rule of rules) {
    corpus = apply(corpus, [rule])
    if (corpus === null) return null
    states.push(corpus.split('\n'))
  }
  const last = states.at(-1) as readonly string[]
  return { rules, states, wrong: outputs.flatMap((output, i) => (last[i] === output ? [] : [i])) }
}

/** The rules that by themselves turn the word into the goal, another one: all rewrite a place about the first difference. */
function repairs(word: string, goal: string, side: number): readonly Rule[] {
  let same = 0
  while (same < word.length && word[same] === goal[same]) same++
  const found: Rule[] = []
  for (let at = Math.max(0, same - side); at <= same; at++)
    for (let l = 1; l <= side && at + l <= word.length; l++)
      for (let r = 0; r <= side && at + r <= goal.length; r++) {
        const rule: Rule = [word.slice(at, at + l), goal.slice(at, at + r)]
        if (word.split(rule[0]).join(rule[1]) === goal) found.push(rule)
      }
  return found
}

/** A random text that the rules turn into the output; null where a rule cannot have left what stands there. */
function undone(output: string, rules: readonly Rule[], longest: number, stream: Stream): string | null {
  let text = output
  for (let k = rules.length - 1; k >= 0; k--) {
    const rule = rules[k] as Rule
    const [left, right] = rule
    const options = right === '' || !text.includes(right) ? [] : sources(text, rule)
    if (!text.includes(left)) options.push(text)
    if (options.length === 0) return null
    text = pick(stream, options)
    if (text.length > longest) return null
  }
  return text
}

/** The cascade without the rule, other than the one at `keep`, whose loss leaves the fewest words wrong; of several any. */
function withoutLeastMissed(
  problem: SearchProblem,
  rules: readonly Rule[],
  keep: number,
  stream: Stream,
  meter: Meter,
): Run | null {
  // As much work as evaluating a rule in one or two states: of the other rules' words few are run.
  meter.step()
  const whole = runOf(problem, rules)
  if (whole === null) return null
  let fewest = Number.POSITIVE_INFINITY
  let places: number[] = []
  for (let k = 0; k < rules.length; k++) {
    if (k === keep) continue
    const wrong = wrongWithout(problem, whole, k)
    if (wrong > fewest) continue
    if (wrong < fewest) places = []
    fewest = wrong
    places.push(k)
  }
  return places.length === 0 ? null : runOf(problem, rules.toSpliced(pick(stream, places), 1))
}

/** How many words are wrong where rule k is left out: only those that it changes are run anew. */
function wrongWithout({ outputs }: SearchProblem, { rules, states, wrong }: Run, k: number): number {
  const [before, after] = [states[k] as readonly string[], states[k + 1] as readonly string[]]
  const changed = [...before.keys()].filter((i) => before[i] !== after[i])
  if (changed.length === 0) return wrong.length
  const ends = apply(changed.map((i) => before[i]).join('\n'), rules.slice(k + 1))?.split('\n')
  if (ends === undefined) return Number.POSITIVE_INFINITY
  const now = changed.filter((i, place) => ends[place] !== outputs[i]).length
  return wrong.length - changed.filter((i) => wrong.includes(i)).length + now
}
