import { defined } from '../../core/defined.ts'
import type { StoreStatus, Worked } from '../../lab/index.ts'
import { statusOfStore } from '../../lab/store-address.ts'
import type { clusterStatusFlags, FlagsOf } from '../command-flags.ts'
import { aligned, type Context, print, printJson } from '../output.ts'
import { batchRows, countRows } from '../run-output.ts'

// Without a lab: it is called again and again, beside workers that use all cores.
export default async function clusterStatus(
  context: Context,
  { json, store, run }: FlagsOf<typeof clusterStatusFlags>,
): Promise<void> {
  const status = await statusOfStore(context.process, defined({ store, run }))
  if (json) printJson(context, status)
  else printRuns(context, status)
}

/** Counts, cost and batches of the runs of a store. */
export function printRuns(context: Context, { runs }: StoreStatus | Worked): void {
  for (const each of runs) {
    const batches = 'batches' in each ? batchRows(each.batches) : []
    print(
      context,
      `${each.run}: $${each.costUsd.toFixed(4)}`,
      ...aligned(countRows(each.counts), [1]),
      ...aligned(batches),
    )
  }
}
