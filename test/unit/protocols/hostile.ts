import { below, coin, pick, type Stream } from '../../../src/core/index.ts'
import { keysOf, sealToken } from '../../../src/extras/protocols/token.ts'

const PATHS = [
  ['/v1/items', '/v1/items', '/v1/score', '/v1/score', '/v1/tasks', '/health', '/metrics', '/nope', '/v1/../v1/score'],
  [
    '/verify',
    '/seed_session',
    '/aggregate_metrics',
    '/get_reward',
    '/reset',
    '/step',
    '/mcp',
    '/ws',
    '/create',
    '/ping',
  ],
  ['task', 'tasks', 'num_tasks', 'task_range', 'call', 'prompt'].map((route) => `/relic-recognize.relic-demo/${route}`),
  ['/__proto__/tools', '/constructor/task', '/create_session', '/delete'],
].flat()
const TYPES = ['application/json', 'application/json', 'application/json', 'application/json', 'text/plain']
const WORDS: readonly unknown[] = [
  [null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, '', 'Yes', '1', 'train', 'test', 'zero-shot', 'relic-demo'],
  ['relic/recognize', 'recoglab/comparison', '__proto__', 'constructor', 'toString', '\ud800', '\u0000'],
  ['x'.repeat(9999)],
  [[], {}, [[]], { a: 1 }, { __proto__: null }],
].flat()
const KEYS = [
  ['items', 'task', 'preset', 'config', 'split', 'seed', 'style', 'index', 'count', 'indices', 'token', 'text'],
  [
    'finish',
    'logprobs',
    'parser',
    'action',
    'answer',
    'response',
    'output',
    'query',
    'labels',
    'split',
    '__proto__',
    'constructor',
    'length',
    'name',
    'lengths',
  ],
].flat()

const foreign = keysOf('the secret of somebody else')

/** Whence the tokens of an attacker: from another server, or as this one gave them. */
type TokenOf = (stream: Stream) => string

/** A request that nobody means well with: bad bodies, good ones with something wrong in them, and good ones. */
export function hostileRequest(stream: Stream, paths: readonly string[] = PATHS, tokenOf: TokenOf = foreignToken) {
  const path = pick(stream, paths)
  const method = below(stream, 8) === 0 ? pick(stream, ['GET', 'PUT', 'DELETE', 'OPTIONS']) : 'POST'
  const headers = { 'content-type': pick(stream, TYPES), 'x-session-id': pick(stream, ['a', 'b', '__proto__']) }
  return { path, init: { method, headers, ...(method === 'GET' ? {} : { body: hostileBody(stream, tokenOf) }) } }
}

function hostileBody(stream: Stream, tokenOf: TokenOf): string {
  const kinds = [() => anything(stream, 0), itemsLike, scoreLike, protocolLike]
  const text = JSON.stringify(pick(stream, kinds)(stream, tokenOf))
  switch (below(stream, 10)) {
    case 0:
      return text.slice(0, below(stream, text.length + 1))
    case 1: {
      const at = below(stream, text.length + 1)
      return `${text.slice(0, at)}${pick(stream, ['NaN', '"', '\\', '\u0000', '[[', '}', '9e999'])}${text.slice(at)}`
    }
    case 2:
      return `${'['.repeat(below(stream, 3000))}${text}`
    default:
      return text
  }
}

function anything(stream: Stream, depth: number): unknown {
  if (depth > 6 || coin(stream)) return pick(stream, WORDS)
  const size = below(stream, 5)
  if (coin(stream)) return Array.from({ length: size }, () => anything(stream, depth + 1))
  return Object.fromEntries(Array.from({ length: size }, () => [pick(stream, KEYS), anything(stream, depth + 1)]))
}

/** Mostly what is asked for; each key may be anything. */
const maybe = (stream: Stream, right: unknown): unknown => (below(stream, 6) === 0 ? anything(stream, 0) : right)

const itemsLike = (stream: Stream): unknown => ({
  task: maybe(stream, 'relic/recognize'),
  preset: maybe(stream, 'relic-demo'),
  index: maybe(stream, below(stream, 150)),
  ...(coin(stream) ? { seed: maybe(stream, 1 + below(stream, 2)) } : {}),
  ...(coin(stream) ? { count: maybe(stream, 1 + below(stream, 2)) } : {}),
})

const scoreLike = (stream: Stream, tokenOf: TokenOf): unknown => ({
  items: maybe(stream, [{ token: maybe(stream, tokenOf(stream)), text: maybe(stream, 'Yes') }]),
  ...(coin(stream) ? { parser: maybe(stream, 'lenient') } : {}),
})

const protocolLike = (stream: Stream, tokenOf: TokenOf): unknown => {
  const token = maybe(stream, tokenOf(stream))
  return pick(stream, [
    { action: maybe(stream, { answer: maybe(stream, 'Yes'), token }) },
    { query: maybe(stream, ['Yes']), prompts: maybe(stream, ['']), labels: maybe(stream, [token]) },
    { split: maybe(stream, 'train'), index: maybe(stream, 3) },
    { split: maybe(stream, 'train'), start: maybe(stream, 3), stop: maybe(stream, 9) },
    { env_name: maybe(stream, 'relic-recognize.relic-demo'), split: maybe(stream, 'train'), index: maybe(stream, 3) },
    { name: maybe(stream, 'answer'), input: maybe(stream, { answer: maybe(stream, 'Yes') }) },
    {
      token,
      responses_create_params: maybe(stream, {}),
      response: maybe(stream, { output: maybe(stream, [{ type: 'message', content: maybe(stream, 'Yes') }]) }),
    },
  ])
}

export const foreignToken = (stream: Stream): string =>
  sealToken(foreign, {
    task: 'relic/recognize',
    version: 3,
    content: { kind: 'preset', preset: 'relic-demo' },
    configHash: '0123456789ab',
    split: 'train',
    seed: '1',
    index: below(stream, 100),
    style: 'zero-shot',
  })
