import { hint, UsageError } from '../../core/index.ts'
import type { ViewedRun } from './open-runs.ts'
import { modelNames } from './summary.ts'

/** Most names in a message. */
const MAX_SHOWN = 20

/**
 * Rejects tasks and models that a run does not have: an empty result would read as a finding.
 *
 * @throws UsageError naming what there is.
 */
export function validateQuery({ run }: ViewedRun, asked: URLSearchParams): void {
  const requireKnown = (what: string, name: string, known: readonly string[]): void => {
    const value = asked.get(name) ?? ''
    if (value === '' || known.includes(value)) return
    const list = known.slice(0, MAX_SHOWN).join(', ')
    throw new UsageError(
      `this run has no ${what} "${value.slice(0, 100)}"${hint(value, known)}. Expected one of: ${list}${known.length > MAX_SHOWN ? ', …' : ''}`,
    )
  }
  requireKnown('task', 'task', [...new Set(run.file.sources.map(({ task }) => task))])
  // Of two runs B is a model of the other.
  for (const name of asked.has('with') ? ['model', 'a'] : ['model', 'a', 'b'])
    requireKnown('model', name, modelNames(run))
}
