import { z } from 'zod'
import type { PromptToken } from './align.ts'
import { checked, ScoringError } from './error.ts'

/** A text, or its ids, which servers take that give several prompts a request and tell their ids. */
export type Prompt = string | readonly number[]

/** How a server is asked for the log-probabilities of a prompt, and where they stand in its answer. */
export interface ResponseShape {
  url(base: string): string
  /** May a request hold several prompts? Whether a server takes them is found out by trying. */
  readonly lists: boolean
  body(model: string, prompts: readonly Prompt[]): object
  /** Each prompt's tokens, generated ones dropped. @throws ScoringError */
  read(json: unknown, prompts: readonly string[]): readonly (readonly PromptToken[])[]
  /** How the server tells the ids of a text, where its answers hold ids. */
  readonly tokenizer?: TokenizerRoute
}

/** A route below the root of a server, which is the base URL without `/v1`. */
export interface TokenizerRoute {
  body(model: string, text: string): object
  /** @throws ScoringError */
  read(json: unknown): readonly number[]
}
export type ShapeName = 'echo' | 'prompt-logprobs' | 'sglang' | 'tgi'

const number = z.number().nullable()
const echoed = z.object({
  choices: z
    .array(
      z.object({
        index: z.int().nullish(),
        logprobs: z.object({
          tokens: z.array(z.string()),
          token_logprobs: z.array(number),
          text_offset: z.array(z.int()).nullish(),
        }),
      }),
    )
    .min(1),
})

/** OpenAI's echo with logprobs; `max_tokens` 1, since some servers refuse 0. */
const echo: ResponseShape = {
  url: (base) => `${base}/completions`,
  lists: true,
  body: (model, prompts) => ({
    model,
    prompt: oneOrAll(prompts),
    max_tokens: 1,
    temperature: 0,
    echo: true,
    logprobs: 1,
  }),
  read: (json, prompts) =>
    inOrder(checked(echoed, json, 'choices[0].logprobs').choices, prompts).map(({ logprobs }, i) =>
      echoedTokens(logprobs, prompts[i] as string),
    ),
}

type Echoed = z.infer<typeof echoed>['choices'][number]['logprobs']

function echoedTokens({ tokens, token_logprobs, text_offset }: Echoed, prompt: string): readonly PromptToken[] {
  if (tokens.length !== token_logprobs.length)
    throw new ScoringError(
      'bad-answer',
      `the server gave ${tokens.length} tokens and ${token_logprobs.length} log-probabilities; they need to be as many`,
    )
  const all = tokens.map((text, i) => ({ text, logprob: token_logprobs[i] ?? null }))
  return dropGenerated(all, prompt, text_offset ?? null)
}

/** A list of one is sent as a text: some servers take no lists. */
const oneOrAll = (prompts: readonly Prompt[]): Prompt | readonly Prompt[] =>
  prompts.length === 1 ? prompts[0]! : prompts

/** One choice a prompt, by their `index` where they have one. @throws ScoringError */
function inOrder<T extends { readonly index?: number | null | undefined }>(
  choices: readonly T[],
  prompts: readonly string[],
): readonly T[] {
  if (choices.length !== prompts.length)
    throw new ScoringError('cannot-score', `the answer to ${prompts.length} prompts has ${choices.length} choices`)
  const sorted = choices.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
  if (sorted.some(({ index }, i) => typeof index === 'number' && index !== i))
    throw new ScoringError('cannot-score', `the choices of the answer are not numbered 0 to ${choices.length - 1}`)
  return sorted
}

/** The generated token follows the prompt's: told by offsets, or by the spelled-out length. */
function dropGenerated(
  tokens: readonly PromptToken[],
  prompt: string,
  offsets: readonly number[] | null,
): readonly PromptToken[] {
  const spelled = tokens.map((t) => t.text).join('')
  const start = spelled.indexOf(prompt)
  if (start < 0) return tokens
  let end = 0
  let count = 0
  while (count < tokens.length && end < start + prompt.length) end += (tokens[count++] as PromptToken).text.length
  if (offsets !== null && offsets.length === tokens.length && offsets[0] === 0 && start === 0)
    return tokens.filter((_, i) => (offsets[i] as number) < prompt.length)
  return tokens.slice(0, count)
}

const promptLogprobs = z.object({
  choices: z
    .array(
      z.object({
        index: z.int().nullish(),
        prompt_logprobs: z.array(
          z.record(z.string(), z.object({ logprob: number, decoded_token: z.string().nullish() })).nullable(),
        ),
        prompt_token_ids: z.array(z.int()).nullish(),
      }),
    )
    .min(1),
})

const tokenized = z.object({ tokens: z.array(z.int()) })

/** `/tokenize` of vLLM and, after it, of SGLang: with the beginning-of-text token that a prompt gets. */
const tokenizer: TokenizerRoute = {
  body: (model, text) => ({ model, prompt: text, add_special_tokens: true }),
  read: (json) => checked(tokenized, json, 'tokens').tokens,
}

/** vLLM's prompt_logprobs: at each position the prompt's own token, by id. */
const promptShape: ResponseShape = {
  url: (base) => `${base}/completions`,
  lists: true,
  body: (model, prompts) => ({
    model,
    prompt: oneOrAll(prompts),
    max_tokens: 1,
    temperature: 0,
    prompt_logprobs: 0,
    return_token_ids: true,
  }),
  read: (json, prompts) =>
    inOrder(checked(promptLogprobs, json, 'choices[0].prompt_logprobs').choices, prompts).map(ownTokens),
  tokenizer,
}

type Prompted = z.infer<typeof promptLogprobs>['choices'][number]

function ownTokens({ prompt_logprobs, prompt_token_ids }: Prompted): readonly PromptToken[] {
  return prompt_logprobs.map((entry, i) => {
    const id = prompt_token_ids?.[i]
    if (entry === null) return { text: '', logprob: null, ...(id === undefined ? {} : { id }) }
    const entries = Object.entries(entry)
    const [only] = entries.length === 1 ? entries : []
    const own = id === undefined ? only?.[1] : entry[String(id)]
    if (own === undefined)
      throw new ScoringError(
        'bad-answer',
        `prompt_logprobs[${i}] has ${entries.length} entries and none of them is known to be the prompt's own token`,
      )
    return { text: own.decoded_token ?? '', logprob: own.logprob, id: id ?? Number(only?.[0]) }
  })
}

const prefill = z.object({
  details: z.object({
    prefill: z.array(z.object({ id: z.int().optional(), text: z.string(), logprob: number.optional() })),
  }),
})

/** TGI's decoder_input_details; the server must run with prefill log-probabilities on. */
const tgi: ResponseShape = {
  url: (base) => `${base.replace(/\/v1$/u, '')}/generate`,
  lists: false,
  body: (_model, prompts) => ({
    inputs: prompts[0],
    parameters: { max_new_tokens: 1, details: true, decoder_input_details: true },
  }),
  read(json) {
    const answer = Array.isArray(json) ? (json[0] as unknown) : json
    const { prefill: tokens } = checked(prefill, answer, 'details.prefill').details
    return [
      tokens.map(({ id, text, logprob }) => ({ text, logprob: logprob ?? null, ...(id === undefined ? {} : { id }) })),
    ]
  },
  tokenizer: {
    body: (_model, text) => ({ inputs: text }),
    read: (json) => checked(z.array(z.object({ id: z.int() })), json, 'id of each token').map(({ id }) => id),
  },
}

/** Log-probability, id and text of a token: a text only where it is asked for. */
const triple = z.tuple([number, z.int(), z.string().nullable()])
const native = z.object({ meta_info: z.object({ input_token_logprobs: z.array(triple).min(1) }) })

/** SGLang's own route; from position 0 on, so that every token of the prompt is there. */
const sglang: ResponseShape = {
  url: (base) => `${base.replace(/\/v1$/u, '')}/generate`,
  lists: true,
  body: (_model, prompts) => ({
    [typeof prompts[0] === 'string' ? 'text' : 'input_ids']: oneOrAll(prompts),
    sampling_params: { max_new_tokens: 1, temperature: 0 },
    return_logprob: true,
    logprob_start_len: 0,
    return_text_in_logprobs: true,
  }),
  read(json, prompts) {
    const answers: readonly unknown[] = Array.isArray(json) ? json : [json]
    if (answers.length !== prompts.length)
      throw new ScoringError('cannot-score', `the answer to ${prompts.length} prompts has ${answers.length} entries`)
    return answers.map((answer) =>
      checked(native, answer, 'meta_info.input_token_logprobs').meta_info.input_token_logprobs.map(
        // Servers that leave out return_text_in_logprobs give ids only.
        ([logprob, id, text]) => ({ text: text ?? '', logprob, id }),
      ),
    )
  },
  tokenizer,
}

export const responseShapes: { readonly [name in ShapeName]: ResponseShape } = {
  'prompt-logprobs': promptShape,
  echo,
  sglang,
  tgi,
}
