import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../core/index.ts'
import { type Ledger, rowsRevision } from '../../store/index.ts'
import type { Reached, RunFile } from './run-file.ts'

/** The fact in a ledger that says whose it is. */
const RUN_MARK = 'run'

/** How far a ledger is. */
export const reachedOf = (ledger: Ledger): Reached => ({
  revision: ledger.revision(),
  responses: ledger.responseCount(),
  head: ledger.head(),
  usd: ledger.spent(),
})

/** Says in a ledger whose it is, and what is known of its models. */
export async function markLedger(ledger: Ledger, { id, models }: RunFile): Promise<void> {
  const attributes = Object.fromEntries(models.map((model) => [model.name, model.attributes]))
  await ledger.setMeta('attributes', JSON.stringify(attributes))
  if (id !== undefined) await ledger.setMeta(RUN_MARK, id)
}

const goOn = (dir: string): string =>
  `restore ledger.db from a copy; or \`touchstone resume ${dir} --restart\` to go on with what is there: what is missing is asked, and paid, again`

/** @throws UsageError where run.json knows of a ledger and there is none, or an empty file. */
export function refuseVanished(dir: string, path: string, { reached }: RunFile): void {
  if (reached === undefined || (existsSync(path) && statSync(path).size > 0)) return
  const what = existsSync(path) ? 'is empty' : 'is gone'
  throw new UsageError(
    `${path} ${what}, and ${join(dir, 'run.json')} says that it held ${reached.responses} responses ($${reached.usd.toFixed(4)} booked): ${goOn(dir)}`,
  )
}

/**
 * Compares a ledger with how far run.json and rows.parquet say it was.
 * @throws UsageError where it is another one, or an older one.
 */
export async function refuseReplaced(dir: string, ledger: Ledger, file: RunFile, rows: string): Promise<void> {
  const { reached, id } = file
  const refuse = (what: string): never => {
    throw new UsageError(`${ledger.path} ${what}: ${goOn(dir)}`)
  }
  const mark = await ledger.meta(RUN_MARK)
  if (reached !== undefined && id !== undefined && mark !== id) refuse('is not the ledger of this run')
  const revision = Math.max(reached?.revision ?? 0, (await rowsRevision(rows)) ?? 0)
  if (ledger.revision() < revision || !ledger.hasResponses(reached?.responses ?? 0))
    refuse(
      `is older than the run: it holds ${ledger.responseCount()} responses after ${ledger.revision()} changes, and there were ${reached === undefined ? '' : `${reached.responses} after `}${revision}`,
    )
  if (reached?.head !== undefined && reached.head !== null && !ledger.hasLink(reached.head))
    refuse('has lost the response that was its last')
}

/** Goes on with whatever ledger is there. What is missing of the money booked before stays booked. */
export async function acceptLedger(ledger: Ledger, file: RunFile): Promise<void> {
  await markLedger(ledger, file)
  const missing = (file.reached?.usd ?? 0) - ledger.spent()
  if (missing > 0) await ledger.carry(missing)
}
