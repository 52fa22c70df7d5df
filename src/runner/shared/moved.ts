import { UsageError } from '../../core/index.ts'
import type { Run } from '../run.ts'

/** The fact in a ledger that its open cells are in a shared store. */
export const MOVED_MARK = 'store'

/** The fact in a store: those facts of the ledger that say what was planned, as JSON. */
export const FACTS = 'facts'

/** @throws UsageError for a run whose cells are asked elsewhere. */
export async function rejectMoved({ dir, ledger }: Run): Promise<void> {
  const store = await ledger.meta(MOVED_MARK)
  if (store !== null && store !== '')
    throw new UsageError(
      `the cells of ${dir} are in a store (${store}): touchstone cluster worker asks them, touchstone cluster pull ${dir} brings them back`,
    )
}

/** The fact in a store which time of being pushed this is: a copy of an earlier time may hold answers that are not there. */
export const PUSH_FACT = 'push'
