import { z } from 'zod'
import type { PromptToken } from './align.ts'
import { checked } from './checked.ts'
import { ScoringError } from './error.ts'

/** Asks a server under an address below its root, which is the base URL without `/v1`. */
export type Ask = (path: string, body: object, signal?: AbortSignal) => Promise<unknown>

/** A server that does not score a prompt in one request of text. */
export interface Steps {
  /** The tokens of a prompt; those before `from` need no log-probability. @throws ScoringError */
  score(ask: Ask, model: string, prompt: string, from: number, signal?: AbortSignal): Promise<readonly PromptToken[]>
  /** The ids of a text, with the beginning-of-text token of the model. @throws ScoringError */
  ids(ask: Ask, model: string, text: string, signal?: AbortSignal): Promise<readonly number[]>
}

const pieces = z.object({
  tokens: z.array(z.object({ id: z.int(), piece: z.union([z.string(), z.array(z.int().min(0).max(255))]) })),
})
const generated = z.object({
  completion_probabilities: z.array(z.object({ id: z.int(), logprob: z.number() })).min(1),
  truncated: z.boolean().nullish(),
})

/** Above every logit, so that this token is the one that is generated. */
const FORCED = 1e4
/** The server takes the logarithm of a float that may have become 0, and writes the lowest float then. */
const LOWEST = -1e30

/**
 * llama.cpp's server gives log-probabilities of generated tokens only (ggml-org/llama.cpp#27174). So each token of the text is
 * forced by a bias, one request a token, the prompt before it kept by `cache_prompt`. Its `logprob` is a softmax of the logits before any
 * sampler (`populate_token_probs` of tools/server), the bias is one: that it is left out is what {@link biasFault} finds out.
 */
export const llamaServer: Steps = {
  async score(ask, _model, prompt, from, signal) {
    const tokens = await llamaTokens(ask, prompt, signal)
    const out: PromptToken[] = []
    for (const [i, token] of tokens.entries())
      out.push(
        i === 0 || i < from
          ? { ...token, logprob: null }
          : { ...token, logprob: await forced(ask, tokens.slice(0, i).map(idOf), token.id, signal) },
      )
    return out
  },
  async ids(ask, _model, text, signal) {
    return (await llamaTokens(ask, text, signal)).map(idOf)
  },
}

const idOf = ({ id }: { readonly id: number }): number => id

async function llamaTokens(ask: Ask, content: string, signal?: AbortSignal) {
  const body = { content, add_special: true, parse_special: false, with_pieces: true }
  const { tokens } = checked(pieces, await ask('/tokenize', body, signal), 'tokens')
  return tokens.map(({ id, piece }) => ({ id, text: typeof piece === 'string' ? piece : '\uFFFD' }))
}

async function forced(ask: Ask, prompt: readonly number[], id: number, signal?: AbortSignal): Promise<number> {
  const [found] = await generate(ask, { prompt, n_probs: 1, logit_bias: [[id, FORCED]] }, signal)
  if (found?.id !== id)
    throw new ScoringError(
      'cannot-score',
      `the server generated token ${found?.id}, not ${id}, which had a bias of ${FORCED}`,
    )
  if (found.logprob < LOWEST)
    throw new ScoringError('bad-answer', `token ${id} is less likely than the server's numbers can say`)
  return found.logprob
}

async function generate(ask: Ask, more: object, signal?: AbortSignal) {
  const body = { n_predict: 1, temperature: 0, cache_prompt: true, post_sampling_probs: false, ...more }
  const answer = checked(generated, await ask('/completion', body, signal), 'completion_probabilities')
  if (answer.truncated === true)
    throw new ScoringError(
      'cannot-score',
      'the server cut the prompt: start it with a context (--ctx-size) as long as the longest prompt',
    )
  return answer.completion_probabilities
}

const alternatives = z.object({
  completion_probabilities: z
    .array(z.object({ top_logprobs: z.array(z.object({ id: z.int(), logprob: z.number() })).min(2) }))
    .min(1),
})

/** Does a bias change the log-probabilities of llama.cpp's server? null: no; else why it cannot score. */
export async function biasFault(ask: Ask, noise: number, signal?: AbortSignal): Promise<string | null> {
  const prompt = (await llamaTokens(ask, '\n1 2 3\n1 2', signal)).map(idOf)
  const body = { prompt, n_predict: 1, n_probs: 5, temperature: 0, cache_prompt: true, post_sampling_probs: false }
  const { completion_probabilities: found } = checked(
    alternatives,
    await ask('/completion', body, signal),
    'completion_probabilities[0].top_logprobs',
  )
  const second = found[0]!.top_logprobs[1]!
  const own = await forced(ask, prompt, second.id, signal)
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
      throw new ScoringError('bad-answer', 'the server gave logits of more tokens here than there: some are left out')
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
