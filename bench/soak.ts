import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchTable } from './table.ts'

const size = process.env['TOUCHSTONE_BENCH'] ?? ''
const SECONDS = size === 'quick' ? 20 : 600
const CLIENTS = 4
/** Pause of an honest client between two steps, ms. */
const PAUSE = 50

export interface Soak {
  /** Milliseconds of every honest request, alone and beside the attackers. */
  readonly alone: readonly number[]
  readonly beside: readonly number[]
  /** Honest requests whose response was wrong or missing. */
  readonly wrong: readonly string[]
  /** Resident bytes of the server, one value a second, from the first attack on. */
  readonly memory: readonly number[]
}

/** Honest clients on a server, first alone for a fifth of the time, then beside attackers. */
export async function soak(seconds: number): Promise<Soak> {
  const memory: number[] = []
  const children: ChildProcess[] = []
  const child = (file: string, ...args: string[]): ChildProcess => {
    const one = fork(join(import.meta.dirname, 'soak', file), args)
    children.push(one)
    return one
  }
  try {
    const server = child('server-child.ts')
    const url = await new Promise<string>((resolve, reject) => {
      server.once('message', (message: { readonly url: string }) => resolve(message.url))
      server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
    })
    const wrong: string[] = []
    server.once('exit', (code) => wrong.push(`the server ended with ${code}`))
    await honest(url, 2, [])
    const alone = await honest(url, seconds / 5, wrong)
    server.on('message', (message: { readonly bytes?: number }) => memory.push(message.bytes ?? 0))
    child('hostile-child.ts', url)
    // The attackers make what they send first.
    await sleep(3000)
    return { alone, beside: await honest(url, (4 * seconds) / 5, wrong), wrong, memory }
  } finally {
    for (const one of children) one.kill()
  }
}

/** Draws items, scores four responses to each and walks through an episode, until the time is over. */
async function honest(url: string, seconds: number, wrong: string[]): Promise<readonly number[]> {
  const times: number[] = []
  const end = performance.now() + 1000 * seconds
  const post = async <T>(path: string, body: object): Promise<T> => {
    const start = performance.now()
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as T
    times.push(performance.now() - start)
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`)
    return answer
  }
  async function step(client: number, round: number): Promise<void> {
    const content = { task: 'recoglab/comparison', preset: 'feasibility', seed: String(client) }
    const { items } = await post<{ items: { token?: string }[] }>('/v1/items', {
      ...content,
      index: 8 * round,
      count: 8,
    })
    const asked = items.flatMap(({ token }) =>
      ['Yes', 'No', 'Unknown'].map((answer) => ({ token, text: `${'So it is.\n'.repeat(100)}Answer: ${answer}` })),
    )
    const { scores } = await post<{ scores: { reward: number | null }[] }>('/v1/score', { items: asked })
    const right = scores.reduce((sum, { reward }) => sum + (reward ?? Number.NaN), 0)
    if (right !== items.length) wrong.push(`of ${items.length} items ${right} answers are right`)
    const { observation } = await post<{ observation: { token: string } }>('/reset', { ...content, index: round })
    await post('/step', { action: { answer: 'Answer: Yes', token: observation.token } })
  }
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let round = 0; performance.now() < end; round++) {
        await step(client, round).catch((error: unknown) => wrong.push(String(error)))
        await sleep(PAUSE)
      }
    }),
  )
  return times
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

/** `npm run bench -- soak`: ten minutes; TOUCHSTONE_BENCH=quick: twenty seconds. */
export async function run(): Promise<BenchTable> {
  const { alone, beside, wrong, memory } = await soak(SECONDS)
  const MiB = 1024 * 1024
  const fifth = Math.ceil(memory.length / 5)
  const mean = (values: readonly number[]): number =>
    Math.round(values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length) / MiB)
  return {
    title: 'Honest clients of serve beside attackers',
    columns: ['what', 'alone', 'beside attackers'],
    rows: [
      ['honest requests', alone.length, beside.length],
      ...[0.5, 0.9, 0.99].map((share): (string | number)[] => [
        `latency in ms, percentile ${100 * share}`,
        quantile(alone, share),
        quantile(beside, share),
      ]),
      ['wrong or missing responses', 0, wrong.length],
      ...Array.from({ length: 5 }, (_, i): (string | number)[] => [
        `memory of the server in MiB, fifth ${i + 1} of the time`,
        '',
        mean(memory.slice(i * fifth, (i + 1) * fifth)),
      ]),
      ['memory of the server in MiB, at most', '', Math.round(Math.max(0, ...memory) / MiB)],
    ],
    notes: [
      `${SECONDS} s in all on one machine, attackers included; ${CLIENTS} honest clients draw 8 items, score 24 responses and walk through an episode, with a pause of ${PAUSE} ms`,
      'attackers: messages in pieces of one byte, messages and bodies that never end, bodies with 2.2 million keys and with as many as are allowed, 28 MiB of texts, responses that are never read, draws of 1,024 items, half requests, garbage',
      'goal: p99 within five times of alone, memory flat',
      ...wrong.slice(0, 3),
    ],
  }
}
