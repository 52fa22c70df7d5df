import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BILLED, dieAtEachStep, PLACES } from '../test/mock/batch-deaths.ts'
import type { BenchTable } from './table.ts'

/** Lines of each run; TOUCHSTONE_BENCH=quick: a fiftieth. */
const LINES = process.env['TOUCHSTONE_BENCH'] === 'quick' ? 2000 : 100_000
const EACH = Math.ceil(LINES / 12)

/** Runs in batches against mocks of the three providers, their process killed at each step. */
export async function run(): Promise<BenchTable> {
  const rows: (string | number)[][] = []
  for (const protocol of ['openai', 'anthropic', 'google'] as const) {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-batches-'))
    try {
      const found = await dieAtEachStep({ protocol, places: PLACES[protocol], lines: LINES, each: EACH, folder })
      const whole = found.chain.kind === 'whole' ? found.chain.links : 'broken'
      rows.push([
        protocol,
        LINES,
        found.batches,
        found.deaths,
        found.computed,
        found.responses,
        whole,
        found.mostOfOne - 1,
        (found.computed * BILLED).toFixed(4),
        found.booked.toFixed(4),
        Math.round(found.seconds),
        found.memory ?? 'not known',
      ])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return {
    title: 'Batches: one process after another, killed at each step',
    columns: [
      'provider',
      'lines',
      'batches',
      'kills',
      'computed there',
      'responses',
      'links of the chain',
      'computed twice',
      'bill, $',
      'ledger, $',
      'seconds',
      'peak MiB',
    ],
    rows,
    notes: [
      'mocks of the three servers on loopback, in the process of the bench; kill -9 before and after each request does its work, and in the middle of the results',
      'seconds hold all processes from the first, with the time in which each looks for what the last one left (looks every 50 ms)',
      'peak: resident memory of the largest of the processes',
    ],
  }
}
