import { hint, UsageError } from '../../core/index.ts'
import type { Batching, Search } from '../../models/batching/index.ts'
import type { OpenBatch, RunStore } from '../../store/index.ts'

/** Ids of batches that were lost, by key, as a person looked them up at the provider; null: the batch is not there. */
export type KnownBatchIds = ReadonlyMap<string, string | null>

/**
 * Parses `KEY=ID` and `KEY=none`.
 *
 * @throws UsageError for what is neither, for a key whose batch is not looked for, and for the id of another batch
 */
export async function parseBatchIds(
  words: readonly string[],
  ledger: Pick<RunStore, 'openBatches' | 'knownBatchIds'>,
): Promise<KnownBatchIds> {
  const sought = (await ledger.openBatches()).filter(({ providerId }) => providerId === null).map(({ key }) => key)
  const taken = await ledger.knownBatchIds()
  return new Map(
    words.map((word) => {
      const [, key = '', name = ''] = /^([^=]+)=(.+)$/u.exec(word) ?? []
      if (name === '') throw new UsageError(`expected KEY=ID or KEY=none, got "${word}"`)
      if (!sought.includes(key))
        throw new UsageError(
          `no batch is looked for under "${key}"${hint(key, sought)}; there ${sought.length === 0 ? 'is none' : `are ${sought.join(', ')}`}`,
        )
      if (taken.has(name))
        throw new UsageError(`"${name}" is the name of another batch of this run: look for that of ${key}`)
      return [key, name === 'none' ? null : name] as const
    }),
  )
}

/** What the provider shows of a batch whose id was lost, or else what a person found there. */
export async function findLostBatch(
  batching: Batching,
  batch: OpenBatch,
  known: ReadonlySet<string>,
  lost: KnownBatchIds,
  signal: AbortSignal,
): Promise<Search> {
  const search = await batching.find(batch, known, signal)
  const byHand = lost.get(batch.key)
  if (search.kind === 'found' || byHand === undefined) return search
  if (byHand === null) return { kind: 'none' }
  // Fails for an id that the provider does not have.
  await batching.state(byHand, signal)
  return { kind: 'found', remote: byHand }
}
