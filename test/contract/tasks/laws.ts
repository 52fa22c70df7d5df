import { expect, it } from 'vitest'
import type { Task } from '../../../src/core/index.ts'
import { laws } from '../../../src/testing/check.ts'
import { type Subject, subjectOf } from '../../../src/testing/subject.ts'
import { sample } from '../../nightly.ts'
import { hashesElsewhere, hashesOf } from './hashes.ts'

/** The items of a law: all that it asks for in the nightly run, else a quarter, but no fewer than eight where it asks for so many. */
function sampled(subject: Subject): Subject {
  const fewer = (count: number): number => Math.min(count, Math.max(8, Math.ceil(count / 4)))
  return {
    task: subject.task,
    config: subject.config,
    open: subject.open,
    get test() {
      return subject.test
    },
    some: (count) => subject.some(sample({ nightly: count, otherwise: fewer(count) })),
  }
}

/** The laws every task must pass in every preset (DESIGN 4). Call inside a `describe`. */
export function taskLaws(task: Task, preset: string): void {
  const subject = sampled(subjectOf(task, task.preset(preset).config))
  for (const law of laws) it.skipIf((law.skips?.(task) ?? null) !== null)(law.says, () => law.hold(subject))

  it('makes the same items in another process', async () => {
    expect((await hashesElsewhere(task.name)).get(preset)).toEqual(hashesOf(subject.test))
  })
}
