import { type Analysis, type Estimate, type Frame, GRADED_COLUMNS, optional, table } from '../../core/index.ts'
import {
  type Condition,
  type CrossedFit,
  clusterCodes,
  clustering,
  correctness,
  crossed,
  type RowKey,
  rowsWhere,
  type Spread,
  scores,
  sum,
  type Trials,
  take,
} from '../../libraries/statistics/index.ts'
import { conditionsOf, count, estimate, model, share, text } from './conditions.ts'

/** Logistic mixed model: where the variance lies, abilities on one scale, and the hardest items. */
export const mixedModel: Analysis = {
  id: 'core/mixed-model',
  title: 'Mixed model of models, groups and items',
  question: 'comparison',
  source: { paper: 'Breslow and Clayton, JASA 88 (1993)', item: 'generalised linear mixed model' },
  notes: [
    'Logistic mixed model: log odds = model ability + group + item; groups and items random (Laplace).',
    'Difficulty is shrunk towards the group.',
    'Variance shares on the log-odds scale.',
    'To compare two models use the paired comparison: this model has no interaction of model and group.',
  ],
  needs: GRADED_COLUMNS,
  run(frame) {
    const { conditions, columns } = conditionsOf(frame)
    const correct = correctness(scores(frame))
    const fits = conditions.flatMap((condition) => fitOf(frame, condition, correct))
    return {
      tables: [
        table(
          'core/mixed-model',
          'Variance of groups and items',
          [
            ...columns,
            count('items', 'Items'),
            estimate('betweenGroups', 'SD between groups', 'log odds'),
            estimate('betweenItems', 'SD between items', 'log odds'),
            share('shareGroups', 'Variance share of groups'),
            share('shareItems', 'Variance share of items'),
            optional(text('note', 'Note')),
          ],
          fits.map(variancesOf),
        ),
        table(
          'core/mixed-model/models',
          'Abilities of models',
          [
            ...columns,
            model,
            estimate('ability', 'Ability', 'log odds'),
            estimate('typical', 'Accuracy on the typical item'),
          ],
          fits.flatMap(abilitiesOf),
        ),
        table(
          'core/mixed-model/items',
          'Hardest items',
          [
            ...columns,
            text('item', 'Item'),
            count('difficulty', 'Difficulty above typical (log odds)'),
            count('correct', 'Correct'),
            count('answers', 'Responses'),
          ],
          fits.flatMap(hardestOf),
        ),
      ],
    }
  },
}

/** Items listed per condition. */
const HARDEST = 5

/** Larger conditions are fitted to every n-th group only, so that reports of many rows stay fast. */
const MAX_ANSWERS = 50_000

interface ConditionFit {
  readonly key: RowKey
  readonly fit: CrossedFit
  /** Every n-th group was fitted; 1: all. */
  readonly every: number
  readonly models: readonly string[]
  /** Models without an ability on this scale: all or nothing correct. */
  readonly omitted: readonly string[]
  readonly trials: readonly Trials[]
  readonly itemName: (code: number) => string
}

function fitOf(frame: Frame, { key, rows, systems }: Condition, correct: Float64Array): readonly ConditionFit[] {
  const graded = rowsWhere(rows, (row) => !Number.isNaN(correct[row]))
  const { every, groupOf } = fittedGroups(frame, graded)
  const answered = systems.map(({ key: { model: name }, rows: own }) => {
    const used = rowsWhere(own, (row) => (groupOf[row] as number) >= 0)
    const right = sum(take(correct, used))
    return { name, rows: used, varies: right > 0 && right < used.length }
  })
  const used = answered.filter(({ varies }) => varies)
  const trials = used.flatMap(({ rows: own }, m) => trialsOf(frame, correct, own, m, groupOf))
  const fit = crossed(trials)
  if (used.length < 2 || fit.kind === 'unfit') return []
  const { levels } = frame.category('item')
  return [
    {
      key,
      fit,
      every,
      models: used.map(({ name }) => name),
      omitted: answered.flatMap(({ name, rows: own, varies }) => (varies || own.length === 0 ? [] : [name])),
      trials,
      itemName: (code) => levels[code] ?? '',
    },
  ]
}

/** The group of each graded row, numbered in order of appearance; -1 for rows that are not fitted. */
function fittedGroups(frame: Frame, graded: Int32Array) {
  const every = Math.max(1, Math.ceil(graded.length / MAX_ANSWERS))
  const { of } = clustering(clusterCodes(frame, graded))
  const groupOf = new Int32Array(frame.length).fill(-1)
  for (let i = 0; i < graded.length; i++) {
    const group = of[i] as number
    if (group % every === 0) groupOf[graded[i] as number] = group
  }
  return { every, groupOf }
}

function trialsOf(
  frame: Frame,
  correct: Float64Array,
  rows: Int32Array,
  model: number,
  groupOf: Int32Array,
): readonly Trials[] {
  const items = frame.category('item').codes
  const found = new Map<number, { model: number; item: number; group: number; right: number; trials: number }>()
  for (const row of rows) {
    const item = items[row] as number
    const known = found.get(item) ?? { model, item, group: groupOf[row] as number, right: 0, trials: 0 }
    known.right += correct[row] as number
    known.trials++
    found.set(item, known)
  }
  return [...found.values()]
}

const method = 'mixed model by Laplace, Wald 95 %'

function variancesOf({ key, fit, every, omitted }: ConditionFit) {
  const n = fit.difficulty.length
  const deviation = (spread: Spread | null): Estimate | null =>
    spread?.kind === 'seen' ? { value: spread.value, low: spread.low, high: spread.high, n, method } : null
  const notes = [
    ...(fit.items.kind === 'none' ? ['no variance between items of a group'] : []),
    ...(fit.groups?.kind === 'none' ? ['no variance between groups'] : []),
    ...(fit.groups === null ? ['no group has several items'] : []),
    ...(every > 1 ? [`fitted to one group in ${every}`] : []),
    ...(omitted.length > 0 ? [`omitted, all or nothing correct: ${omitted.join(', ')}`] : []),
  ]
  return {
    ...key,
    items: n,
    betweenGroups: deviation(fit.groups),
    betweenItems: deviation(fit.items),
    shareGroups: fit.groups === null ? null : fit.share.groups,
    shareItems: fit.share.items,
    note: notes.join('; '),
  }
}

const oddsToShare = (x: number): number => 1 / (1 + Math.exp(-x))

const abilitiesOf = ({ key, fit, models }: ConditionFit) =>
  fit.models.map(({ value, low, high }, m) => {
    const n = fit.difficulty.length
    const typical = { value: oddsToShare(value), low: oddsToShare(low), high: oddsToShare(high), n, method }
    return { ...key, model: models[m] ?? '', ability: { value, low, high, n, method }, typical }
  })

function hardestOf({ key, fit, trials, itemName }: ConditionFit) {
  const byItem = Map.groupBy(trials, ({ item }) => item)
  return fit.difficulty
    .toSorted((a, b) => b.value - a.value || a.item - b.item)
    .slice(0, HARDEST)
    .map(({ item, value }) => {
      const own = byItem.get(item) ?? []
      const total = (of: 'right' | 'trials') => own.reduce((all, one) => all + one[of], 0)
      return { ...key, item: itemName(item), difficulty: value, correct: total('right'), answers: total('trials') }
    })
}
