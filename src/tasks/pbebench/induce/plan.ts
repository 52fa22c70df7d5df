import { balancedBlocks, type Layout, type RandomStreams, type Stream, shuffle } from '../../../core/index.ts'
import { categoryCode, categoryOf } from '../../../libraries/rewriting/index.ts'
import { sum } from '../../../libraries/statistics/index.ts'
import { partitionKey } from '../canonical.ts'
import { drawConditional } from '../sampling/conditional.ts'
import { type PublishedRun, runPublished } from '../sampling/published.ts'
import { type Instance, settingOf } from '../sampling/settings.ts'
import type { Config } from './config.ts'

/** A stratum without items, and why. */
interface ClosedCell {
  readonly [key: string]: string | number | boolean
  readonly length: number
  readonly category: string
  readonly proved: boolean
  readonly reason: string
}

/** Rows by length, columns by category. Quotas are null for an endless config. */
export type Plan =
  | {
      readonly kind: 'conditional'
      readonly quotas: readonly (readonly number[])[] | null
      readonly closed: readonly ClosedCell[]
    }
  | {
      readonly kind: 'published'
      readonly steps: number
      readonly efficiencyPercent: number
      readonly complete: boolean
      readonly counts: readonly number[]
      readonly accepted: readonly (readonly [number, number, number, number, number, number])[]
    }

/** Maximum attempts at one instance of a stratum before the stratum is closed. */
const PROBE = 60

export function plan(config: Config, draws: RandomStreams): Plan {
  return config.sampler === 'published' ? publishedPlan(config, draws) : conditionalPlan(config, draws)
}

function conditionalPlan(config: Config, draws: RandomStreams): Plan {
  const setting = settingOf(config)
  const closed: ClosedCell[] = []
  const open = config.lengths.map((length, row) =>
    config.categories.map((category, column) => {
      if (length === 1 && category !== '0000') {
        closed.push({ length, category, proved: true, reason: 'one rule has no relations' })
        return false
      }
      if (config.minimal && length > 2 && length > Math.min(config.words, config.alphabet.length)) {
        closed.push({ length, category, proved: true, reason: 'the rank of so few words or letters proves no so long' })
        return false
      }
      if (known(config, length)) return true
      const stream = draws.stream('probe', row, column)
      if (drawConditional(stream, setting, length, categoryOf(category), PROBE) !== null) return true
      closed.push({ length, category, proved: false, reason: `not reached in ${PROBE} attempts` })
      return false
    }),
  )
  const quotas = config.size === null ? null : quotasOf(config, config.size, open, draws.stream('quotas'))
  return { kind: 'conditional', quotas, closed }
}

function quotasOf({ even }: Config, size: number, open: readonly (readonly boolean[])[], tieBreak: Stream) {
  return even === 'category'
    ? transposed(dealQuotas(size, transposed(open), tieBreak))
    : dealQuotas(size, open, tieBreak)
}

/**
 * Settings in which every stratum is known to be reachable (a test generates each): at least the letters and words of
 * the published sets, and no further restrictions. Other settings are tried first.
 */
function known(config: Config, length: number): boolean {
  const plain =
    config.changed.min === 1 &&
    config.changed.max === null &&
    config.side[0] === 1 &&
    config.side[1] === 3 &&
    config.wordLength[0] <= 2 &&
    config.wordLength[1] >= 6 &&
    config.leftSides === 'intermediate' &&
    (config.minimal ? config.classifier === 'exact' : config.classifier === 'paper') &&
    length >= 2
  const letters = config.alphabet.length
  const lite = letters >= 17 && config.words >= 5 && length <= 5
  const hard = letters >= 52 && config.words >= 50 && config.words <= 100 && length <= (config.minimal ? 20 : 30)
  return config.gate === 'relaxed' || (plain && (lite || hard))
}

function publishedPlan(config: Config, draws: RandomStreams): Plan {
  const { size, lengths } = config
  if (size === null) throw new RangeError('the published sampler needs a size: it fills one data set as a whole')
  const admits = ({ inputs, outputs }: Instance) => draws.inSplit(partitionKey(inputs, outputs))
  const runs = config.eachLength
    ? lengths.map((length) =>
        filled(config, draws.stream('published', length), admits, size / lengths.length, [length]),
      )
    : [filled(config, draws.stream('published'), admits, size, lengths)]
  const steps = sum(runs.map((run) => run.steps))
  // Lengths take turns, so that any prefix has all of them.
  const longest = Math.max(...runs.map((run) => run.accepted.length))
  const accepted = Array.from({ length: longest }, (_, k) => runs.flatMap((run) => run.accepted[k] ?? [])).flat()
  return {
    kind: 'published',
    steps,
    efficiencyPercent: steps === 0 ? 0 : (100 * accepted.length) / steps,
    complete: runs.every(({ complete }) => complete),
    counts: config.categories.map((_, k) => sum(runs.map(({ counts }) => counts[k] as number))),
    accepted: accepted.map(({ seed, length, category }) => [...seed, length, category]),
  }
}

function filled(
  config: Config,
  stream: Stream,
  admits: (instance: Instance) => boolean,
  size: number,
  lengths: readonly number[],
): PublishedRun {
  const { patience, maxSteps } = config
  const rules = { size, lengths, categories: config.categories.map(categoryOf), patience, maxSteps }
  return runPublished(stream, settingOf(config), rules, admits)
}

export function layout(config: Config, made: Plan, draws: RandomStreams): Layout {
  return made.kind === 'conditional' ? balanced(config, made, draws) : asAccepted(config, made)
}

function balanced(config: Config, made: Extract<Plan, { kind: 'conditional' }>, draws: RandomStreams): Layout {
  const shut = new Set(made.closed.map((cell) => `${cell.length} ${cell.category}`))
  const cells = config.lengths
    .flatMap((length, row) => config.categories.map((category, column) => ({ length, category, row, column })))
    .filter(({ length, category }) => !shut.has(`${length} ${category}`))
  // Endless: a length with fewer open categories serves each of them more often, so lengths stay equal; or the reverse.
  const live = Map.groupBy(cells, (cell) => cell[config.even ?? 'length'])
  const fellows = (cell: (typeof cells)[number]) => live.get(cell[config.even ?? 'length'])?.length ?? 1
  const common = cells.map(fellows).reduce(leastCommonMultiple, 1)
  const units = cells.map((cell) => ({
    levels: { length: cell.length, category: cell.category },
    ...(made.quotas === null
      ? { weight: common / fellows(cell) }
      : { capacity: made.quotas[cell.row]?.[cell.column] ?? 0 }),
  }))
  return balancedBlocks(
    { factors: ['category', 'length'], units, ...(config.size === null ? {} : { size: config.size }) },
    draws,
  )
}

function leastCommonMultiple(a: number, b: number): number {
  let [x, y] = [a, b]
  while (y !== 0) [x, y] = [y, x % y]
  return (a / x) * b
}

function asAccepted(config: Config, made: Extract<Plan, { kind: 'published' }>): Layout {
  // Past the patience any category is accepted.
  const extra = config.patience === null ? [] : made.accepted.map((entry) => categoryCode(entry[5]))
  const categories = [...new Set([...config.categories, ...extra])]
  const strata = config.lengths.flatMap((length) => categories.map((category) => ({ length, category })))
  const at = new Map(strata.map(({ length, category }, k) => [`${length} ${category}`, k]))
  const seen = new Map<number, number>()
  const places = made.accepted.map(([, , , , length, category], index) => {
    const stratum = at.get(`${length} ${categoryCode(category)}`) as number
    const nth = seen.get(stratum) ?? 0
    seen.set(stratum, nth + 1)
    return { stratum, unit: stratum, group: index, ordinal: nth }
  })
  const reason = `the published sampler stopped after ${made.steps} steps with ${places.length} instances`
  return {
    size: config.size,
    strata,
    layout: 'none',
    at: (index) => places[index] ?? { kind: 'unreachable', proved: false, reason },
  }
}

/**
 * Items per stratum: spread evenly over the rows first, then over the open columns of each row. Remainders go to the
 * columns with the fewest items so far. Zero where `open` is false.
 */
export function dealQuotas(
  size: number,
  open: readonly (readonly boolean[])[],
  tieBreak: Stream,
): readonly (readonly number[])[] {
  const columns = open[0]?.length ?? 0
  const totals = Array.from({ length: columns }, () => 0)
  const order = shuffle(
    tieBreak,
    Array.from({ length: columns }, (_, k) => k),
  )
  return open.map((row, at) => {
    const share = Math.floor(size / open.length) + (at < size % open.length ? 1 : 0)
    const live = order.filter((k) => row[k])
    const quota = Array.from({ length: columns }, () => 0)
    if (live.length === 0) return quota
    const base = Math.floor(share / live.length)
    for (const k of live) quota[k] = base
    // A stable sort: equal totals stay in the shuffled order.
    const least = [...live].sort((a, b) => (totals[a] as number) - (totals[b] as number))
    for (const k of least.slice(0, share % live.length)) quota[k] = base + 1
    for (const k of live) totals[k] = (totals[k] as number) + (quota[k] as number)
    return quota
  })
}

/** Rows as columns and columns as rows. */
export function transposed<T>(rows: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] as T))
}
