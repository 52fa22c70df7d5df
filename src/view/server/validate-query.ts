import { hint, UsageError } from '../../core/index.ts'
import type { ViewedRun } from './open-runs.ts'
import { modelNames } from './summary.ts'

/** Names that are told. */
const MAX_SHOWN = 20

/**
 * Nothing is answered about a task or a model that a run does not have: "no item fits" would read as a finding.
 *
 * @throws UsageError naming what there is.
 */
export function validateQuery({ run }: ViewedRun, asked: URLSearchParams): void {
  const refuse = (what: string, name: string, known: readonly string[]): void => {
    const value = asked.get(name) ?? ''
    if (value === '' || known.includes(value)) return
    const told = known.slice(0, MAX_SHOWN).join(', ')
    throw new UsageError(
      `this run has no ${what} "${value.slice(0, 100)}"${hint(value, known)}; there are ${told}${known.length > MAX_SHOWN ? ', …' : ''}`,
    )
  }
  refuse('task', 'task', [...new Set(run.file.sources.map(({ task }) => task))])
  for (const name of ['model', 'a', 'b']) refuse('model', name, modelNames(run))
}
