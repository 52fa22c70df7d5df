import { hint, UsageError } from '../../core/index.ts'
import type { Batching, Search } from '../../models/index.ts'
import type { OpenBatch, RunStore } from '../../store/index.ts'

/** What somebody says who looked for batches whose names were lost: their names there; null: not there. */
export type Lost = ReadonlyMap<string, string | null>

/**
 * Reads `KEY=NAME` and `KEY=none`.
 *
 * @throws UsageError for what is neither, for a key under which nothing is looked for, and for a name that another batch has.
 */
export async function lostOf(
  words: readonly string[],
  ledger: Pick<RunStore, 'openBatches' | 'remotes'>,
): Promise<Lost> {
  const sought = (await ledger.openBatches()).filter(({ remote }) => remote === null).map(({ key }) => key)
  const taken = await ledger.remotes()
  return new Map(
    words.map((word) => {
      const [, key = '', name = ''] = /^([^=]+)=(.+)$/u.exec(word) ?? []
      if (name === '') throw new UsageError(`a lost batch is told as KEY=NAME or KEY=none, got "${word}"`)
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

/** What the provider shows of a batch whose name was lost, or else what somebody said who looked there. */
export async function searched(
  batching: Batching,
  batch: OpenBatch,
  { known, lost }: { readonly known: ReadonlySet<string>; readonly lost: Lost },
  signal: AbortSignal,
): Promise<Search> {
  const search = await batching.find(batch, known, signal)
  const said = lost.get(batch.key)
  if (search.kind === 'found' || said === undefined) return search
  if (said === null) return { kind: 'none' }
  // A name that is not there is told as one.
  await batching.state(said, signal)
  return { kind: 'found', remote: said }
}
