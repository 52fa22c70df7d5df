import type { LoglikelihoodRequest, Question } from '../../../core/index.ts'
import { languageOf } from '../languages/compiled.ts'
import type { Given, Shared } from './types.ts'
import { writtenAs } from './writing.ts'

export function request({ shared, given }: Question<Shared, Given>, style: string): LoglikelihoodRequest {
  const { format } = shared
  const alphabet = languageOf(shared.grammar).grammar.terminals.length
  const write = (text: string) => writtenAs(text, style, format.separator, alphabet)
  const end = format.terminator
  const examples = shared.examples.slice(0, given.k).map((text) => write(text) + end)
  return {
    kind: 'score',
    context: `${format.instruction}${format.opening}${examples.join('')}`,
    text: write(given.text) + (format.scoreEnd ? end : ''),
  }
}
