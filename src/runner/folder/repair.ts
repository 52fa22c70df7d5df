import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { requireSamePlugins, UsageError } from '../../core/index.ts'
import {
  explained,
  isStoreError,
  Ledger,
  lockRun,
  noRedaction,
  requireNoLinks,
  type Salvaged,
  salvage,
} from '../../store/index.ts'
import { plannedCalls, writePlan } from '../plan/plan.ts'
import { rescoreRun } from '../scoring/rescore.ts'
import { openRun, RUN_FILES, type Run, type RunContext, saveLedgerState } from './run.ts'
import { ledgerFault, type RunFile, readRunFile } from './run-file.ts'

/** What a repair of a run folder found and saved. */
export type RepairResult =
  | { readonly kind: 'whole' }
  | {
      readonly kind: 'repaired'
      /** What was wrong. */
      readonly faults: readonly string[]
      readonly salvaged: Salvaged
      /** Path of the damaged ledger, which is kept. */
      readonly kept: string
      /** Calls that wait. */
      readonly waiting: number
    }

/**
 * Checks the ledger of a run, page by page, link by link, and against what run.json says of it. A damaged one is kept under another name, and what can be read of
 * it becomes a new one: plan and scores are computed again, calls with lost responses wait, and their cost stays booked.
 *
 * @throws UsageError for a folder without a run or a ledger, StoreError if nothing can be read
 */
export async function repairRun(dir: string, context: RunContext): Promise<RepairResult> {
  await requireNoLinks(dir)
  const [runPath, path] = [join(dir, RUN_FILES.run), join(dir, RUN_FILES.ledger)]
  if (!existsSync(runPath) || !existsSync(path))
    throw new UsageError(
      `${dir} has no ${existsSync(runPath) ? RUN_FILES.ledger : RUN_FILES.run}: there is nothing to repair`,
    )
  const file = await readRunFile(runPath)
  // Scores are computed again.
  requireSamePlugins(file.plugins ?? [], context.plugins ?? [], 'this command')
  const itemsRegenerated = file.sources.every(({ kind }) => kind === 'generated')
  const lock = lockRun(join(dir, RUN_FILES.lock))
  let faults: readonly string[]
  let salvaged: Salvaged
  let kept: string
  try {
    faults = await faultsOf(path, file)
    if (faults.length === 0) return { kind: 'whole' }
    const fresh = `${path}.repaired`
    for (const suffix of ['', '-wal', '-shm']) await rm(`${fresh}${suffix}`, { force: true })
    salvaged = await explained(path, () => salvage(path, fresh, { itemsRegenerated }))
    kept = await setAside(path)
    await rename(fresh, path)
  } finally {
    lock[Symbol.dispose]()
  }
  await using run = await openRun(dir, context, { mode: 'write', acceptOlderLedger: true })
  if (itemsRegenerated) {
    await writePlan(run, [])
    await forgetGarbled(run)
  }
  await rescoreRun(run)
  await saveLedgerState(run)
  const { waiting } = await run.ledger.counts()
  return { kind: 'repaired', faults, salvaged, kept, waiting }
}

/** Descriptions of what is wrong with a ledger. */
async function faultsOf(path: string, file: RunFile): Promise<readonly string[]> {
  try {
    const ledger = new Ledger(path, { readOnly: true, redact: { known: noRedaction, shapes: noRedaction } })
    try {
      const pages = ledger.integrity()
      if (pages.length > 0) return pages
      const chain = await ledger.checkChain()
      if (chain.kind === 'broken') return [chain.message]
      const fault = await ledgerFault(ledger, file)
      if (fault?.kind === 'other')
        throw new UsageError(`${fault.message}: there is nothing to repair. Restore the ledger of this run`)
      return fault === null ? [] : [fault.message]
    } finally {
      await ledger[Symbol.asyncDispose]()
    }
  } catch (error) {
    if (isStoreError(error) && error.code === 'damaged') return [error.message]
    throw error
  }
}

async function setAside(path: string): Promise<string> {
  let number = 1
  while (existsSync(`${path}.damaged-${number}`)) number++
  const kept = `${path}.damaged-${number}`
  await rename(path, kept)
  if (existsSync(`${path}-wal`)) await rename(`${path}-wal`, `${kept}-wal`)
  await rm(`${path}-shm`, { force: true })
  return kept
}

/** A page that is torn in the middle may hold a call that was never planned. */
async function forgetGarbled(run: Run): Promise<void> {
  const planned = new Set<string>()
  for (const { calls } of plannedCalls(run))
    for (const { item, style, model, settings, sample } of calls)
      planned.add(JSON.stringify([item, style, model, settings, sample]))
  await run.ledger.removeCalls(({ item, style, model, settings, sample }) =>
    planned.has(JSON.stringify([item, style, model, settings, Number(sample)])),
  )
}
