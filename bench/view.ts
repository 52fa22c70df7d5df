import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ledger, loadFrames, noRedaction } from '../src/store/index.ts'
import { folders, itemsPage, outline } from '../src/view/api/index.ts'
import { CLIENT_FILES } from '../src/view/server/assets.ts'
import { peakOf } from './memory.ts'
import type { BenchTable } from './table.ts'
import { makeRun } from './view/make-run.ts'

const size = process.env['TOUCHSTONE_BENCH'] ?? ''
const CALLS = size === 'large' ? 1_000_000 : size === 'quick' ? 10_000 : 100_000

/** What the pages of one large run ask of the server: how long the first answer takes, and the same again. */
export async function run(): Promise<readonly BenchTable[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-view-bench-'))
  const client = join(folder, 'client')
  mkdirSync(client)
  for (const name of CLIENT_FILES) writeFileSync(join(client, name), '')
  const runs = join(folder, 'runs')
  mkdirSync(runs)
  const served = async <T>(work: (server: Server) => Promise<T>): Promise<T> => {
    const child = fork(join(import.meta.dirname, 'view/serve-child.ts'), [runs, client])
    try {
      const [url] = (await once(child, 'message')) as [string]
      return await work({ ask: asking(url), pid: child.pid })
    } finally {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    }
  }
  try {
    const [made, { names: models }] = await timed(() => makeRun(join(runs, 'run'), CALLS))
    return await served((server) => measured({ ...server, models, ledger: join(runs, 'run/ledger.db'), made }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Asks a server for what is at a path. */
type Ask = (path: string) => Promise<unknown>

interface Server {
  readonly ask: Ask
  readonly pid: number | undefined
}

function asking(url: string): Ask {
  const { origin, searchParams } = new URL(url)
  const authorization = `Bearer ${searchParams.get('token')}`
  return async (path) => {
    const response = await fetch(`${origin}${path}`, { headers: { authorization } })
    const body: unknown = await response.json()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(body)}`)
    return body
  }
}

/** Where the one run of a server is. */
const addressOf = async (ask: Ask): Promise<string> =>
  `/api/runs/${folders.parse(await ask('/api/folders')).folders[0]?.id}`

interface Bench extends Server {
  readonly models: readonly string[]
  readonly ledger: string
  /** Seconds that the run took to be made. */
  readonly made: number
}

async function measured({ ask, models, ledger: path, made, pid }: Bench): Promise<readonly BenchTable[]> {
  const at = await addressOf(ask)
  const taken: { readonly what: string; readonly first: number; readonly again: number }[] = []
  const step = async (what: string, path: string): Promise<unknown> => {
    const [first, answer] = await timed(() => ask(`${at}${path}`))
    const [again] = await timed(() => ask(`${at}${path}`))
    taken.push({ what, first, again })
    return answer
  }
  const [a = '', b = ''] = models
  const query = (parts: Record<string, string>): string => new URLSearchParams(parts).toString()
  const { numbers } = outline.parse(await step('what the run asked, first', '/outline'))
  await step('overview', '/overview')
  const feature = numbers.find(({ of }) => of === 'feature')
  if (feature === undefined) throw new Error('no feature of the items is a number')
  const middle = Math.ceil((feature.least + feature.most) / 2)
  const subset = { feature: `${feature.name}>=${middle}` }
  const opened = peakOf(pid)
  const page = itemsPage.parse(await step('items, the first page', '/items'))
  await step('items, a page in the middle', `/items?offset=${Math.floor(page.total / 2)}`)
  await step('items, a range of a feature', `/items?${query(subset)}`)
  await step(
    'items, a range of tokens of wrong answers of one model',
    `/items?${query({ model: a, outcome: 'wrong', amount: 'reasoning>=500' })}`,
  )
  await step('items, some models right, some not', `/items?${query({ among: 'split' })}`)
  await step('items, two models apart', `/items?${query({ a, b, pair: 'differ' })}`)
  await step('items, a text of answers and reasoning', `/items?${query({ text: 'STEP 77:' })}`)
  await step('items, a text of prompts', `/items?${query({ prompt: 'TALLER' })}`)
  await step('items, another text of prompts', `/items?${query({ prompt: 'older' })}`)
  await step('one item', `/item?${query({ id: page.rows[0]?.item ?? '' })}`)
  await step('accuracy over one feature', `/by-feature?${query({ x: feature.name })}`)
  await step('statistics of a subset', `/subset-and-rest?${query({ ...subset, views: '3' })}`)
  await step('overview of a subset', `/overview?${query({ ...subset, views: '3' })}`)
  await step('two models compared', `/compare?${query({ a, b })}`)
  await step('two models compared on a subset', `/compare?${query({ a, b, ...subset, views: '3' })}`)
  await step('tokens', `/tokens?${query({ x: feature.name })}`)
  await using ledger = new Ledger(path, { readOnly: true, redact: { known: noRedaction, shapes: noRedaction } })
  const [reading] = await timed(() => loadFrames({ ledger }))
  return [
    {
      title: `The view of a run of ${CALLS.toLocaleString('en-US')} rows: server time per page`,
      columns: ['what', 'first, s', 'in readings of all rows', 'again, s'],
      rows: taken.map(({ what, first, again }) => [what, first, first / reading, again]),
      notes: [
        `${models.length} models, ${page.all.toLocaleString('en-US')} items; real items and prompts, answers by statements of the database`,
        'a reading: all rows read from the ledger once, in another process; the first answer of all pays it',
        'again: the same asked a second time, of what the server remembers of a revision',
        'goal: a filter of 1,000,000 rows in less than a second; texts of prompts are put into words when they are first searched, and kept up to 200,000,000 characters',
      ],
    },
    {
      title: 'The view: its server',
      columns: ['', 'value'],
      rows: [
        ['rows', CALLS],
        ['seconds to make the run', made],
        ['seconds of a reading of all rows', reading],
        ['most memory with the first outline, MiB', opened],
        ['most memory after all pages, MiB', peakOf(pid)],
      ],
      notes: ['memory: the peak of the process of the server'],
    },
  ]
}

/** Seconds, and what came. */
async function timed<T>(work: () => Promise<T>): Promise<readonly [number, T]> {
  const from = performance.now()
  const result = await work()
  return [(performance.now() - from) / 1000, result]
}
