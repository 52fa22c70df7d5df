import { describe, expect, it } from 'vitest'
import { openCompletions } from '../../../src/models/scoring/index.ts'
import { shippedWeights } from '../../../src/models/scoring/tiny/load.ts'
import { TinyTransformer } from '../../../src/models/scoring/tiny/transformer.ts'
import { sendBy } from './loopback.ts'

type Body = Readonly<Record<string, unknown>>
interface Asked {
  readonly path: string
  readonly body: Body
}
/** What a server answers: JSON, or a status with JSON. */
type Serve = (asked: Asked) => unknown
class Refusal {
  readonly status: number
  readonly json: unknown
  constructor(status: number, json: unknown) {
    this.status = status
    this.json = json
  }
}

const model = new TinyTransformer(await shippedWeights())
/** ln P of every byte after these. */
function next(ids: readonly number[]): readonly number[] {
  model.rewind(0)
  for (const id of ids) model.read(id)
  return [...model.logprobs!]
}
const bytes = (text: string): readonly number[] => [...Buffer.from(text)]

/**
 * As llama-server 0.5.0-dev of 2026-09-28 answered: /tokenize with_pieces, /completion with n_probs; a character is bytes, and a
 * token that begins one and does not end it comes without probabilities.
 */
const llama: Serve = ({ path, body }) => {
  if (path === '/tokenize')
    return {
      tokens: bytes(String(body['content'])).map((id) => ({ id, piece: id < 128 ? String.fromCharCode(id) : [id] })),
    }
  if (path !== '/completion')
    return new Refusal(404, { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } })
  const all = next(body['prompt'] as readonly number[]).map((logprob, id) => ({ id, logprob }))
  const sorted = all.toSorted((a, b) => b.logprob - a.logprob)
  const [bias] = (body['logit_bias'] ?? []) as readonly (readonly [number, number])[]
  const chosen = bias === undefined ? sorted[0]! : all[bias[0]]!
  const read = { content: '', truncated: false, tokens_evaluated: (body['prompt'] as readonly number[]).length }
  if (chosen.id >= 0xc0) return read
  return {
    ...read,
    completion_probabilities: [{ ...chosen, top_logprobs: sorted.slice(0, Number(body['n_probs'])) }],
  }
}

/** trtllm-serve: fields it does not know are refused; context_logits where they are asked for. */
const trtllm: Serve = ({ path, body }) => {
  if (path === '/_internal/tokenize') return { count: 1, tokens: bytes(String(body['prompt'])) }
  if (path !== '/v1/completions') return new Refusal(404, { detail: 'Not Found' })
  const unknown = ['prompt_logprobs', 'return_token_ids'].find((name) => name in body)
  if (unknown !== undefined)
    return new Refusal(400, { object: 'error', message: `${unknown}: Extra inputs are not permitted`, code: 400 })
  const ids = bytes(String(body['prompt']))
  const logits =
    body['return_context_logits'] === true
      ? { context_logits: ids.map((_, i) => next(ids.slice(0, i + 1)).map((x) => x + 7)) }
      : {}
  return { object: 'text_completion', choices: [{ index: 0, text: '9', logprobs: null, ...logits }] }
}

const served = { 'llama.cpp': llama, trtllm }

function opened(serve: Serve, options: object = {}) {
  const asked: Asked[] = []
  const fetching = (url: string, init: RequestInit): Promise<Response> => {
    init.signal?.throwIfAborted()
    const { pathname: path, searchParams } = new URL(url)
    const body = (typeof init.body === 'string' ? JSON.parse(init.body) : Object.fromEntries(searchParams)) as Body
    const one = { path, body }
    asked.push(one)
    const answer = serve(one)
    return Promise.resolve(
      answer instanceof Refusal ? Response.json(answer.json, { status: answer.status }) : Response.json(answer),
    )
  }
  const completions = { baseUrl: 'http://server:1/v1', send: sendBy(fetching), ...options }
  return { asked, model: openCompletions('m', completions) }
}

const context = '\n312654\n312645\n'
const requests = [
  { context, text: '312654\n' },
  { context, text: '9é\n' },
  { context: '\n', text: '312654\n' },
]

describe.each(Object.entries(served))('a server that scores in steps: %s', (shape, serve) => {
  it('is found out, and gives the numbers of its model', async () => {
    const found = await opened(serve).model.score(requests)
    for (const [i, { context: before, text }] of requests.entries()) {
      const ids = [...bytes(before)]
      const wanted = bytes(text).map((id) => {
        const own = next(ids)[id]!
        ids.push(id)
        return own
      })
      expect(found[i]?.map((token) => token.text).join('')).toBe(text)
      expect(found[i]?.length).toBe(wanted.length)
      for (const [j, { logprob }] of found[i]!.entries()) expect(logprob).toBeCloseTo(wanted[j]!, 9)
    }
  })

  it('is given up with the call', async () => {
    const scorer = opened(serve, { shape }).model
    await scorer.score(requests.slice(0, 1))
    await expect(scorer.score(requests, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
  })

  it.each<readonly [string, number, unknown]>([
    [
      'a context that is too long',
      400,
      { error: { code: 400, message: 'exceeds the available context size', type: 'exceed_context_size_error' } },
    ],
    [
      'a server that loads its model',
      503,
      { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
    ],
  ])('tells of %s', async (_, status, json) => {
    const failing: Serve = (asked) => (asked.path.endsWith('tokenize') ? serve(asked) : new Refusal(status, json))
    const scoring = opened(failing, { shape }).model.score(requests)
    await expect(scoring).rejects.toThrow(/exceeds the available|Loading model/u)
  })
})

it('llama.cpp is asked for the tokens of the text alone, each with the prompt before it', async () => {
  const { asked, model: open } = opened(llama, { shape: 'llama.cpp' })
  await open.score(requests.slice(0, 1))
  const before = asked.length
  await open.score([{ context, text: '3126\n' }])
  // Several models behind one address are told apart by it.
  expect(asked.every(({ body }) => body['model'] === 'm')).toBe(true)
  const calls = asked.slice(before).filter(({ path }) => path === '/completion')
  expect(calls.map(({ body }) => (body['prompt'] as unknown[]).length)).toEqual(
    [0, 1, 2, 3, 4].map((n) => n + context.length),
  )
  expect(calls[0]?.body).toMatchObject({
    n_predict: 1,
    n_probs: 1,
    cache_prompt: true,
    post_sampling_probs: false,
    temperature: 0,
  })
})

it('trtllm-serve is asked for one certain token and the logits of the context', async () => {
  const { asked, model: scorer } = opened(trtllm, { shape: 'trtllm' })
  await scorer.score(requests.slice(0, 1))
  expect(asked.findLast(({ path }) => path === '/v1/completions')?.body).toEqual({
    model: 'm',
    prompt: `${context}312654\n`,
    max_tokens: 1,
    temperature: 0,
    return_context_logits: true,
  })
})

/** The server that leaves out the logits of so many first tokens. */
const without =
  (tokens: number): Serve =>
  (asked) => {
    const answer = trtllm(asked) as { choices?: { context_logits: unknown[] }[] }
    const [first] = answer.choices ?? []
    return first === undefined ? answer : { choices: [{ context_logits: first.context_logits.slice(tokens) }] }
  }

it.each<readonly [string, string, Serve, RegExp]>([
  ['too few logits', 'trtllm', without(2), /logits of \d+ tokens, the prompt has \d+/u],
  [
    'logits that are one too few, as those are that begin at the second token',
    'trtllm',
    without(1),
    /logits of \d+ tokens, the prompt has \d+/u,
  ],
  [
    'logits of fewer tokens here than there',
    'trtllm',
    (asked) => {
      const answer = trtllm(asked) as { choices?: { context_logits: number[][] }[] }
      const [first] = answer.choices ?? []
      return first === undefined
        ? answer
        : { choices: [{ context_logits: first.context_logits.map((row, i) => (i === 3 ? row.slice(0, 200) : row)) }] }
    },
    /some are missing/u,
  ],
  [
    'a prompt that was cut',
    'llama.cpp',
    (asked) =>
      asked.path === '/completion'
        ? { ...(llama(asked) as object), truncated: true, tokens_evaluated: 3 }
        : llama(asked),
    /truncated the prompt/u,
  ],
  [
    'logits of a part of the vocabulary',
    'trtllm',
    (asked) => {
      const answer = trtllm(asked) as { choices?: { context_logits: number[][] }[] }
      const [first] = answer.choices ?? []
      return first === undefined
        ? answer
        : { choices: [{ context_logits: first.context_logits.map((row) => row.slice(0, 40)) }] }
    },
    /logits of 40 tokens, and token \d+ is none of them/u,
  ],
  [
    'the lowest float',
    'llama.cpp',
    (asked) => {
      const answer = llama(asked) as { completion_probabilities?: { logprob: number }[] }
      return asked.body['logit_bias'] === undefined || answer.completion_probabilities === undefined
        ? answer
        : { completion_probabilities: answer.completion_probabilities.map((one) => ({ ...one, logprob: -3.4e38 })) }
    },
    /less likely than the server's numbers can say/u,
  ],
])('a server that gives %s is refused in words', async (_, shape, serve, words) => {
  await expect(opened(serve, { shape }).model.score(requests)).rejects.toThrow(words)
})

const biased: Serve = (asked) => {
  const answer = llama(asked) as { completion_probabilities?: { logprob: number }[] }
  if (asked.body['logit_bias'] === undefined || answer.completion_probabilities === undefined) return answer
  // A server that tells probabilities after the bias.
  return {
    completion_probabilities: answer.completion_probabilities.map((one) => ({ ...one, logprob: one.logprob / 2 })),
  }
}
const unforced: Serve = ({ path, body }) =>
  llama({ path, body: path === '/completion' ? { ...body, logit_bias: [] } : body })
const prepended: Serve = ({ path, body }) =>
  trtllm({ path, body: path === '/v1/completions' ? { ...body, prompt: `\n${String(body['prompt'])}` } : body })
const withoutLogits: Serve = ({ path, body }) => trtllm({ path, body: { ...body, return_context_logits: false } })

it.each<readonly [string, string, Serve, RegExp]>([
  ['takes no bias', 'llama.cpp', unforced, /which had a bias/u],
  ['counts the bias', 'llama.cpp', biased, /with a bias and .* without/u],
  [
    'has no probabilities',
    'llama.cpp',
    (asked) => (asked.path === '/completion' ? { content: '9' } : llama(asked)),
    /completion_probabilities/u,
  ],
  ['was not told to gather logits', 'trtllm', withoutLogits, /context_logits/u],
  ['puts a token in front of prompts', 'trtllm', prepended, /logits of \d+ tokens, the prompt has/u],
  ['is another', 'trtllm', llama, /404/u],
])('a server that %s is refused in words', async (_, shape, serve, words) => {
  await expect(opened(serve, { shape }).model.score(requests)).rejects.toThrow(words)
})
