import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpRequest, HttpResponse } from '../../../src/models/http.ts'
import { shippedWeights } from '../../../src/models/scoring/tiny/load.ts'
import { TinyTransformer } from '../../../src/models/scoring/tiny/transformer.ts'

/** One prompt token: its character and log-probability, null for the first. */
interface Scored {
  readonly text: string
  readonly id: number
  readonly logprob: number | null
}

/** What a server does with a scored prompt. */
export type Behaviour = (scored: readonly Scored[], body: Record<string, unknown>, path: string) => unknown

const echo: Behaviour = (scored, body) =>
  body['echo'] !== true || body['logprobs'] === undefined
    ? generatedOnly(scored, body, '')
    : {
        choices: [
          {
            text: 'ignored',
            logprobs: {
              tokens: [...scored.map((t) => t.text), '9'],
              token_logprobs: [...scored.map((t) => t.logprob), -0.5],
              top_logprobs: null,
              text_offset: [...scored.map((_, i) => i), scored.length],
            },
          },
        ],
      }

/** llama.cpp and others: echo is ignored without a word. */
export const generatedOnly: Behaviour = () => ({
  choices: [{ text: '9', logprobs: { tokens: ['9'], token_logprobs: [-0.5], text_offset: [0] } }],
})

const promptLogprobs: Behaviour = (scored, body) =>
  body['prompt_logprobs'] === undefined
    ? generatedOnly(scored, body, '')
    : {
        choices: [
          {
            text: '9',
            prompt_logprobs: scored.map((t) =>
              t.logprob === null
                ? null
                : {
                    // The most likely token comes too where it is not the prompt's own.
                    '300': { logprob: -0.01, rank: 1, decoded_token: '#' },
                    [String(t.id)]: { logprob: t.logprob, rank: 2, decoded_token: t.text },
                  },
            ),
            prompt_token_ids: scored.map((t) => t.id),
          },
        ],
      }

const tgi: Behaviour = (scored, _body, path) =>
  path === '/generate'
    ? {
        generated_text: '9',
        details: {
          prefill: [{ id: 1, text: '', logprob: null }, ...scored],
          tokens: [{ id: 57, text: '9', logprob: -0.5, special: false }],
        },
      }
    : null

/** As a server answered (sglang-jax, pull request 13); texts come where they are asked for. */
const sglang: Behaviour = (scored, body, path) =>
  path === '/generate' && body['return_logprob'] === true
    ? {
        text: '9',
        meta_info: {
          id: '26223ea355df4c0ab45e5af04505ed67',
          finish_reason: { type: 'length', length: 1 },
          prompt_tokens: scored.length,
          input_token_logprobs: scored.map(({ text, id, logprob }) => [
            logprob,
            id,
            body['return_text_in_logprobs'] === true ? text : null,
          ]),
          output_token_logprobs: [[-0.5, 57, '9']],
        },
      }
    : null

export const shapes = { echo, 'prompt-logprobs': promptLogprobs, sglang, tgi } as const

export interface Loopback extends AsyncDisposable {
  readonly url: string
  readonly requests: () => number
  /** Prompts of each request. */
  readonly sizes: () => readonly number[]
}

/** What vLLM, SGLang and TGI answer at this route; TGI's prompts begin with a token. */
function tokenized({ prompt, inputs }: Record<string, unknown>): unknown {
  const ids = (text: unknown) => [...Buffer.from(String(text))]
  return inputs === undefined ? { tokens: ids(prompt) } : [1, ...ids(inputs)].map((id) => ({ id, start: 0, stop: 1 }))
}

/** One answer to several prompts: their choices, numbered and, since clients must not care, the last one first. */
function together(answers: readonly unknown[]): unknown {
  if (answers.length > 1 && answers.every((answer) => Object(answer).meta_info !== undefined)) return answers
  const odd = answers.find((answer) => Object(answer).choices === undefined)
  if (answers.length === 1 || odd !== undefined) return odd ?? answers[0]
  const choices = answers.map((answer, index) => ({ ...(answer as { choices: object[] }).choices[0], index }))
  return { choices: choices.reverse() }
}

/**
 * A server on the loopback interface that scores with the tiny transformer and answers in one shape. A string is sent as it
 * is. `lists`: what becomes of several prompts in a request.
 */
export async function loopback(behaviour: Behaviour, lists: 'all' | 'first' | 'refused' = 'all'): Promise<Loopback> {
  const model = new TinyTransformer(await shippedWeights())
  const sizes: number[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text) as Record<string, unknown>
    if (request.url === '/tokenize') return void response.end(JSON.stringify(tokenized(body)))
    const prompts = [body['prompt'] ?? body['inputs'] ?? body['text']].flat().map(String)
    sizes.push(prompts.length)
    const score = (prompt: string) => {
      model.rewind(0)
      return [...Buffer.from(prompt)].map((id) => {
        const logprob = model.logprobs?.[id] ?? null
        model.read(id)
        return { id, text: String.fromCharCode(id), logprob }
      })
    }
    const used = lists === 'first' ? prompts.slice(0, 1) : prompts
    const answer = together(used.map((prompt) => behaviour(score(prompt), body, request.url ?? '')))
    if (lists === 'refused' && prompts.length > 1) response.writeHead(400).end('{"error":"one prompt, please"}')
    else if (answer === null)
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"no such route"}')
    else if (typeof answer === 'string') response.writeHead(200).end(answer)
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: () => sizes.length,
    sizes: () => sizes,
    [Symbol.asyncDispose]: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

/** The transport of a client, answered by a `fetch`. */
export const sendBy =
  (answer: (url: string, init: RequestInit) => Response | Promise<Response>) =>
  async ({ url, headers, body = null, signal }: HttpRequest): Promise<HttpResponse> => {
    const response = await answer(String(url), {
      headers,
      body,
      ...(signal === undefined ? {} : { signal }),
    })
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
  }
