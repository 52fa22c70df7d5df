import { float, namedStream, type Stream } from '../src/core/index.ts'
import { clusteredShare, pairedDifference } from '../src/libraries/statistics/index.ts'
import type { BenchTable } from './table.ts'

/** Simulated sets of a design, by TOUCHSTONE_BENCH. */
const sizes: { readonly [size: string]: number } = { quick: 100, large: 10_000 }
const sets = sizes[process.env['TOUCHSTONE_BENCH'] ?? ''] ?? 2000
/** Least coverage that the method is to keep, per cent. */
const MIN_COVERAGE = 91

/**
 * How often 95 % intervals hold the share, or the paired difference, that they are of; and the series by which one error more, or one group
 * more, is seen to move them little.
 */
export const run = (): Promise<readonly BenchTable[]> =>
  Promise.resolve([designs(), otherDesigns(), pairedDesigns(), errorSeries(), groupSeries()])

const SHARES = [0.5, 0.8, 0.95, 0.995]
const CORRELATIONS = [0, 0.1, 0.4]
const UNEQUAL = [8, 16, 40, 136]
const cycle = (count: number, of: readonly number[]): number[] =>
  Array.from({ length: count }, (_, g) => of[g % of.length] as number)

/** The rows of each group. */
const SIZES: { readonly [name: string]: readonly number[] } = {
  '2 equal': cycle(2, [50]),
  '2 unequal': [16, 84],
  '3 equal': cycle(3, [50]),
  '4 equal': cycle(4, [50]),
  '4 unequal': cycle(4, UNEQUAL),
  '8 equal': cycle(8, [50]),
  '8 unequal': cycle(8, UNEQUAL),
  '8, one holds 65 %': [260, ...cycle(7, [20])],
  '20 equal': cycle(20, [50]),
  '20 unequal': cycle(20, UNEQUAL),
  '60 equal': cycle(60, [50]),
  '60 unequal': cycle(60, UNEQUAL),
}

/** How the shares of groups are drawn, with their mean. */
interface Shares {
  readonly mean: number
  draw(stream: Stream): number
}

interface Coverage {
  readonly percent: number
  readonly width: number
}

function coverage(name: string, rowsOf: readonly number[], { mean, draw }: Shares): Coverage {
  const stream = namedStream('bench/share-coverage', name)
  const clusters = Int32Array.from(rowsOf.flatMap((rows, g) => cycle(rows, [g])))
  const values = new Float64Array(clusters.length)
  let [held, width] = [0, 0]
  for (let set = 0; set < sets; set++) {
    let at = 0
    for (const rows of rowsOf) {
      const share = draw(stream)
      for (let i = 0; i < rows; i++) values[at++] = float(stream) < share ? 1 : 0
    }
    const found = clusteredShare(values, clusters)
    if (found === null) throw new Error('expected an interval of some rows, got none')
    if (found.low <= mean && mean <= found.high) held++
    width += found.high - found.low
  }
  return { percent: (100 * held) / sets, width: width / sets }
}

function designs(): BenchTable {
  const found = Object.entries(SIZES).flatMap(([groups, rows]) =>
    SHARES.flatMap((mean) =>
      CORRELATIONS.map((rho) => ({
        groups,
        mean,
        rho,
        ...coverage(`${groups} ${mean} ${rho}`, rows, beta(mean, rho)),
      })),
    ),
  )
  const line = (name: string, own: typeof found) => {
    const worst = own.toSorted((a, b) => a.percent - b.percent)[0] as (typeof found)[number]
    const mean = (of: (one: Coverage) => number): number => own.reduce((sum, one) => sum + of(one), 0) / own.length
    return [
      name,
      own.length,
      mean(({ percent }) => percent),
      worst.percent,
      `${worst.groups}, share ${worst.mean}, ICC ${worst.rho}`,
      own.filter(({ percent }) => percent < MIN_COVERAGE).length,
      mean(({ width }) => width),
    ]
  }
  return {
    title: 'Shares over groups: coverage of 95 % intervals by number and sizes of groups',
    columns: ['groups', 'designs', 'mean %', 'lowest %', 'lowest in', `below ${MIN_COVERAGE} %`, 'mean width'],
    rows: [
      line('all', found),
      ...CORRELATIONS.map((rho) =>
        line(
          `ICC ${rho}`,
          found.filter((one) => one.rho === rho),
        ),
      ),
      ...[...Map.groupBy(found, ({ groups }) => groups)].map(([groups, own]) => line(groups, own)),
    ],
    notes: [
      `${sets} sets a design (two standard errors at 95 %: ${((200 * Math.sqrt(0.95 * 0.05)) / Math.sqrt(sets)).toFixed(1)} points); shares ${SHARES.join(', ')}, shares of groups from a beta distribution with intra-group correlation (ICC) ${CORRELATIONS.join(', ')}`,
      `equal groups have 50 rows, unequal ones ${UNEQUAL.join(', ')} in turn (two groups: 16 and 84)`,
    ],
  }
}

/** Designs that the method was not chosen on. */
function otherDesigns(): BenchTable {
  const others: readonly (readonly [string, readonly number[], string, Shares])[] = [
    ['1', [76], 'beta, ICC 0.1', beta(0.7, 0.1)],
    ['1', [76], 'beta, ICC 0.3', beta(0.9, 0.3)],
    ['3 unequal', [10, 30, 90], 'beta, ICC 0.2', beta(0.65, 0.2)],
    ['5 equal', cycle(5, [30]), 'beta, ICC 0.05', beta(0.9, 0.05)],
    ['5 unequal', [5, 10, 25, 60, 150], 'beta, ICC 0.2', beta(0.75, 0.2)],
    ['6 equal', cycle(6, [100]), 'beta, ICC 0.3', beta(0.35, 0.3)],
    ['10 equal', cycle(10, [12]), 'beta, ICC 0.15', beta(0.97, 0.15)],
    ['12 equal', cycle(12, [20]), 'beta, ICC 0.25', beta(0.6, 0.25)],
    ['16 unequal', cycle(16, [4, 9, 20, 47]), 'beta, ICC 0.1', beta(0.85, 0.1)],
    ['32 equal', cycle(32, [29]), 'beta, ICC 0.05', beta(0.99, 0.05)],
    ['100 equal', cycle(100, [3]), 'beta, ICC 0.2', beta(0.7, 0.2)],
    ['500 unequal', cycle(500, [1, 2, 3, 6]), 'beta, ICC 0.3', beta(0.8, 0.3)],
    ['4 equal', cycle(4, [75]), 'logit-normal, SD 0.8', logitNormal(0.5, 0.8)],
    ['8 unequal', cycle(8, UNEQUAL), 'logit-normal, SD 0.8', logitNormal(1.5, 0.8)],
    ['20 equal', cycle(20, [50]), 'logit-normal, SD 0.8', logitNormal(2.5, 0.8)],
    ['60 equal', cycle(60, [25]), 'logit-normal, SD 0.5', logitNormal(3, 0.5)],
    ['20 equal', cycle(20, [50]), 'logit-normal, SD 2', logitNormal(4, 2)],
    ['8 equal', cycle(8, [50]), 'two kinds, 0.2 and 0.95', twoKinds(0.2, 0.95)],
    ['4 equal', cycle(4, [50]), 'two kinds, 0.2 and 0.95', twoKinds(0.2, 0.95)],
    ['30 of 5 samples', cycle(30, [5]), 'beta, ICC 0.6', beta(0.7, 0.6)],
  ]
  return {
    title: 'Shares over groups: coverage in twenty other designs',
    columns: ['groups', 'rows', 'shares of groups', 'mean share', 'coverage %', 'mean width'],
    rows: others.map(([groups, rows, kind, shares]) => {
      const { percent, width } = coverage(`other ${groups} ${kind}`, rows, shares)
      return [groups, rows.reduce((sum, n) => sum + n, 0), kind, shares.mean, percent, width]
    }),
    notes: [
      `${sets} sets a design; ICC: intra-group correlation; SD on the log-odds scale`,
      'stated limits: a few groups of two kinds far apart, strong logit-normal variation near 1, several samples of an item as a group (docs/statistics.md)',
    ],
  }
}

/** Two models on the same items: log-odds of ability less difficulty, groups alike for both but for `own`. */
function pairedDesigns(): BenchTable {
  const abilities = [
    [0, 0],
    [1, 1],
    [0.8, 2.2],
  ] as const
  const groups = { '2 equal': 2, '4 equal': 4, '4 unequal': 4, '8 equal': 8, '8 unequal': 8, '20 equal': 20 } as const
  const count = Math.min(sets, 1000)
  const rows = Object.entries(groups).flatMap(([name, number]) =>
    [0, 0.6].map((own) => {
      const sizes = cycle(number, name.endsWith('unequal') ? UNEQUAL : [50])
      const found = abilities.map(([a, b]) => paired(`${name} ${own} ${a} ${b}`, sizes, { a, b, own }, count))
      const [least] = found.map(({ percent }) => percent).toSorted((x, y) => x - y)
      const mean = (of: (one: (typeof found)[number]) => number): number =>
        found.reduce((sum, one) => sum + of(one), 0) / found.length
      const alarms = Math.max(...found.slice(0, 2).map(({ excludes }) => excludes))
      return [
        name,
        own,
        least as number,
        mean(({ percent }) => percent),
        mean(({ width }) => width),
        alarms,
        found[2]?.excludes ?? 0,
      ]
    }),
  )
  return {
    title: 'Paired shares over groups: coverage of 95 % intervals of a difference',
    columns: [
      'groups',
      'SD of model by group',
      'lowest %',
      'mean %',
      'mean width',
      'highest false alarms %',
      'power %',
    ],
    rows,
    notes: [
      `${count} sets a design; log-odds: items SD 1.2, groups SD 0.7 shared by both models; abilities ${abilities.map((one) => one.join(' and ')).join(', ')} (power: the last)`,
    ],
  }
}

function paired(
  name: string,
  rowsOf: readonly number[],
  { a, b, own }: { readonly a: number; readonly b: number; readonly own: number },
  count: number,
) {
  const stream = namedStream('bench/share-coverage', 'paired', name)
  const clusters = Int32Array.from(rowsOf.flatMap((rows, g) => cycle(rows, [g])))
  const [first, second] = [new Float64Array(clusters.length), new Float64Array(clusters.length)]
  // The spread that items, groups and a model in a group have together.
  const spread = Math.hypot(1.2, 0.7, own)
  const truth = logitNormal(b, spread).mean - logitNormal(a, spread).mean
  let [held, width, excludes] = [0, 0, 0]
  for (let set = 0; set < count; set++) {
    let at = 0
    for (const rows of rowsOf) {
      const group = 0.7 * normal(stream)
      const [mine, theirs] = [own * normal(stream), own * normal(stream)]
      for (let i = 0; i < rows; i++, at++) {
        const item = group + 1.2 * normal(stream)
        first[at] = float(stream) < logistic(b + item + mine) ? 1 : 0
        second[at] = float(stream) < logistic(a + item + theirs) ? 1 : 0
      }
    }
    const found = pairedDifference(first, second, clusters)
    if (found === null) throw new Error('expected an interval of some pairs, got none')
    const { low, high } = found.difference
    if (low <= truth && truth <= high) held++
    if (low > 0 || high < 0) excludes++
    width += high - low
  }
  return { percent: (100 * held) / count, width: width / count, excludes: (100 * excludes) / count }
}

const intervalOf = (groups: readonly (readonly [rows: number, correct: number])[]) => {
  const found = clusteredShare(
    groups.flatMap(([rows, correct]) => [...cycle(correct, [1]), ...cycle(rows - correct, [0])]),
    groups.flatMap(([rows], g) => cycle(rows, [g])),
  )
  if (found === null) throw new Error('expected an interval of some rows, got none')
  return found
}

function errorSeries(): BenchTable {
  const each = (count: number, errors: number): number[] => cycle(count, [errors])
  const series: readonly (readonly [string, readonly number[]])[] = [
    ['none', []],
    ['1', [1]],
    ['2, in two groups', [1, 1]],
    ['3, in three groups', [1, 1, 1]],
    ['5, in five groups', each(5, 1)],
    ['20, one in each group', each(20, 1)],
    ['40, two in each group', each(20, 2)],
    ['20, all in one group', [20]],
    ['40, all in one group', [40]],
  ]
  return {
    title: 'Shares over groups: 1,494 rows in 20 groups, by errors',
    columns: ['errors', 'share', 'low', 'high'],
    rows: series.map(([name, errors]) => {
      const { value, low, high } = intervalOf(
        Array.from({ length: 20 }, (_, g) => [g < 14 ? 75 : 74, (g < 14 ? 75 : 74) - (errors[g] ?? 0)] as const),
      )
      return [name, value, low, high]
    }),
    notes: ['all correct has the highest limits; no error more moves a limit by more than .07'],
  }
}

function groupSeries(): BenchTable {
  return {
    title: 'Shares over groups: 76 rows a group, by groups',
    columns: ['groups', 'all correct, low', 'width', '8 errors in each, low', 'high', 'width'],
    rows: [1, 2, 3, 4, 8, 12, 20, 60].map((count) => {
      const [all, some] = [76, 68].map((correct) => intervalOf(Array.from({ length: count }, () => [76, correct]))) as [
        ReturnType<typeof intervalOf>,
        ReturnType<typeof intervalOf>,
      ]
      return [count, all.low, all.high - all.low, some.low, some.high, some.high - some.low]
    }),
    notes: ['more groups of one kind are never wider'],
  }
}

const logistic = (x: number): number => 1 / (1 + Math.exp(-x))
const normal = (stream: Stream): number =>
  Math.sqrt(-2 * Math.log(1 - float(stream))) * Math.cos(2 * Math.PI * float(stream))

/** Marsaglia and Tsang (2000). */
function gamma(stream: Stream, shape: number): number {
  if (shape < 1) return gamma(stream, shape + 1) * (1 - float(stream)) ** (1 / shape)
  const d = shape - 1 / 3
  for (;;) {
    const x = normal(stream)
    const v = (1 + x / Math.sqrt(9 * d)) ** 3
    if (v > 0 && Math.log(1 - float(stream)) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
  }
}

const beta = (mean: number, rho: number): Shares => ({
  mean,
  draw(stream) {
    if (rho === 0) return mean
    const scale = 1 / rho - 1
    const [x, y] = [gamma(stream, mean * scale), gamma(stream, (1 - mean) * scale)]
    return x / (x + y)
  },
})

/** The mean is a fine sum over the normal density. */
function logitNormal(middle: number, spread: number): Shares {
  let [sum, weight] = [0, 0]
  for (let z = -8; z <= 8; z += 0.001) {
    const density = Math.exp(-0.5 * z * z)
    sum += density * logistic(middle + spread * z)
    weight += density
  }
  return { mean: sum / weight, draw: (stream) => logistic(middle + spread * normal(stream)) }
}

const twoKinds = (low: number, high: number): Shares => ({
  mean: (low + high) / 2,
  draw: (stream) => (float(stream) < 0.5 ? low : high),
})
