import {
  type Analysis,
  below,
  type Estimate,
  everyTwo,
  type Frame,
  GRADED_COLUMNS,
  type Stream,
  table,
} from '../../core/index.ts'
import {
  analysisStream,
  type Condition,
  conditions,
  correctness,
  distinctGroups,
  drawnKinds,
  type GroupKinds,
  quantileSorted,
  rankAgreement,
  rankings,
  rhoOf,
  type Standing,
  scores,
  take,
} from '../../libraries/statistics/index.ts'
import { conditionsOf, count, estimate, pValue, text } from './conditions.ts'
import { addAt, groupsOf } from './ranks.ts'

/** Fewer models have no order worth comparing. */
const MIN_MODELS = 4
/** Most conditions that are compared: every two of them make a row. */
const MAX_CONDITIONS = 12
/** Most tasks of which every two are compared as predictors of every other. */
const MAX_PREDICTED = 6
const DRAWS = 1000

/**
 * Do two item sets rank the models alike? (PBEBench, table 14, for any tasks and models.)
 *
 * @param breakers - by task, the subscore that separates models of equal accuracy.
 */
export const rankAgreements = (breakers: ReadonlyMap<string, string>): Analysis => ({
  id: 'core/rank-agreement',
  title: 'Agreement of rankings between item sets',
  question: 'comparison',
  notes: [
    'Do two item sets rank the models alike? Spearman and Kendall tau-b; ties broken by the named subscore, else parsed-only accuracy.',
    'p: two-sided permutation test of rho (20,000 orders from nine models on). CI: bootstrap over models and groups, wide with few models.',
  ],
  needs: GRADED_COLUMNS,
  run(frame, { seed }) {
    const setsOf = (all: readonly Condition[]) =>
      all
        .flatMap((condition) => itemSetOf(frame, condition, breakers.get(condition.key['task'] ?? '')) ?? [])
        .slice(0, MAX_CONDITIONS)
    const stream = (...sets: readonly ItemSet[]) =>
      analysisStream(seed, `core/rankings\n${sets.map(({ name }) => name).join('\n')}`)
    const between = (id: string, what: string, sets: readonly ItemSet[]) =>
      table(
        id,
        `Rank correlations between ${what}`,
        [
          text('a', 'Set A'),
          text('b', 'Set B'),
          count('models', 'Models'),
          count('rho', 'Spearman'),
          estimate('interval', 'Spearman, CI', null),
          count('tau', 'Kendall tau-b'),
          pValue('p', 'p'),
          text('breakerA', 'Ties in A'),
          text('breakerB', 'Ties in B'),
        ],
        everyTwo(sets).flatMap(([a, b]) => agreement(a, b, stream(a, b))),
      )
    const { conditions: all, columns } = conditionsOf(frame)
    const named = columns.map(({ label }) => label.toLowerCase()).join(', ')
    const byTask = conditions(frame, ['task']).conditions
    const tasks = byTask.length < 2 ? [] : setsOf(byTask)
    const predictors = table(
      'core/rank-agreement-predictors',
      'Which task predicts the ranking on another one better?',
      [
        text('target', 'Ranking on'),
        text('a', 'Task A'),
        text('b', 'Task B'),
        count('models', 'Models'),
        count('rhoA', 'Spearman of A'),
        count('rhoB', 'Spearman of B'),
        estimate('difference', 'A − B, CI', null),
      ],
      tasks
        .slice(0, MAX_PREDICTED)
        .flatMap((target, _k, few) =>
          everyTwo(few.filter((one) => one !== target)).flatMap(([a, b]) =>
            predictor(target, a, b, stream(target, a, b)),
          ),
        ),
    )
    return {
      tables: [
        ...(all.length === tasks.length ? [] : [between('core/rank-agreement', `item sets (${named})`, setsOf(all))]),
        between('core/rank-agreement-tasks', 'tasks, all of their items together', tasks),
        predictors,
      ],
    }
  },
})

/** Sums of one model over its calls, per group of items. */
interface GroupScores {
  readonly correct: Float64Array
  readonly n: Float64Array
  readonly breaker: Float64Array
  readonly breakerN: Float64Array
}

interface ItemSet {
  readonly name: string
  readonly breaker: string
  readonly kinds: GroupKinds
  /** The sums of each model in a group of each kind. */
  readonly models: ReadonlyMap<string, GroupScores>
}

function itemSetOf(frame: Frame, { name, rows, systems }: Condition, subscore: string | undefined): ItemSet | null {
  const column =
    subscore !== undefined && frame.has(`subscore_${subscore}`) ? frame.number(`subscore_${subscore}`) : null
  const correct = correctness(scores(frame))
  const state = frame.category('status')
  const graded = state.levels.indexOf('graded')
  const { groupOf, groups } = groupsOf(frame, rows)
  const models = new Map<string, GroupScores>()
  for (const { key, rows: own } of systems) {
    const [sums, n, breaker, breakerN] = Array.from({ length: 4 }, () => new Float64Array(groups)) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ]
    for (const row of own) {
      const value = correct[row] as number
      if (Number.isNaN(value)) continue
      const group = groupOf[row] as number
      addAt(sums, group, value)
      addAt(n, group, 1)
      const second = column === null ? (state.codes[row] === graded ? value : Number.NaN) : (column[row] as number)
      if (Number.isNaN(second)) continue
      addAt(breaker, group, second)
      addAt(breakerN, group, 1)
    }
    if (n.some((calls) => calls > 0)) models.set(key.model, { correct: sums, n, breaker, breakerN })
  }
  if (models.size < MIN_MODELS) return null
  const breaker = column === null ? 'parsed-only accuracy' : (subscore as string)
  return { name, breaker, ...byKind(groups, models) }
}

/** Groups with equal sums for all models count as one kind: resampling adds up over kinds. */
function byKind(groups: number, models: ReadonlyMap<string, GroupScores>): Pick<ItemSet, 'kinds' | 'models'> {
  const kinds = distinctGroups(
    [...models.values()].flatMap((one) => Object.values(one) as Float64Array[]),
    groups,
  )
  const first = (column: Float64Array) => take(column, kinds.firsts)
  const narrowed = [...models].map(([name, { correct, n, breaker, breakerN }]): [string, GroupScores] => [
    name,
    { correct: first(correct), n: first(n), breaker: first(breaker), breakerN: first(breakerN) },
  ])
  return { kinds, models: new Map(narrowed) }
}

/** The score of a model with each kind of group counted this often; null where it has no call in them. */
function standing({ correct, n, breaker, breakerN }: GroupScores, counts: ArrayLike<number>): Standing | null {
  const total = (column: Float64Array) => column.reduce((sum, x, kind) => sum + (counts[kind] as number) * x, 0)
  const [calls, parsed] = [total(n), total(breakerN)]
  return calls === 0 ? null : { score: total(correct) / calls, breaker: parsed === 0 ? null : total(breaker) / parsed }
}

const ranksOf = (set: ItemSet, counts: Int32Array, models: readonly string[]): Float64Array | null => {
  const standings = models.flatMap((name) => standing(set.models.get(name) as GroupScores, counts) ?? [])
  return standings.length < models.length ? null : rankings(standings)
}

/** The correlation of each set with the first, for the same draws of models and of the groups of each set. */
function drawnRhos(sets: readonly ItemSet[], names: readonly string[], stream: Stream): readonly (number | null)[][] {
  return Array.from({ length: DRAWS }, () => {
    const models = names.map(() => names[below(stream, names.length)] as string)
    const [first = null, ...others] = sets.map((set) => ranksOf(set, drawnKinds(set.kinds, stream), models))
    return others.map((ranks) => (first === null || ranks === null ? null : rhoOf(first, ranks)))
  })
}

/** The models that all of them have; none where they are too few. */
function sharedModels([first, ...others]: readonly [ItemSet, ...ItemSet[]]): readonly string[] {
  const names = [...first.models.keys()].filter((name) => others.every(({ models }) => models.has(name)))
  return names.length < MIN_MODELS ? [] : names
}

function agreement(a: ItemSet, b: ItemSet, stream: Stream) {
  const names = sharedModels([a, b])
  const x = ranksOf(a, a.kinds.counts, names)
  const y = ranksOf(b, b.kinds.counts, names)
  const found = x === null || y === null ? null : rankAgreement(x, y, stream)
  if (found === null) return []
  const drawn = drawnRhos([a, b], names, stream).flatMap(([rho]) => rho ?? [])
  return [
    {
      a: a.name,
      b: b.name,
      models: names.length,
      rho: found.rho,
      interval: intervalOf(found.rho, drawn, names.length),
      tau: found.tau,
      p: found.p,
      breakerA: a.breaker,
      breakerB: b.breaker,
    },
  ]
}

/** Is the ranking on the target closer to that on A than to that on B? */
function predictor(target: ItemSet, a: ItemSet, b: ItemSet, stream: Stream) {
  const names = sharedModels([target, a, b])
  const [on, byA, byB] = [target, a, b].map((set) => ranksOf(set, set.kinds.counts, names))
  const [rhoA, rhoB] = [byA, byB].map((ranks) => (on && ranks ? rhoOf(on, ranks) : null))
  if (names.length === 0 || rhoA == null || rhoB == null) return []
  const drawn = drawnRhos([target, a, b], names, stream).flatMap(([x, y]) => (x == null || y == null ? [] : x - y))
  return [
    {
      target: target.name,
      a: a.name,
      b: b.name,
      models: names.length,
      rhoA,
      rhoB,
      difference: intervalOf(rhoA - rhoB, drawn, names.length),
    },
  ]
}

/** null where more than half of the draws have no correlation. */
function intervalOf(value: number, drawn: readonly number[], n: number): Estimate | null {
  if (drawn.length < DRAWS / 2) return null
  const sorted = Float64Array.from(drawn).sort()
  const method = `bootstrap of models and groups 95 %, ${drawn.length} draws`
  return { value, low: quantileSorted(sorted, 0.025), high: quantileSorted(sorted, 0.975), n, method }
}
