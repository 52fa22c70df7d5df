import { type AnalysisResult, column, type Estimate, type Figure, type Table } from '../../../core/index.ts'
import type { Learner } from '../../../libraries/locality/columns.ts'
import { wilson } from '../../../libraries/statistics/index.ts'
import { type CrossFitted, crossFit, dealFolds } from '../folds.ts'
import { numbered } from '../statistic.ts'
import { columnLearners, gramLearners, localColumns } from './probes.ts'
import { type LocalRows, localRows, type Seen } from './rows.ts'

const folds = 5
/** Chains of twelve statements are proved at six; farther out a level costs much and shows little more. */
const maxLevels = 6
const leastItems = 50

/** One item as a learner left it: was its answer the right one (ties are shared), and what is that by chance? */
interface Outcome {
  readonly radius: number
  readonly right: number
  readonly chance: number
}

/**
 * Locality profile: how often the best learner of each level is right, by the proof radius of items. Below the radius a fair
 * item tells nothing. Learners are fitted on other groups, progressively; strings also inside groups. Which learner is the
 * best is told by all items of the level, so a row may be above chance by about one standard error.
 */
export function localityProfile(seen: readonly Seen[]): AnalysisResult {
  const rows = localRows(seen, []).flatMap((list, _, lists) =>
    profileOf(list).map((row) => ({ ...row, question: lists.length === 1 ? '' : list.name })),
  )
  const table: Table = {
    id: 'audit/locality-profile',
    title: 'Accuracy of the best learner by level, beside chance',
    columns: [
      column.text('question', 'questions'),
      column.text('radius', 'proof radius'),
      column.text('level', 'level'),
      column.estimate('accuracy', 'accuracy', null),
      { key: 'chance', label: 'chance', kind: 'share' },
      column.text('learner', 'best learner'),
    ],
    rows,
  }
  const figure: Figure = {
    id: 'audit/locality-profile',
    title: 'What readers of short range can know',
    table: table.id,
    x: { key: 'radius', label: 'proof radius, statements', scale: 'category' },
    y: { key: 'accuracy', label: 'accuracy of the best learner' },
    ...(new Set(rows.map(({ question }) => question)).size > 1 ? { facet: 'question' } : {}),
    marks: [
      { kind: 'interval', series: 'level' },
      { kind: 'line', series: 'level' },
      { kind: 'point', series: 'level' },
    ],
  }
  return { tables: [table], figures: [figure] }
}

interface ProfileRow {
  readonly radius: string
  readonly level: string
  readonly accuracy: Estimate
  readonly chance: number
  readonly learner: string
}

function profileOf(rows: LocalRows): ProfileRow[] {
  return levelsOf(rows.seen).flatMap((level): ProfileRow[] => {
    const best = bestOf(rows, level)
    if (best === null) return []
    const radii = [...new Set(best.outcomes.map(({ radius }) => radius))].sort((a, b) => a - b)
    return radii.flatMap((radius): ProfileRow[] => {
      const own = best.outcomes.filter((outcome) => outcome.radius === radius)
      const accuracy = wilson(
        own.reduce((sum, { right }) => sum + right, 0),
        own.length,
      )
      if (own.length < leastItems || accuracy === null) return []
      const chance = own.reduce((sum, outcome) => sum + outcome.chance, 0) / own.length
      return [{ radius: shownRadius(radius), level: `level ${level}`, accuracy, chance, learner: best.learner }]
    })
  })
}

const shownRadius = (radius: number): string => (Number.isFinite(radius) ? String(radius) : 'everything')

function levelsOf(seen: readonly Seen[]): number[] {
  if (seen.some(({ structure }) => structure.kind === 'string')) return [1, 2, 3, 4]
  const reach = seen.reduce((most, { radius }) => (Number.isFinite(radius) ? Math.max(most, radius) : most), 0)
  return Array.from({ length: Math.min(maxLevels, reach) + 1 }, (_, level) => level)
}

function bestOf(rows: LocalRows, level: number) {
  const blockOf = numbered(rows.blockLabels)
  const across = dealFolds(rows.clusters, folds)
  const inside = dealFolds(rows.sets, folds)
  const tried = [
    ...columnLearners(localColumns(rows, level), level).map((learner) => ({ learner, dealt: across })),
    ...gramLearnersOf(rows, level).map((learner) => ({ learner, dealt: inside })),
  ]
  let best: { readonly learner: string; readonly outcomes: readonly Outcome[]; readonly mean: number } | null = null
  for (const { learner, dealt } of tried) {
    const outcomes = outcomesOf(crossFit(learner, rows.keys, rows.classes, dealt, blockOf), rows)
    if (outcomes.length === 0) continue
    const mean = outcomes.reduce((sum, { right }) => sum + right, 0) / outcomes.length
    const name = learner.probe.slice(learner.probe.indexOf('/') + 1)
    if (best === null || mean > best.mean) best = { learner: name, outcomes, mean }
  }
  return best
}

const gramLearnersOf = (rows: LocalRows, level: number): Learner[] =>
  rows.seen[0]?.structure.kind === 'string' ? gramLearners(rows, level) : []

function outcomesOf({ guesses, weighted, rows: scored }: CrossFitted, rows: LocalRows): Outcome[] {
  const radiusOf = (row: number): number => (rows.seen[row] as Seen).radius
  if (rows.candidates === undefined)
    return Array.from(scored, (row, i) => ({
      radius: radiusOf(row),
      right: guesses.scores[i * rows.classes + (guesses.keys[i] as number)] as number,
      chance: 1 / rows.classes,
    }))
  const items = new Map<string, number[]>()
  for (const [i, row] of scored.entries()) {
    const label = rows.blockLabels[row] as string
    items.set(label, [...(items.get(label) ?? []), i])
  }
  return [...items.values()].map((own): Outcome => {
    const score = (i: number) => (weighted.scores[2 * i + 1] as number) - (weighted.scores[2 * i] as number)
    const most = own.reduce((top, i) => Math.max(top, score(i)), Number.NEGATIVE_INFINITY)
    const top = own.filter((i) => score(i) === most)
    const accepted = (list: readonly number[]) => list.filter((i) => weighted.keys[i] === 1).length / list.length
    return { radius: radiusOf(scored[own[0] as number] as number), right: accepted(top), chance: accepted(own) }
  })
}
