import type { AnonymizedQuestion } from '../../core/index.ts'
import { termGraph } from './graph.ts'
import { type Counts, candidateCounts, statementCounts } from './statements.ts'

/** Local features of a question, or of one candidate if the choices are terms of the question. */
export type LocalFeatures = (candidate?: number) => Counts

/** Features of a question within a locality window. */
export function featuresAtLevel(structure: AnonymizedQuestion, level: number): LocalFeatures {
  if (structure.kind === 'string') {
    const counts = localCounts(structure, level)
    return () => counts
  }
  const graph = termGraph(structure)
  const counts = statementCounts(structure, graph, level)
  return (candidate) =>
    candidate === undefined
      ? counts
      : new Map([...counts, ...candidateCounts(structure, graph, candidate, Math.max(1, level))])
}

/** The choices that name a term of the question, with their position among the choices. */
export const candidatesOf = (structure: AnonymizedQuestion): { readonly term: number; readonly choice: number }[] =>
  structure.kind === 'string'
    ? []
    : (structure.candidates ?? []).flatMap((term, choice) => (term === null ? [] : [{ term, choice }]))

type Tokens = Extract<AnonymizedQuestion, { readonly kind: 'string' }>

/** Token of both boundaries of a string. */
const outside = -1
/** Log-probability of an impossible token. */
const never = -25

/** A string of tokens between its boundaries. */
const bounded = ({ tokens }: Tokens): readonly number[] => [outside, ...tokens, outside]

/** All k-grams of a string with both boundaries, k from 1 to `longest`, as texts of their tokens. */
export function grams(structure: Tokens, longest: number): string[] {
  const line = bounded(structure)
  const found: string[] = []
  for (let k = 1; k <= longest; k++)
    for (let at = 0; at + k <= line.length; at++) found.push(line.slice(at, at + k).join(' '))
  return found
}

/** Tokens by position from either end, and prefixes and suffixes, up to `reach` tokens. */
export function positionalTokens({ tokens }: Tokens, reach: number): string[] {
  const found: string[] = [`length ${tokens.length}`]
  for (let i = 0; i < Math.min(reach, tokens.length); i++) {
    found.push(`from start ${i} ${tokens[i]}`, `from end ${i} ${tokens[tokens.length - 1 - i]}`)
    found.push(`first ${tokens.slice(0, i + 1).join(' ')}`, `last ${tokens.slice(tokens.length - 1 - i).join(' ')}`)
  }
  return found
}

/** Statistics of a string under local statistics of its grammar, comparable across grammars. Level 1: tokens; 2: pairs. */
export function localCounts({ tokens, local }: Tokens, level: number): Counts {
  const counts: Counts = new Map()
  counts.set('length', tokens.length)
  counts.set('distinct tokens', new Set(tokens).size)
  if (local === undefined || level < 1) return counts
  const at = (row: readonly (number | null)[] | undefined, t: number | undefined): number =>
    t === undefined ? never : (row?.[t] ?? never)
  const first = at(local.first, tokens[0])
  const last = at(local.last, tokens.at(-1))
  counts.set('begins', first)
  counts.set('ends', last)
  counts.set('may begin', first > never ? 1 : 0)
  counts.set('may end', last > never ? 1 : 0)
  summed(
    counts,
    'token',
    tokens.map((t) => at(local.token, t)),
  )
  summed(
    counts,
    'parents',
    tokens.map((t) => local.parents[t] ?? 0),
  )
  if (level < 2) return counts
  const pairs = tokens.slice(1).map((t, i) => at(local.next[tokens[i] as number], t))
  summed(counts, 'pair', pairs)
  counts.set('illegal pairs', pairs.filter((value) => value === never).length)
  summed(
    counts,
    'legal pair',
    pairs.filter((value) => value > never),
  )
  // Log-likelihood beyond that of the tokens alone.
  summed(
    counts,
    'bond',
    pairs.flatMap((value, i) => (value > never ? [value - at(local.token, tokens[i + 1])] : [])),
  )
  counts.set('surprisal', first + last + pairs.reduce((sum, value) => sum + value, 0))
  if (level < 3) return counts
  summed(
    counts,
    'two pairs',
    pairs.slice(1).map((value, i) => value + (pairs[i] as number)),
  )
  return counts
}

function summed(counts: Counts, name: string, values: readonly number[]): void {
  if (values.length === 0) return
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  counts.set(`${name} mean`, mean)
  counts.set(`${name} least`, Math.min(...values))
  counts.set(`${name} most`, Math.max(...values))
  counts.set(
    `${name} deviation`,
    Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length),
  )
}
