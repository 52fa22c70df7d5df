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

/** Log-probability of an impossible token. */
const never = -25

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
  const single = new Summary()
  const parents = new Summary()
  for (const t of tokens) {
    single.add(at(local.token, t))
    parents.add(local.parents[t] ?? 0)
  }
  single.write(counts, 'token')
  parents.write(counts, 'parents')
  if (level < 2) return counts
  const [all, legal, bond, double] = [new Summary(), new Summary(), new Summary(), new Summary()]
  let [surprisal, before] = [first + last, 0]
  for (let i = 1; i < tokens.length; i++) {
    const t = tokens[i] as number
    const pair = at(local.next[tokens[i - 1] as number], t)
    all.add(pair)
    if (pair > never) {
      legal.add(pair)
      // Log-likelihood beyond that of the tokens alone.
      bond.add(pair - at(local.token, t))
    }
    if (i > 1) double.add(pair + before)
    surprisal += pair
    before = pair
  }
  all.write(counts, 'pair')
  counts.set('illegal pairs', all.count - legal.count)
  legal.write(counts, 'legal pair')
  bond.write(counts, 'bond')
  counts.set('surprisal', surprisal)
  if (level > 2) double.write(counts, 'two pairs')
  return counts
}

class Summary {
  count = 0
  private mean = 0
  private squares = 0
  private least = Number.POSITIVE_INFINITY
  private most = Number.NEGATIVE_INFINITY

  /** Welford's update. */
  add(value: number): void {
    this.count++
    const off = value - this.mean
    this.mean += off / this.count
    this.squares += off * (value - this.mean)
    if (value < this.least) this.least = value
    if (value > this.most) this.most = value
  }

  write(counts: Counts, name: string): void {
    if (this.count === 0) return
    counts.set(`${name} mean`, this.mean)
    counts.set(`${name} least`, this.least)
    counts.set(`${name} most`, this.most)
    counts.set(`${name} deviation`, Math.sqrt(this.squares / this.count))
  }
}
