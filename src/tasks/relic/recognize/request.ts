import {
  below,
  type ChatRequest,
  memoize,
  pick,
  type RandomStreams,
  type Stream,
  shuffle,
} from '../../../core/index.ts'
import { compileRecognizer } from '../../../libraries/grammars/recognise/recognizer.ts'
import { type Language, language } from '../../../libraries/grammars/sample/language.ts'
import { attainableLengths } from '../../../libraries/grammars/sample/lengths.ts'
import { compiled } from './compiled.ts'
import { examplesPrompt, grammarPrompt, type RelicQuestion, type Shared, type Shot } from './prompt.ts'

const shotCounts = [2, 4, 8, 16, 32] as const

export const styles = [
  'zero-shot',
  ...shotCounts.map((n) => `few-shot-${n}`),
  ...shotCounts.map((n) => `grammar-free-${n}`),
] as unknown as readonly [string, ...string[]]

/** The question in one style; `n` in a style counts examples of both labels together. */
export function request(question: RelicQuestion, style: string, draws: RandomStreams): ChatRequest {
  const n = Number(style.split('-').at(-1))
  if (style.startsWith('few-shot-'))
    return { kind: 'chat', messages: grammarPrompt(question, shots(question, n, draws.stream('shots'))) }
  if (style.startsWith('grammar-free-'))
    return { kind: 'chat', messages: examplesPrompt(question, shots(question, n, draws.stream('shots'))) }
  return { kind: 'chat', messages: grammarPrompt(question, []) }
}

/** Tokens of the longest example. */
const maxShot = 50

const toolsOf = memoize((shared: Shared) => {
  const grammar = compiled(shared)
  const own: Language = language(grammar, maxShot)
  return { grammar, own, recognizer: compileRecognizer(grammar), lengths: attainableLengths(own.lengths) }
})

/** Draws in a row without a new example after which fewer are shown: a small language may hold no more strings. */
const patience = 500

/**
 * Balanced examples of the question's grammar, none twice and never the question's own string: positives of lengths
 * uniform over those that exist, negatives by one to three random substitutions in a fresh positive. Where one class
 * has too few strings, the other gives as few; where no string is short enough to be shown, there are none.
 */
function shots(question: RelicQuestion, n: number, stream: Stream): Shot[] {
  const { grammar, own, recognizer, lengths } = toolsOf(question.shared)
  if (lengths.length === 0) return []
  const seen = new Set([question.given.string])
  const examples = (label: boolean): Shot[] => {
    const found: Shot[] = []
    for (let tries = 0; found.length < n / 2 && tries < patience; tries++) {
      const tokens = Int32Array.from(own.sampler.sample(stream, pick(stream, lengths)))
      if (!label)
        for (let edits = 1 + below(stream, 3); edits > 0; edits--)
          tokens[below(stream, tokens.length)] = below(stream, grammar.terminals.length)
      const string = Array.from(tokens, (t) => grammar.terminals[t]).join(' ')
      if (seen.has(string) || recognizer.accepts(tokens) !== label) continue
      seen.add(string)
      found.push({ string, label })
      tries = 0
    }
    return found
  }
  const [positives, negatives] = [examples(true), examples(false)]
  const each = Math.min(positives.length, negatives.length)
  return shuffle(stream, [...positives.slice(0, each), ...negatives.slice(0, each)])
}
