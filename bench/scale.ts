import { asked } from './scale/asked.ts'
import { concurrency } from './scale/concurrency.ts'
import { deaths } from './scale/deaths.ts'
import { sizes } from './scale/sizes.ts'
import { throughput } from './scale/throughput.ts'
import type { BenchTable } from './table.ts'

/** TOUCHSTONE_BENCH=quick: a tenth; large: 200,000 cells under kills, and runs of 1,000,000, which takes hours. */
export async function run(): Promise<readonly BenchTable[]> {
  const size = process.env['TOUCHSTONE_BENCH']
  if (size === 'quick')
    return [
      await concurrency(600),
      await throughput(400),
      await deaths(2000),
      await sizes([2000, 5000]),
      await asked(3000),
    ]
  const counts = [10_000, 30_000, 100_000, ...(size === 'large' ? [300_000, 1_000_000] : [])]
  const killed = size === 'large' ? 200_000 : 20_000
  return [
    await concurrency(3000),
    await throughput(2000),
    await deaths(killed),
    await sizes(counts),
    await asked(size === 'large' ? 1_000_000 : 20_000),
  ]
}
