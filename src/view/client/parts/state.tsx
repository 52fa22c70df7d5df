import type { ComponentChildren } from 'preact'
import type { Outline, RunSummary } from '../../api/index.ts'
import { type Loading, useWork } from '../documents.ts'
import { linkTo } from '../routing.ts'
import { featureName, formatInteger, formatValue, shellWord, visible } from './format.ts'

interface ResultProps<T> {
  /** What is said meanwhile. */
  readonly waiting?: string
  /** Advice where an error brings none. */
  readonly next?: string
  readonly children: (value: T) => ComponentChildren
}

export function Loaded<T>({
  state,
  waiting = 'Loading …',
  next = '',
  children,
}: ResultProps<T> & { state: Loading<T> }) {
  if (state.kind === 'loading')
    return (
      <p class="waiting" role="status">
        {waiting}
      </p>
    )
  if (state.kind === 'error')
    return <Problem message={visible(state.message).slice(0, 500)} next={visible(state.next || next)} />
  return <>{children(state.value)}</>
}

/** Work that begins when this is shown, and its result. */
export function Working<T>({ work, ...props }: ResultProps<T> & { work: (signal: AbortSignal) => Promise<T> }) {
  return <Loaded state={useWork(work, '')} {...props} />
}

export const Problem = ({ message, next }: { message: string; next: string }) => (
  <div class="problem" role="alert">
    <p>
      <b>Error:</b> {message}
    </p>
    {next === '' ? null : <p>{next}</p>}
  </div>
)

export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>

export const isUnanswered = ({ counts }: RunSummary): boolean => counts.done === 0

/** Why a run has nothing to show, and what to do. */
export function Unanswered({ run: { counts, held, path } }: { run: RunSummary }) {
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
  outline: Outline
  /** null: the run has no other. */
  task: string | null
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
