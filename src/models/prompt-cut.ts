import type { Message } from '../core/index.ts'
import { type JsonObject, objectOf, readUsage } from './codecs/codec.ts'

/**
 * Is it certain that a server read less than the prompt that was sent? Some cut a prompt that is longer than their context and answer what
 * is left (Ollama, by its default), and only their count of its tokens shows it.
 *
 * The count is compared with the least number of tokens that the prompt can have:
 * - A tokenizer splits at blanks before it merges, so a word is one token at least. Over 36 texts in 20 languages and notations, each
 *   repeated 40 times, the tokenizers of GPT-3, GPT-4, GPT-4o, Llama 3, Gemma, Qwen 2.5, DeepSeek V3 and Claude made 1.00 tokens a word
 *   or more. Tokenizers with tokens of several words (SuperBPE) write English in about one token a word; so that they have room, two
 *   words count as one token, unless they hold digits, which no tokenizer joins over a blank.
 * - No known vocabulary has a longer token than 128 characters, so a longer word is several. Scripts without blanks are bounded by that
 *   alone.
 * - What an assistant is given as said before is left out: chat templates may drop its thoughts.
 * - Tokens from a cache are added, whether or not the count holds them already.
 * - Prompts below {@link MIN_CUT} tokens fit into every context: a small count there is a server that does not count.
 *
 * @returns why; null: nothing is certain.
 */
export function promptCut(messages: readonly Message[], body: JsonObject): string | null {
  const counted = countedTokens(body)
  if (counted === null) return null
  const texts = messages.filter(({ role }) => role !== 'assistant').map(({ content }) => content)
  const least = texts.reduce((sum, text) => sum + leastTokens(text), 0)
  if (least < MIN_CUT || counted >= least) return null
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  return `the server counted ${counted} tokens in a prompt of ${characters} characters, which has ${Math.floor(least)} at least, so the model saw only a part of it. Raise the context length of the server (Ollama: OLLAMA_CONTEXT_LENGTH), or update it if it leaves cached tokens out of its count`
}

/** The shortest context that servers have by default, in tokens. */
const MIN_CUT = 512

/** The longest token of any vocabulary, in characters. */
const MAX_TOKEN_LENGTH = 128

/** The least number of tokens that any tokenizer makes of a text. */
export function leastTokens(text: string): number {
  let tokens = 0
  for (const [word] of text.matchAll(/\S+/gu)) {
    const pieces = Math.ceil(word.length / MAX_TOKEN_LENGTH)
    tokens += /\p{N}/u.test(word) ? pieces : pieces - 0.5
  }
  return tokens
}

/** The most prompt tokens that a body can mean; null: it does not count them. */
function countedTokens(body: JsonObject): number | null {
  const { inputTokens, outputTokens = 0 } = readUsage(body)
  const { completion_tokens: completion, output_tokens: output } = objectOf(body['usage'])
  // What a total has beyond the other counts may be hidden reasoning or a cached prompt.
  const written = [completion, output].find((count) => typeof count === 'number') ?? outputTokens
  if (inputTokens === undefined || inputTokens <= 0) return null
  const counts = [body['usage'], body['usageMetadata'], body['timings']]
  const total = counts.flatMap((one) => numbersIn(one, /^total_?tokens?(?:_?count)?$/iu))
  const cached = counts.flatMap((one) => numbersIn(one, /cache(?!.*miss)/iu))
  return Math.max(inputTokens + cached.reduce((a, b) => a + b, 0), ...total.map((count) => count - written))
}

/** The numbers below keys of these names. */
function numbersIn(value: unknown, name: RegExp, isIn = false): readonly number[] {
  if (typeof value === 'number') return isIn && value > 0 ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => numbersIn(inner, name, isIn || name.test(key)))
}
