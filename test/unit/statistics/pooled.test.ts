import { describe, expect, it } from 'vitest'
import { float, Sfc32 } from '../../../src/core/index.ts'
import {
  type Effect,
  effectOfDifference,
  pairedDifference,
  randomEffects,
} from '../../../src/libraries/statistics/index.ts'
import { sample } from '../../nightly.ts'
import { expectClose } from './close.ts'
import { fixture } from './fixture.ts'

interface Case {
  readonly name: string
  readonly values: readonly number[]
  readonly errors: readonly number[]
  readonly mean: number
  readonly tau: number
  readonly error: number
  readonly low: number
  readonly high: number
  readonly p: number
  readonly tau_low: number
  readonly tau_high: number
  readonly q: number
  readonly q_p: number
  readonly prediction: readonly [number, number] | null
}

const poolOf = (effects: readonly Effect[], bounds?: readonly [number, number]) => {
  const found = randomEffects(effects, bounds === undefined ? {} : { bounds })
  if (found === null) throw new Error('two effects can be pooled')
  return found
}

describe('effects of tasks pooled', () => {
  const { cases } = fixture<{ cases: readonly Case[] }>('pooled')

  it.each(cases)('as statsmodels and scipy have it: $name', (expected) => {
    const effects = expected.values.map((value, j) => ({ value, standardError: expected.errors[j] as number }))
    const found = poolOf(effects)
    const pairs: readonly (readonly [number, number])[] = [
      [found.effect.value, expected.mean],
      [found.effect.low, expected.low],
      [found.effect.high, expected.high],
      [found.standardError, expected.error],
      [found.p, expected.p],
      [found.tau.value, expected.tau],
      [found.tau.low, expected.tau_low],
      [found.tau.high, expected.tau_high],
      [found.heterogeneity.q, expected.q],
      [found.heterogeneity.p, expected.q_p],
    ]
    for (const [actual, wanted] of pairs) expectClose(actual, wanted, 1e-6, 1e-9)
    if (expected.prediction === null) expect(found.prediction).toEqual({ kind: 'unknown', tasks: 2 })
    else {
      if (found.prediction.kind !== 'interval') throw new Error('three tasks predict a fourth')
      expectClose(found.prediction.low, expected.prediction[0], 0.02, 0.005)
      expectClose(found.prediction.high, expected.prediction[1], 0.02, 0.005)
    }
  })

  it('one task is none, and an error of 0 is refused', () => {
    expect(randomEffects([{ value: 0.1, standardError: 0.1 }])).toBeNull()
    expect(() => randomEffects([{ value: 0.1, standardError: 0 }])).toThrow(/error above 0/u)
  })

  it('is cut where effects end', () => {
    const { effect } = poolOf(
      [
        { value: 0.9, standardError: 0.01 },
        { value: 0.2, standardError: 0.01 },
      ],
      [-1, 1],
    )
    expect([effect.low, effect.high]).toEqual([-1, 1])
  })

  it('does not depend on the order, and mirrors', () => {
    const effects = [0.1, -0.05, 0.3, 0.22].map((value, j) => ({ value, standardError: 0.02 + 0.01 * j }))
    const [found, other] = [poolOf(effects), poolOf(effects.map((one) => ({ ...one, value: -one.value })).reverse())]
    expectClose(other.effect.low, -found.effect.high, 1e-9)
    expectClose(other.tau.value, found.tau.value, 1e-9)
  })

  it.each([2, 3, 5, 9])('%i tasks: intervals of the mean hold it, and those of a further task hold that', (tasks) => {
    const stream = new Sfc32(tasks, 1, 2, 3)
    const runs = sample({ nightly: 300, otherwise: 100 })
    let [mean, next] = [0, 0]
    for (let run = 0; run < runs; run++) {
      const truth = (): number => 0.1 + 0.1 * normal(stream)
      const effects = Array.from({ length: tasks }, (_, j) => {
        const standardError = 0.03 * (1 + (j % 3))
        return { value: truth() + standardError * normal(stream), standardError }
      })
      const { effect, prediction } = poolOf(effects)
      if (effect.low <= 0.1 && 0.1 <= effect.high) mean++
      const further = truth()
      if (prediction.kind === 'interval' && prediction.low <= further && further <= prediction.high) next++
    }
    const least = 0.95 - 3.5 * Math.sqrt((0.95 * 0.05) / runs)
    expect(mean / runs).toBeGreaterThan(least)
    if (tasks > 2) expect(next / runs).toBeGreaterThan(least - 0.006)
  })
})

describe('what a paired difference says to the pool', () => {
  it('is its error where scores of groups differ', () => {
    const found = pairedDifference([1, 1, 0.5, 1, 1, 0], [0, 1, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2])
    if (found?.kind !== 'varied') throw new Error('groups differ')
    expect(effectOfDifference(found)).toEqual({ value: found.difference.value, standardError: found.standardError })
  })

  it('and of right and wrong, an error as wide as its interval', () => {
    const ones = new Array<number>(20).fill(1)
    const found = pairedDifference(ones, ones, [...ones.keys()])
    if (found === null) throw new Error('twenty groups have an interval')
    const { value, standardError } = effectOfDifference(found)
    expect(value).toBe(0)
    expectClose(standardError, found.difference.high / 1.96, 1e-3)
  })
})

/** Nearly normal: the sum of twelve uniform numbers. */
const normal = (stream: Sfc32): number => Array.from({ length: 12 }, () => float(stream)).reduce((a, b) => a + b, -6)
