import { below, type Estimate } from '../../../core/index.ts'
import { analysisStream, auc, quantileSorted, wilson } from '../../../libraries/statistics/index.ts'
import { type Context, type Curve, lossOf } from './contexts.ts'

/** The score of a model in a language; `no-pairs`: no string outside has the length of one inside. */
export type LanguageScore = Matched | Unmatched

/** The median over k = 1..32 of a model's length-matched AUC in a language, with bootstrap draws. */
export interface Matched {
  readonly kind: 'matched'
  readonly model: string
  readonly language: string
  readonly value: number
  /** The same resamples for all models, so that differences are paired; null where one has no pair of equal length. */
  readonly draws: readonly (number | null)[]
  readonly strings: number
  /** The same median of the plain AUC, the mean over repetitions. */
  readonly plain: number
  /** Test strings of the smaller class. */
  readonly few: number
}

interface Unmatched {
  readonly kind: 'no-pairs'
  readonly model: string
  readonly language: string
  readonly plain: number
}

export const isMatched = (score: LanguageScore): score is Matched => score.kind === 'matched'

export const maxExamples = 32
const resamples = 400

/** The test numbers of a repetition that count, inside the language and outside. */
interface Tests {
  readonly repetition: string
  readonly inside: readonly number[]
  readonly outside: readonly number[]
}

/**
 * Scores of all models in one language at one distance. The bootstrap draws repetitions (their example lists differ more than their
 * test strings) and test strings within them, the same for every model and k. With a single repetition its examples are fixed.
 */
export function languageScores(
  curves: readonly Curve[],
  language: string,
  distance: string,
  seed: number,
): LanguageScore[] {
  const mine = curves.filter((curve) => curve.language === language)
  const tests = testsOf(mine, distance)
  const stream = analysisStream(seed, `proficiency/standings/${language}`)
  const again = <T>(list: readonly T[]): T[] => list.map(() => list[below(stream, list.length)] as T)
  const drawn = Array.from({ length: resamples }, () =>
    again(tests).map(({ repetition, inside, outside }) => ({
      repetition,
      inside: again(inside),
      outside: again(outside),
    })),
  )
  return mine.flatMap(({ model, byK }): LanguageScore[] => {
    const curve = [...byK].filter(([k]) => k >= 1 && k <= maxExamples)
    const tables = curve.map(
      ([, contexts]) => new Map(contexts.map((context) => [context.repetition, comparisons(context, distance)])),
    )
    const value = medianAuc(tables, tests, matchedOf)
    const plain = medianAuc(tables, tests, plainOf)
    if (plain === null) return []
    if (value === null) return [{ kind: 'no-pairs', model, language, plain }]
    const draws = drawn.map((resample) => medianAuc(tables, resample, matchedOf))
    const strings = curve.reduce((sum, [, contexts]) => sum + contexts.reduce((s, c) => s + c.strings.length, 0), 0)
    const count = (side: 'inside' | 'outside') => tests.reduce((sum, rep) => sum + rep[side].length, 0)
    const few = Math.min(count('inside'), count('outside'))
    return [{ kind: 'matched', model, language, value, plain, draws, strings, few }]
  })
}

/** Test numbers that every model has scored. */
function testsOf(curves: readonly Curve[], distance: string): Tests[] {
  const out = new Map<string, { inside: number[]; outside: number[] }>()
  for (const { byK } of curves)
    for (const contexts of byK.values())
      for (const { repetition, strings } of contexts) {
        const here = {
          inside: [...new Set(strings.filter((s) => s.distance === '0').map((s) => s.test))],
          outside: [...new Set(strings.filter((s) => s.distance === distance).map((s) => s.test))],
        }
        const known = out.get(repetition)
        out.set(
          repetition,
          known === undefined
            ? here
            : {
                inside: known.inside.filter((test) => here.inside.includes(test)),
                outside: known.outside.filter((test) => here.outside.includes(test)),
              },
        )
      }
  return [...out]
    .map(([repetition, tests]) => ({ repetition, ...tests }))
    .filter(({ inside, outside }) => inside.length > 0 && outside.length > 0)
}

interface Scored {
  readonly loss: number
  readonly length: number
}

interface Comparisons {
  readonly inside: ReadonlyMap<number, Scored>
  readonly outside: ReadonlyMap<number, Scored>
}

function comparisons({ strings }: Context, distance: string): Comparisons {
  const losses = (wanted: string) =>
    new Map(strings.filter((s) => s.distance === wanted).map((s) => [s.test, { loss: lossOf(s), length: s.length }]))
  return { inside: losses('0'), outside: losses(distance) }
}

/** Pairs that are ranked correctly, and all pairs. */
interface Concordance {
  readonly wins: number
  readonly pairs: number
}
type Summary = (repetitions: readonly (readonly [readonly Scored[], readonly Scored[]])[]) => number | null

/** Over the pairs of equal length of all repetitions; null where there is none. */
const matchedOf: Summary = (repetitions) => {
  const { wins, pairs } = repetitions
    .flatMap(([inside, outside]) => {
      const others = Map.groupBy(outside, ({ length }) => length)
      return [...Map.groupBy(inside, ({ length }) => length)].map(([length, own]) =>
        concordance(own, others.get(length) ?? []),
      )
    })
    .reduce((sum, one) => ({ wins: sum.wins + one.wins, pairs: sum.pairs + one.pairs }), { wins: 0, pairs: 0 })
  return pairs === 0 ? null : wins / pairs
}

/** The mean of the repetitions' AUCs over all pairs. */
const plainOf: Summary = (repetitions) => {
  const values = repetitions.map(([inside, outside]) => concordance(inside, outside))
  return values.length === 0 ? null : values.reduce((sum, { wins, pairs }) => sum + wins / pairs, 0) / values.length
}

/** `tables`: by k, then by repetition. */
function medianAuc(
  tables: readonly ReadonlyMap<string, Comparisons>[],
  tests: readonly Tests[],
  summary: Summary,
): number | null {
  const values = tables.flatMap((byRepetition) => {
    const found = tests.flatMap((chosen) => {
      const context = byRepetition.get(chosen.repetition)
      if (context === undefined) return []
      const { inside, outside } = context
      return [
        [
          chosen.inside.map((test) => inside.get(test) as Scored),
          chosen.outside.map((test) => outside.get(test) as Scored),
        ] as const,
      ]
    })
    const value = summary(found)
    return value === null ? [] : [value]
  })
  return values.length === 0 ? null : quantileSorted(Float64Array.from(values).sort(), 0.5)
}

/** Small samples by all pairs, large ones by ranks. */
function concordance(inside: readonly Scored[], outside: readonly Scored[]): Concordance {
  const pairs = inside.length * outside.length
  if (pairs > 2000) {
    const share = auc(
      [...inside, ...outside].map(({ loss }) => -loss),
      [...inside.map(() => true), ...outside.map(() => false)],
    ) as number
    return { wins: share * pairs, pairs }
  }
  let wins = 0
  for (const a of inside) for (const b of outside) wins += a.loss < b.loss ? 1 : a.loss === b.loss ? 0.5 : 0
  return { wins, pairs }
}

const method = `bootstrap 95 % over repetitions and test strings, ${resamples} resamples`

/** With the bootstrap interval; for perfect separation, which no resample leaves, Wilson's on the smaller class. */
export function estimateOf({ value, draws, strings, few }: Matched): Estimate {
  const separated = value === 0 || value === 1 ? wilson(value * few, few) : null
  if (separated === null) return percentiles(value, draws, strings)
  return { ...separated, n: strings, method: `${separated.method} on the smaller class (perfect separation)` }
}

function percentiles(value: number, draws: Matched['draws'], n: number): Estimate {
  const sorted = Float64Array.from(draws.filter((draw) => draw !== null)).sort()
  return { value, low: quantileSorted(sorted, 0.025), high: quantileSorted(sorted, 0.975), n, method }
}

/** a - b with its interval; paired where both are of one language. */
export const difference = (a: Matched, b: Matched): Estimate =>
  percentiles(
    a.value - b.value,
    a.draws.map((x, i) => {
      const y = b.draws[i]
      return x === null || y === null || y === undefined ? null : x - y
    }),
    a.strings + b.strings,
  )

/** The paper's bands. */
export const bandOf = (auc: number): string => (auc >= 0.75 ? 'good' : auc >= 0.6 ? 'moderate' : 'poor')
