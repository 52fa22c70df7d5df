import type { JsonObject, Task } from '../core/index.ts'
import { answerLaws } from './answers.ts'
import { apartLaws } from './apart.ts'
import { itemLaws } from './items.ts'
import { Broken, type Law } from './law.ts'
import { subjectOf } from './subject.ts'

/**
 * Every law, those of items first.
 *
 * @example
 * import { laws } from '@touchstone-eval/touchstone/testing'
 *
 * for (const { id, says } of laws) console.log(id, says)
 */
export const laws: readonly Law[] = [...itemLaws, ...apartLaws, ...answerLaws]

/** How a task did under one law. */
export type LawResult =
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
export function checkTask(task: Task, config: JsonObject): readonly LawResult[] {
  const subject = subjectOf(task, config)
  return laws.map((law) => {
    const { id, says } = law
    const reason = law.skips?.(task) ?? null
    if (reason !== null) return { kind: 'skipped', law: id, says, reason }
    try {
      law.hold(subject)
      return { kind: 'holds', law: id, says }
    } catch (error) {
      if (error instanceof Broken) return { kind: 'broken', law: id, says, item: error.item, message: error.message }
      const message = `it throws ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`
      return { kind: 'broken', law: id, says, item: null, message }
    }
  })
}
