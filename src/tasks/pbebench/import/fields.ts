import type { Rule } from '../../../libraries/rewriting/index.ts'
import { publishedRule } from '../answers/published.ts'

/** A list of strings; null: the field is something else. */
export const texts = (value: unknown): readonly string[] | null =>
  Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : null

/** Published programs; some files carry stray backslashes before the quotes. */
export function rulesOf(value: unknown): readonly Rule[] | null {
  const rules = texts(value)?.map((program) => publishedRule(program.replaceAll('\\', '')))
  return rules?.every((rule) => rule !== null) === true ? rules : null
}
