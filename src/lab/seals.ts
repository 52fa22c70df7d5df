import { join } from 'node:path'
import { requireSamePlugins, UsageError } from '../core/index.ts'
import { SEAL_FILE, type Seal, sealOf, sealStored, verifyRun } from '../extras/seals/index.ts'
import { writeFileAtomic } from '../store/index.ts'
import type { Environment } from './environment.ts'
import { inStore } from './provenance.ts'
import type { sealRequest, Valid } from './requests.ts'
import { onRun } from './runs.ts'
import { withStored } from './stored.ts'

/** A seal and the file that it was written to. */
export interface Sealed {
  readonly out: string
  readonly seal: Seal
}

/**
 * Verifies a finished run and writes a seal that anyone can verify offline.
 *
 * @param run - a run folder, or `store:RUN`.
 * @throws UsageError where verification finds a mismatch, and for a run of a store where no `out` is given.
 */
export async function sealFile(here: Environment, run: string, { out }: Valid<typeof sealRequest>): Promise<Sealed> {
  const stored = inStore(run)
  if (stored && out === undefined) throw new UsageError(`${run} has no folder. Name the file: --out FILE`)
  const seal = stored ? await withStored(here, run, sealStored) : await sealFolder(here, run)
  const path = out ?? join(run, SEAL_FILE)
  await writeFileAtomic(path, `${JSON.stringify(seal)}\n`)
  return { out: path, seal }
}

async function sealFolder(here: Environment, dir: string): Promise<Seal> {
  return onRun(here, dir, { mode: 'read' }, async (run) => {
    requireSamePlugins(run.file.plugins ?? [], run.context.plugins ?? [], 'this command')
    const { mismatches, problems } = await verifyRun(run)
    if (mismatches > 0)
      throw new UsageError(
        `cannot seal ${dir}: ${mismatches} mismatches, first: ${problems[0]?.message}. List them: touchstone verify ${dir}`,
      )
    return sealOf(run)
  })
}
