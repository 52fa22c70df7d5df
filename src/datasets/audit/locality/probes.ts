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
import { areAlone } from '../subject.ts'
import { type LocalRows, leastRows, localRows, rowsWhere, type Seen } from './rows.ts'
import { type WorstGroups, worstGroups } from './worst-groups.ts'

type Tokens = Extract<AnonymizedQuestion, { readonly kind: 'string' }>

/** What the rows show at a level, as columns. */
export function localColumns({ seen, candidates }: LocalRows, level: number): Feature[] {
  const views = new Map<AnonymizedQuestion, LocalFeatures>()
  return columnsOf(
    seen.map(({ structure }, i) => {
      const view = views.get(structure) ?? featuresAtLevel(structure, level)
      views.set(structure, view)
      return view(candidates?.[i])
    }),
  )
}

/** All learners of a level on its columns. */
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

/** Naive Bayes on the tokens of strings themselves, which mean nothing outside their group. */
export function gramLearners({ seen }: LocalRows, level: number): Learner[] {
  const events = (of: (structure: Tokens) => readonly string[]) => {
    const ids = new Map<string, number>()
    const idOf = (name: string): number => {
      const id = ids.get(name) ?? ids.size
      ids.set(name, id)
      return id
    }
    const lists = seen.map(({ structure, subject }) =>
      structure.kind === 'string' ? of(structure).map((name) => idOf(`${subject.group} ${name}`)) : [],
    )
    return eventsOf(Math.max(1, ids.size), lists)
  }
  return [
    naiveBayes(
      `local-${level}/grams`,
      events((structure) => grams(structure, level)),
    ),
    naiveBayes(
      `local-${level}/places`,
      events((structure) => positionalTokens(structure, level)),
    ),
  ]
}

/** Levels that decide, where the proof of an answer lies farther out. */
const statementLevels = [0, 1, 2]
const stringLevels = [1, 2, 3, 4]
const folds = 5

export interface LocalBattery {
  readonly measured: readonly Measured[]
  readonly worst: readonly WorstGroups[]
}

/**
 * The attacker (docs/audit.md#probes): learners that see a question with its names erased, level by level, on
 * the items whose proof lies beyond that level, fitted across groups and inside groups. There a fair item tells nothing.
 */
export function localBattery(seen: readonly Seen[], conditions: readonly string[]): LocalBattery {
  const lists = localRows(seen, conditions)
  const measured: Measured[] = []
  const worst: WorstGroups[] = []
  for (const list of lists) {
    const suffix = lists.length === 1 ? '' : `@${list.name}`
    const strings = list.seen[0]?.structure.kind === 'string'
    // Where no term is asked about there is nothing to be near to.
    const asked = list.seen.some(({ structure }) => structure.kind === 'statements' && structure.asked.length > 0)
    for (const level of strings ? stringLevels : asked ? statementLevels : [0]) {
      const rows = rowsWhere(list, ({ radius }) => radius > level)
      if (rows.keys.length < leastRows) continue
      for (const entry of levelTests(rows, level, strings))
        measured.push({ ...entry, test: { ...entry.test, probe: `${entry.test.probe}${suffix}` } })
    }
    const beyond = rowsWhere(list, ({ radius }) => radius > 2)
    if (list.candidates === undefined && beyond.keys.length >= leastRows) {
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
  const across = dealFolds(rows.clusters, folds)
  const within = dealFolds(rows.sets, folds)
  const grouped = rows.candidates === undefined && !areAlone(rows.seen.map(({ subject }) => subject))
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
  // Beyond pairs the grammar's own statistics say nothing new, and without them lengths never do: the rest is in the tokens.
  const modelled = rows.seen.some(({ structure }) => structure.kind === 'string' && structure.local !== undefined)
  if (!strings || level <= (modelled ? 3 : 1))
    for (const learner of columnLearners(localColumns(rows, level), level)) {
      if (across.length > 1) measured.push(test(learner, 'across'))
      if (grouped) measured.push(test(learner, 'within'))
    }
  if (strings) for (const learner of gramLearners(rows, level)) measured.push(test(learner, 'within'))
  return measured
}
