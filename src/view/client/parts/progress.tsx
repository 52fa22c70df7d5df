import { useState } from 'preact/hooks'
import { type RunSummary, stopped } from '../../api/index.ts'
import { post } from '../documents.ts'
import { linkTo } from '../routing.ts'
import { formatInteger, goOnWords, plural, spentWords, visible } from './format.ts'
import { modelName } from './names.ts'

/** Why a run with remaining calls is complete; null: it is not. */
function decided({ until, adapt }: RunSummary): string | null {
  if (until !== null && until.verdict !== null)
    return `stopped early: ${visible(until.verdict)} after ${plural(until.units, 'group')}, ${plural(until.interim, 'interim analysis', 'interim analyses')}`
  const over = adapt !== null && adapt.models.length > 0 && adapt.models.every(({ end }) => end !== null)
  return over ? 'stopped, no more items are needed' : null
}

export const cellsOf = ({ counts: { waiting, leased, batched, done, failed } }: RunSummary): number =>
  waiting + leased + batched + done + failed

export function RunState({ run }: { run: RunSummary }) {
  const { done, failed } = run.counts
  const cells = cellsOf(run)
  const share = `${Math.floor((100 * (done + failed)) / Math.max(1, cells))} %`
  if (run.held) return <span class="chip live">Running, {share}</span>
  if (failed > done) return <span class="chip bad">! Failed</span>
  if (cells > 0 && done + failed === cells) return <span class="chip good">✓ Finished</span>
  return <span class="chip">{decided(run) === null ? `Stopped at ${share}` : 'Finished early'}</span>
}

/** Calls, cost and errors of a run that is not finished, or of which calls failed; nothing else. */
export function Progress({ run }: { run: RunSummary }) {
  const { leased, batched, done, failed } = run.counts
  const cells = cellsOf(run)
  if (!run.held && failed === 0 && cells > 0 && done === cells) return null
  // Calls are leased in dozens; only the working process knows which are in flight.
  const taken = run.live === null ? leased : run.live.models.reduce((sum, { inFlight }) => sum + inFlight, 0)
  const most = run.live === null ? cells : run.live.models.reduce((sum, { total }) => sum + total, 0)
  const spent = spentWords(run, run.held && taken > 0)
  const width = (n: number): string => `${(100 * n) / Math.max(1, most)}%`
  const parts = [
    cells === 0 ? 'no calls planned yet' : `${formatInteger(done)} of ${formatInteger(most)} done`,
    ...(failed > 0 ? [`${formatInteger(failed)} failed`] : []),
    ...(taken > 0
      ? [run.live === null ? `${formatInteger(taken)} taken up` : `${formatInteger(taken)} in flight`]
      : []),
    ...(batched > 0 ? [`${formatInteger(batched)} in batches`] : []),
    ...(spent === null ? [] : [spent]),
    run.held ? 'in progress' : cells > 0 && done + failed === cells ? 'finished' : (decided(run) ?? goOnWords(run)),
  ]
  if (run.until !== null && run.until.verdict === null)
    parts.push(
      `until ${visible(run.until.rule)}: not decided after ${plural(run.until.interim, 'interim analysis', 'interim analyses')}`,
    )
  return (
    <div class="progress">
      <div class="bar" role="img" aria-label={parts.join(', ')}>
        <i class="done" style={{ width: width(done) }} />
        <i class="failed" style={{ width: width(failed) }} />
        <i class="flying" style={{ width: width(taken + batched) }} />
      </div>
      <p>{parts.join(' · ')}</p>
      {run.stopped.map(({ model, message, next }) => (
        <p key={model} class="failure">
          ✗ {modelName(model)} was not asked any more: {visible(message)}; {visible(next)}
        </p>
      ))}
      {run.failures.map(({ code, cells: n, message }) => (
        <p key={code} class="failure">
          ✗ {visible(code)} ({formatInteger(n)}): {visible(message).slice(0, 200)}
        </p>
      ))}
    </div>
  )
}

export const RowsProgress = ({ run: { making } }: { run: RunSummary }) =>
  making === null || making.of === 0 ? null : (
    <p class="note" role="status">
      Loading the rows of this run: {formatInteger(making.done)} of {formatInteger(making.of)} ({' '}
      {Math.floor((100 * making.done) / making.of)} %). The page then updates by itself.
    </p>
  )

/** Warns that numbers of a run in progress are not for stopping at will. */
export const RunProgress = ({ run: { id, held, counts, models } }: { run: RunSummary }) =>
  held && counts.done > 0 && counts.waiting + counts.leased + counts.batched > 0 ? (
    <p class="note">
      The run is in progress. Intervals and p are valid for one analysis at the end, not for stopping at a favourable
      result. Valid at any time: <code>--until</code> of <code>touchstone run</code>
      {models.length > 1 ? (
        <>
          , and the e-values of <a href={linkTo(['r', id, 'compare'])}>two models compared</a>
        </>
      ) : null}
      .
    </p>
  ) : null

type State =
  | { readonly kind: 'idle' | 'sure' | 'asked' }
  | { readonly kind: 'stopping'; readonly pid: number }
  | { readonly kind: 'error'; readonly message: string }

export function StopButton({ run }: { run: string }) {
  const [state, setState] = useState<State>({ kind: 'idle' })
  const stop = (): void => {
    setState({ kind: 'asked' })
    post(stopped, `/api/runs/${encodeURIComponent(run)}/stop`).then(
      ({ pid }) => setState({ kind: 'stopping', pid }),
      (error: Error) => setState({ kind: 'error', message: error.message }),
    )
  }
  switch (state.kind) {
    case 'idle':
      return (
        <button type="button" onClick={() => setState({ kind: 'sure' })}>
          Stop
        </button>
      )
    case 'sure':
      return (
        <p>
          All responses are saved; <code>touchstone resume</code> continues the run.{' '}
          <button type="button" onClick={stop}>
            Stop this run
          </button>{' '}
          <button type="button" onClick={() => setState({ kind: 'idle' })}>
            Go on
          </button>
        </p>
      )
    case 'asked':
      return <p aria-live="polite">Stopping …</p>
    case 'stopping':
      return <p aria-live="polite">Process {state.pid} saves what it has and ends.</p>
    case 'error':
      return (
        <p class="problem" role="alert">
          Not stopped: {state.message}
        </p>
      )
  }
}
