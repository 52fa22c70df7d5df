import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { coin, namedStream, pick, type Stream } from '../src/core/index.ts'
import { appOf } from '../src/extras/protocols/app.ts'
import { inlineWorkers } from '../src/extras/protocols/engine.ts'
import { protocols } from '../src/extras/protocols/protocols/index.ts'
import { keysOf, servedSeed } from '../src/extras/protocols/token.ts'
import { families } from '../src/tasks/index.ts'
import { foreignToken, hostileRequest } from '../test/unit/protocols/hostile.ts'

const SECRET = 'a secret of the bench, long enough'
/** Tokens that the attacker keeps of those given to it. */
const KEPT = 64
/** All that an item of `POST /v1/items` may say. */
const SAID = new Set(['index', 'token', 'messages', 'context', 'text', 'empty', 'error'])

/** Shares of the requests after which memory is looked at, beside the end. */
const MARKS = [0.2, 0.5]

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** MiB of the heap that are in use, garbage collected. */
function heapKept(): number {
  collect()
  return process.memoryUsage().heapUsed / 2 ** 20
}

/**
 * So many requests by an attacker that knows the protocols and keeps the tokens it is given: what came of them, row by row.
 * Parts are other requests: for several processes at once.
 */
export async function hostileRequests(count: number, part = 0): Promise<(string | number)[][]> {
  const tasks = families.flatMap((family) => family.tasks)
  const keys = keysOf(SECRET)
  const app = appOf({ tasks, workers: inlineWorkers(tasks), keys, splits: ['train'] }, protocols)
  const secrets = [SECRET, ...['1', '2', '0', 'Yes'].map((seed) => servedSeed(keys, seed))]
  const stream = namedStream('bench/serve', 'hostile', String(part))
  const statuses = new Map<number, number>()
  const tokens: string[] = []
  const tokenOf = (draws: Stream): string =>
    tokens.length > 0 && coin(draws) ? pick(draws, tokens) : foreignToken(draws)
  const heaps: number[] = []
  let leaks = 0
  let drawn = 0
  let scored = 0
  const start = process.cpuUsage()
  for (let i = 0; i < count; i++) {
    const { path, init } = hostileRequest(stream, undefined, tokenOf)
    const response = await app.request(path, init)
    const text = await response.text()
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    if (secrets.some((secret) => text.includes(secret))) leaks++
    if (response.status === 200 && path === '/v1/items')
      for (const item of (JSON.parse(text) as { readonly items: readonly object[] }).items) {
        drawn++
        if (Object.keys(item).some((key) => !SAID.has(key))) leaks++
        if ('token' in item) tokens[drawn % KEPT] = item.token as string
      }
    if (response.status === 200 && path.endsWith('/score'))
      for (const { status } of (JSON.parse(text) as { readonly scores: readonly { readonly status: string }[] }).scores)
        if (status !== 'error') scored++
    if (MARKS.some((share) => i === Math.floor(share * count))) heaps.push(heapKept())
  }
  heaps.push(heapKept())
  const { user, system } = process.cpuUsage(start)
  return [
    ['requests', count],
    ['requests/CPU s', (count * 1e6) / (user + system)],
    ...[...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, times]): [string, number] => [`answered ${status}`, times]),
    ['answered 500', statuses.get(500) ?? 0],
    ['items drawn', drawn],
    ['answers judged', scored],
    ['answers that tell what they must not', leaks],
    ...[...MARKS, 1].map((share, i): [string, number] => [
      `MiB in use after ${100 * share} %`,
      Math.round(heaps[i] ?? 0),
    ]),
  ]
}
