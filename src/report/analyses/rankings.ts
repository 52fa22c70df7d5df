import { type Analysis, below, type Estimate, type Frame, type Stream } from '../../core/index.ts'
import {
  analysisStream,
  bySystem,
  clusterCodes,
  clustering,
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
  systems,
  take,
} from '../../libraries/statistics/index.ts'
import { type Block, blocks, count, estimate, pValue, text } from './columns.ts'

/** Fewer models say nothing about an order. */
const MIN = 4
/** More blocks than this make a table that nobody reads. */
const MAX = 12
const DRAWS = 1000

/**
 * Do two sets of items put the models in the same order? (PBEBench, table 14, for any tasks and models.)
 *
 * @param breakers - by task, the part of a grade that parts models of equal accuracy.
 */
export const rankAgreements = (breakers: ReadonlyMap<string, string>): Analysis => ({
  id: 'core/rankings',
  title: 'Agreement of the orders in which sets of items put the models',
  notes: [
    'Models are ranked by accuracy; equal ones by the tie-breaker: the part of the grade that the task names, else the accuracy of what could be read. Those equal in both share a rank.',
    'p: two-sided, of rho, over all orders of the models (20,000 of them from nine models on). The interval draws models and groups of items with replacement, 1,000 times, percentiles: it says how the agreement would vary with other models and items, and is wide with few models.',
  ],
  needs: ['task', 'config', 'style', 'model', 'item', 'state', 'value'],
  run(frame, { seed }) {
    const { blocks: parts, columns } = blocks(frame)
    const sheets = parts.flatMap((part) => sheetOf(frame, part, breakers.get(part.task)) ?? []).slice(0, MAX)
    const rows = sheets.flatMap((a, i) =>
      sheets.slice(i + 1).flatMap((b) => agreement(a, b, analysisStream(seed, `core/rankings\n${a.name}\n${b.name}`))),
    )
    if (rows.length === 0) return { tables: [] }
    const table = {
      id: 'core/rankings',
      title: `Rank correlations of models between sets of items (${columns.map(({ label }) => label.toLowerCase()).join(', ')})`,
      columns: [
        text('a', 'Set A'),
        text('b', 'Set B'),
        count('models', 'Models'),
        count('rho', 'Spearman'),
        estimate('interval', 'Spearman, interval', null),
        count('tau', 'Kendall tau-b'),
        pValue('p', 'p'),
        text('breakerA', 'Ties in A'),
        text('breakerB', 'Ties in B'),
      ],
      rows,
    }
    return { tables: [table] }
  },
})

/** What each model reached in each group of items: sums over its cells. */
interface Cells {
  readonly right: Float64Array
  readonly n: Float64Array
  readonly breaker: Float64Array
  readonly breakerN: Float64Array
}

interface Sheet {
  readonly name: string
  readonly breaker: string
  readonly kinds: GroupKinds
  /** What each model reached in a group of each kind. */
  readonly models: ReadonlyMap<string, Cells>
}

function sheetOf(frame: Frame, { key, rows }: Block, part: string | undefined): Sheet | null {
  const column = part !== undefined && frame.has(`part_${part}`) ? frame.number(`part_${part}`) : null
  const right = correctness(scores(frame))
  const state = frame.category('state')
  const graded = state.levels.indexOf('graded')
  const groups = clustering(clusterCodes(frame, rows))
  const groupOf = new Int32Array(frame.length)
  for (let i = 0; i < rows.length; i++) groupOf[rows[i] as number] = groups.of[i] as number
  const models = new Map<string, Cells>()
  for (const { contestant, rows: mine } of bySystem(systems(frame), rows)) {
    const cells: Cells = {
      right: new Float64Array(groups.count),
      n: new Float64Array(groups.count),
      breaker: new Float64Array(groups.count),
      breakerN: new Float64Array(groups.count),
    }
    for (const row of mine) {
      const value = right[row] as number
      if (Number.isNaN(value)) continue
      const group = groupOf[row] as number
      add(cells.right, group, value)
      add(cells.n, group, 1)
      const read = column === null ? (state.codes[row] === graded ? value : Number.NaN) : (column[row] as number)
      if (Number.isNaN(read)) continue
      add(cells.breaker, group, read)
      add(cells.breakerN, group, 1)
    }
    if (cells.n.some((n) => n > 0)) models.set(contestant, cells)
  }
  const breaker = column === null ? 'accuracy of what was read' : (part as string)
  return models.size < MIN ? null : { name: Object.values(key).join(', '), breaker, ...byKind(groups.count, models) }
}

/** A draw is added up over kinds of groups. */
function byKind(groups: number, models: ReadonlyMap<string, Cells>): Pick<Sheet, 'kinds' | 'models'> {
  const columns = [...models.values()].flatMap((cells) => Object.values(cells) as Float64Array[])
  const kinds = distinctGroups(columns, groups)
  const one = (column: Float64Array) => take(column, kinds.firsts)
  const cells = [...models].map(([model, { right, n, breaker, breakerN }]): [string, Cells] => [
    model,
    { right: one(right), n: one(n), breaker: one(breaker), breakerN: one(breakerN) },
  ])
  return { kinds, models: new Map(cells) }
}

function add(list: Float64Array, at: number, value: number): void {
  list[at] = (list[at] as number) + value
}

/** Groups of each kind counted as often as they were drawn; null where a model has no cell in them. */
function standing({ right, n, breaker, breakerN }: Cells, counts: ArrayLike<number>): Standing | null {
  let [hits, cells, parts, read] = [0, 0, 0, 0]
  for (let kind = 0; kind < right.length; kind++) {
    const times = counts[kind] as number
    hits += times * (right[kind] as number)
    cells += times * (n[kind] as number)
    parts += times * (breaker[kind] as number)
    read += times * (breakerN[kind] as number)
  }
  return cells === 0 ? null : { score: hits / cells, breaker: read === 0 ? null : parts / read }
}

function agreement(a: Sheet, b: Sheet, stream: Stream) {
  const names = [...a.models.keys()].filter((name) => b.models.has(name))
  if (names.length < MIN) return []
  const ranksOf = (sheet: Sheet, counts: Int32Array, who: readonly string[]): Float64Array | null => {
    const standings = who.flatMap((name) => standing(sheet.models.get(name) as Cells, counts) ?? [])
    return standings.length < who.length ? null : rankings(standings)
  }
  const x = ranksOf(a, a.kinds.counts, names)
  const y = ranksOf(b, b.kinds.counts, names)
  const found = x === null || y === null ? null : rankAgreement(x, y, stream)
  if (found === null) return []
  const drawn: number[] = []
  for (let draw = 0; draw < DRAWS; draw++) {
    const who = names.map(() => names[below(stream, names.length)] as string)
    const first = ranksOf(a, drawnKinds(a.kinds, stream), who)
    const second = ranksOf(b, drawnKinds(b.kinds, stream), who)
    const rho = first === null || second === null ? null : rhoOf(first, second)
    if (rho !== null) drawn.push(rho)
  }
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

/** null where more than half of the draws have no correlation. */
function intervalOf(value: number, drawn: readonly number[], n: number): Estimate | null {
  if (drawn.length < DRAWS / 2) return null
  const sorted = Float64Array.from(drawn).sort()
  const method = `bootstrap of models and groups 95 %, ${drawn.length} draws`
  return { value, low: quantileSorted(sorted, 0.025), high: quantileSorted(sorted, 0.975), n, method }
}
