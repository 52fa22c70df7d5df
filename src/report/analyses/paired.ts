import {
  type Analysis,
  type Column,
  everyTwo,
  type Frame,
  GRADED_COLUMNS,
  modelShortNames,
  optional,
  type Table,
  type Task,
  table,
} from '../../core/index.ts'
import {
  analysisStream,
  bestSamples,
  correctness,
  holm,
  inOneGroup,
  mcnemarOf,
  partition,
  peoplesScores,
  scores,
  signFlipTest,
  systemsIn,
  varianceComponents,
  varying,
} from '../../libraries/statistics/index.ts'
import { groupNounOf, judgePair, measurePair, type PairTruth } from '../pair-effect.ts'
import { conditionsOf, count, estimate, model, pValue, SHARES_NOTE, share, text } from './conditions.ts'
import { itemMeans, meansAt, sampledPairs, sharedItems } from './item-means.ts'

/** Every two models on the items that both answered. */
export const paired = (tasks: readonly Task[]): Analysis => ({
  id: 'core/paired',
  title: 'Paired comparison of models',
  question: 'comparison',
  notes: [
    'Differences are A − B per shared item (mean over samples).',
    `Verdict and interval: ${SHARES_NOTE} Means over several samples: wild cluster bootstrap (4 to 11 groups), else Student t with CR2 errors.`,
    'p (Holm): adjusted over all pairs of the table; below 0.05 is significant.',
    'Power ratio = shared items / items needed for 80 % power at this difference, at 5 % over the number of pairs.',
    'Sign-flip p flips whole groups. McNemar assumes independent items and one sample per item.',
  ],
  needs: GRADED_COLUMNS,
  run(frame, { seed, confidence }) {
    const correct = correctness(scores(frame))
    const { conditions, columns } = conditionsOf(frame)
    const short = modelShortNames(conditions.flatMap(({ systems }) => systems.map(({ key }) => key.model)))
    const found = conditions.flatMap(({ key, systems }) =>
      pairsOf(
        frame,
        correct,
        systems.map(({ key: { model: name }, rows }) => ({ name, rows })),
        confidence,
      ).map((pair) => ({
        ...pair,
        task: key['task'] ?? '',
        key: { ...key, a: pair.a.name, b: pair.b.name },
      })),
    )
    const adjusted = holm(found.map(({ measured }) => measured.effect.p))
    const pairs = found.map(({ task: name, key, a, b, shared: { first, second, clusters }, measured }, i) => {
      const label = ['core/paired', ...Object.values(key)].join('\n')
      const discordant = a.means.single && b.means.single ? mcnemarOf(first, second) : null
      const names = { a: short.get(a.name) ?? a.name, b: short.get(b.name) ?? b.name }
      const {
        verdict,
        onlyA,
        onlyB,
        pairs: _,
        ...row
      } = judgePair(measured, {
        ...names,
        holm: adjusted[i] as number,
        pairs: found.length,
        groupNoun: groupNounOf(tasks.filter((task) => task.name === name)),
      })
      return {
        ...key,
        ...row,
        verdict: verdict.text,
        flips: signFlipTest(measured.gaps, clusters, { stream: analysisStream(seed, label) }).p,
        onlyA: discordant === null ? null : onlyA,
        onlyB: discordant === null ? null : onlyB,
        mcnemar: discordant?.midP ?? null,
      }
    })
    const noise = found.flatMap(({ key, a, b, shared }) => {
      const budget =
        a.means.single || b.means.single ? null : varianceComponents(sampledPairs(a.means, b.means, shared))
      const best = (cost: number) => (budget === null ? null : bestSamples(budget, cost))
      return budget === null ? [] : [{ ...key, ...budget, best1: best(1), best5: best(5) }]
    })
    return { tables: [pairsTable(columns, pairs), noiseTable(columns, noise)] }
  },
})

const pairsTable = (columns: readonly Column[], rows: Table['rows']): Table =>
  table(
    'core/paired',
    'Differences in accuracy on shared items',
    [
      ...columns,
      text('a', 'Model A'),
      text('b', 'Model B'),
      ...DIFFERENCE_COLUMNS,
      count('powerRatio', 'Power ratio'),
      count('itemsNeeded', 'Items still needed'),
      pValue('p', 'p'),
      pValue('holm', 'p (Holm)'),
      pValue('flips', 'p (sign flips)'),
      count('onlyA', 'Only A correct'),
      count('onlyB', 'Only B correct'),
      pValue('mcnemar', 'p (McNemar)'),
      text('verdict', 'Verdict'),
    ],
    rows,
  )

const DIFFERENCE_COLUMNS: readonly Column[] = [
  count('items', 'Shared items'),
  share('accuracyA', 'Accuracy A'),
  share('accuracyB', 'Accuracy B'),
  estimate('difference', 'A − B'),
]

/** Costs: a new item over one more sample; 1 where each sample pays for its prompt, more where prompts are cached. */
const noiseTable = (columns: readonly Column[], rows: Table['rows']): Table =>
  table(
    'core/noise',
    'Variance of a difference',
    [
      ...columns,
      text('a', 'Model A'),
      text('b', 'Model B'),
      count('items', 'Items sampled twice or more'),
      count('withinItems', 'Variance between samples'),
      count('betweenItems', 'Variance between items'),
      count('best1', 'Best samples per item (item costs 1 sample)'),
      count('best5', 'Best samples per item (item costs 5 samples)'),
    ],
    rows,
  )

interface Side {
  readonly name: string
  readonly rows: Int32Array
}

/** Every two sides with enough shared items for an interval. */
function pairsOf(frame: Frame, correct: Float64Array, sides: readonly Side[], confidence?: number) {
  const means = sides.map(({ name, rows }) => ({ name, means: itemMeans(frame, correct, rows) }))
  return everyTwo(means).flatMap(([a, b]) => {
    const shared = sharedItems(frame, a.means, b.means)
    const oneGroup = inOneGroup(frame, shared.rows)
    const truth = truthOf(frame, sides, a.name, b.name, shared.rows)
    const measured = measurePair(shared.first, shared.second, shared.clusters, { oneGroup, confidence, truth })
    return measured === null ? [] : [{ a, b, shared, measured }]
  })
}

/** What people say of the shared items of two sides; null: no judge scored. */
function truthOf(frame: Frame, sides: readonly Side[], a: string, b: string, rows: Int32Array): PairTruth | null {
  const truth = peoplesScores(frame, rows)
  if (truth === null) return null
  const of = (wanted: string): Float64Array =>
    meansAt(frame, itemMeans(frame, truth, sides.find(({ name }) => name === wanted)?.rows ?? new Int32Array()), rows)
  return { first: of(a), second: of(b) }
}

/** Every two prompt styles of a model on the items that it answered in both. */
export const styles: Analysis = {
  id: 'core/styles',
  title: 'Paired comparison of prompt styles',
  question: 'comparison',
  notes: ['Paired differences between prompt styles of one model on shared items; Holm over the table.'],
  needs: GRADED_COLUMNS,
  run(frame) {
    const correct = correctness(scores(frame))
    const configs = varying(frame, ['config']).length > 0
    const found = partition(frame, ['task', 'config']).flatMap(({ key: { task = '', config = '' }, rows }) =>
      systemsIn(frame, rows).flatMap(({ model, rows: own }) => {
        const inStyle = partition(frame, ['style'], own).map(({ key, rows: mine }) => ({
          name: key['style'] ?? '',
          rows: mine,
        }))
        return pairsOf(frame, correct, inStyle).map(({ a, b, measured }) => ({
          task,
          config: configs ? config : null,
          model,
          a: a.name,
          b: b.name,
          ...measured.effect,
        }))
      }),
    )
    const adjusted = holm(found.map(({ p }) => p))
    const pairs = table(
      'core/styles',
      'Differences in accuracy between prompt styles on shared items',
      [
        text('task', 'Task'),
        optional(text('config', 'Config')),
        model,
        text('a', 'Style A'),
        text('b', 'Style B'),
        ...DIFFERENCE_COLUMNS,
        pValue('p', 'p'),
        pValue('holm', 'p (Holm)'),
      ],
      found.map((row, i) => ({ ...row, holm: adjusted[i] as number })),
    )
    return { tables: [pairs] }
  },
}
