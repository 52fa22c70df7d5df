import type { CandidateRow } from './facts.ts'
import type { Feature } from './features.ts'
import { type Blocks, blocksOf, numbered } from './statistic.ts'
import type { Subject } from './subject.ts'

/** The candidates of all items as rows; each item is a block. */
export interface CandidateRows {
  readonly accepted: Uint8Array
  readonly blocks: Blocks
  readonly blockOf: Int32Array
  readonly clusters: readonly string[]
  readonly features: readonly Feature[]
  readonly rows: readonly CandidateRow[]
  readonly guesses: readonly Feature[]
  readonly items: number
  /** Items with both accepted and other candidates. */
  readonly informativeItems: number
  /** True if some item accepts several candidates. */
  readonly several: boolean
  /** Sum over items of p (1 - p), p the fraction of accepted candidates: the variance of random choices. */
  readonly spread: number
}

export function candidateRows(subjects: readonly Subject[]): CandidateRows {
  const accepted: number[] = []
  const labels: number[] = []
  const clusters: string[] = []
  const columns: { [probe: string]: number[] } = {}
  const guesses: { [probe: string]: number[] } = {}
  const append = (target: { [probe: string]: number[] }, probe: string, value: number): void => {
    target[probe] ??= []
    target[probe].push(value)
  }
  let items = 0
  let informativeItems = 0
  let several = false
  let spread = 0
  const rows: CandidateRow[] = []
  for (const [i, subject] of subjects.entries()) {
    if (subject.answer.kind !== 'candidates') continue
    const { candidates, accepted: right } = subject.answer
    const count = right.filter(Boolean).length
    const share = count / Math.max(1, right.length)
    several ||= count > 1
    items++
    if (share > 0 && share < 1) informativeItems++
    spread += share * (1 - share)
    const alphabetical = [...candidates].sort()
    for (const [at, candidate] of candidates.entries()) {
      rows.push({ subject: i, candidate, at })
      accepted.push(right[at] === true ? 1 : 0)
      labels.push(subject.index)
      clusters.push(subject.cluster)
      const mentions = occurrences(subject.text, candidate)
      append(columns, 'candidate/place', at)
      append(columns, 'candidate/alphabet', alphabetical.indexOf(candidate))
      append(columns, 'candidate/characters', candidate.length)
      append(columns, 'candidate/mentions', mentions.count)
      append(columns, 'candidate/first-mention', mentions.first)
      append(columns, 'candidate/last-mention', mentions.last)
      for (const [name, guess] of Object.entries(subject.guesses)) append(guesses, name, guess === candidate ? 1 : 0)
    }
  }
  const asFeatures = (target: { [probe: string]: number[] }): Feature[] =>
    Object.entries(target).map(([probe, values]) => ({ probe, values: Float64Array.from(values) }))
  return {
    accepted: Uint8Array.from(accepted),
    blocks: blocksOf(labels),
    blockOf: numbered(labels),
    clusters,
    rows,
    features: asFeatures(columns),
    guesses: asFeatures(guesses),
    items,
    informativeItems,
    several,
    spread,
  }
}

/** Whole-word occurrences: how many, and the offsets of the first and the last; -1: none. */
function occurrences(text: string, word: string): { count: number; first: number; last: number } {
  let count = 0
  let first = -1
  let last = -1
  if (word === '') return { count, first, last }
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    if (isWordPart(text[at - 1]) || isWordPart(text[at + word.length])) continue
    count++
    if (first < 0) first = at
    last = at
  }
  return { count, first, last }
}

const isWordPart = (c: string | undefined): boolean => c !== undefined && /[\p{L}\p{N}_]/u.test(c)
