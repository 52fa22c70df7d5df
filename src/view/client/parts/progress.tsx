import type { RunSummary } from '../../api/index.ts'
import { formatInteger, plural, visible } from './format.ts'
import { modelName } from './models.ts'
import { goOnWords, spentWords } from './money-words.ts'

/** Why a run with remaining calls is complete; null: it is not. */
function decided({ until, adapt }: RunSummary): string | null {
  if (until !== null && until.verdict !== null)
    return `stopped early: ${visible(until.verdict)} after ${plural(until.units, 'group')}, ${plural(until.interim, 'interim analysis', 'interim analyses')}`
  const over = adapt !== null && adapt.models.length > 0 && adapt.models.every(({ end }) => end !== null)
  return over ? 'stopped, no more items are needed' : null
}

const cellsOf = ({ counts: { waiting, leased, batched, done, failed } }: RunSummary): number =>
  waiting + leased + batched + done + failed

/** In one word whether a run goes on. */
export function RunState({ run }: { readonly run: RunSummary }) {
  const { done, failed } = run.counts
  const cells = cellsOf(run)
  const share = `${Math.floor((100 * (done + failed)) / Math.max(1, cells))} %`
  if (run.held) return <span class="chip live">Running, {share}</span>
  if (failed > done) return <span class="chip bad">! Failed</span>
  if (cells > 0 && done + failed === cells) return <span class="chip good">✓ Finished</span>
  return <span class="chip">{decided(run) === null ? `Stopped at ${share}` : 'Finished early'}</span>
}

/** Calls, cost and errors of a run that is not finished, or of which calls failed; nothing else. */
export function Progress({ run }: { readonly run: RunSummary }) {
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
