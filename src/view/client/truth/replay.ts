import { applyRule, CORPUS_LIMIT, countApart, type Rule } from '../../../libraries/rewriting/index.ts'

/** What a cascade does to its words when only some of its rules run: by word, its form after each rule (the first: before any). */
export type Replay =
  | { readonly kind: 'ran'; readonly rows: readonly (readonly string[])[] }
  /** The words became too long at rule number `rule` (from 0). */
  | { readonly kind: 'outgrown'; readonly rule: number }

/** Runs the rules that are not dropped; a dropped one leaves every word as it is. */
export function replay(words: readonly string[], rules: readonly Rule[], dropped: ReadonlySet<number>): Replay {
  const states: (readonly string[])[] = [words]
  for (const [k, rule] of rules.entries()) {
    const before = states.at(-1) ?? words
    const after = dropped.has(k) ? before : applyRule(before, rule)
    if (after.reduce((sum, word) => sum + word.length, 0) > CORPUS_LIMIT) return { kind: 'outgrown', rule: k }
    states.push(after)
  }
  return { kind: 'ran', rows: words.map((word, i) => states.map((state) => state[i] ?? word)) }
}

/** What an earlier rule did for a later one on these words, shown by leaving the earlier one out. */
export interface Influence {
  readonly from: number
  readonly to: number
  /** Feeds: on some word the later rule finds more places because the earlier one ran; bleeds: fewer. */
  readonly kind: 'feeds' | 'bleeds'
  /** Numbers of the words that show it. */
  readonly words: readonly number[]
}

/** Every influence between two rules on these words. Rules with an empty left side stand apart: they match everywhere. */
export function influences(words: readonly string[], rules: readonly Rule[]): readonly Influence[] {
  const all = replay(words, rules, new Set())
  if (all.kind === 'outgrown') return []
  return rules.flatMap((_, from) => {
    const without = replay(words, rules, new Set([from]))
    return without.kind === 'outgrown' ? [] : onLater(all.rows, without.rows, rules, from)
  })
}

type Rows = readonly (readonly string[])[]

function onLater(all: Rows, without: Rows, rules: readonly Rule[], from: number): readonly Influence[] {
  return rules.flatMap(([left], to): readonly Influence[] => {
    if (to <= from || left === '') return []
    const gained = all.map((row, i) => countApart(row[to] ?? '', left) - countApart(without[i]?.[to] ?? '', left))
    const where = (sign: 1 | -1): readonly number[] => gained.flatMap((more, i) => (more * sign > 0 ? [i] : []))
    return (
      [
        { from, to, kind: 'feeds', words: where(1) },
        { from, to, kind: 'bleeds', words: where(-1) },
      ] as const
    ).filter((one) => one.words.length > 0)
  })
}
