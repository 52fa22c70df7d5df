import { expect, it } from 'vitest'
import type { Task } from '../../../src/core/index.ts'
import { contractTests } from '../../../src/testing/check.ts'
import { fuzzInputs } from '../../../src/testing/fuzz-inputs.ts'
import { type Subject, subjectOf } from '../../../src/testing/subject.ts'
import { nightly, sample } from '../../nightly.ts'
import { hashesElsewhere, hashesOf } from './hashes.ts'

const shortJunk = fuzzInputs(1 / 32)

/** Presets that open a large grammar for every few items: a pair of them is asked. */
const LARGE_GRAMMARS = ['relic-crossed', 'count-work']

/**
 * What a law asks of: all that it asks for in the nightly run, else a quarter, of some sixty items in all presets
 * together, but no fewer than three of each (of large grammars a pair); and junk that is long for the first preset of a task only.
 */
function sampled(subject: Subject, preset: string): Subject {
  const presets = Object.keys(subject.task.presets)
  const fewer = (count: number): number =>
    LARGE_GRAMMARS.includes(preset)
      ? Math.min(count, 2)
      : Math.min(count, Math.max(3, Math.ceil(Math.min(count / 4, 60 / presets.length))))
  return {
    task: subject.task,
    config: subject.config,
    open: subject.open,
    get test() {
      return subject.test
    },
    some: (count) => subject.some(sample({ nightly: count, otherwise: fewer(count) })),
    junk: nightly || preset === presets[0] ? subject.junk : shortJunk,
  }
}

/** The laws every task must pass in every preset. Call inside a `describe`. */
export function taskLaws(task: Task, preset: string): void {
  const subject = sampled(subjectOf(task, task.preset(preset).config), preset)
  for (const law of contractTests)
    it.skipIf((law.skips?.(task) ?? null) !== null)(law.description, () => law.run(subject))

  // The golden items of every preset were made by another process too.
  if (nightly)
    it('makes the same items in another process', async () => {
      expect(await hashesElsewhere(task.name, preset)).toEqual(hashesOf(subject.test))
    })
}
