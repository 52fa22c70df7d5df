import { runnerBench } from './runner/index.ts'
import type { BenchTable } from './table.ts'

/** Sizes by the environment: TOUCHSTONE_BENCH=quick (a tenth) or large (the run of 1,000,000 items too). */
export const run = (): Promise<readonly BenchTable[]> => {
  const size = process.env['TOUCHSTONE_BENCH']
  return runnerBench({ quick: size === 'quick', large: size === 'large' })
}
