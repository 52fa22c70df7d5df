import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { requireSamePlugins, UsageError } from '../core/index.ts'
import { SEAL_FILE, type Seal, sealOf, sealStored, signatureFile, signSeal } from '../extras/seals/index.ts'
import { explained, writeFileAtomic } from '../store/index.ts'
import type { Environment } from './environment.ts'
import { inStore } from './provenance.ts'
import type { sealRequest, Valid } from './requests/index.ts'
import { onRun } from './runs.ts'
import { withStored } from './stored.ts'
import { verifyFolder } from './verify.ts'

/** A seal and the file that it was written to. */
export interface Sealed {
  readonly out: string
  /** The file of its signature; null: it is not signed. */
  readonly signature: string | null
  readonly seal: Seal
}

/**
 * Verifies a finished run and writes a seal that anyone can verify offline.
 *
 * @param run - a run folder, or `store:RUN`.
 * @throws UsageError where verification finds a mismatch, and for a run of a store where no `out` is given.
 */
export async function sealFile(
  here: Environment,
  run: string,
  { out, signKey }: Valid<typeof sealRequest>,
): Promise<Sealed> {
  const stored = inStore(run)
  if (stored && out === undefined) throw new UsageError(`${run} has no folder. Name the file: --out FILE`)
  const pem = signKey === undefined ? null : await explained(signKey, () => readFile(signKey, 'utf8'))
  const seal = stored ? await withStored(here, run, sealStored) : await sealFolder(here, run)
  const path = out ?? join(run, SEAL_FILE)
  const content = Buffer.from(`${JSON.stringify(seal)}\n`)
  const signed = pem === null ? null : signSeal(content, pem, signKey ?? '')
  await writeFileAtomic(path, content)
  const signature = signatureFile(path)
  // The signature of an older seal is none of this one.
  if (signed === null) await rm(signature, { force: true })
  else await writeFileAtomic(signature, signed)
  return { out: path, signature: signed === null ? null : signature, seal }
}

async function sealFolder(here: Environment, dir: string): Promise<Seal> {
  return onRun(here, dir, { mode: 'read' }, async (run) => {
    requireSamePlugins(run.file.plugins ?? [], run.context.plugins ?? [], 'this command')
    const { mismatches, problems } = await verifyFolder(here, run)
    if (mismatches > 0)
      throw new UsageError(
        `cannot seal ${dir}: ${mismatches} mismatches, first: ${problems[0]?.message}. List them: touchstone verify ${dir}`,
      )
    return sealOf(run)
  })
}
