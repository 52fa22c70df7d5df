import type { JsonObject, Task } from '../core/index.ts'
import { answerTests } from './answer-tests.ts'
import { ContractError, type ContractTest } from './contract-test.ts'
import { itemTests } from './item-tests.ts'
import { partitionTests } from './partition-tests.ts'
import { subjectOf } from './subject.ts'

/**
 * All contract tests: those of items, then those of answers.
 *
 * @example
 * import { contractTests } from '@touchstone-eval/touchstone/testing'
 *
 * for (const { id, description } of contractTests) console.log(id, description)
 */
export const contractTests: readonly ContractTest[] = [...itemTests, ...partitionTests, ...answerTests]

/** The result of one contract test; `item` is the id of an item that shows the failure, null where it is not about one. */
export type ContractResult = { readonly test: string; readonly description: string } & (
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'failed'; readonly item: string | null; readonly message: string }
)

/**
 * Runs every contract test on one config of a task.
 *
 * @example
 * import { checkTask } from '@touchstone-eval/touchstone/testing'
 * import { families } from '@touchstone-eval/touchstone/tasks'
 *
 * const task = families[0]?.tasks[0]
 * if (task !== undefined) {
 *   const failed = checkTask(task, task.configure({})).filter(({ kind }) => kind === 'failed')
 *   console.log(failed)
 * }
 */
export function checkTask(task: Task, config: JsonObject): readonly ContractResult[] {
  const subject = subjectOf(task, config)
  return contractTests.map((contractTest) => {
    const head = { test: contractTest.id, description: contractTest.description }
    const reason = contractTest.skips?.(task) ?? null
    if (reason !== null) return { ...head, kind: 'skipped', reason }
    try {
      contractTest.run(subject)
      return { ...head, kind: 'passed' }
    } catch (error) {
      if (error instanceof ContractError) return { ...head, kind: 'failed', item: error.item, message: error.message }
      const message = `it throws ${error}`
      return { ...head, kind: 'failed', item: null, message }
    }
  })
}
