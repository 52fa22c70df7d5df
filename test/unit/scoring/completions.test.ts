import { describe, expect, it } from 'vitest'
import { TransportError } from '../../../src/models/http.ts'
import { openModel, providers } from '../../../src/models/index.ts'
import { openCompletions, openTiny } from '../../../src/models/scoring/index.ts'
import { probing } from '../../../src/models/scoring/probe.ts'
import { type Behaviour, generatedOnly, loopback, sendBy, shapes } from './loopback.ts'

const context = '\n312654\n312645\n'
const requests = [
  { context, text: '312654\n' },
  { context, text: '9\n' },
  { context: '\n', text: '312654\n' },
]

const echoWith =
  (change: (logprobs: (number | null)[], tokens: string[]) => void): Behaviour =>
  (scored, body, path) => {
    const answer = shapes.echo(scored, body, path) as {
      choices: { logprobs: { tokens: string[]; token_logprobs: (number | null)[] } }[]
    }
    const { tokens, token_logprobs } = answer.choices[0]!.logprobs
    change(token_logprobs, tokens)
    return answer
  }

describe('a remote server', () => {
  it.each(Object.keys(shapes) as (keyof typeof shapes)[])(
    'in the %s shape gives the embedded model’s numbers',
    async (shape) => {
      await using server = await loopback(shapes[shape])
      const remote = openCompletions('tiny', { baseUrl: server.url })
      const local = await openTiny()
      const [a, b] = [await remote.score(requests), await local.score(requests)]
      expect(a.map((list) => list.map((t) => t.text).join(''))).toEqual(requests.map((r) => r.text))
      for (const [i, list] of a.entries())
        for (const [j, token] of list.entries()) expect(token.logprob).toBeCloseTo(b[i]?.[j]?.logprob as number, 12)
      const before = server.requests()
      await remote.score(requests.slice(0, 1))
      expect(server.requests()).toBe(before + 1)
    },
  )

  it.each(Object.keys(shapes) as (keyof typeof shapes)[])(
    'in the %s shape is not asked more than is booked for finding out',
    async (shape) => {
      await using server = await loopback(shapes[shape])
      const remote = openCompletions('tiny', { baseUrl: server.url })
      await remote.score(requests.slice(0, 1))
      const prompts = server.sizes().reduce((sum, size) => sum + size, 0) - 1
      expect(prompts).toBeGreaterThan(2)
      expect(prompts).toBeLessThanOrEqual(probing(Object.keys(shapes).length).output)
    },
  )

  it.each(['prompt-logprobs', 'echo', 'sglang'] as const)(
    'in the %s shape scores several strings in a request',
    async (shape) => {
      await using server = await loopback(shapes[shape])
      const completions = { baseUrl: server.url, shape, batch: 4 }
      const remote = openCompletions('tiny', completions)
      const local = await openTiny()
      await remote.score(requests.slice(0, 1))
      const before = server.requests()
      const many = Array.from({ length: 11 }, (_, i) => ({ context, text: `${'312654'.slice(0, 1 + (i % 6))}\n` }))
      const wanted = await local.score(many)
      // Calls of their own, as a runner makes them: they are gathered all the same.
      const found = await Promise.all(many.map(async (request) => (await remote.score([request]))[0]))
      for (const [i, list] of found.entries())
        for (const [j, token] of (list ?? []).entries())
          expect(token.logprob).toBeCloseTo(wanted[i]?.[j]?.logprob as number, 12)
      // The requests go out together and may arrive in any order.
      expect(
        server
          .sizes()
          .slice(before)
          .toSorted((a, b) => a - b),
      ).toEqual([3, 4, 4])
    },
  )

  it.each(['first', 'refused'] as const)('that takes no lists of prompts (%s) is asked one by one', async (lists) => {
    await using server = await loopback(shapes.echo, lists)
    const remote = openCompletions('tiny', { baseUrl: server.url, shape: 'echo' })
    expect(await remote.score(requests)).toHaveLength(requests.length)
    expect(server.sizes().slice(-requests.length)).toEqual(requests.map(() => 1))
  })

  it('that fails at one string of a batch fails for that one alone', async () => {
    await using server = await loopback((scored, body, path) =>
      scored.at(-2)?.text === '9' && scored.length > 12 ? {} : shapes.echo(scored, body, path),
    )
    const remote = openCompletions('tiny', { baseUrl: server.url, shape: 'echo' })
    const settled = await Promise.allSettled(requests.map((request) => remote.score([request])))
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it.each<[string, Behaviour, RegExp]>([
    ['silently ignores echo', generatedOnly, /does not score given strings \(it may ignore echo\)/u],
    ['answers a web page', () => '<html><body>hello</body></html>', /not JSON \(a web page\? check the base URL\)/u],
    ['gives NaN', echoWith((p) => p.fill(Number.NaN, 1)), /has no log-probability/u],
    ['gives positive log-probabilities', echoWith((p) => p.fill(0.5, 1)), /above 0/u],
    ['gives too few entries', echoWith((p) => p.splice(2)), /tokens and 2 log-probabilities/u],
    ['gives the same numbers to every string', echoWith((p) => p.fill(-1, 1)), /different strings have the same/u],
    [
      'gives unconditional numbers',
      echoWith((p) => {
        for (let i = 1; i < p.length; i++) p[i] = -1 - p.length + i / 100
      }),
      /another log-probability in a longer prompt/u,
    ],
    [
      'gives each token the number of the next',
      echoWith((p) => void p.splice(0, p.length, ...p.slice(1), -0.5)),
      /where another token follows/u,
    ],
    [
      'gives each token the number of the one before',
      echoWith((p) => void p.splice(0, p.length, null, ...p.slice(0, -1))),
      /have one log-probability/u,
    ],
    [
      'gives sums over the string',
      echoWith((p) => {
        for (let i = 2; i < p.length; i++) p[i]! += p[i - 1]!
      }),
      /may be sums/u,
    ],
    ['answers an error as if it were none', () => ({ error: 'the engine is dead' }), /200 .*the engine is dead/u],
    ['changes the prompt', echoWith((_, t) => t.fill('x')), /changes the prompt/u],
    ['knows no such route', () => null, /answered 404/u],
  ])('that %s is refused', async (_name, behaviour, message) => {
    await using server = await loopback(behaviour)
    const model = openCompletions('tiny', { baseUrl: server.url, shape: 'echo' })
    await expect(model.score(requests)).rejects.toThrow(message)
    await expect(model.score(requests)).rejects.toThrow(expect.objectContaining({ fault: 'cannot-score' }))
  })

  it('that says in a good answer that it failed for now is asked again, in its own words', async () => {
    const failing: Behaviour = () => ({ object: 'error', message: 'out of memory', code: 500 })
    await using server = await loopback(failing)
    const model = openCompletions('tiny', { baseUrl: server.url, shape: 'echo' })
    const failed = expect.objectContaining({ fault: 'http', status: 500, retryable: true })
    await expect(model.score(requests)).rejects.toThrow(failed)
    await expect(model.score(requests)).rejects.toThrow(/with an error: "out of memory"/u)
  })

  it('whose tokens straddle the start of the string is reported as such', async () => {
    const merging: Behaviour = (scored, body, path) => {
      // Merges the newline with what follows, as many tokenizers do.
      const merged: (typeof scored)[number][] = []
      for (const token of scored) {
        const last = merged.at(-1)
        if (last?.text === '\n' && token.text === '9')
          merged[merged.length - 1] = { id: 0, text: '\n9', logprob: (last.logprob ?? 0) + (token.logprob ?? 0) }
        else merged.push(token)
      }
      return shapes.tgi(merged, body, path)
    }
    await using server = await loopback(merging)
    const model = openCompletions('tiny', { baseUrl: server.url, shape: 'tgi' })
    await expect(model.score([{ context, text: '9\n' }])).rejects.toThrow(/"\\n9" straddles the start/u)
  })

  it('that is not there is an error worth a retry', async () => {
    const model = openCompletions('x', { baseUrl: 'http://127.0.0.1:9/v1' })
    await expect(model.score(requests)).rejects.toThrow(expect.objectContaining({ fault: 'http', retryable: true }))
  })
})

/** A server of the echo shape that needs no model: a token is a character, its log-probability a sum over those before it. */
function plain(answer: (asked: number, respond: () => Response) => Response | Promise<Response>) {
  let asked = 0
  const fetching = async (url: string, init: RequestInit): Promise<Response> => {
    if (url.endsWith('/tokenize')) return new Response('{}', { status: 404 })
    const prompts = [JSON.parse(init.body as string).prompt as string | string[]].flat()
    const scored = (prompt: string) => {
      let sum = 0
      return [...prompt].map((character) => {
        sum += character.charCodeAt(0)
        return -(1 + (sum % 7)) / 10
      })
    }
    const choices = prompts.map((prompt, index) => ({
      index,
      logprobs: { tokens: [...prompt], token_logprobs: scored(prompt).map((p, i) => (i === 0 ? null : p)) },
    }))
    return answer(++asked, () => Response.json({ choices }))
  }
  return { baseUrl: 'http://server:1/v1', shape: 'echo', send: sendBy(fetching) } as const
}

it.each([
  [{}, 4],
  [{ batch: 1 }, 32],
  [{ batch: 2 }, 4],
  [{ batch: 2, concurrency: 3 }, 3],
  [{ batch: 1, concurrency: 5 }, 5],
])('requests in flight with %j: %i', async (options, most) => {
  let [flying, seen] = [0, 0]
  const server = plain(async (_, respond) => {
    seen = Math.max(seen, ++flying)
    await new Promise((done) => setTimeout(done, 2))
    flying--
    return respond()
  })
  const model = openCompletions('m', { ...server, ...options })
  expect(await model.score(Array.from({ length: 100 }, (_, i) => ({ context, text: `${i}\n` })))).toHaveLength(100)
  expect(seen).toBe(most)
})

describe('what fails on the way', () => {
  const request = { context: 'a\n', text: 'b\n' }
  const failing = async (answer: () => Response) => {
    let [asked, fails] = [0, false]
    const server = plain((_, respond) => {
      asked++
      return fails ? answer() : respond()
    })
    const model = openCompletions('m', { ...server, batch: 1 })
    await model.score([request])
    fails = true
    asked = 0
    const fault: unknown = await model.score([request]).catch((error: unknown) => error)
    return { fault, asked }
  }

  it('is an answer that is too large', async () => {
    const cut = () => {
      throw new TransportError('too-large', 'the body has more than is read')
    }
    expect((await failing(cut)).fault).toMatchObject({ fault: 'too-large', retryable: false, status: null })
  })

  it('is no answer, which may come later; why is told', async () => {
    const cut = () => {
      throw new TransportError('connect', 'connect ECONNREFUSED')
    }
    expect((await failing(cut)).fault).toMatchObject({
      fault: 'http',
      retryable: true,
      status: null,
      message: 'no answer from http://server:1/v1/completions: connect ECONNREFUSED',
    })
  })

  it.each([
    [429, true],
    [503, true],
    [400, false],
    [401, false],
  ])('is status %i: another try may mend it: %s', async (status, retryable) => {
    const { fault } = await failing(() => new Response('no', { status, headers: { 'retry-after': '7' } }))
    expect(fault).toMatchObject({
      fault: 'http',
      status,
      retryable,
      message: `http://server:1/v1/completions answered ${status}: "no"`,
      headers: { 'retry-after': '7' },
    })
  })

  it('is what is no JSON', async () => {
    expect((await failing(() => new Response('hello'))).fault).toMatchObject({
      fault: 'bad-answer',
      message: 'http://server:1/v1/completions answered "hello", which is not JSON',
    })
  })
})

it('the query of a base URL goes along', async () => {
  const seen = new Set<string>()
  const server = plain((_, respond) => respond())
  const watched: typeof server.send = (request) => {
    seen.add(String(request.url))
    return server.send(request)
  }
  const completions = { ...server, baseUrl: 'http://server:1/v1/?key=a%26b&v=2', send: watched }
  await openCompletions('m', completions).score([{ context: 'a\n', text: 'b\n' }])
  expect([...seen]).toEqual(['http://server:1/v1/completions?key=a%26b&v=2'])
})

describe('one token for each character', () => {
  // A tokenizer that begins prompts with 1, writes a space before each text and merges two digits.
  const idsOf = (text: string) => [
    1,
    ...(text === '' ? [] : [32]),
    ...[...text.matchAll(/\d\d|[\s\S]/gu)].map(([piece]) =>
      piece.length === 2 ? 1000 + Number(piece) : piece.charCodeAt(0),
    ),
  ]
  const textOf = (id: number) =>
    id >= 1000 ? String(id - 1000).padStart(2, '0') : id < 33 ? '' : String.fromCharCode(id)
  const spell = (id: number) => (id === 10 ? '\n' : textOf(id))
  const server = (native: boolean) =>
    sendBy((url, init) => {
      const body = JSON.parse(String(init.body)) as Record<string, unknown>
      if (url.endsWith('/tokenize')) return Response.json({ tokens: idsOf(String(body['prompt'])) })
      if (url.endsWith('/generate') !== native) return new Response('{"error":"no such route"}', { status: 404 })
      const given = body['input_ids'] ?? body['text'] ?? body['prompt']
      const ids = typeof given === 'string' ? idsOf(given) : (given as number[])
      let state = 7
      const scored = ids.map((id, i) => {
        state = (state * 31 + id) % 1009
        return { id, text: spell(id), logprob: i === 0 ? null : -(1 + state) / 1009 }
      })
      if (native)
        return Response.json({ meta_info: { input_token_logprobs: scored.map((t) => [t.logprob, t.id, t.text]) } })
      const entries = scored.map(({ id, text, logprob }) =>
        logprob === null ? null : { [id]: { logprob, decoded_token: text } },
      )
      return Response.json({ choices: [{ prompt_logprobs: entries, prompt_token_ids: ids }] })
    })

  it.each([false, true])(
    'is given as ids and scored one by one where the tokenizer merges (SGLang: %s)',
    async (native) => {
      const at = { baseUrl: 'http://server:1/v1', send: server(native), batch: 1 }
      const asked = [
        { context: '3126;', text: '312' },
        { context: '', text: '55' },
      ]
      const [merged] = await openCompletions('m', at).score(asked.slice(0, 1))
      expect(merged?.length).toBeLessThan(3)
      const found = await openCompletions('m', { ...at, oneEach: true }).score(asked)
      expect(found.map((tokens) => tokens.map(({ text }) => text))).toEqual([
        ['3', '1', '2'],
        ['5', '5'],
      ])
      for (const { logprob } of found.flat()) expect(logprob).toBeLessThan(0)
    },
  )

  it('is refused by a server that takes no ids', async () => {
    await using echoing = await loopback(shapes.echo)
    const remote = openCompletions('tiny', { baseUrl: echoing.url, oneEach: true })
    await expect(remote.score(requests)).rejects.toThrow(/takes no prompts as ids/u)
  })
})

it('a base URL that is none is refused', () => {
  expect(() => openCompletions('x', { baseUrl: 'localhost:8000' })).toThrow(/looks like http/u)
})

it.each([
  ['gguf:/no/such/file.gguf', /no GGUF file at \/no\/such\/file\.gguf\./u],
  ['gguf:/no/such/file.gguf?threads=2&gpu=off', /no GGUF file at \/no\/such\/file\.gguf\./u],
  ['gguf:f.gguf?thread=2', /contextSize, threads, gpu/u],
  ['gguf:f.gguf?threads=0', /threads/u],
  ['gguf:f.gguf?gpu=yes', /gpu/u],
])('%s is refused', async (spec, message) => {
  const around = { env: {}, openReplay: () => Promise.reject(new Error('no')) }
  await expect(openModel(spec, {}, providers, around)).rejects.toThrow(message)
})
