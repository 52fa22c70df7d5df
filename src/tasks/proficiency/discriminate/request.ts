import type { Question, ScoreRequest } from '../../../core/index.ts'
import { written } from '../format.ts'
import type { Given, Shared } from './types.ts'

/** `lines`: as `format` says. `spaced`: tokens separated by spaces whatever it says, so that tokenizers keep them apart. */
export const styles = ['lines', 'spaced'] as const satisfies readonly [string, ...string[]]

export function request({ shared, given }: Question<Shared, Given>, style: string): ScoreRequest {
  const { format } = shared
  const separator = style === 'spaced' ? ' ' : format.separator
  const end = format.terminator
  const examples = shared.examples.slice(0, given.k).map((text) => written(text, separator) + end)
  return {
    kind: 'score',
    context: `${format.instruction}${format.opening}${examples.join('')}`,
    text: written(given.text, separator) + (format.scoreEnd ? end : ''),
  }
}
