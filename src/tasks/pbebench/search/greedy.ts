import { float, type Stream } from '../../../core/index.ts'
import type { Rule } from '../../../libraries/rewriting/index.ts'
import { sum } from '../../../libraries/statistics/index.ts'
import { wordDistance } from '../grade.ts'
import { Explanation } from './explain.ts'
import { type Budget, Meter, type SearchProblem } from './problem.ts'
import { SearchTables } from './search-tables.ts'

/** Rules that are tried in one state. */
const WIDTH = 60

/**
 * Forward search: applies the rule that brings the words closest to the outputs in summed edit distance, until they are
 * equal or the limit is reached; then again with noise. Returns the rules of a solution, or of the closest run.
 */
export function greedySearch(problem: SearchProblem, stream: Stream, budget: Budget): readonly Rule[] {
  const meter = new Meter(budget)
  const tables = new SearchTables(problem.side, problem)
  let best: readonly Rule[] = []
  /** How far the i-th word is from its output. */
  const distanceOf = (word: string, i: number): number => wordDistance(word, problem.outputs[i] as string)
  let closest = sum(problem.inputs.map(distanceOf))
  for (let run = 0; closest > 0 && !meter.spent; run++) {
    tables.tidy()
    const { rules, distance } = oneRun(tables, problem, distanceOf, run === 0 ? 0 : 1, stream, meter)
    if (distance >= closest) continue
    best = rules
    closest = distance
  }
  return best
}

function oneRun(
  tables: SearchTables,
  problem: SearchProblem,
  distanceOf: (word: string, i: number) => number,
  noise: number,
  stream: Stream,
  meter: Meter,
) {
  const { outputs } = problem
  const rules: Rule[] = []
  let words = problem.inputs
  let distances = words.map(distanceOf)
  let distance = sum(distances)
  while (distance > 0 && rules.length < problem.rules && !meter.spent) {
    meter.step()
    const known = new Explanation(tables, { words, outputs }, 0, stream)
    const tried = [...known.possible]
      .filter((id) => known.countOf(id) > 0 && tables.pieces.right(id).length <= problem.side)
      .sort((a, b) => known.countOf(b) - known.countOf(a))
      .slice(0, WIDTH)
    known.close()
    let best: { rule: Rule; words: readonly string[]; distances: number[]; value: number } | null = null
    for (const id of tried) {
      meter.step()
      const rule: Rule = [tables.pieces.left(id), tables.pieces.right(id)]
      const next = words.map((word) => (word.includes(rule[0]) ? word.split(rule[0]).join(rule[1]) : word))
      const after = next.map((word, i) => (word === words[i] ? (distances[i] as number) : distanceOf(word, i)))
      const value = sum(after) + noise * 2 * float(stream)
      if (best === null || value < best.value) best = { rule, words: next, distances: after, value }
    }
    if (best === null) break
    const total = sum(best.distances)
    if (total >= distance && noise === 0) break
    rules.push(best.rule)
    words = best.words
    distances = best.distances
    distance = total
  }
  return { rules, distance }
}
