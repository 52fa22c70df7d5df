import type { AnonymizedQuestion } from '../../../core/index.ts'
import { boostedTrees } from '../../../libraries/locality/boosted-trees.ts'
import type { Learner } from '../../../libraries/locality/columns.ts'
import { type Binned, binned, columnsOf } from '../../../libraries/locality/columns.ts'
import { factTables } from '../../../libraries/locality/fact-tables.ts'
import {
  featuresAtLevel,
  grams,
  type LocalFeatures,
  positionalTokens,
} from '../../../libraries/locality/local-features.ts'
import type { Feature } from '../features.ts'
import { dealFolds } from '../folds.ts'
import { eventsOf, naiveBayes, nearestCounts } from '../learners.ts'
import { ridgeLogistic } from '../logistic.ts'
import { byItem, type Measured, overItems, testLearner } from '../measure.ts'
import { numbered } from '../statistic.ts'
import { areUngrouped } from '../subject.ts'
import { type LocalItem, type LocalRows, localRows, MIN_ROWS, rowsWhere } from './rows.ts'
import { type WorstGroups, worstGroups } from './worst-groups.ts'

type Tokens = Extract<AnonymizedQuestion, { readonly kind: 'string' }>

/** Local features of the rows at a level, as columns. */
export function localColumns({ items, candidates }: LocalRows, level: number): Feature[] {
  const features = new Map<AnonymizedQuestion, LocalFeatures>()
  return columnsOf(
    items.map(({ anonymized }, i) => {
      const own = features.get(anonymized) ?? featuresAtLevel(anonymized, level)
      features.set(anonymized, own)
      return own(candidates?.[i])
    }),
  )
}

/** The learners of a level on its columns. */
export function columnLearners(columns: readonly Feature[], level: number): Learner[] {
  if (columns.length === 0) return []
  const coarse = binned(columns, 8)
  const name = (learner: string) => `local-${level}/${learner}`
  return [
    boostedTrees(name('boosted-trees'), binned(columns, 32)),
    factTables(name('tables'), coarse),
    ridgeLogistic(columns, { probe: name('logistic'), columns: 50, strongest: 20 }),
    naiveBayes(name('naive-bayes'), binEvents(coarse)),
    nearestCounts(name('nearest'), coarse),
  ]
}

function binEvents({ bins, columns }: Binned) {
  const rows = columns[0]?.length ?? 0
  return eventsOf(
    bins * columns.length,
    Array.from({ length: rows }, (_, row) => columns.map((column, c) => c * bins + (column[row] as number))),
  )
}

/** Naive Bayes on the tokens of strings, which mean nothing outside their group. */
export function gramLearners({ items }: LocalRows, level: number): Learner[] {
  const events = (of: (tokens: Tokens) => readonly string[]) => {
    const ids = new Map<string, number>()
    const idOf = (name: string): number => {
      const id = ids.get(name) ?? ids.size
      ids.set(name, id)
      return id
    }
    const lists = items.map(({ anonymized, subject }) =>
      anonymized.kind === 'string' ? of(anonymized).map((name) => idOf(`${subject.group} ${name}`)) : [],
    )
    return eventsOf(Math.max(1, ids.size), lists)
  }
  return [
    naiveBayes(
      `local-${level}/grams`,
      events((tokens) => grams(tokens, level)),
    ),
    naiveBayes(
      `local-${level}/places`,
      events((tokens) => positionalTokens(tokens, level)),
    ),
  ]
}

/** Deciding levels (locality windows); a level is tested on items whose proof lies beyond it. */
const STATEMENT_LEVELS = [0, 1, 2, 3, 4]
export const STRING_LEVELS = [1, 2, 3, 4]
export const LOCAL_FOLDS = 5

export interface LocalProbes {
  readonly measured: readonly Measured[]
  readonly worst: readonly WorstGroups[]
}

/**
 * Locality probes (docs/audit.md#probes): learners on the anonymized question within a window, level by level, on the items
 * whose proof lies beyond that window, fitted across groups and inside groups. There a fair item tells nothing.
 */
export function localProbes(items: readonly LocalItem[], conditions: readonly string[]): LocalProbes {
  const lists = localRows(items, conditions)
  const measured: Measured[] = []
  const worst: WorstGroups[] = []
  for (const list of lists) {
    const suffix = lists.length === 1 ? '' : `@${list.name}`
    const strings = list.items[0]?.anonymized.kind === 'string'
    // Questions that name no term have no window around a term.
    const namesTerm = list.items.some(
      ({ anonymized }) => anonymized.kind === 'statements' && anonymized.asked.length > 0,
    )
    for (const level of strings ? STRING_LEVELS : namesTerm ? STATEMENT_LEVELS : [0]) {
      const rows = rowsWhere(list, ({ radius }) => radius > level)
      if (rows.keys.length < MIN_ROWS) continue
      for (const entry of levelTests(rows, level, strings))
        measured.push({ ...entry, test: { ...entry.test, probe: `${entry.test.probe}${suffix}` } })
    }
    const beyond = rowsWhere(list, ({ radius }) => radius > 2)
    if (list.candidates === undefined && beyond.keys.length >= MIN_ROWS) {
      const found = worstGroups(beyond, localColumns(beyond, 2), `local-2/worst-groups${suffix}`)
      if (found !== null) {
        measured.push(found.measured)
        worst.push(found.worst)
      }
    }
  }
  return { measured, worst }
}

function levelTests(rows: LocalRows, level: number, strings: boolean): Measured[] {
  const blockOf = numbered(rows.blockLabels)
  const clusters = numbered(rows.clusters)
  const across = dealFolds(rows.clusters, LOCAL_FOLDS)
  const within = dealFolds(rows.sets, LOCAL_FOLDS)
  const grouped = rows.candidates === undefined && !areUngrouped(rows.items.map(({ subject }) => subject))
  const test = (learner: Learner, mode: 'across' | 'within'): Measured => {
    const entry = testLearner(
      learner,
      rows.keys,
      rows.classes,
      mode === 'across' ? across : within,
      blockOf,
      clusters,
      mode,
    )
    return rows.candidates === undefined ? entry : overItems(byItem(entry))
  }
  const measured: Measured[] = []
  // Statistics of the grammar add nothing beyond level 3, lengths alone nothing beyond level 1.
  const modelled = rows.items.some(({ anonymized }) => anonymized.kind === 'string' && anonymized.local !== undefined)
  if (!strings || level <= (modelled ? 3 : 1))
    for (const learner of columnLearners(localColumns(rows, level), level)) {
      if (across.length > 1) measured.push(test(learner, 'across'))
      if (grouped) measured.push(test(learner, 'within'))
    }
  if (strings) for (const learner of gramLearners(rows, level)) measured.push(test(learner, 'within'))
  return measured
}
