import { join } from 'node:path'
import { requireSamePlugins, UsageError } from '../core/index.ts'
import type { Seal } from '../runner/index.ts'
import type { Installed } from './installed.ts'
import { onRun } from './runs.ts'
import { inStore, withStored } from './stored.ts'

/** Where the seal of a run is written. */
export interface SealRequest {
  /** The file to write; left out: `seal.json` in the run folder. */
  readonly out?: string
}

/** Where a seal lies, and what it says. */
export interface Sealed {
  readonly out: string
  readonly seal: Seal
}

/**
 * Verifies a finished run and seals it in one file that anybody can verify offline.
 *
 * @param run - a run folder, or `store:RUN`.
 * @throws UsageError where verification finds a mismatch, and for a run of a store where no `out` is given.
 */
export async function sealFile(here: Installed, run: string, { out }: SealRequest): Promise<Sealed> {
  const { SEAL_FILE, sealStored } = await import('../runner/index.ts')
  const { writeFileAtomic } = await import('../store/index.ts')
  const stored = inStore(run)
  if (stored && out === undefined)
    throw new UsageError(`${run} has no folder: say in which file the seal goes with \`out\``)
  const seal = stored ? await withStored(here, run, sealStored) : await sealFolder(here, run)
  const path = out ?? join(run, SEAL_FILE)
  await writeFileAtomic(path, `${JSON.stringify(seal)}\n`)
  return { out: path, seal }
}

async function sealFolder(here: Installed, dir: string): Promise<Seal> {
  const { sealOf, verifyRun } = await import('../runner/index.ts')
  return onRun(here, dir, { mode: 'read' }, async (run) => {
    requireSamePlugins(run.file.plugins ?? [], run.context.plugins ?? [], 'this command')
    const { mismatches, problems } = await verifyRun(run)
    if (mismatches > 0)
      throw new UsageError(
        `${dir} is not sealed, it has ${mismatches} mismatches (touchstone verify): ${problems[0]?.message}`,
      )
    return sealOf(run)
  })
}
