import { httpFailure } from '../failures.ts'
import { isTransportError, LARGEST_SCORES } from '../transport.ts'
import { type PromptToken, show, tokensOfText } from './align.ts'
import { batched, type ScorePrompt, type ScorePrompts } from './batches.ts'
import { ScoringError } from './error.ts'
import type { ScoringModel } from './model.ts'
import { probe, probeBatch } from './probe.ts'
import { type ResponseShape, responseShapes, type ShapeName } from './shapes.ts'

export interface CompletionsOptions {
  /** e.g. http://127.0.0.1:8000/v1 */
  readonly baseUrl: string
  readonly apiKey?: string
  /** Default `auto`: the first shape in which the server passes the probe. */
  readonly shape?: ShapeName | 'auto'
  /** Prompts in a request where the server takes several, default 16. */
  readonly batch?: number
  /** Requests in flight, default 4, or 32 where a request holds one prompt. */
  readonly concurrency?: number
  /** For one prompt, default 60,000; null: as long as the caller's signal allows. */
  readonly timeoutMs?: number | null
  /** Default: the platform's. */
  readonly fetch?: typeof fetch
}

/**
 * A remote model behind a completions endpoint that gives the log-probabilities of a prompt: `echo` with `logprobs`
 * (OpenAI's old endpoint, vLLM, SGLang, Together), vLLM's `prompt_logprobs`, or TGI's `prefill`. Before the first string the
 * server is probed, and refused where it cannot score given strings (llama.cpp's server, Ollama, chat-only models).
 * Strings asked for together go out several in a request, where the probe finds that the server scores a list of prompts as it
 * scores each (TGI's route takes one prompt).
 * @throws ScoringError on first use
 */
export function openCompletions(model: string, options: CompletionsOptions): ScoringModel {
  const base = checkUrl(options.baseUrl)
  const names: readonly ShapeName[] =
    options.shape === undefined || options.shape === 'auto'
      ? (Object.keys(responseShapes) as ShapeName[])
      : [options.shape]
  let chosen: Promise<ScorePrompt> | null = null

  async function choose(signal?: AbortSignal): Promise<ScorePrompt> {
    const refusals: string[] = []
    for (const name of names) {
      const score: ScorePrompts = (prompts, inner) => post(base, model, responseShapes[name], prompts, options, inner)
      const refusal = await probe(async (prompt, inner) => (await score([prompt], inner))[0] ?? [], signal)
      if (refusal === null) {
        const most = responseShapes[name].lists ? (options.batch ?? 16) : 1
        const size = most > 1 && (await probeBatch(score, signal)) ? most : 1
        return batched(score, { size, width: options.concurrency ?? (size > 1 ? 4 : 32) })
      }
      refusals.push(`${name}: ${refusal}`)
    }
    throw new ScoringError(
      'cannot-score',
      `${base} cannot score given strings with ${model}:\n  ${refusals.join('\n  ')}\nUse vLLM, TGI (--enable-prefill-logprobs), SGLang, or gguf:FILE locally`,
    )
  }

  return {
    name: `completions:${model}`,
    async score(requests, signal) {
      chosen ??= choose(signal)
      const score = await chosen.catch((error: unknown) => {
        chosen = null
        throw error
      })
      return Promise.all(
        requests.map(async ({ context, text }) => tokensOfText(await score(context + text, signal), context, text)),
      )
    },
  }
}

function checkUrl(text: string): string {
  if (!/^https?:\/\//u.test(text) || !URL.canParse(text))
    throw new ScoringError('usage', `a base URL looks like http://127.0.0.1:8000/v1, got ${show(text)}`)
  const url = new URL(text)
  url.search = ''
  return url.href.replace(/\/{1,64}$/u, '')
}

/** The query of a base URL goes along with every request. */
function withQuery(address: string, baseUrl: string): string {
  const url = new URL(address)
  for (const [key, value] of new URL(baseUrl).searchParams) url.searchParams.append(key, value)
  return url.href
}

async function post(
  base: string,
  model: string,
  shape: ResponseShape,
  prompts: readonly string[],
  options: CompletionsOptions,
  signal?: AbortSignal,
): Promise<readonly (readonly PromptToken[])[]> {
  const { timeoutMs = 60_000 } = options
  const signals = [
    ...(timeoutMs === null ? [] : [AbortSignal.timeout(timeoutMs * prompts.length)]),
    ...(signal === undefined ? [] : [signal]),
  ]
  const url = withQuery(shape.url(base), options.baseUrl)
  let response: Response
  try {
    response = await (options.fetch ?? fetch)(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
      },
      body: JSON.stringify(shape.body(model, prompts)),
      signal: AbortSignal.any(signals),
    })
  } catch (error) {
    signal?.throwIfAborted()
    if (isTransportError(error) && error.code === 'too-large')
      throw new ScoringError('too-large', `${url}: ${error.message}`)
    const why =
      error instanceof Error
        ? `${error.message}${error.cause instanceof Error ? ` (${error.cause.message})` : ''}`
        : String(error)
    throw new ScoringError('http', `no answer from ${url}: ${why}`, { status: null, retryable: true })
  }
  const text = await readLimited(response, url)
  if (!response.ok)
    throw new ScoringError('http', `${url} answered ${response.status}: ${show(text)}`, {
      status: response.status,
      retryable: httpFailure(response.status, text, {}).retry !== 'never',
      headers: Object.fromEntries(response.headers),
    })
  return shape.read(parse(text, url), prompts)
}

function parse(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const html = /^\s*</u.test(text) ? ' (a web page? check the base URL)' : ''
    throw new ScoringError('bad-answer', `${url} answered ${show(text)}, which is not JSON${html}`)
  }
}

async function readLimited(response: Response, url: string): Promise<string> {
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > LARGEST_SCORES) throw new ScoringError('too-large', `${url} answered more than ${LARGEST_SCORES} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
