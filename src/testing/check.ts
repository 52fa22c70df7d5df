import type { JsonObject, Task } from '../core/index.ts'
import { answerTests } from './answer-tests.ts'
import { ContractError, type ContractTest } from './contract-test.ts'
import { itemTests } from './item-tests.ts'
import { partitionTests } from './partition-tests.ts'
import { subjectOf } from './subject.ts'

/**
 * Every law, those of items first.
 *
 * @example
 * import { laws } from '@touchstone-eval/touchstone/testing'
 *
 * for (const { id, says } of laws) console.log(id, says)
 */
export const contractTests: readonly ContractTest[] = [...itemTests, ...partitionTests, ...answerTests]

/** How a task did under one law. */
export type ContractResult =
  | { readonly kind: 'holds'; readonly law: string; readonly says: string }
  | { readonly kind: 'skipped'; readonly law: string; readonly says: string; readonly reason: string }
  | {
      readonly kind: 'broken'
      readonly law: string
      readonly says: string
      /** Id of the item that shows it; null where it is not of one item. */
      readonly item: string | null
      readonly message: string
    }

/**
 * Asks every law of one config of a task.
 *
 * @example
 * import { checkTask } from '@touchstone-eval/touchstone/testing'
 * import { families } from '@touchstone-eval/touchstone/tasks'
 *
 * const task = families[0]?.tasks[0]
 * if (task !== undefined) {
 *   const broken = checkTask(task, task.configure({})).filter(({ kind }) => kind === 'broken')
 *   console.log(broken)
 * }
 */
export function checkTask(task: Task, config: JsonObject): readonly ContractResult[] {
  const subject = subjectOf(task, config)
  return contractTests.map((law) => {
    const { id, description: says } = law
    const reason = law.skips?.(task) ?? null
    if (reason !== null) return { kind: 'skipped', law: id, says, reason }
    try {
      law.run(subject)
      return { kind: 'holds', law: id, says }
    } catch (error) {
      if (error instanceof ContractError)
        return { kind: 'broken', law: id, says, item: error.item, message: error.message }
      const message = `it throws ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`
      return { kind: 'broken', law: id, says, item: null, message }
    }
  })
}
