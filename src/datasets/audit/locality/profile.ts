import { type AnalysisResult, column, type Estimate, type Figure, type Table } from '../../../core/index.ts'
import type { Learner } from '../../../libraries/locality/columns.ts'
import { wilson } from '../../../libraries/statistics/index.ts'
import { type CrossFitted, crossFit } from '../folds.ts'
import { columnLearners, foldsOf, gramLearners, localColumns, STRING_LEVELS } from './probes.ts'
import { type LocalItem, type LocalRows, localRows } from './rows.ts'

/** Levels are costly, and beyond six show little more: chains of twelve statements are proved at six. */
const MAX_LEVEL = 6
const MIN_ITEMS = 50

/** The prediction of a learner for one item: 1 if correct, ties shared, and its expectation by chance. */
interface Outcome {
  readonly radius: number
  readonly correct: number
  readonly chance: number
}

/**
 * Locality profile: accuracy of the best learner of each level, by the proof radius of items. Below the radius a fair item
 * tells nothing. Learners are fitted on other groups, progressively; strings also inside groups. The best learner is
 * chosen on the same items, so a row may exceed chance by about one standard error.
 */
export function localityProfile(items: readonly LocalItem[]): AnalysisResult {
  const rows = localRows(items, []).flatMap((list, _, lists) =>
    profileOf(list).map((row) => ({ ...row, question: lists.length === 1 ? '' : list.name })),
  )
  const table: Table = {
    id: 'audit/locality-profile',
    title: 'Accuracy of the best learner by level, and chance',
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
    title: 'Accuracy of learners with a short range',
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
  const gramsAt = rows.items[0]?.anonymized.kind === 'string' ? gramLearners(rows) : () => []
  return levelsOf(rows.items).flatMap((level): ProfileRow[] => {
    const best = bestOf(rows, level, gramsAt(level))
    if (best === null) return []
    const radii = [...new Set(best.outcomes.map(({ radius }) => radius))].sort((a, b) => a - b)
    return radii.flatMap((radius): ProfileRow[] => {
      const own = best.outcomes.filter((outcome) => outcome.radius === radius)
      const accuracy = wilson(
        own.reduce((sum, { correct }) => sum + correct, 0),
        own.length,
      )
      if (own.length < MIN_ITEMS || accuracy === null) return []
      const chance = own.reduce((sum, outcome) => sum + outcome.chance, 0) / own.length
      return [{ radius: radiusText(radius), level: `level ${level}`, accuracy, chance, learner: best.learner }]
    })
  })
}

const radiusText = (radius: number): string => (Number.isFinite(radius) ? String(radius) : 'everything')

function levelsOf(items: readonly LocalItem[]): readonly number[] {
  if (items.some(({ anonymized }) => anonymized.kind === 'string')) return STRING_LEVELS
  const largest = items.reduce((max, { radius }) => (Number.isFinite(radius) ? Math.max(max, radius) : max), 0)
  return Array.from({ length: Math.min(MAX_LEVEL, largest) + 1 }, (_, level) => level)
}

function bestOf(rows: LocalRows, level: number, grams: readonly Learner[]) {
  const { blockOf, across, within } = foldsOf(rows)
  const learners = [
    ...columnLearners(localColumns(rows, level), level).map((learner) => ({ learner, dealt: across })),
    ...grams.map((learner) => ({ learner, dealt: within })),
  ]
  let best: { readonly learner: string; readonly outcomes: readonly Outcome[]; readonly mean: number } | null = null
  for (const { learner, dealt } of learners) {
    const outcomes = outcomesOf(crossFit(learner, rows.keys, rows.classes, dealt, blockOf), rows)
    if (outcomes.length === 0) continue
    const mean = outcomes.reduce((sum, { correct }) => sum + correct, 0) / outcomes.length
    const name = learner.probe.slice(learner.probe.indexOf('/') + 1)
    if (best === null || mean > best.mean) best = { learner: name, outcomes, mean }
  }
  return best
}

function outcomesOf({ guesses, weighted, rows: scored }: CrossFitted, rows: LocalRows): Outcome[] {
  const radiusOf = (row: number): number => (rows.items[row] as LocalItem).radius
  if (rows.candidates === undefined)
    return Array.from(scored, (row, i) => ({
      radius: radiusOf(row),
      correct: guesses.scores[i * rows.classes + (guesses.keys[i] as number)] as number,
      chance: 1 / rows.classes,
    }))
  const items = new Map<string, number[]>()
  for (const [i, row] of scored.entries()) {
    const label = rows.blockLabels[row] as string
    items.set(label, [...(items.get(label) ?? []), i])
  }
  return [...items.values()].map((own): Outcome => {
    const score = (i: number) => (weighted.scores[2 * i + 1] as number) - (weighted.scores[2 * i] as number)
    const highest = Math.max(...own.map(score))
    const top = own.filter((i) => score(i) === highest)
    const accepted = (list: readonly number[]) => list.filter((i) => weighted.keys[i] === 1).length / list.length
    return { radius: radiusOf(scored[own[0] as number] as number), correct: accepted(top), chance: accepted(own) }
  })
}
