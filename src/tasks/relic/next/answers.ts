import type { Grade, Parsers, Problem } from '../../../core/index.ts'
import type { Shared } from '../grammars/grammar.ts'
import { lenientTokens, strictTokens } from '../grammars/sequences.ts'
import type { Answer, Given } from './draw.ts'

export const parsers: Parsers<Shared, Given, Answer> = {
  strict: (text, { shared }) => strictTokens(text, shared),
  lenient: (text, { shared }) => lenientTokens(text, shared),
}

/**
 * 1 for the exact set: order and repeats do not matter. Subscores: `set`, (right - wrong) / size, at least 0, so that naming all tokens earns nothing; `missed`
 * and `added`, the share of the set that is not named and of what is named that is wrong.
 */
export function grade({ answer: wanted }: Problem<Shared, Given, Answer>, answer: Answer): Grade {
  const named = [...new Set(answer)]
  const right = named.filter((name) => wanted.includes(name)).length
  const wrong = named.length - right
  return {
    value: wrong === 0 && right === wanted.length ? 1 : 0,
    parts: {
      set: Math.max(0, (right - wrong) / wanted.length),
      missed: 1 - right / wanted.length,
      added: named.length === 0 ? 0 : wrong / named.length,
    },
  }
}
