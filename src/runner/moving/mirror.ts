import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../core/index.ts'
import { parseStored, type SharedRunStore } from '../../store/index.ts'
import { STORE_KEY } from '../folder/ledger-state.ts'
import { bringRun, openRun, RUN_FILES, type Run, type RunContext, saveLedgerState, withRun } from '../folder/run.ts'
import { FACTS_KEY, PUSH_KEY } from './transfer.ts'
import { storedFile } from './worker.ts'

/** What was copied from a store into a run folder. */
export interface Mirrored {
  readonly dir: string
  /** Calls that ended or were retried since the last copy. */
  readonly fresh: number
  /** Calls that are done or failed. */
  readonly ended: number
}

/** Identity of the push of a run; empty: it has none. */
export const pushOf = async (store: SharedRunStore): Promise<string> => (await store.meta(PUSH_KEY)) ?? ''

/** Less than any call costs: smaller differences come from the order of summation. */
const SMALLEST_USD = 1e-9

/**
 * Updates a copy of a run in a shared store, in a folder that can be read like any run; it makes no calls. The run in the store
 * is not changed, and workers go on.
 *
 * @throws UsageError if the folder holds another run
 */
export async function mirrorRun(
  store: SharedRunStore,
  dir: string,
  place: string,
  context: RunContext,
): Promise<Mirrored> {
  const file = await storedFile(store)
  const opened = existsSync(join(dir, RUN_FILES.run))
    ? await openRun(dir, context, { mode: 'write', otherPlugins: true })
    : await bringRun({ dir }, file, context)
  return withRun(opened, async (run) => {
    if (run.file.id !== file.id) throw new UsageError(`${dir} holds another run: remove it`)
    if ((await run.ledger.meta(STORE_KEY)) !== place) await run.ledger.setMeta(STORE_KEY, place)
    await copyPlan(run, store)
    const [fresh, ended] = await copyEnded(run, store)
    const booked = (await store.bookedUsd()) - run.ledger.bookedUsd()
    // Attempts at calls that still wait, and extra bookings.
    if (Math.abs(booked) > SMALLEST_USD) await run.ledger.bookExtra(booked)
    await saveLedgerState(run)
    return { dir, fresh, ended }
  })
}

const factsOfRun = z.record(z.string(), z.string())

async function copyPlan({ ledger }: Run, store: SharedRunStore): Promise<void> {
  if ((await ledger.meta('planned')) === 'yes') return
  for await (const page of store.items())
    await ledger.plan({
      groups: page.flatMap(({ item, shared }) => (shared === null ? [] : [{ id: item.group, shared }])),
      items: page.map(({ item }) => item),
      calls: [],
    })
  for await (const calls of store.plannedCalls()) await ledger.copyCalls(calls)
  const facts = parseStored(factsOfRun, (await store.meta(FACTS_KEY)) ?? '{}', 'what the store says of its run')
  for (const [name, value] of Object.entries(facts)) await ledger.setMeta(name, value)
  await ledger.setMeta('planned', 'yes')
}

/** Key of the fact in the copy: progress of the store at the last copy. */
const COPIED = 'copied'

/** @returns how many calls were copied, and how many have ended */
async function copyEnded({ ledger }: Run, store: SharedRunStore): Promise<readonly [number, number]> {
  const ignored = await store.meta('ignored')
  if (ignored !== null && ignored !== (await ledger.meta('ignored'))) await ledger.setMeta('ignored', ignored)
  const { ended, mark } = await store.progress()
  if ((await ledger.meta(COPIED)) === mark) return [0, ended]
  let fresh = 0
  for await (const calls of store.finishedCalls()) {
    const known = ledger.endings(calls[0]?.id ?? 0, calls.at(-1)?.id ?? 0)
    const changed = calls.filter(({ id, state, attempts }) => known.get(id) !== `${state} ${attempts}`)
    if (changed.length === 0) continue
    fresh += changed.length
    await ledger.restoreSnapshots(await store.snapshotsOf(changed.map(({ id }) => id)))
  }
  for await (const batch of store.batchSnapshots()) await ledger.restoreBatches([batch])
  await ledger.setMeta(COPIED, mark)
  return [fresh, ended]
}
