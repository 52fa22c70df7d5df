import { expect, it } from 'vitest'
import { float, namedStream } from '../../../src/core/index.ts'
import { correctedDifference, correctedMean } from '../../../src/libraries/statistics/index.ts'
import { sample } from '../../nightly.ts'

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const covariance = (x: readonly number[], y: readonly number[]): number =>
  mean(x.map((value, i) => (value - mean(x)) * ((y[i] as number) - mean(y))))

interface World {
  readonly groups: number
  readonly each: number
  readonly known: number
  /** Share of right responses, and how often the judge calls right ones right and wrong ones wrong. */
  readonly right: number
  readonly judge: readonly [right: number, wrong: number]
}

/** Scores of a judge, of which a random sample has the truth. Right responses come in groups: shares of groups are uniform around the mean. */
function drawn(name: string, set: number, { groups, each, known, right, judge: [hit, rejection] }: World) {
  const stream = namedStream('test/prediction-powered', name, String(set))
  const spread = each === 1 ? 0 : Math.min(right, 1 - right) * 0.8
  const truth = Array.from({ length: groups }, () => right + spread * (2 * float(stream) - 1)).flatMap((share) =>
    Array.from({ length: each }, () => Number(float(stream) < share)),
  )
  const judge = truth.map((is) => Number(float(stream) < (is === 1 ? hit : 1 - rejection)))
  const order = truth.map((_, i) => [float(stream), i] as const).sort(([a], [b]) => a - b)
  const labelled = new Set(order.slice(0, known).map(([, i]) => i))
  const clusters = truth.map((_, i) => Math.floor(i / each))
  return { judge, truth: truth.map((is, i) => (labelled.has(i) ? is : Number.NaN)), clusters }
}

it('with independent units it is the estimator of PPI++', () => {
  const world = { groups: 400, each: 1, known: 100, right: 0.6, judge: [0.9, 0.7] } as const
  const { judge, truth, clusters } = drawn('formula', 1, world)
  const found = correctedMean({ judge, truth, clusters })
  const known = truth.flatMap((is, i) => (Number.isNaN(is) ? [] : [i]))
  const others = truth.flatMap((is, i) => (Number.isNaN(is) ? [i] : []))
  const [y, f] = [known.map((i) => truth[i] as number), known.map((i) => judge[i] as number)]
  const g = others.map((i) => judge[i] as number)
  const [n, N] = [known.length, others.length]
  const lambda = covariance(y, f) / n / (covariance(f, f) / n + covariance(g, g) / N)
  expect(found?.lambda).toBeCloseTo(lambda, 12)
  const value = mean(y) + lambda * (mean(g) - mean(f))
  expect(found?.estimate.value).toBeCloseTo(value, 12)
  const rest = y.map((is, i) => is - lambda * (f[i] as number))
  const error = covariance(rest, rest) / n + (lambda ** 2 * covariance(g, g)) / N
  const half = ((found?.estimate.high ?? 0) - (found?.estimate.low ?? 0)) / 2
  // 1.984: Student's t of 98 degrees of freedom; one more error among 100 units adds (1/100)^2.
  expect(half).toBeCloseTo(1.98447 * Math.sqrt((error * 100) / 99 + 1e-4), 5)
})

it('a judge that tells nothing is not listened to, one that is right makes the interval narrow', () => {
  const world = { groups: 1000, each: 1, known: 100, right: 0.5, judge: [0.5, 0.5] } as const
  const width = (judge: World['judge']) => {
    const { estimate, lambda } = correctedMean(drawn('judges', 2, { ...world, judge })) ?? {}
    return { lambda, width: (estimate?.high ?? 1) - (estimate?.low ?? 0) }
  }
  const [useless, perfect] = [width([0.5, 0.5]), width([1, 1])]
  expect(useless.lambda).toBeLessThan(0.2)
  expect(perfect.lambda).toBeGreaterThan(0.85)
  expect(perfect.width).toBeLessThan(0.45 * useless.width)
})

it('needs ten clusters of known truth, and uses the truth alone where all of it is known', () => {
  const world = { groups: 30, each: 2, known: 60, right: 0.7, judge: [0.9, 0.9] } as const
  const scores = drawn('all', 3, world)
  expect(correctedMean(scores)).toMatchObject({ lambda: 0, known: 60, estimate: { value: mean(scores.truth) } })
  const few = { ...scores, truth: scores.truth.map((is, i) => (i < 18 ? is : Number.NaN)) }
  expect(correctedMean(few)).toBeNull()
  expect(correctedDifference(scores, few)).toBeNull()
})

const WORLDS: readonly (World & { readonly name: string })[] = [
  { name: 'a generous judge', groups: 400, each: 1, known: 50, right: 0.5, judge: [0.95, 0.7] },
  { name: 'few errors', groups: 400, each: 1, known: 40, right: 0.9, judge: [0.99, 0.99] },
  { name: 'no error', groups: 400, each: 1, known: 30, right: 0.8, judge: [1, 1] },
  { name: 'groups', groups: 40, each: 10, known: 100, right: 0.6, judge: [0.9, 0.8] },
]

it.each(WORLDS)('$name: intervals hold the truth, which the judge alone misses', ({ name, ...world }) => {
  const sets = sample({ nightly: 2000, otherwise: 300 })
  let [held, none] = [0, 0]
  for (let set = 0; set < sets; set++) {
    const scores = drawn(name, set, world)
    const { estimate } = correctedMean(scores) ?? {}
    if (estimate !== undefined && estimate.low <= world.right && world.right <= estimate.high) held++
    const other = drawn(`${name}, B`, set, { ...world, judge: [world.judge[0], world.judge[1] - 0.2] })
    const gap = correctedDifference(scores, other)?.difference
    if (gap !== undefined && gap.low <= 0 && 0 <= gap.high) none++
  }
  // Three standard errors of 300 sets below 93 %.
  const least = 0.93 - 3 * Math.sqrt((0.93 * 0.07) / sets)
  expect(held / sets).toBeGreaterThan(least)
  expect(none / sets).toBeGreaterThan(least)
})
