import type { Json } from './json.ts'
import type { TaskSpec } from './task.ts'

const NAME = /^[a-z0-9][a-z0-9-]*\/[a-z0-9][a-z0-9-]*$/
/** As long as a manifest can name. */
const MAX_NAME = 64

/**
 * What the contract tests would find later, found when a task is defined.
 *
 * @throws TypeError naming all that is wrong: a mistake of the program, not of who uses it.
 */
export function validateTask<C, P extends Json, S extends Json, G extends Json, A extends Json>(
  spec: TaskSpec<C, P, S, G, A>,
): void {
  const wrong: string[] = []
  const { name, parsers, grade, metrics: measure, gold, noGold } = spec
  if (!NAME.test(name) || name.length > MAX_NAME)
    wrong.push(
      `a name is family/task in lower-case letters, digits and dashes, at most ${MAX_NAME} characters, got "${name}"`,
    )
  for (const key of ['version', 'scorerVersion', 'promptVersion'] as const)
    if (!Number.isSafeInteger(spec[key]) || spec[key] < 1)
      wrong.push(`${key} is a whole number from 1, got ${String(spec[key])}`)
  if (parsers === undefined && measure === undefined)
    wrong.push('it has neither parsers (for a task that is answered) nor metrics (for one whose text is scored)')
  if (parsers !== undefined && grade === undefined)
    wrong.push('it has parsers and no grade: say what an answer is worth')
  if (parsers !== undefined && measure !== undefined)
    wrong.push('it has both parsers and metrics: a task is answered or scored by log-probability, never both')
  if (gold === undefined && noGold === undefined)
    wrong.push('it has neither gold (a response that scores 1) nor noGold (why there is none)')
  const repeated = spec.styles.filter((style, at) => spec.styles.indexOf(style) !== at)
  if (repeated.length > 0) wrong.push(`the styles ${repeated.join(', ')} stand there twice`)
  const lacking = (spec.parts?.needs ?? [])
    .flatMap((need) => need.split('|'))
    .filter((part) => !Object.hasOwn(spec.parts?.texts ?? {}, part))
  if (lacking.length > 0) wrong.push(`its parts need ${lacking.join(', ')}, which it does not have`)
  if (wrong.length > 0) throw new TypeError(`the task ${name} cannot be defined:\n  ${wrong.join('\n  ')}`)
}
