import { type Task, UsageError } from '../core/index.ts'

/**
 * The share of a whole set that holds about `count` items, for a part that is drawn from all of its groups: the first so many
 * indices may be of a few groups only, and an interval counts groups.
 *
 * @param size - indices of the whole set; null: it has no end.
 * @throws UsageError where there is no count, or no whole to draw from.
 */
export function shareOf(count: number | undefined, size: number | null, name: string): number {
  if (count === undefined) throw new UsageError('--spread: say of how many items, e.g. --count 100 --spread')
  if (size === null)
    throw new UsageError(
      `--spread: ${name} has no end, so there is no whole to draw from; its prefixes reach all strata`,
    )
  return Math.min(1, count / size)
}

/** @throws UsageError for a baseline that the task does not have, before anything of the set is drawn. */
export async function checkBaselines(specs: readonly string[] | undefined, task: Task): Promise<void> {
  const { openModel, providers } = await import('../models/index.ts')
  const around = { env: {}, openReplay: () => Promise.reject(new Error('a baseline opens no file')) }
  for (const spec of specs ?? [])
    if (spec.startsWith('baseline:')) (await openModel(spec, {}, providers, around)).check?.(task)
}
