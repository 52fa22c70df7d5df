import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../core/index.ts'
import type { Ledger } from '../../store/index.ts'
import type { Run } from './run.ts'
import type { LedgerState, RunFile } from './run-file.ts'

/** Key of the fact in a ledger that names its run. */
const RUN_ID_KEY = 'run'

/** The present state of a ledger. */
export const ledgerState = (ledger: Ledger): LedgerState => ({
  revision: ledger.revision(),
  responses: ledger.responseCount(),
  head: ledger.chainHead(),
  usd: ledger.bookedUsd(),
})

/** Writes into a ledger which run it belongs to, and the attributes of its models. */
export async function markLedger(ledger: Ledger, { id, models }: RunFile): Promise<void> {
  const attributes = Object.fromEntries(models.map((model) => [model.name, model.attributes]))
  await ledger.setMeta('attributes', JSON.stringify(attributes))
  await ledger.setMeta(RUN_ID_KEY, id)
}

const goOn = (dir: string): string =>
  `Restore ledger.db and ledger.db-wal from a copy, or accept the loss and pay for missing responses again: touchstone resume ${dir} --accept-older-ledger`

/** @throws UsageError if run.json knows a ledger, and there is none or an empty file */
export function requireLedger(dir: string, path: string, { ledgerState }: RunFile): void {
  if (ledgerState === undefined || (existsSync(path) && statSync(path).size > 0)) return
  const what = existsSync(path) ? 'is empty' : 'is gone'
  throw new UsageError(
    `${path} ${what}, and ${join(dir, 'run.json')} says that it held ${ledgerState.responses} responses ($${ledgerState.usd.toFixed(4)} booked). ${goOn(dir)}`,
  )
}

/** Is a ledger that of another run, or older than run.json says? null: neither. */
export async function ledgerFault(
  ledger: Ledger,
  { ledgerState, id }: RunFile,
): Promise<{ readonly kind: 'other' | 'older'; readonly message: string } | null> {
  const mark = await ledger.meta(RUN_ID_KEY)
  if (ledgerState === undefined) return null
  if (mark !== null && mark !== id) return { kind: 'other', message: `${ledger.path} is not the ledger of this run` }
  const { revision, responses, head } = ledgerState
  const older = (what: string) => ({ kind: 'older', message: `${ledger.path} ${what}` }) as const
  if (ledger.revision() < revision || !ledger.hasResponses(responses))
    return older(
      `is older than the run: it has ${ledger.responseCount()} responses after ${ledger.revision()} changes, the run had ${responses} after ${revision}`,
    )
  return head === null || ledger.hasLink(head) ? null : older('has lost its last response')
}

/** @throws UsageError for another or an older ledger than run.json says */
export async function requireSameLedger(dir: string, ledger: Ledger, file: RunFile): Promise<void> {
  const fault = await ledgerFault(ledger, file)
  if (fault !== null) throw new UsageError(`${fault.message}. ${goOn(dir)}`)
}

/** Accepts the ledger that is there. Money that was booked before stays booked. */
export async function acceptLedger(ledger: Ledger, file: RunFile): Promise<void> {
  await markLedger(ledger, file)
  const missing = (file.ledgerState?.usd ?? 0) - ledger.bookedUsd()
  if (missing > 0) await ledger.bookExtra(missing)
}

/** Key of the fact in a ledger that names the shared store with its open calls; empty: they came back. */
export const STORE_KEY = 'store'

/** @throws UsageError for a run whose calls workers of a shared store make */
export async function requireInFolder({ dir, ledger }: Run): Promise<void> {
  const store = await ledger.meta(STORE_KEY)
  if (store !== null && store !== '')
    throw new UsageError(
      `the calls of ${dir} are in a store (${store}): touchstone cluster worker asks them, touchstone cluster pull ${dir} brings them back`,
    )
}
