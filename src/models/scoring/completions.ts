import { LruCache } from '../../core/index.ts'
import { errorOf, wordsOf } from '../error-body.ts'
import { httpFailure } from '../failures.ts'
import { type HttpResponse, isTransportError, MAX_SCORES, send, urlOf } from '../http.ts'
import { splitBaseUrl } from '../provider.ts'
import { show, tokensOfText } from './align.ts'
import { batched, type ScorePrompt, type ScorePrompts } from './batches.ts'
import { afterAnswers, ScoringError } from './error.ts'
import type { ScoringModel } from './model.ts'
import { noise, probe, probeBatch } from './probe.ts'
import { serialize } from './serialize.ts'
import { type ResponseShape, responseShapes, type ShapeName } from './shapes.ts'
import { type Ask, biasFault, llamaServer, type Steps, trtllm } from './steps.ts'

export interface CompletionsOptions {
  /** e.g. http://127.0.0.1:8000/v1 */
  readonly baseUrl: string
  readonly apiKey?: string
  /** Default `auto`: the first shape in which the server passes the probe. */
  readonly shape?: ServerName | 'auto'
  /** Prompts as ids, one for each character: the last token of the character alone. Default: what the tokenizer makes of the text. */
  readonly oneEach?: boolean
  /** Sent with every request, by lower-case name. */
  readonly headers?: { readonly [name: string]: string }
  /** Prompts in a request where the server takes several, default 16. */
  readonly batch?: number
  /** Requests in flight, default 4, or 32 where a request holds one prompt. */
  readonly concurrency?: number
  /** For one prompt, default 60,000; null: as long as the caller's signal allows. */
  readonly timeoutMs?: number | null
  /** Default: over the network. */
  readonly send?: typeof send
}

/** A server that is asked in several steps, and what must hold of it beside what is probed of all. */
interface Stepwise {
  readonly steps: Steps
  fault(ask: Ask, model: string, signal?: AbortSignal): Promise<string | null>
}

const stepwise = {
  'llama.cpp': { steps: llamaServer, fault: (ask, model, signal) => biasFault(ask, model, noise, signal) },
  trtllm: { steps: trtllm, fault: () => Promise.resolve(null) },
} as const satisfies { readonly [name: string]: Stepwise }

/** What a server speaks, by name. */
export type ServerName = ShapeName | keyof typeof stepwise

/** Every way to ask, in the order in which they are tried. */
export const servers: readonly ServerName[] = [
  ...(Object.keys(responseShapes) as ShapeName[]),
  ...(Object.keys(stepwise) as (keyof typeof stepwise)[]),
]

/** Scores prompts, and tells the ids of a text where the server does (null: it does not). */
interface Chosen {
  /** Tokens before `from` need no log-probability. */
  score(prompt: string, from: number, signal?: AbortSignal): ReturnType<ScorePrompt>
  ids: ((text: string) => Promise<readonly number[] | null>) | null
  /** The ids of a prompt, to compare what is scored with; null: it is scored by them, or they are not told. */
  whole: ((prompt: string, signal?: AbortSignal) => Promise<readonly number[]>) | null
}

/** Contexts whose ids are remembered: cells are asked context by context. */
const CONTEXTS = 64
/** A tokenizer answers at once. */
const TOKENIZER_MS = 10_000

/**
 * A remote model behind a completions endpoint that gives the log-probabilities of a prompt: `echo` with `logprobs`
 * (OpenAI's old endpoint, vLLM, SGLang, Together), vLLM's `prompt_logprobs`, SGLang's own route, or TGI's `prefill`; or that gives what
 * they are made of: llama.cpp's server token by token, trtllm-serve by the logits of the context. Before the first string the
 * server is probed, and refused where it cannot score given strings (Ollama, chat-only models).
 * Strings asked for together go out several in a request, where the probe finds that the server scores a list of prompts as it
 * scores each (TGI's route takes one prompt).
 * @throws ScoringError on first use
 */
export function openCompletions(model: string, options: CompletionsOptions): ScoringModel {
  const base = checkUrl(options.baseUrl)
  const root = base.replace(/\/v1$/u, '')
  const names = options.shape === undefined || options.shape === 'auto' ? servers : [options.shape]
  const ask: Ask = (path, body, signal) => post(`${root}${path}`, body, 1, options, signal)
  let chosen: Promise<Chosen> | null = null

  /** @returns why not, or how. */
  async function tried(name: ServerName, signal?: AbortSignal): Promise<string | Chosen> {
    if (name in stepwise) {
      const { steps, fault }: Stepwise = stepwise[name as keyof typeof stepwise]
      let most: number | null = null
      const score = serialize((prompt: string, from: number, inner?: AbortSignal) =>
        steps.score(heard(ask), model, prompt, from, inner, most),
      )
      const refusal =
        (await probe((prompt, inner) => score(prompt, 1, inner), signal)) ?? (await fault(ask, model, signal))
      if (refusal === null) most = (await steps.most?.(ask, model, signal)) ?? null
      return refusal ?? { score, ids: remembered((text, inner) => steps.ids(ask, model, text, inner)), whole: null }
    }
    const shape = responseShapes[name as ShapeName]
    const score: ScorePrompts = async (prompts, inner) =>
      shape.read(await post(shape.url(base), shape.body(model, prompts), prompts.length, options, inner), prompts)
    const refusal = await probe(async (prompt, inner) => (await score([prompt], inner))[0] ?? [], signal)
    if (refusal !== null) return refusal
    if (options.oneEach === true && !(shape.lists && shape.tokenizer)) return 'it takes no prompts as ids'
    const most = shape.lists ? (options.batch ?? 16) : 1
    const size = most > 1 && (await probeBatch(score, signal)) ? most : 1
    const each = batched(score, { size, width: options.concurrency ?? (size > 1 ? 4 : 32) })
    const { tokenizer } = shape
    const single = (prompt: string, _from: number, inner?: AbortSignal) => each(prompt, inner)
    if (tokenizer === undefined) return { score: single, ids: null, whole: null }
    const whole = async (text: string, inner?: AbortSignal): Promise<readonly number[]> =>
      tokenizer.read(await ask('/tokenize', tokenizer.body(model, text), inner))
    const ids = remembered(whole)
    if (options.oneEach === true) return { score: oneEach(shape, ids), ids: null, whole: null }
    return (await ids('\n')) === null ? { score: single, ids: null, whole: null } : { score: single, ids, whole }
  }

  /** Scores a prompt with one token for each character, behind the tokens that begin every prompt. */
  function oneEach(shape: ResponseShape, idsOf: (text: string) => Promise<readonly number[] | null>): Chosen['score'] {
    return async (prompt, _from, signal) => {
      const characters = [...prompt]
      const front = (await idsOf('')) ?? []
      const own = await Promise.all(characters.map(async (one) => (await idsOf(one))?.at(-1)))
      const lost = own.indexOf(undefined)
      if (lost >= 0)
        throw new ScoringError('bad-answer', `the server's tokenizer gives no token for ${show(characters[lost]!)}`)
      const ids = [...front, ...(own as number[])]
      const answer = await post(shape.url(base), shape.body(model, [ids]), 1, options, signal)
      const [tokens = []] = shape.read(answer, [prompt])
      if (tokens.length !== ids.length || !ids.every((id, i) => tokens[i]?.id === id))
        throw new ScoringError(
          'bad-answer',
          `the server was given ${ids.length} ids and scored ${tokens.length} others`,
        )
      return tokens.map((token, i) => ({ ...token, text: characters[i - front.length] ?? '' }))
    }
  }

  async function choose(signal?: AbortSignal): Promise<Chosen> {
    const refusals: string[] = []
    for (const name of names) {
      const found = await tried(name, signal)
      if (typeof found !== 'string') return found
      refusals.push(`${name}: ${found}`)
    }
    throw new ScoringError(
      'cannot-score',
      `${base} cannot score given strings with ${model}:\n  ${refusals.join('\n  ')}\nUse vLLM, TGI (--enable-prefill-logprobs), SGLang, llama.cpp's server, or gguf:FILE locally`,
    )
  }

  return {
    name: `completions:${model}`,
    async score(requests, signal) {
      chosen ??= choose(signal)
      const { score, ids, whole } = await chosen.catch((error: unknown) => {
        chosen = null
        throw error
      })
      return Promise.all(
        requests.map(async ({ context, text }) => {
          const before = (await ids?.(context)) ?? null
          const [tokens, asked = null] = await Promise.all([
            score(context + text, before?.length ?? 1, signal),
            ...(before === null || whole === null ? [] : [whole(context + text, signal)]),
          ])
          return tokensOfText(tokens, context, text, before, asked)
        }),
      )
    },
  }
}

/** Of the requests of one string: once one was answered, no later one makes it a string that was never sent. */
function heard(ask: Ask): Ask {
  let answered = false
  return async (...request) => {
    try {
      const answer = await ask(...request)
      answered = true
      return answer
    } catch (error) {
      throw answered ? afterAnswers(error) : error
    }
  }
}

function checkUrl(text: string): string {
  if (!/^https?:\/\//u.test(text) || !URL.canParse(text))
    throw new ScoringError('usage', `a base URL looks like http://127.0.0.1:8000/v1, got ${show(text)}`)
  return splitBaseUrl(text).base
}

/** The ids of texts, each asked once; null where the server does not tell them. */
function remembered(
  ids: (text: string, signal: AbortSignal) => Promise<readonly number[]>,
): (text: string) => Promise<readonly number[] | null> {
  const known = new LruCache<Promise<readonly number[] | null>, string>(CONTEXTS)
  return (text) => known.get(text, () => ids(text, AbortSignal.timeout(TOKENIZER_MS)).catch(() => null))
}

/** @param prompts - how many prompts the body holds. @returns the answer's JSON. */
async function post(
  address: string,
  body: object | null,
  prompts: number,
  options: CompletionsOptions,
  signal?: AbortSignal,
): Promise<unknown> {
  const { timeoutMs = 60_000, apiKey, baseUrl } = options
  const signals = [
    ...(timeoutMs === null ? [] : [AbortSignal.timeout(timeoutMs * prompts)]),
    ...(signal === undefined ? [] : [signal]),
  ]
  const { query } = splitBaseUrl(baseUrl)
  const url = urlOf({ base: '', query }, address).href
  let response: HttpResponse
  try {
    response = await (options.send ?? send)({
      url,
      headers: {
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        ...options.headers,
      },
      body: body === null ? null : JSON.stringify(body),
      maxBytes: MAX_SCORES,
      signal: AbortSignal.any(signals),
    })
  } catch (error) {
    signal?.throwIfAborted()
    const { code = 'cut', message } = error as { readonly code?: unknown; readonly message: string }
    if (code === 'too-large') throw new ScoringError('too-large', `${url}: ${message}`)
    throw new ScoringError('http', `no answer from ${url}: ${message}`, {
      status: null,
      retryable: true,
      unsent: code === 'connect' && isTransportError(error),
    })
  }
  const { status: http, headers, body: text } = response
  if (http < 200 || http > 299)
    throw new ScoringError('http', `${url} answered ${http}: ${show(wordsOf(text), WORDS)}`, {
      status: http,
      retryable: httpFailure(http, text, {}).retry !== 'never',
      headers,
    })
  const answer = parse(text, url)
  const fault = errorOf(answer)
  if (fault === null) return answer
  const { status, words } = fault
  const message = `${url} answered ${http} with an error: ${show(words, WORDS)}`
  if (status === null) throw new ScoringError('cannot-score', message)
  throw new ScoringError('http', message, { status, retryable: httpFailure(status, words, {}).retry !== 'never' })
}

/** Of an error's own words, which say what to do, more is shown than of an answer. */
const WORDS = 300

function parse(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const html = /^\s*</u.test(text) ? ' (a web page? check the base URL)' : ''
    throw new ScoringError('bad-answer', `${url} answered ${show(text)}, which is not JSON${html}`)
  }
}
