import { expect, it } from 'vitest'
import parity from '../../../examples/parity.ts'
import { correctnessChecker, type Problem, type Task } from '../../../src/core/index.ts'
import { checkTask } from '../../../src/testing/check.ts'

const problem: Problem<null, { string: string }, string> = { shared: null, given: { string: 'aab' }, answer: 'even' }
const changed = (change: Partial<Task>): Task => ({ ...parity, ...change })
const verdicts = (task: Task) => ['even', 'odd', 'neither'].map((text) => correctnessChecker(task, problem)?.(text))

it('is what the grade says, or what right says where grades take long to work out', () => {
  expect(verdicts(parity)).toEqual([true, false, false])
  const grade = () => {
    throw new Error('asked for all parts of the grade')
  }
  expect(verdicts(changed({ grade, right: (_, answer) => answer === 'even' }))).toEqual([true, false, false])
})

it('is not known where the law finds that right says something else than the grade', () => {
  const laws = checkTask(changed({ right: () => true }), parity.configure({ length: 8 }))
  expect(laws.filter(({ kind }) => kind === 'failed')).toMatchObject([
    { test: 'oracle', message: expect.stringMatching(/incorrect by its grade, correct by right/u) },
  ])
})
