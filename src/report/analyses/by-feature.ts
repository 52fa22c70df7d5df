import type { Analysis, Figure, Frame, Table, Task } from '../../core/index.ts'
import {
  allRows,
  bySystem,
  clusterCodes,
  clusteredShare,
  correctness,
  inOneGroup,
  rowsByLevel,
  rowsWhere,
  type Systems,
  scores,
  systems,
  take,
} from '../../libraries/statistics/index.ts'
import { BLIND_NOTES, type Blind, blindOf } from '../blind.ts'
import { count, estimate, share, text } from './columns.ts'
import { type Factor, factors } from './features.ts'
import { told } from './one-group.ts'

/** Accuracy against each declared feature of one task: a table and a figure a feature. */
export const byFeature = (task: Task): Analysis => ({
  id: `core/by-feature/${task.name}`,
  title: `Accuracy by feature: ${task.name}`,
  notes: [
    'Rows of all styles and configs together. Features with more than 60 values are put into ten bins of about equal count.',
    'Intervals treat items of one group as one cluster.',
    ...BLIND_NOTES,
  ],
  needs: ['model', 'item', 'state', 'value'],
  run(frame) {
    const right = correctness(scores(frame))
    const all = rowsWhere(allRows(frame), (row) => !Number.isNaN(right[row]))
    const cells: Cells = { right, all, who: systems(frame), blind: blindOf(frame, task, all) }
    const found = factors(task, frame).map((factor) => one(task, factor, frame, cells))
    return { tables: found.map(({ table }) => table), figures: found.map(({ figure }) => figure) }
  },
})

/** More models than this are drawn side by side instead of on top of one another. */
const MAX_TOGETHER = 4

/** The cells that are counted. */
interface Cells {
  readonly right: Float64Array
  readonly all: Int32Array
  readonly who: Systems
  readonly blind: Blind | null
}

function one(
  task: Task,
  factor: Factor,
  frame: Frame,
  { right, all, who, blind }: Cells,
): { table: Table; figure: Figure } {
  const byLevel = rowsByLevel(all, factor.codes, factor.levels.length).map((here) => ({
    chance: blind?.chance(here) ?? null,
    guess: blind?.guess?.of(here) ?? null,
  }))
  const [chances, guesses] = [
    byLevel.some(({ chance }) => chance !== null),
    byLevel.some(({ guess }) => guess !== null),
  ]
  const blindAt = (k: number) => ({
    ...(chances ? { chance: byLevel[k]?.chance ?? null } : {}),
    ...(guesses ? { guess: byLevel[k]?.guess ?? null } : {}),
  })
  const rows = bySystem(who, all).flatMap(({ contestant, rows: mine }) => {
    const inside = rowsByLevel(mine, factor.codes, factor.levels.length)
    return factor.levels.flatMap((level, k) => {
      const here = inside[k] as Int32Array
      if (here.length === 0) return []
      const found = told(clusteredShare(take(right, here), clusterCodes(frame, here)), inOneGroup(frame, here))
      const at = factor.numeric ? { at: level.at } : {}
      return [{ model: contestant, level: level.label, ...at, n: here.length, accuracy: found, ...blindAt(k) }]
    })
  })
  const crowded = who.labels.length > MAX_TOGETHER
  const series = crowded ? {} : { series: 'model' }
  const id = `core/by-feature/${task.name}/${factor.name}`
  const title = `Accuracy by ${factor.label}`
  const unit = factor.unit === null ? {} : { unit: factor.unit }
  const table: Table = {
    id,
    title,
    columns: [
      text('model', 'Model'),
      { ...text('level', factor.label), ...unit },
      ...(factor.numeric ? [{ ...count('at', `${factor.label} (position)`), ...unit }] : []),
      count('n', 'Cells'),
      estimate('accuracy', 'Accuracy'),
      ...(chances ? [share('chance', 'Chance')] : []),
      ...(guesses ? [share('guess', `Rule of thumb: ${blind?.guess?.rule}`)] : []),
    ],
    rows,
  }
  const figure: Figure = {
    id,
    title,
    table: id,
    x: factor.numeric
      ? { key: 'at', label: factor.label, ...unit, scale: 'linear' }
      : { key: 'level', label: factor.label, scale: 'category' },
    y: { key: 'accuracy', label: 'Accuracy', unit: 'share' },
    ...(crowded ? { facet: 'model' } : {}),
    marks: [
      ...(chances ? [{ kind: 'reference', y: 'chance' } as const] : []),
      ...(guesses ? [{ kind: 'reference', y: 'guess' } as const] : []),
      { kind: 'interval', ...series },
      ...(factor.numeric ? [{ kind: 'line', ...series } as const] : []),
      { kind: 'point', ...series },
    ],
  }
  return { table, figure }
}
