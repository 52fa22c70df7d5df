import { float, namedStream, type Stream } from '../src/core/index.ts'
import { type Contrast, contamination } from '../src/libraries/statistics/index.ts'
import { wildGap } from './regression/wild-gap.ts'
import type { BenchTable } from './table.ts'

/** Groups of published and of fresh items. */
const GROUPS = [
  [3, 3],
  [4, 4],
  [6, 6],
  [8, 8],
  [11, 11],
  [4, 12],
  [12, 4],
  [5, 30],
  [3, 20],
] as const
const SIZES = { equal: [20], unequal: [10, 20, 40, 120] } as const
/** Shares right and how far they differ between groups: in the middle, and near the top. */
const MODELS = [
  { right: 0.55, own: 0.15 },
  { right: 0.9, own: 0.08 },
] as const

/** Simulated pairs of runs of a line, by TOUCHSTONE_BENCH. */
const sizes: { readonly [size: string]: number } = { quick: 100, large: 4000 }

/**
 * A model that has seen nothing: how often the 95 % interval of its gap holds 0, and how often one-sided p is below 0.05, by t, which
 * `contamination` has, and by the wild cluster bootstrap, which means have.
 */
export function run(): Promise<BenchTable> {
  const sets = sizes[process.env['TOUCHSTONE_BENCH'] ?? ''] ?? 1000
  const rows = GROUPS.flatMap(([published, fresh]) =>
    (['equal', 'unequal'] as const).flatMap((spread) =>
      MODELS.map((model) => line({ published, fresh, spread, ...model }, sets)),
    ),
  )
  return Promise.resolve({
    title: 'Contamination of clean runs, few groups: coverage of 0, false alarms at 5 %',
    columns: ['groups', 'sizes', 'right', 'held, t %', 'held, wild %', 'alarms, t %', 'alarms, wild %'],
    rows,
    notes: [
      `${sets} pairs of runs a line; groups of 20, or of 10, 20, 40 and 120 items in turn; two strata; two references`,
      'wild: null imposed by stratum, weights of Webb, two-sided for intervals; why t stays: docs/decisions/statistics.md',
    ],
  })
}

interface Line {
  readonly published: number
  readonly fresh: number
  readonly spread: keyof typeof SIZES
  readonly right: number
  readonly own: number
}

function line(of: Line, sets: number): (string | number)[] {
  const stream = namedStream('bench/contamination', JSON.stringify(of))
  const held = { t: 0, wild: 0 }
  const alarms = { t: 0, wild: 0 }
  for (let set = 0; set < sets; set++) {
    const rows = simulated(stream, of)
    const found = contamination(rows)
    if (found === null) throw new Error('two groups a side are always there')
    const wild = wildGap(rows, 0)
    if (found.estimate.low <= 0 && 0 <= found.estimate.high) held.t++
    if (wild.both > 0.05) held.wild++
    if (found.p < 0.05) alarms.t++
    if (wild.above < 0.05) alarms.wild++
  }
  const percent = (count: number): number => (100 * count) / sets
  return [
    `${of.published} + ${of.fresh}`,
    of.spread,
    of.right,
    percent(held.t),
    percent(held.wild),
    percent(alarms.t),
    percent(alarms.wild),
  ]
}

/** A model and two references; groups lie at levels of their own, and the model has its own way with each. */
function simulated(random: Stream, of: Line): Contrast[] {
  const sizesOf = SIZES[of.spread]
  return (['published', 'fresh'] as const).flatMap((side) =>
    Array.from({ length: of[side] }, (_, g) => {
      const group = 0.3 * (float(random) - 0.5)
      const own = 2 * of.own * (float(random) - 0.5)
      return Array.from({ length: sizesOf[g % sizesOf.length] as number }, (_item, i): Contrast => {
        const stratum = i % 2 === 0 ? 'short' : 'long'
        const level = of.right + group - (side === 'published' ? 0.1 : 0) + (stratum === 'short' ? 0.05 : 0)
        const right = (share: number): number => (float(random) < share ? 1 : 0)
        const value = right(level + own) - (right(level) + right(level)) / 2
        return { side, stratum, group: `${side} ${g}`, value }
      })
    }).flat(),
  )
}
