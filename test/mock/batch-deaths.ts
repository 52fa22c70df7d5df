import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ChainState, Ledger, noRedaction } from '../../src/store/index.ts'
import { BATCH_USAGE, type BatchMockOptions, type Step, startBatchMock } from './batches.ts'

const main = fileURLToPath(new URL('./batch-main.ts', import.meta.url))

/** US dollars of one computed line, at the prices of the process below. */
export const BILLED = (BATCH_USAGE.input + BATCH_USAGE.output * 10) / 1e6

/** Every place between two steps where a process can die: asked or not, done there or not, told or not. */
export const PLACES: { readonly [protocol in BatchMockOptions['protocol']]: readonly Step[] } = {
  openai: ['upload', 'uploaded', 'create', 'list', 'created', 'look', 'results', 'results-half'],
  anthropic: ['create', 'list', 'created', 'look', 'results', 'results-half'],
  google: ['upload', 'uploaded', 'create', 'list', 'created', 'look', 'results', 'results-half'],
}

/** A run in batches whose process was killed at every step, and what each side says of it afterwards. */
export interface BatchDeaths {
  /** Steps at which nobody died. */
  readonly missed: readonly Step[]
  readonly deaths: number
  readonly batches: number
  /** Lines that the server computed and bills, and the most that it computed one prompt. */
  readonly computed: number
  readonly mostOfOne: number
  /** As the last process said at its end. */
  readonly counts: object
  readonly usd: number
  /** As the ledger holds it. */
  readonly responses: number
  readonly booked: number
  readonly chain: ChainState
  /** The most memory of any of the processes, in MiB; null: this platform does not say. */
  readonly memory: number | null
  readonly seconds: number
}

export async function dieAtEachStep(options: {
  readonly protocol: BatchMockOptions['protocol']
  /** Where it dies, in this order. */
  readonly places: readonly Step[]
  readonly lines: number
  /** Lines of one batch. */
  readonly each: number
  readonly folder: string
}): Promise<BatchDeaths> {
  const { protocol, places, lines, each, folder } = options
  const missed = [...places]
  let child: ChildProcess | null = null
  let memory: number | null = null
  const weigh = (): void => {
    const now = peakOf(child?.pid)
    if (now !== null) memory = Math.max(memory ?? 0, now)
  }
  const mock = await startBatchMock({
    protocol,
    strangers: 3,
    step: (step) => {
      weigh()
      if (step !== missed[0]) return undefined
      missed.shift()
      child?.kill('SIGKILL')
      return 'cut'
    },
  })
  const weighing = setInterval(weigh, 100)
  const from = performance.now()
  try {
    const dir = join(folder, `run-${protocol}`)
    let out = ''
    let code: number | null = null
    let begun = 0
    for (; begun < 12 && code !== 0; begun++) {
      const args = ['--dir', dir, '--url', mock.url, '--provider', protocol, '--count', `${lines}`]
      child = spawn(process.execPath, [main, ...args, '--lines', `${each}`], { stdio: ['ignore', 'pipe', 'inherit'] })
      out = ''
      child.stdout?.on('data', (text: string) => {
        out += text
      })
      ;[code] = (await once(child, 'exit')) as [number | null]
    }
    const seconds = (performance.now() - from) / 1000
    const { counts, costUsd: usd } = JSON.parse(out) as { readonly counts: object; readonly costUsd: number }
    const redact = { known: noRedaction, shapes: noRedaction }
    await using ledger = new Ledger(join(dir, 'ledger.db'), { readOnly: true, redact })
    return {
      missed,
      deaths: begun - 1,
      batches: mock.batches,
      computed: mock.computed,
      mostOfOne: [...mock.byPrompt.values()].reduce((most, n) => Math.max(most, n), 0),
      counts,
      usd,
      responses: ledger.sizes().responses,
      booked: ledger.bookedUsd(),
      chain: await ledger.checkChain(),
      memory,
      seconds,
    }
  } finally {
    clearInterval(weighing)
    await mock.close()
  }
}

function peakOf(pid: number | undefined): number | null {
  try {
    const found = /^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return found === null ? null : Math.round(Number(found[1]) / 1024)
  } catch {
    return null
  }
}
