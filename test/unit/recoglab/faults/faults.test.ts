import { describe, expect, it } from 'vitest'
import { sample } from '../../../nightly.ts'
import { itemsOf, sourceOf } from '../items.ts'
import { faults as comparison } from './comparison.ts'
import { faults as families } from './families.ts'
import type { Faults, Stored } from './fault.ts'
import { faults as social } from './social.ts'
import { sound, faults as syllogism } from './syllogism.ts'

/**
 * Seeded faults: slips of the pen in generator or oracle, each by itself. A generator's slip is caught
 * where oracle or witness checker objects to what it would store; an oracle's, where it disagrees with the generator or
 * takes a wrong answer. Within 2,000 items (800 in a short run) at least 95 % of the faults of a task must be caught.
 */

const limit = sample({ nightly: 2000, otherwise: 800 })

type Sample = Stored & { readonly shared: never; readonly wrong: readonly never[] }

function samplesOf({ task, configs, wrong }: Faults): Sample[] {
  return configs.flatMap((config) =>
    itemsOf(sourceOf(task, config), limit / configs.length).map(({ shared, given, answer }): Sample => {
      const choices = task.choices?.({ shared, given }) ?? []
      return { shared: shared as never, given, answer, wrong: wrong({ given, answer }, choices) as never }
    }),
  )
}

/** Names of the faults that none of the items shows. */
function survivors({ task, generator, oracle }: Faults, samples: readonly Sample[]): string[] {
  const refused = ({ shared, given, answer }: Sample, slip: Faults['generator'][string]): boolean => {
    const stored = slip({ given: structuredClone(given), answer })
    if (stored === null) return false
    try {
      return (
        !task.oracle({ shared, given: stored.given }, stored.answer) ||
        !task.check({ shared, ...stored }, task.witness({ shared, ...stored }))
      )
    } catch {
      return true
    }
  }
  return [
    ...Object.entries(generator).flatMap(([name, slip]) =>
      samples.some((sample) => refused(sample, slip)) ? [] : [`generator: ${name}`],
    ),
    ...Object.entries(oracle).flatMap(([name, slip]) =>
      samples.some(
        ({ given, answer, wrong }) =>
          slip(given, answer) === false || wrong.some((other) => slip(given, other) === true),
      )
        ? []
        : [`oracle: ${name}`],
    ),
  ]
}

describe.each([
  ['comparison', comparison],
  ['social', social],
  ['syllogism', syllogism],
  ['families', families],
])('seeded faults of %s', (_, faults) => {
  const samples = samplesOf(faults)
  const count = Object.keys(faults.generator).length + Object.keys(faults.oracle).length

  it('leave nothing to object to where there is none', () => {
    const { task } = faults
    for (const { shared, given, answer } of samples.filter((__, i) => i % 10 === 0)) {
      expect(task.oracle({ shared, given }, answer)).toBe(true)
      expect(task.check({ shared, given, answer }, task.witness({ shared, given, answer }))).toBe(true)
    }
  })

  it(`are caught: all ${count} but those with a reason`, () => {
    expect(samples.length).toBeGreaterThan(0.95 * limit)
    expect(count).toBeGreaterThanOrEqual(20)
    expect(survivors(faults, samples)).toEqual(Object.keys(faults.survivors))
    expect(Object.keys(faults.survivors).length).toBeLessThanOrEqual(0.05 * count)
  })

  it('are asked of items that differ in every wrong answer', () => {
    const { task } = faults
    for (const { shared, given, wrong } of samples.filter((__, i) => i % 10 === 0))
      for (const answer of wrong) expect(task.oracle({ shared, given }, answer)).toBe(false)
  })
})

describe('the prover that syllogism faults are made of', () => {
  it('is right without a slip', () => {
    for (const { given, answer, wrong } of samplesOf(syllogism).filter((_, i) => i % 4 === 0)) {
      expect(sound(given, answer)).toBe(true)
      expect(wrong.some((other) => sound(given, other))).toBe(false)
    }
  })
})
