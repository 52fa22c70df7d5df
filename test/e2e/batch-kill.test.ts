import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { Ledger, noRedaction } from '../../src/store/index.ts'
import { BATCH_USAGE, type Step, startBatchMock } from '../mock/batches.ts'
import { scratch } from '../mock/context.ts'

// The full size is for an hour that has time: TOUCHSTONE_BATCH_LINES=100000.
const LINES = Number(process.env['TOUCHSTONE_BATCH_LINES'] ?? 40)
const EACH = Math.max(15, Math.ceil(LINES / 12))
const BILLED = (BATCH_USAGE.input + BATCH_USAGE.output * 10) / 1e6
const main = fileURLToPath(new URL('../mock/batch-main.ts', import.meta.url))

/** Every place between two steps where a process can die: asked or not, done there or not, told or not. */
const PLACES: { readonly [protocol: string]: readonly Step[] } = {
  openai: ['upload', 'uploaded', 'create', 'list', 'created', 'look', 'results', 'results-half'],
  anthropic: ['create', 'list', 'created', 'look', 'results', 'results-half'],
  google: ['upload', 'uploaded', 'create', 'list', 'created', 'look', 'results', 'results-half'],
}

it.each(['openai', 'anthropic', 'google'] as const)(
  'a process killed at each step of a batch of %s loses nothing and pays nothing twice',
  async (protocol) => {
    const { folder, remove } = await scratch()
    const left = [...(PLACES[protocol] ?? [])]
    let child: ChildProcess | null = null
    const mock = await startBatchMock({
      protocol,
      strangers: 3,
      step: (step) => {
        if (step !== left[0]) return undefined
        left.shift()
        child?.kill('SIGKILL')
        return 'cut'
      },
    })
    try {
      const dir = join(folder, 'run')
      let out = ''
      let code: number | null = null
      for (let begun = 0; begun < 12 && code !== 0; begun++) {
        const args = ['--dir', dir, '--url', mock.url, '--provider', protocol, '--count', `${LINES}`]
        child = spawn(process.execPath, [main, ...args, '--lines', `${EACH}`], { stdio: ['ignore', 'pipe', 'inherit'] })
        out = ''
        child.stdout?.on('data', (text: string) => {
          out += text
        })
        ;[code] = (await once(child, 'exit')) as [number | null]
      }
      expect(left).toEqual([])
      const result = JSON.parse(out) as { readonly counts: object; readonly usd: number }
      expect(result.counts).toEqual({ waiting: 0, leased: 0, batched: 0, done: LINES, failed: 0 })
      expect(mock.computed).toBe(LINES)
      expect(Math.max(...mock.byPrompt.values())).toBe(1)
      expect(result.usd).toBeCloseTo(LINES * BILLED, 8)
      const redact = { known: noRedaction, shapes: noRedaction }
      await using ledger = new Ledger(join(dir, 'ledger.db'), { readOnly: true, redact })
      expect(ledger.sizes().responses).toBe(LINES)
      expect(ledger.spent()).toBeCloseTo(LINES * BILLED, 8)
      expect(await ledger.checkChain()).toMatchObject({ kind: 'whole', links: LINES })
    } finally {
      await mock.close()
      await remove()
    }
  },
)
