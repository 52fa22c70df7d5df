import type { Outline } from '../../api/index.ts'
import { linkTo } from '../routing.ts'
import { featureName, formatInteger, formatValue, visible } from './format.ts'
import { Empty } from './state.tsx'

/** Most features with a single value that are named. */
const MAX_SHOWN = 6

/** Why nothing can be laid over anything, and how to have a run where it can. */
export function OneLevel({
  outline: { run, features },
  task,
}: {
  readonly outline: Outline
  /** null: the run has no other. */
  readonly task: string | null
}) {
  const examples = features
    .slice(0, MAX_SHOWN)
    .map(({ name, levels: [level] }) => `${featureName(name)} ${formatValue(level ?? null)}`)
    .join(', ')
  const own = task ?? run.tasks[0]
  return (
    <Empty>
      {features.length === 0
        ? 'These items have no features'
        : task !== null
          ? `All items of ${visible(task)} have the same features`
          : `All items have the same features (${examples}${features.length > MAX_SHOWN ? `, and ${formatInteger(features.length - MAX_SHOWN)} more` : ''})`}
      . Run more items, or several values of a parameter, with <code>sweep: {'{ PARAMETER: [1, 2, 3] }'}</code> beside
      the task in an experiment file; the{' '}
      <a href={linkTo(['playground'], own === undefined ? [] : [['task', own]])}>playground</a> shows the parameters.
      Results are on the <a href={linkTo(['r', run.id])}>overview</a> and on the page{' '}
      <a href={linkTo(['r', run.id, 'items'])}>items</a>.
    </Empty>
  )
}
