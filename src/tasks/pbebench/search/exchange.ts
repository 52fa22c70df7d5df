import { below, pick, type Stream } from '../../../core/index.ts'
import type { Rule } from '../../../libraries/rewriting/index.ts'
import type { Meter, SearchProblem } from './problem.ts'
import { type Run, Runs } from './runs.ts'
import type { SearchTables } from './search-tables.ts'

/** Exchanges tried in one walk. */
const TRIES = 100

/**
 * Searches for a cascade that is one rule shorter among those that nearly work (an ejection chain): drops the rule
 * whose loss hurts least, inserts a rule that corrects one wrong word, drops the next, and so on, while the number of
 * wrong words does not grow. Otherwise returns another cascade of the old length found on the way, which lets the
 * search drift, or null.
 */
export function exchange(
  tables: SearchTables,
  problem: SearchProblem,
  rules: readonly Rule[],
  stream: Stream,
  meter: Meter,
): readonly Rule[] | null {
  tables.tidy()
  const { words, pieces, rewrites } = tables
  const outputs = problem.outputs.map((word) => words.id(word))
  const runs = new Runs(tables, problem)
  let now = withoutLeastMissed(runs, runs.of(rules), -1, stream, meter)
  const rulesOf = (cascade: readonly number[]) => cascade.map((piece) => rewrites.ruleOf(piece))
  let asLong: readonly Rule[] | null = null
  for (let tries = 0; tries < TRIES && now !== null && !meter.spent; tries++) {
    const { pieces: known, paths, wrong } = now
    if (wrong.length === 0) return rulesOf(known)
    meter.step()
    const index = pick(stream, wrong)
    const at = below(stream, known.length + 1)
    const word = paths[index]?.[at] as number
    const goal = undone(tables, outputs[index] as number, known.slice(at), stream)
    const fitting =
      goal === null || goal === word
        ? []
        : repairs(words.texts[word] as string, words.texts[goal] as string, tables.side)
    if (fitting.length === 0) continue
    const more = runs.inserted(now, at, pieces.id(...pick(stream, fitting)))
    if (more?.wrong.length === 0) asLong = rulesOf(more.pieces)
    const next = withoutLeastMissed(runs, more, at, stream, meter)
    if (next !== null && next.wrong.length <= wrong.length) now = next
  }
  return asLong
}

/** The rules that by themselves turn the word into the goal, another one: all rewrite a place about the first difference. */
function repairs(word: string, goal: string, side: number): readonly Rule[] {
  let same = 0
  while (same < word.length && word[same] === goal[same]) same++
  const growth = goal.length - word.length
  const found: Rule[] = []
  for (let at = Math.max(0, same - side); at <= same; at++)
    for (let l = 1; l <= side && at + l <= word.length; l++)
      for (let r = 0; r <= side && at + r <= goal.length; r++) {
        // A rule applies a whole number of times.
        if (l === r ? growth !== 0 : growth / (r - l) < 1 || growth % (r - l) !== 0) continue
        const rule: Rule = [word.slice(at, at + l), goal.slice(at, at + r)]
        if (word.split(rule[0]).join(rule[1]) === goal) found.push(rule)
      }
  return found
}

/** A random word that the rules turn into the output; null where a rule cannot have left what stands there. */
function undone(tables: SearchTables, output: number, rules: readonly number[], stream: Stream): number | null {
  const { pieces } = tables
  let word = output
  for (const piece of rules.toReversed()) {
    const text = tables.words.texts[word] as string
    const written = pieces.right(piece)
    const options = written === '' || !text.includes(written) ? [] : [...tables.rewrites.before(piece, word)]
    if (!text.includes(pieces.left(piece))) options.push(word)
    if (options.length === 0) return null
    word = pick(stream, options)
    if ((tables.words.texts[word] as string).length > tables.longest) return null
  }
  return word
}

/** The cascade without the rule (not at `keep`) whose loss leaves the fewest words wrong; ties at random. */
function withoutLeastMissed(runs: Runs, whole: Run | null, keep: number, stream: Stream, meter: Meter): Run | null {
  // About as much work as evaluating a rule in one or two states.
  meter.step()
  if (whole === null) return null
  let fewest = Number.POSITIVE_INFINITY
  let places: number[] = []
  for (let k = 0; k < whole.pieces.length; k++) {
    if (k === keep) continue
    const wrong = runs.wrongWithout(whole, k, fewest)
    if (wrong > fewest) continue
    if (wrong < fewest) places = []
    fewest = wrong
    places.push(k)
  }
  return places.length === 0 ? null : runs.without(whole, pick(stream, places))
}
