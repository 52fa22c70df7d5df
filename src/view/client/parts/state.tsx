import type { ComponentChildren } from 'preact'
import type { Outline, RunSummary } from '../../api/index.ts'
import type { Loading } from '../documents.ts'
import { linkTo } from '../routing.ts'
import { featureName, formatInteger, formatValue, shellWord, visible } from './format.ts'

/** A document, its loading state or its error. */
export function Loaded<T>({
  state,
  children,
}: {
  readonly state: Loading<T>
  readonly children: (value: T) => ComponentChildren
}) {
  if (state.kind === 'loading')
    return (
      <p class="waiting" role="status">
        Loading …
      </p>
    )
  if (state.kind === 'error') return <Problem message={state.message} next={state.next} />
  return <>{children(state.value)}</>
}

/** What went wrong, and the next step. */
export const Problem = ({ message, next }: { readonly message: string; readonly next: string }) => (
  <div class="problem" role="alert">
    <p>
      <b>Error:</b> {message}
    </p>
    {next === '' ? null : <p>{next}</p>}
  </div>
)

export const Empty = ({ children }: { readonly children: ComponentChildren }) => <p class="empty">{children}</p>

/** True if no call is done. */
export const isUnanswered = ({ counts }: RunSummary): boolean => counts.done === 0

/** Why a run has nothing to show, and what to do. */
export function Unanswered({ run: { counts, held, path } }: { readonly run: RunSummary }) {
  const waiting = counts.waiting + counts.leased + counts.batched
  const command = (name: string) => (
    <code>
      touchstone {name} {shellWord(path)}
    </code>
  )
  if (held) return <Empty>No responses yet. The page follows the run.</Empty>
  if (waiting === 0 && counts.failed > 0)
    return <Empty>All calls failed; the overview shows the errors. To repeat them: {command('retry-failed')}</Empty>
  return (
    <Empty>
      {waiting === 0 ? 'No calls are planned yet' : 'No responses yet'}, and no process works on the run. Continue it:{' '}
      {command('resume')}
    </Empty>
  )
}

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
