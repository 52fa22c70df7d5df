import { z } from 'zod'
import type { PromptToken } from './align.ts'
import { checked, ScoringError } from './error.ts'

/** Asks a server under an address below its root, which is the base URL without `/v1`; null: nothing is posted. */
export type Ask = (path: string, body: object | null, signal?: AbortSignal) => Promise<unknown>

/** A server that does not score a prompt in one request of text. */
export interface Steps {
  /** The tokens of a prompt; those before `from` need no log-probability. @throws ScoringError */
  score(
    ask: Ask,
    model: string,
    prompt: string,
    from: number,
    signal?: AbortSignal,
    most?: number | null,
  ): Promise<readonly PromptToken[]>
  /** The ids of a text, with the beginning-of-text token of the model. @throws ScoringError */
  ids(ask: Ask, model: string, text: string, signal?: AbortSignal): Promise<readonly number[]>
  /** The most tokens of a prompt that it can score; null: it does not say, or is asked for all at once. */
  most?(ask: Ask, model: string, signal?: AbortSignal): Promise<number | null>
}

const pieces = z.object({
  tokens: z.array(z.object({ id: z.int(), piece: z.union([z.string(), z.array(z.int().min(0).max(255))]) })),
})
const probability = z.object({ id: z.int(), logprob: z.number() })
const generated = z.array(probability).min(1)
const alternatives = z.array(z.object({ top_logprobs: z.array(probability).min(2) })).min(1)
const properties = z.object({ default_generation_settings: z.object({ n_ctx: z.int().min(1) }) })
const cut = z.object({ truncated: z.boolean().nullish(), tokens_evaluated: z.int().nullish() })

/** Above every logit, so that this token is the one that is generated. */
const FORCED = 1e4
/** The server takes the logarithm of a float that may have become 0, and writes the lowest float then. */
const LOWEST = -1e30

/**
 * llama.cpp's server gives log-probabilities of generated tokens only (ggml-org/llama.cpp#27174). So each token of the text is
 * forced by a bias, one request a token, the prompt before it kept by `cache_prompt`. Its `logprob` is a softmax of the logits before any
 * sampler (`populate_token_probs` of tools/server), the bias is one: that it is left out is what {@link biasFault} finds out.
 * A token that begins a character and does not end it gets none (the server waits for the rest): it is found among the alternatives.
 */
export const llamaServer: Steps = {
  async score(ask, model, prompt, from, signal, most = null) {
    const tokens = await llamaTokens(ask, model, prompt, signal)
    if (most !== null && tokens.length > most)
      throw new ScoringError(
        'cannot-score',
        `the string has ${tokens.length} tokens with its context, and the server reads ${most}: start it with a longer one (--ctx-size)`,
      )
    const out: PromptToken[] = []
    for (const [i, { id, text, partial }] of tokens.entries()) {
      const before = tokens.slice(0, i).map(idOf)
      const one = partial ? alternative : forced
      out.push({ id, text, logprob: i === 0 || i < from ? null : await one(ask, model, before, id, signal) })
    }
    return out
  },
  async ids(ask, model, text, signal) {
    return (await llamaTokens(ask, model, text, signal)).map(idOf)
  },
  async most(ask, model, signal) {
    // Older servers, and what stands before them, have no such route.
    const props = await ask(`/props?model=${encodeURIComponent(model)}`, null, signal).catch(() => null)
    // The last token is asked for with the others before it: it needs no place.
    return properties.safeParse(props).data?.default_generation_settings.n_ctx ?? null
  },
}

const idOf = ({ id }: { readonly id: number }): number => id

async function llamaTokens(ask: Ask, model: string, content: string, signal?: AbortSignal) {
  const body = { model, content, add_special: true, parse_special: false, with_pieces: true }
  const { tokens } = checked(pieces, await ask('/tokenize', body, signal), 'tokens')
  return tokens.map(({ id, piece }) =>
    typeof piece === 'string' ? { id, text: piece, partial: false } : { id, text: '\uFFFD', partial: true },
  )
}

async function forced(ask: Ask, model: string, prompt: readonly number[], id: number, signal?: AbortSignal) {
  const [found] = await generate(ask, { model, prompt, n_probs: 1, logit_bias: [[id, FORCED]] }, generated, signal)
  if (found?.id !== id)
    throw new ScoringError(
      'cannot-score',
      `the server generated token ${found?.id}, not ${id}, which had a bias of ${FORCED}`,
    )
  return logprobOf(found)
}

/** How many of the likeliest tokens are asked for: most are among the first, and all together are megabytes. */
const LIKELIEST = [500, 1_000_000]

/** The log-probability of a token beside another one, which is whole and therefore told. */
async function alternative(ask: Ask, model: string, prompt: readonly number[], id: number, signal?: AbortSignal) {
  const whole = (await llamaTokens(ask, model, '\n', signal)).at(-1)!.id
  for (const n_probs of LIKELIEST) {
    const more = { model, prompt, n_probs, logit_bias: [[whole, FORCED]] }
    const [found] = await generate(ask, more, alternatives, signal)
    const own = found!.top_logprobs.find((one) => one.id === id)
    if (own !== undefined) return logprobOf(own)
  }
  throw new ScoringError('bad-answer', `the server gave the log-probabilities of all tokens, and ${id} is none of them`)
}

function logprobOf({ id, logprob }: { readonly id: number; readonly logprob: number }): number {
  if (logprob < LOWEST)
    throw new ScoringError('bad-answer', `token ${id} is less likely than the server's numbers can say`)
  return logprob
}

async function generate<T>(
  ask: Ask,
  { prompt, ...more }: { readonly prompt: readonly number[]; readonly [field: string]: unknown },
  probabilities: z.ZodType<T>,
  signal?: AbortSignal,
): Promise<T> {
  const body = { prompt, n_predict: 1, temperature: 0, cache_prompt: true, post_sampling_probs: false, ...more }
  const answer = await ask('/completion', body, signal)
  const { truncated, tokens_evaluated: read } = cut.safeParse(answer).data ?? {}
  // An answer that ends with the context is called so, too: there all of the prompt was read.
  if (truncated === true && read !== prompt.length)
    throw new ScoringError(
      'cannot-score',
      'the server truncated the prompt. Restart it with a larger context (--ctx-size N)',
    )
  const schema = z.object({ completion_probabilities: probabilities })
  return checked(schema, answer, 'completion_probabilities').completion_probabilities
}

/** Does a bias change the log-probabilities of llama.cpp's server? null: no; else why it cannot score. */
export async function biasFault(ask: Ask, model: string, noise: number, signal?: AbortSignal): Promise<string | null> {
  const prompt = (await llamaTokens(ask, model, '\n1 2 3\n1 2', signal)).map(idOf)
  const [found] = await generate(ask, { model, prompt, n_probs: 5 }, alternatives, signal)
  const second = found!.top_logprobs[1]!
  const own = await forced(ask, model, prompt, second.id, signal)
  return Math.abs(own - second.logprob) > noise
    ? `token ${second.id} has log-probability ${own} with a bias and ${second.logprob} without`
    : null
}

const plainIds = z.object({ tokens: z.array(z.int()) })
const contextLogits = z.object({
  choices: z.array(z.object({ context_logits: z.array(z.array(z.number())).min(1) })).min(1),
})

/**
 * trtllm-serve has no log-probabilities of a prompt, and `echo` gives none (`openai_protocol.py` refuses fields it does not
 * know); it gives the logits of the context, the whole vocabulary for each token, where the engine was built or started to gather them.
 * The ids of the prompt are asked apart.
 */
export const trtllm: Steps = {
  async score(ask, model, prompt, _from, signal) {
    const ids = await trtllmIds(ask, prompt, signal)
    const body = { model, prompt, max_tokens: 1, temperature: 0, return_context_logits: true }
    const { choices } = checked(contextLogits, await ask('/v1/completions', body, signal), 'choices[0].context_logits')
    const { context_logits: rows } = choices[0]!
    // One more or less, and all of them may be off by one.
    if (rows.length !== ids.length)
      throw new ScoringError(
        'cannot-score',
        `the server gave logits of ${rows.length} tokens, the prompt has ${ids.length}`,
      )
    const width = rows[0]!.length
    if (rows.some((row) => row.length !== width))
      throw new ScoringError(
        'bad-answer',
        'the server returned log-probabilities of fewer tokens for one prompt than for the other: some are missing',
      )
    return ids.map((id, i) => ({ id, text: '', logprob: i === 0 ? null : softmaxed(rows[i - 1]!, id) }))
  },
  ids: (ask, _model, text, signal) => trtllmIds(ask, text, signal),
}

async function trtllmIds(ask: Ask, prompt: string, signal?: AbortSignal): Promise<readonly number[]> {
  return checked(plainIds, await ask('/_internal/tokenize', { prompt }, signal), 'tokens').tokens
}

/** ln of the softmax of one of some logits. */
function softmaxed(logits: readonly number[], id: number): number {
  const own = logits[id]
  if (own === undefined)
    throw new ScoringError(
      'bad-answer',
      `the server gave logits of ${logits.length} tokens, and token ${id} is none of them`,
    )
  let most = Number.NEGATIVE_INFINITY
  for (const logit of logits) most = Math.max(most, logit)
  let sum = 0
  for (const logit of logits) sum += Math.exp(logit - most)
  return own - most - Math.log(sum)
}
