import type { AnonymizedQuestion } from '../../../core/index.ts'
import { proofRadius } from '../../../libraries/locality/graph.ts'
import { candidatesOf } from '../../../libraries/locality/local-features.ts'
import type { Choices } from '../answer-kinds.ts'
import { blockLabels, type Subject } from '../subject.ts'

/** An item with choices and its anonymized question. */
export interface LocalItem {
  readonly subject: Subject
  readonly anonymized: AnonymizedQuestion
  readonly choices: Choices
  /** Proof radius; Infinity: no local part of the question proves the answer. */
  readonly radius: number
}

/** Rows of one learner: items, or candidates of items. */
export interface LocalRows {
  /** Suffix of the probes if there are several lists. */
  readonly name: string
  /** The item of each row. */
  readonly items: readonly LocalItem[]
  /** The candidate of each row; absent if rows are items. */
  readonly candidates?: readonly number[]
  readonly classes: number
  readonly keys: Int32Array
  readonly blockLabels: readonly string[]
  /** Rows that must lie in one fold: across groups (`clusters`), and inside groups (`sets`). */
  readonly clusters: readonly string[]
  readonly sets: readonly string[]
}

export function localItemsOf(subjects: readonly Subject[], choices: readonly (Choices | null)[]): LocalItem[] {
  return subjects.flatMap((subject, i) => {
    const own = choices[i] ?? null
    const { anonymized } = subject
    return anonymized === null || own === null
      ? []
      : [{ subject, anonymized, choices: own, radius: proofRadius(anonymized) }]
  })
}

/** Most candidates; beyond, whole items are dropped. */
const MAX_CANDIDATES = 24_000
/** With fewer rows a learner is not tested. */
export const MIN_ROWS = 200

/** Lists of rows with comparable answers: items with the same number of choices, and candidates. */
export function localRows(items: readonly LocalItem[], conditions: readonly string[]): LocalRows[] {
  const byCount = new Map<number, LocalItem[]>()
  const candidates: LocalItem[] = []
  for (const one of items) {
    if (one.anonymized.kind === 'statements' && one.anonymized.candidates !== undefined) candidates.push(one)
    else if (one.choices.accepted.filter(Boolean).length === 1) {
      const count = one.choices.choices.length
      const own = byCount.get(count)
      if (own === undefined) byCount.set(count, [one])
      else own.push(one)
    }
  }
  const lists = [...byCount].map(([count, own]) => classRows(own, count, conditions))
  if (candidates.length > 0) lists.push(candidateRowsOf(candidates))
  return lists.filter(({ keys }) => keys.length >= MIN_ROWS)
}

function classRows(items: readonly LocalItem[], classes: number, conditions: readonly string[]): LocalRows {
  const subjects = items.map(({ subject }) => subject)
  return {
    name: `${classes} choices`,
    items,
    classes,
    keys: Int32Array.from(items, ({ choices }) => choices.accepted.indexOf(true)),
    blockLabels: blockLabels(subjects, conditions),
    clusters: subjects.map(({ cluster }) => cluster),
    sets: subjects.map(({ twin, index }) => `${twin ?? index}`),
  }
}

function candidateRowsOf(all: readonly LocalItem[]): LocalRows {
  const sizes = all.map(({ anonymized }) => candidatesOf(anonymized).length)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const every = Math.max(1, Math.ceil(total / MAX_CANDIDATES))
  const rows = all
    .filter((_, i) => i % every === 0)
    .flatMap((one) =>
      candidatesOf(one.anonymized).map(({ term, choice }) => ({
        one,
        term,
        accepted: one.choices.accepted[choice] === true,
      })),
    )
  return {
    name: 'candidates',
    items: rows.map(({ one }) => one),
    candidates: rows.map(({ term }) => term),
    classes: 2,
    keys: Int32Array.from(rows, ({ accepted }) => (accepted ? 1 : 0)),
    blockLabels: rows.map(({ one }) => `${one.subject.index}`),
    clusters: rows.map(({ one }) => one.subject.cluster),
    sets: rows.map(({ one }) => `${one.subject.twin ?? one.subject.index}`),
  }
}

/** The rows of the items that pass. */
export function rowsWhere(rows: LocalRows, keep: (item: LocalItem) => boolean): LocalRows {
  const kept = [...rows.items.keys()].filter((i) => keep(rows.items[i] as LocalItem))
  if (kept.length === rows.items.length) return rows
  const of = <T>(list: readonly T[]): T[] => kept.map((i) => list[i] as T)
  return {
    ...rows,
    items: of(rows.items),
    ...(rows.candidates === undefined ? {} : { candidates: of(rows.candidates) }),
    keys: Int32Array.from(kept, (i) => rows.keys[i] as number),
    blockLabels: of(rows.blockLabels),
    clusters: of(rows.clusters),
    sets: of(rows.sets),
  }
}
