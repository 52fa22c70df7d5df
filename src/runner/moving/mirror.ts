import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UsageError } from '../../core/index.ts'
import { type PostgresStore, written } from '../../store/index.ts'
import { bringRun, noteReached, openRun, RUN_FILES, type Run, type RunContext, withRun } from '../folder/run.ts'
import { FACTS, MOVED_MARK, PUSH_FACT } from './transfer.ts'
import { storedFile } from './worker.ts'

/** What came from a store into a run folder. */
export interface Mirrored {
  readonly dir: string
  /** Cells that were done, failed or tried again since the last time. */
  readonly fresh: number
  /** Cells that are done or failed. */
  readonly ended: number
}

/** What sets one pushing of a run apart from another, of this database or of one that was lost; empty: an older version pushed it. */
export const pushOf = async (store: PostgresStore): Promise<string> => (await store.meta(PUSH_FACT)) ?? ''

/** Less than any call costs: what is below it comes of the order in which sums are made. */
const SMALLEST_USD = 1e-9

/**
 * Brings a copy of a run in a shared store up to date, in a folder that everything reads as it reads any run; nothing is asked
 * there. The run in the store stays as it is, whoever works on it.
 *
 * @throws UsageError where the folder holds another run.
 */
export async function mirrorRun(
  store: PostgresStore,
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
    if ((await run.ledger.meta(MOVED_MARK)) !== place) await run.ledger.setMeta(MOVED_MARK, place)
    await copyPlan(run, store)
    const [fresh, ended] = await copyEnded(run, store)
    const booked = (await store.spent()) - run.ledger.spent()
    // Attempts at cells that still wait, and what is of no attempt.
    if (Math.abs(booked) > SMALLEST_USD) await run.ledger.carry(booked)
    await noteReached(run)
    return { dir, fresh, ended }
  })
}

const factsOfRun = z.record(z.string(), z.string())

async function copyPlan({ ledger }: Run, store: PostgresStore): Promise<void> {
  if ((await ledger.meta('planned')) === 'yes') return
  for await (const page of store.items())
    await ledger.plan({
      groups: page.flatMap(({ item, shared }) => (shared === null ? [] : [{ id: item.group, shared }])),
      items: page.map(({ item }) => item),
      cells: [],
    })
  for await (const cells of store.plannedCells()) await ledger.copyCells(cells)
  const facts = written(factsOfRun, (await store.meta(FACTS)) ?? '{}', 'what the store says of its run')
  for (const [name, value] of Object.entries(facts)) await ledger.setMeta(name, value)
  await ledger.setMeta('planned', 'yes')
}

/** The store's mark that all which had ended was copied at. */
const COPIED = 'copied'

/** @returns how many cells were taken, and how many have ended. */
async function copyEnded({ ledger }: Run, store: PostgresStore): Promise<readonly [number, number]> {
  const ignored = await store.meta('ignored')
  if (ignored !== null && ignored !== (await ledger.meta('ignored'))) await ledger.setMeta('ignored', ignored)
  const { ended, mark } = await store.progress()
  if ((await ledger.meta(COPIED)) === mark) return [0, ended]
  let fresh = 0
  for await (const cells of store.endedCells()) {
    const known = ledger.endings(cells[0]?.id ?? 0, cells.at(-1)?.id ?? 0)
    const changed = cells.filter(({ id, state, attempts }) => known.get(id) !== `${state} ${attempts}`)
    if (changed.length === 0) continue
    fresh += changed.length
    await ledger.takeBack(await store.wholeCellsOf(changed.map(({ id }) => id)))
  }
  await ledger.setMeta(COPIED, mark)
  return [fresh, ended]
}
