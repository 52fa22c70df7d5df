import { float, namedStream, pick, type Stream } from '../src/core/index.ts'
import { design, linear, logistic } from '../src/libraries/statistics/index.ts'
import { type Weighed, wildP } from './regression/wild.ts'
import type { BenchTable } from './table.ts'

/** What is regressed on: of its own in every row, one value a group, or a treatment of two groups. */
const REGRESSORS = ['within groups', 'between groups', 'two groups treated'] as const
const KINDS = ['linear', 'logistic'] as const
const GROUPS = [4, 6, 8, 11]
const SLOPE = 0.5

/** Simulated sets of a line, by TOUCHSTONE_BENCH. */
const sizes: { readonly [size: string]: number } = { quick: 100, large: 4000 }

/**
 * How often 95 % intervals of a slope hold it, with few groups of unequal sizes: CR2 with Bell and McCaffrey's degrees of freedom, which
 * regressions have, and the wild cluster bootstrap, which means have.
 */
export function run(): Promise<BenchTable> {
  const sets = sizes[process.env['TOUCHSTONE_BENCH'] ?? ''] ?? 1000
  const rows = KINDS.flatMap((kind) =>
    REGRESSORS.flatMap((regressor) => GROUPS.map((groups) => coverage(kind, regressor, groups, sets))),
  )
  return Promise.resolve({
    title: 'Coverage of 95 % intervals of a slope, few groups',
    columns: ['regression', 'regressor', 'groups', 'fitted', 'CR2, Bell-McCaffrey t %', 'wild bootstrap %'],
    rows,
    notes: [
      `${sets} sets a line; groups of 10, 20, 40 or 120 rows; group effects of standard deviation 0.8, slopes within groups that vary by 0.3`,
      'logistic: the slope is that of all groups together, 0.5 made less by what groups vary (Zeger, Liang and Albert, Biometrics 44, 1988), which is near and not exact',
      'wild: null imposed, weights of Webb, of a likelihood on its last weighted regression; why regressions stay with t: docs/decisions/statistics.md',
    ],
  })
}

function coverage(
  kind: (typeof KINDS)[number],
  regressor: (typeof REGRESSORS)[number],
  groups: number,
  sets: number,
): (string | number)[] {
  const stream = namedStream('bench/regression', kind, regressor, String(groups))
  const varies = regressor === 'within groups' ? 0.3 : 0
  const truth = kind === 'linear' ? SLOPE : SLOPE / Math.sqrt(1 + 0.346 * (0.8 ** 2 + varies ** 2))
  let [fitted, held, wild] = [0, 0, 0]
  for (let set = 0; set < sets; set++) {
    const { x, y, of } = drawn(stream, kind, regressor, groups, varies)
    const matrix = design({ x: { kind: 'numeric', values: x } }, [['x']])
    const fit = (kind === 'linear' ? linear : logistic)(matrix, y, { clusters: of })
    if (fit.kind === 'unfit') continue
    const [intercept, slope] = fit.coefficients
    if (intercept === undefined || slope === undefined) continue
    fitted++
    if (slope.low <= truth && truth <= slope.high) held++
    const line = x.map((value) => intercept.estimate + slope.estimate * value)
    const weighed = kind === 'linear' ? { y, weights: y.map(() => 1) } : lastStep(line, y)
    if (wildP({ ...weighed, columns: matrix.columns, groups: of }, 1, truth) > 0.05) wild++
  }
  return [kind, regressor, groups, fitted, (100 * held) / fitted, (100 * wild) / fitted]
}

/** The weighted regression that the last step of a logistic one is. */
function lastStep(line: readonly number[], y: readonly number[]): Pick<Weighed, 'y' | 'weights'> {
  const shares = line.map((at) => 1 / (1 + Math.exp(-at)))
  const weights = shares.map((share) => share * (1 - share))
  return {
    weights,
    y: line.map((at, i) => at + ((y[i] as number) - (shares[i] as number)) / (weights[i] as number)),
  }
}

function drawn(stream: Stream, kind: string, regressor: string, groups: number, varies: number) {
  const [x, y, of]: [number[], number[], number[]] = [[], [], []]
  for (let g = 0; g < groups; g++) {
    const [effect, common, slope] = [0.8 * normal(stream), normal(stream), SLOPE + varies * normal(stream)]
    const rows = pick(stream, [10, 20, 40, 120])
    for (let i = 0; i < rows; i++) {
      const value =
        regressor === 'within groups'
          ? normal(stream) + 0.3 * common
          : regressor === 'between groups'
            ? common
            : Number(g < 2)
      const line = 0.4 + effect + slope * value
      x.push(value)
      of.push(g)
      y.push(kind === 'linear' ? line + normal(stream) : Number(float(stream) < 1 / (1 + Math.exp(-line))))
    }
  }
  return { x, y, of }
}

/** Box and Muller. */
const normal = (stream: Stream): number =>
  Math.sqrt(-2 * Math.log(1 - float(stream))) * Math.cos(2 * Math.PI * float(stream))
