import type { Analysis, Column, Estimate, Frame, Table } from '../../core/index.ts'
import {
  bySystem,
  type CrossedFit,
  clusterCodes,
  clustering,
  correctness,
  crossed,
  rowsWhere,
  type Spread,
  scores,
  systems,
  type Trials,
  take,
} from '../../libraries/statistics/index.ts'
import { type Block, blocks, count, estimate, share, text } from './columns.ts'

/** Models, items and groups crossed: where the variance lies, abilities on one scale, and the hardest items. */
export const crossedEffects: Analysis = {
  id: 'core/crossed',
  title: 'Models, items and groups crossed',
  source: { paper: 'Breslow and Clayton, JASA 88 (1993)', item: 'generalised linear mixed model' },
  notes: [
    'Log odds of a right answer: ability of the model + effect of the group + effect of the item; groups and items normal, by maximum likelihood with the approximation of Laplace. All models of a row share its items.',
    'Shares: of the variance of one answer on the scale of log odds, how much lies between groups, between items of a group, and (the rest) in neither.',
    'An ability is that on the typical item, so "right on the typical item" lies farther from one half than accuracy does. To compare two models take the paired comparison: here a model that is good at some groups only is not foreseen.',
    'Difficulty: how much harder than typical, in log odds, drawn towards the group and all items as far as answers are few.',
  ],
  needs: ['task', 'config', 'style', 'model', 'item', 'state', 'value'],
  run(frame) {
    const { blocks: parts, columns } = blocks(frame)
    const right = correctness(scores(frame))
    const found = parts.flatMap((part) => ofBlock(frame, part, right))
    if (found.length === 0) return { tables: [] }
    return { tables: [variances(columns, found), abilities(columns, found), hardest(columns, found)] }
  },
}

/** So many of each set of items are named. */
const MAX_SHOWN = 5

interface Crossed {
  readonly key: Block['key']
  readonly fit: CrossedFit
  /** 1 where all groups were fitted. */
  readonly every: number
  readonly models: readonly string[]
  readonly leftOut: readonly string[]
  readonly trials: readonly Trials[]
  readonly itemName: (code: number) => string
}

/** Of larger sets every so many a group is fitted, so that a report of many rows stays quick. */
const MAX_ANSWERS = 50_000

/** Models that have all or nothing right have no ability on this scale, and say nothing of items. */
function ofBlock(frame: Frame, { key, rows }: Block, right: Float64Array): readonly Crossed[] {
  const graded = rowsWhere(rows, (row) => !Number.isNaN(right[row]))
  const { every, groupOf } = groupsOf(frame, graded)
  const chosen = rowsWhere(graded, (row) => (groupOf[row] as number) >= 0)
  const answered = bySystem(systems(frame), chosen).map(({ contestant, rows: mine }) => {
    const sum = take(right, mine).reduce((total, x) => total + x, 0)
    return { contestant, mine, between: sum > 0 && sum < mine.length }
  })
  const used = answered.filter(({ between }) => between)
  const trials = used.flatMap(({ mine }, model) => trialsOf(frame, right, mine, model, groupOf))
  const fit = crossed(trials)
  if (used.length < 2 || fit.kind === 'unfit') return []
  const { levels } = frame.category('item')
  return [
    {
      key,
      fit,
      every,
      models: used.map(({ contestant }) => contestant),
      leftOut: answered.filter(({ between }) => !between).map(({ contestant }) => contestant),
      trials,
      itemName: (code) => levels[code] ?? '',
    },
  ]
}

/** The group of each row that is used, -1 of others: of all groups, in the order in which they appear, every so many a one. */
function groupsOf(frame: Frame, rows: Int32Array) {
  const every = Math.max(1, Math.ceil(rows.length / MAX_ANSWERS))
  const places = clustering(clusterCodes(frame, rows)).of
  const groupOf = new Int32Array(frame.length).fill(-1)
  for (let i = 0; i < rows.length; i++) {
    const place = places[i] as number
    if (place % every === 0) groupOf[rows[i] as number] = place
  }
  return { every, groupOf }
}

function trialsOf(
  frame: Frame,
  right: Float64Array,
  rows: Int32Array,
  model: number,
  groupOf: Int32Array,
): readonly Trials[] {
  const items = frame.category('item').codes
  const found = new Map<number, { model: number; item: number; group: number; right: number; trials: number }>()
  for (const row of rows) {
    const item = items[row] as number
    const known = found.get(item) ?? { model, item, group: groupOf[row] as number, right: 0, trials: 0 }
    known.right += right[row] as number
    known.trials++
    found.set(item, known)
  }
  return [...found.values()]
}

const method = 'crossed effects by Laplace, Wald 95 %'

function variances(columns: readonly Column[], found: readonly Crossed[]): Table {
  const cell = (spread: Spread | null, n: number): Estimate | null =>
    spread?.kind === 'seen' ? { value: spread.value, low: spread.low, high: spread.high, n, method } : null
  const rows = found.map(({ key, fit, every, leftOut }) => {
    const none = [
      ...(fit.items.kind === 'none' ? ['items of a group are alike as far as can be seen'] : []),
      ...(fit.groups?.kind === 'none' ? ['groups are alike as far as can be seen'] : []),
      ...(fit.groups === null ? ['items have no groups of several'] : []),
      ...(every > 1 ? [`fitted to one group in ${every}`] : []),
      ...(leftOut.length > 0 ? [`all or nothing right, left out: ${leftOut.join(', ')}`] : []),
    ]
    return {
      ...key,
      items: fit.difficulty.length,
      betweenGroups: cell(fit.groups, fit.difficulty.length),
      betweenItems: cell(fit.items, fit.difficulty.length),
      shareGroups: fit.groups === null ? null : fit.share.groups,
      shareItems: fit.share.items,
      note: none.join('; '),
    }
  })
  return {
    id: 'core/crossed',
    title: 'How much lies with groups and items',
    columns: [
      ...columns,
      count('items', 'Items'),
      { ...estimate('betweenGroups', 'Deviation between groups'), unit: 'log odds' },
      { ...estimate('betweenItems', 'Deviation between items'), unit: 'log odds' },
      share('shareGroups', 'Share of groups'),
      share('shareItems', 'Share of items'),
      text('note', 'What is to be said'),
    ],
    rows,
  }
}

const oddsToShare = (x: number): number => 1 / (1 + Math.exp(-x))

const abilities = (columns: readonly Column[], found: readonly Crossed[]): Table => ({
  id: 'core/crossed/models',
  title: 'Abilities of models on one scale',
  columns: [
    ...columns,
    text('model', 'Model'),
    { ...estimate('ability', 'Ability'), unit: 'log odds' },
    estimate('typical', 'Right on the typical item'),
  ],
  rows: found.flatMap(({ key, fit, models }) =>
    models.flatMap((model, m) => {
      const one = fit.models[m]
      if (one === undefined) return []
      const { value, low, high } = one
      const n = fit.difficulty.length
      const typical = { value: oddsToShare(value), low: oddsToShare(low), high: oddsToShare(high), n, method }
      return [{ ...key, model, ability: { value, low, high, n, method }, typical }]
    }),
  ),
})

const hardest = (columns: readonly Column[], found: readonly Crossed[]): Table => ({
  id: 'core/crossed/items',
  title: 'The hardest items',
  columns: [
    ...columns,
    text('item', 'Item'),
    count('difficulty', 'Harder than typical (log odds)'),
    count('right', 'Right'),
    count('answers', 'Of answers'),
  ],
  rows: found.flatMap(({ key, fit, trials, itemName }) => {
    const byItem = Map.groupBy(trials, ({ item }) => item)
    return fit.difficulty
      .toSorted((a, b) => b.value - a.value || a.item - b.item)
      .slice(0, MAX_SHOWN)
      .map(({ item, value }) => {
        const own = byItem.get(item) ?? []
        return {
          ...key,
          item: itemName(item),
          difficulty: value,
          right: own.reduce((sum, { right }) => sum + right, 0),
          answers: own.reduce((sum, row) => sum + row.trials, 0),
        }
      })
  }),
})
