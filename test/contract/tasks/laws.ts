import { expect, it } from 'vitest'
import type { Task } from '../../../src/core/index.ts'
import { laws } from '../../../src/testing/check.ts'
import { subjectOf } from '../../../src/testing/subject.ts'
import { hashesElsewhere, hashesOf } from './hashes.ts'

/** The laws every task must pass in every preset (DESIGN 4). Call inside a `describe`. */
export function taskLaws(task: Task, preset: string): void {
  const subject = subjectOf(task, task.preset(preset).config)
  for (const law of laws) it.skipIf((law.skips?.(task) ?? null) !== null)(law.says, () => law.hold(subject))

  it('makes the same items in another process', async () => {
    expect((await hashesElsewhere(task.name)).get(preset)).toEqual(hashesOf(subject.test))
  })
}
