import { below, type Estimate } from '../../../core/index.ts'
import { analysisStream, auc, meanOrNull, median, quantileSorted, wilson } from '../../../libraries/statistics/index.ts'
import { type Context, type Curve, lossOf } from './contexts.ts'

/** The median over k = 1..32 of a model's length-matched AUC in a language, with bootstrap draws. */
export interface LanguageScore {
  readonly model: string
  readonly language: string
  /** null: no string outside has the length of one inside. */
  readonly value: number | null
  /** The same resamples for all models, so that differences are paired; null where one has no pair of equal length. */
  readonly draws: readonly (number | null)[]
  readonly strings: number
  /** The same median of the plain AUC, the mean over repetitions. */
  readonly plain: number
  /** Test strings of the smaller class. */
  readonly few: number
}

export type Matched = LanguageScore & { readonly value: number }
export const isMatched = (score: LanguageScore): score is Matched => score.value !== null

export const maxExamples = 32
const resamples = 400

/** Something of the strings of a repetition, inside the language and outside. */
type Sides<T> = { readonly repetition: string; readonly inside: T; readonly outside: T }

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
  const count = (side: 'inside' | 'outside') => tests.reduce((sum, rep) => sum + rep[side].length, 0)
  const few = Math.min(count('inside'), count('outside'))
  return mine.flatMap(({ model, byK }): LanguageScore[] => {
    const curve = [...byK].filter(([k]) => k >= 1 && k <= maxExamples)
    const tables = curve.map(
      ([, contexts]) => new Map(contexts.map((context) => [context.repetition, scoredIn(context, distance)])),
    )
    const plain = medianAuc(tables, tests, plainOf)
    if (plain === null) return []
    const value = medianAuc(tables, tests, matchedOf)
    const draws = value === null ? [] : drawn.map((resample) => medianAuc(tables, resample, matchedOf))
    const strings = curve.reduce((sum, [, contexts]) => sum + contexts.reduce((s, c) => s + c.strings.length, 0), 0)
    return [{ model, language, value, plain, draws, strings, few }]
  })
}

/** Test numbers that every model has scored. */
function testsOf(curves: readonly Curve[], distance: string): Sides<readonly number[]>[] {
  const contexts = curves.flatMap(({ byK }) => [...byK.values()].flat())
  return [...Map.groupBy(contexts, ({ repetition }) => repetition)]
    .map(([repetition, same]) => {
      const shared = (wanted: string): number[] => {
        const [first, ...others] = same.map(
          ({ strings }) => new Set(strings.filter((s) => s.distance === wanted).map((s) => s.test)),
        )
        return [...(first ?? [])].filter((test) => others.every((other) => other.has(test)))
      }
      return { repetition, inside: shared('0'), outside: shared(distance) }
    })
    .filter(({ inside, outside }) => inside.length > 0 && outside.length > 0)
}

interface Scored {
  readonly loss: number
  readonly length: number
}

/** The strings of a context by their test number. */
function scoredIn({ repetition, strings }: Context, distance: string): Sides<ReadonlyMap<number, Scored>> {
  const losses = (wanted: string) =>
    new Map(strings.filter((s) => s.distance === wanted).map((s) => [s.test, { loss: lossOf(s), length: s.length }]))
  return { repetition, inside: losses('0'), outside: losses(distance) }
}

type Summary = (repetitions: readonly Sides<readonly Scored[]>[]) => number | null

/** Over the pairs of equal length of all repetitions; null where there is none. */
const matchedOf: Summary = (repetitions) => {
  let [wins, pairs] = [0, 0]
  for (const { inside, outside } of repetitions) {
    const others = Map.groupBy(outside, ({ length }) => length)
    for (const [length, own] of Map.groupBy(inside, ({ length }) => length)) {
      const same = others.get(length) ?? []
      wins += winsOf(own, same)
      pairs += own.length * same.length
    }
  }
  return pairs === 0 ? null : wins / pairs
}

/** The mean of the repetitions' AUCs over all pairs. */
const plainOf: Summary = (repetitions) =>
  meanOrNull(repetitions.map(({ inside, outside }) => winsOf(inside, outside) / (inside.length * outside.length)))

/** `tables`: by k, then by repetition. */
function medianAuc(
  tables: readonly ReadonlyMap<string, Sides<ReadonlyMap<number, Scored>>>[],
  tests: readonly Sides<readonly number[]>[],
  summary: Summary,
): number | null {
  const values = tables.flatMap((byRepetition) => {
    const found = tests.flatMap(({ repetition, inside, outside }) => {
      const context = byRepetition.get(repetition)
      if (context === undefined) return []
      return [
        {
          repetition,
          inside: inside.map((test) => context.inside.get(test) as Scored),
          outside: outside.map((test) => context.outside.get(test) as Scored),
        },
      ]
    })
    return summary(found) ?? []
  })
  return median(values)
}

/** Pairs in which the string inside has less loss: small samples by all pairs, large ones by ranks. */
function winsOf(inside: readonly Scored[], outside: readonly Scored[]): number {
  const pairs = inside.length * outside.length
  if (pairs > 2000) {
    const share = auc(
      [...inside, ...outside].map(({ loss }) => -loss),
      [...inside.map(() => true), ...outside.map(() => false)],
    ) as number
    return share * pairs
  }
  let wins = 0
  for (const a of inside) for (const b of outside) wins += a.loss < b.loss ? 1 : a.loss === b.loss ? 0.5 : 0
  return wins
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
