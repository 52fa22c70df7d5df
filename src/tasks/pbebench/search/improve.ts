import { below, between, type Stream, sampleIndices } from '../../../core/index.ts'
import type { Rule } from '../../../libraries/rewriting/index.ts'
import { bidirectional } from './bidirectional.ts'
import type { Gap } from './explain.ts'
import { apply, type Meter, type SearchProblem } from './problem.ts'
import type { SearchTables } from './search-tables.ts'

/** The joined words before each rule of a cascade that works, and after the last. */
function statesOf({ inputs }: SearchProblem, rules: readonly Rule[]): string[] {
  const states = [inputs.join('\n')]
  for (const rule of rules) states.push(apply(states.at(-1) as string, [rule]) as string)
  return states
}

/** Drops every rule without which the cascade, one that works, still does. */
export function pruned(problem: SearchProblem, rules: readonly Rule[]): readonly Rule[] {
  const states = statesOf(problem, rules)
  let rest: readonly Rule[] = []
  for (let k = rules.length - 1; k >= 0; k--)
    if (apply(states[k] as string, rest) !== states.at(-1)) rest = [rules[k] as Rule, ...rest]
  return rest
}

/** Exchanges neighbours at random where the outputs stay the same. */
function reordered(problem: SearchProblem, rules: readonly Rule[], stream: Stream): readonly Rule[] {
  let now = rules
  let states = statesOf(problem, rules)
  for (let tries = rules.length; tries > 0 && rules.length > 1; tries--) {
    const k = below(stream, rules.length - 1)
    const swapped = [now[k + 1], now[k]] as Rule[]
    const next = apply(states[k] as string, swapped)
    if (next === null || apply(next, now.slice(k + 2)) !== states.at(-1)) continue
    now = now.toSpliced(k, 2, ...swapped)
    states = statesOf(problem, now)
  }
  return now
}

/** Cuts out consecutive rules and solves again between the words before and after them. */
export function window(
  tables: SearchTables,
  problem: SearchProblem,
  rules: readonly Rule[],
  stream: Stream,
  meter: Meter,
  noise: number,
): Rule[] | null {
  const order = reordered(problem, rules, stream)
  const most = Math.max(3, Math.floor(order.length * 0.6))
  const size = Math.min(order.length, between(stream, Math.min(3, most), most))
  const at = below(stream, order.length - size + 1)
  const before = apply(problem.inputs.join('\n'), order.slice(0, at)) as string
  const after = apply(before, order.slice(at, at + size)) as string
  const gap: Gap = { words: before.split('\n'), outputs: after.split('\n') }
  const found = bidirectional(tables, gap, { most: size, letters: problem.letters, noise }, stream, meter)
  return found === null ? null : [...order.slice(0, at), ...found, ...order.slice(at + size)]
}

/**
 * Drops a few rules that touch some words, runs the kept rules before them on the inputs, undoes the kept rules after
 * them on the outputs, and solves what is left in between.
 */
export function regap(
  tables: SearchTables,
  problem: SearchProblem,
  rules: readonly Rule[],
  stream: Stream,
  meter: Meter,
  noise: number,
): Rule[] | null {
  const states = statesOf(problem, rules).map((corpus) => corpus.split('\n'))
  const dropped = rulesTouching(states, rules.length, stream)
  if (dropped.length === 0) return null
  const split = dropped[below(stream, dropped.length)] as number
  const kept = (k: number) => !dropped.includes(k)
  const early = rules.filter((_, k) => k < split && kept(k))
  const late = rules.map((rule, k) => ({ rule, k })).filter(({ k }) => k > split && kept(k))
  const words = apply(problem.inputs.join('\n'), early)?.split('\n')
  if (words === undefined || words.some((word) => word.length > tables.longest)) return null
  let outputs: readonly string[] = problem.outputs
  for (const { rule, k } of [...late].reverse()) {
    const undone = undo(rule, outputs, states[k] as readonly string[], tables.longest)
    if (undone === null) return null
    outputs = undone
  }
  const options = { most: dropped.length, letters: problem.letters, noise }
  const found = bidirectional(tables, { words, outputs }, options, stream, meter)
  return found === null ? null : [...early, ...found, ...late.map(({ rule }) => rule)]
}

/** 2 to 8 rules that change some randomly chosen words. */
function rulesTouching(states: readonly (readonly string[])[], rules: number, stream: Stream): number[] {
  const words = (states[0] as readonly string[]).length
  const most = Math.min(rules, between(stream, 2, 8))
  const found = new Set<number>()
  for (const word of sampleIndices(stream, words, words)) {
    for (let k = 0; k < rules && found.size < most; k++) if (states[k]?.[word] !== states[k + 1]?.[word]) found.add(k)
    if (found.size >= most) break
  }
  return [...found].sort((a, b) => a - b)
}

/**
 * For each output a word that the rule turns into it: the one of the old run, or with all occurrences undone, or
 * itself.
 */
function undo(
  rule: Rule,
  outputs: readonly string[],
  old: readonly string[],
  longest: number,
): readonly string[] | null {
  const [left, right] = rule
  const out: string[] = []
  for (const [i, output] of outputs.entries()) {
    const all = right === '' ? output : output.split(right).join(left)
    const source = [old[i] as string, all, output].find((text) => text.split(left).join(right) === output)
    if (source === undefined || source.length > longest) return null
    out.push(source)
  }
  return out
}
