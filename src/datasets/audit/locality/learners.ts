import type { AnonymizedQuestion } from '../../../core/index.ts'
import { boostedTrees } from '../../../libraries/locality/boosted-trees.ts'
import { type Binned, binned, columnsOf } from '../../../libraries/locality/columns.ts'
import { factTables } from '../../../libraries/locality/fact-tables.ts'
import type { Learner } from '../../../libraries/locality/learner.ts'
import { featuresAtLevel, type LocalFeatures } from '../../../libraries/locality/local-features.ts'
import { grams, positionalTokens } from '../../../libraries/locality/strings.ts'
import type { Feature } from '../direct.ts'
import { ridgeLogistic } from '../learned/logistic.ts'
import { eventsOf, naiveBayes } from '../learned/naive-bayes.ts'
import { nearestCounts } from '../learned/nearest-counts.ts'
import type { LocalRows } from './rows.ts'

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
