import type { AnonymizedQuestion } from '../../../core/index.ts'
import { proofRadius } from '../../../libraries/locality/graph.ts'
import { candidatesOf } from '../../../libraries/locality/local-features.ts'
import type { Choices } from '../answer-kinds.ts'
import { areAlone, type Subject } from '../subject.ts'

/** A question as the attacker sees it, and the place of the right one among its choices. */
export interface Seen {
  readonly subject: Subject
  readonly structure: AnonymizedQuestion
  readonly choices: Choices
  /** Proof radius; Infinity: no local view proves the answer. */
  readonly radius: number
}

/** Rows that one learner is fitted on: items, or candidates of items. */
export interface LocalRows {
  /** Suffix of the probes where there are several such lists. */
  readonly name: string
  readonly seen: readonly Seen[]
  /** The candidate of each row; absent where a row is an item. */
  readonly candidates?: readonly number[]
  readonly classes: number
  readonly keys: Int32Array
  readonly blockLabels: readonly string[]
  /** Rows of one of these lie in one fold: across groups, and inside them. */
  readonly clusters: readonly string[]
  readonly sets: readonly string[]
}

export function seenOf(subjects: readonly Subject[], choices: readonly (Choices | null)[]): Seen[] {
  return subjects.flatMap((subject, i) => {
    const own = choices[i] ?? null
    return subject.structure === null || own === null
      ? []
      : [{ subject, structure: subject.structure, choices: own, radius: proofRadius(subject.structure) }]
  })
}

/** More candidates than this are thinned, by whole items. */
const maxCandidates = 24_000
/** Fewer rows teach a learner nothing worth a test. */
export const leastRows = 200

/** Lists of rows whose answers are alike: choices in the same places, as many of them; or candidates. */
export function localRows(seen: readonly Seen[], conditions: readonly string[]): LocalRows[] {
  const byCount = new Map<number, Seen[]>()
  const candidates: Seen[] = []
  for (const one of seen) {
    if (one.structure.kind === 'statements' && one.structure.candidates !== undefined) candidates.push(one)
    else if (one.choices.accepted.filter(Boolean).length === 1) {
      const count = one.choices.choices.length
      byCount.set(count, [...(byCount.get(count) ?? []), one])
    }
  }
  const lists = [...byCount].map(([count, own]) => classRows(own, count, conditions))
  if (candidates.length > 0) lists.push(candidateRowsOf(candidates))
  return lists.filter(({ keys }) => keys.length >= leastRows)
}

function classRows(seen: readonly Seen[], classes: number, conditions: readonly string[]): LocalRows {
  const alone = areAlone(seen.map(({ subject }) => subject))
  return {
    name: `${classes} choices`,
    seen,
    classes,
    keys: Int32Array.from(seen, ({ choices }) => choices.accepted.indexOf(true)),
    blockLabels: seen.map(({ subject }) =>
      JSON.stringify([
        alone ? null : subject.group,
        subject.unit,
        subject.twin,
        ...conditions.map((name) => subject.features[name] ?? null),
      ]),
    ),
    clusters: seen.map(({ subject }) => subject.cluster),
    sets: seen.map(({ subject }) => `${subject.twin ?? subject.index}`),
  }
}

function candidateRowsOf(all: readonly Seen[]): LocalRows {
  const sizes = all.map(({ structure }) => candidatesOf(structure).length)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const every = Math.max(1, Math.ceil(total / maxCandidates))
  const rows = all
    .filter((_, i) => i % every === 0)
    .flatMap((one) =>
      candidatesOf(one.structure).map(({ term, place }) => ({
        one,
        term,
        right: one.choices.accepted[place] === true,
      })),
    )
  return {
    name: 'candidates',
    seen: rows.map(({ one }) => one),
    candidates: rows.map(({ term }) => term),
    classes: 2,
    keys: Int32Array.from(rows, ({ right }) => (right ? 1 : 0)),
    blockLabels: rows.map(({ one }) => `${one.subject.index}`),
    clusters: rows.map(({ one }) => one.subject.cluster),
    sets: rows.map(({ one }) => `${one.subject.twin ?? one.subject.index}`),
  }
}

/** The rows that pass, as a list of its own. */
export function rowsWhere(rows: LocalRows, keep: (seen: Seen) => boolean): LocalRows {
  const kept = [...rows.seen.keys()].filter((i) => keep(rows.seen[i] as Seen))
  if (kept.length === rows.seen.length) return rows
  const of = <T>(list: readonly T[]): T[] => kept.map((i) => list[i] as T)
  return {
    ...rows,
    seen: of(rows.seen),
    ...(rows.candidates === undefined ? {} : { candidates: of(rows.candidates) }),
    keys: Int32Array.from(kept, (i) => rows.keys[i] as number),
    blockLabels: of(rows.blockLabels),
    clusters: of(rows.clusters),
    sets: of(rows.sets),
  }
}
