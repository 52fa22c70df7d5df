import { float, namedStream, type Stream } from '../src/core/index.ts'
import { clusteredMean, correctedMean } from '../src/libraries/statistics/index.ts'
import type { BenchTable } from './table.ts'

const sizes: { readonly [size: string]: number } = { quick: 100, large: 4000 }
const KNOWN = [20, 50, 200]
const DESIGNS: readonly (readonly [groups: number, each: number])[] = [
  [1000, 1],
  [100, 10],
  [30, 20],
]
const RIGHT = [0.5, 0.8, 0.95]
/** How often a judge calls right responses right, and wrong ones wrong. */
const JUDGES: readonly (readonly [name: string, right: number, wrong: number])[] = [
  ['never errs', 1, 1],
  ['good', 0.95, 0.9],
  ['generous', 0.95, 0.5],
  ['tells nothing', 0.5, 0.5],
]

/** How often 95 % intervals of a corrected share hold the truth: `npm run bench -- prediction-powered`. */
export function run(): Promise<BenchTable> {
  const sets = sizes[process.env['TOUCHSTONE_BENCH'] ?? ''] ?? 1000
  const rows = JUDGES.flatMap((judge) =>
    DESIGNS.flatMap((design) =>
      RIGHT.map((right) => [judge[0], ...design, right, ...coverage(judge, design, right, sets)]),
    ),
  )
  return Promise.resolve({
    title: 'Coverage of 95 % intervals of a share by a judge, corrected',
    columns: [
      'judge',
      'groups',
      'responses in each',
      'right',
      'judge says',
      ...KNOWN.map((known) => `${known} labels %`),
      'the judge alone %',
      ...KNOWN.map((known) => `width, ${known} labels`),
      'width, 200 labels alone',
    ],
    rows,
    notes: [
      `${sets} sets a line; log-odds of groups of several responses vary by 1; a judge errs .3 more often in one group of five`,
      'labels: of a random sample of the responses; the judge alone: its mean and 1.96 clustered standard errors',
    ],
  })
}

function coverage(
  [name, hit, rejection]: (typeof JUDGES)[number],
  [groups, each]: (typeof DESIGNS)[number],
  right: number,
  sets: number,
): readonly number[] {
  const stream = namedStream('bench/prediction-powered', name, String(groups), String(right))
  const truthOf = meanShare(right, each)
  const held = KNOWN.map(() => 0)
  const widths = KNOWN.map(() => 0)
  let [judgeHeld, said, labels] = [0, 0, 0]
  for (let set = 0; set < sets; set++) {
    const truth: number[] = []
    const judge: number[] = []
    const clusters: number[] = []
    for (let group = 0; group < groups; group++) {
      const share = logistic(Math.log(right / (1 - right)) + (each === 1 ? 0 : normal(stream)))
      const worse = each > 1 && name !== 'never errs' && float(stream) < 0.2 ? 0.3 : 0
      for (let i = 0; i < each; i++) {
        const is = float(stream) < share
        truth.push(Number(is))
        judge.push(Number(float(stream) < (is ? hit - worse : 1 - rejection + worse)))
        clusters.push(group)
      }
    }
    const order = truth.map((_, i) => [float(stream), i] as const).sort(([a], [b]) => a - b)
    for (const [at, known] of KNOWN.entries()) {
      const labelled = new Set(order.slice(0, known).map(([, i]) => i))
      const some = truth.map((is, i) => (labelled.has(i) ? is : Number.NaN))
      const { estimate } = correctedMean({ judge, truth: some, clusters }) ?? {}
      if (estimate === undefined) continue
      held[at] = (held[at] ?? 0) + Number(estimate.low <= truthOf && truthOf <= estimate.high)
      widths[at] = (widths[at] ?? 0) + estimate.high - estimate.low
    }
    const { mean, standardError } = clusteredMean(judge, clusters)
    said += mean
    judgeHeld += Number(Math.abs(mean - truthOf) <= 1.96 * (standardError ?? 0))
    // A judge that says the same of all is not listened to.
    const labelled = new Set(order.slice(0, 200).map(([, i]) => i))
    const some = truth.map((is, i) => (labelled.has(i) ? is : Number.NaN))
    const { estimate } = correctedMean({ judge: truth.map(() => 0), truth: some, clusters }) ?? {}
    labels += (estimate?.high ?? 1) - (estimate?.low ?? 0)
  }
  return [
    said / sets,
    ...held.map((count) => (100 * count) / sets),
    (100 * judgeHeld) / sets,
    ...widths.map((sum) => sum / sets),
    labels / sets,
  ]
}

const logistic = (x: number): number => 1 / (1 + Math.exp(-x))
const normal = (stream: Stream): number =>
  Math.sqrt(-2 * Math.log(1 - float(stream))) * Math.cos(2 * Math.PI * float(stream))

/** The mean share of groups whose log-odds are normal with deviation 1 around those of `right`. */
function meanShare(right: number, each: number): number {
  if (each === 1) return right
  let [sum, weights] = [0, 0]
  for (let z = -8; z <= 8; z += 0.001) {
    const weight = Math.exp((-z * z) / 2)
    sum += weight * logistic(Math.log(right / (1 - right)) + z)
    weights += weight
  }
  return sum / weights
}
