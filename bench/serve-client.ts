import { Agent, request } from 'node:http'

/** What the bench is told between two steps, so that it reads its clock and the server's CPU seconds there. */
export type Step =
  | { readonly kind: 'begin' }
  | { readonly kind: 'drawn' | 'scored'; readonly task: string; readonly preset: string; readonly done: number }

interface Item {
  readonly token?: string
}

const BATCH = 512
const GROUP = 8
const CLIENTS = 4
const CASES = [
  ['relic/recognize', 'relic-endless', 'The start symbol derives it. Answer: Yes'],
  ['recoglab/comparison', 'feasibility', 'Answer: Unknown'],
] as const

const agent = new Agent({ keepAlive: true })

function post<T>(url: string, body: object): Promise<T> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (answer.statusCode === 200) resolve(JSON.parse(text) as T)
        else reject(new Error(`${url} answered ${answer.statusCode}: ${text}`))
      })
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}

async function batches(count: number, work: (batch: number) => Promise<void>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < count) await work(next++)
    }),
  )
}

/** Tells the bench, and goes on when it has looked at its clock. */
const tell = (step: Step): Promise<void> =>
  new Promise((resolve) => {
    process.once('message', () => resolve())
    process.send?.(step)
  })

async function run(server: string, most: number): Promise<void> {
  for (const [task, preset, text] of CASES) {
    const draw = async (seed: string, index: number, count: number): Promise<readonly string[]> =>
      (await post<{ items: Item[] }>(`${server}/v1/items`, { task, preset, seed, index, count })).items.flatMap(
        ({ token }) => token ?? [],
      )
    // Threads start and plans are made before the clock does.
    await draw('warm', 0, 64)
    await tell({ kind: 'begin' })
    const tokens: string[] = []
    await batches(Math.ceil(most / BATCH), async (batch) => {
      tokens.push(...(await draw('1', batch * BATCH, BATCH)))
    })
    await tell({ kind: 'drawn', task, preset, done: tokens.length })
    await tell({ kind: 'begin' })
    const groups = BATCH / GROUP
    await batches(Math.ceil(tokens.length / groups), async (batch) => {
      const items = tokens
        .slice(batch * groups, (batch + 1) * groups)
        // No two answers of a group are the same text.
        .flatMap((token) => Array.from({ length: GROUP }, (_, i) => ({ token, text: `${batch}, ${i}. ${text}` })))
      await post(`${server}/v1/score`, { items })
    })
    await tell({ kind: 'scored', task, preset, done: tokens.length * GROUP })
  }
}

const [server = '', most = ''] = process.argv.slice(2)
await run(server, Number(most))
agent.destroy()
process.disconnect()
