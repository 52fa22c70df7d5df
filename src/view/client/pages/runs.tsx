import type { PlaceSummary, Places, RunSummary } from '../../api/index.ts'
import { board } from '../../api/index.ts'
import { useDocument } from '../documents.ts'
import { Interval } from '../parts/interval.tsx'
import { Empty } from '../parts/state.tsx'
import { StopButton } from '../parts/stop-button.tsx'
import { accuracyRows } from '../parts/tables.ts'
import { modelName, plural, visible, whole } from '../parts/words.ts'
import { linkTo } from '../routing.ts'

/** Every run and dataset below what is viewed. */
export function RunsPage({ places }: { readonly places: Places }) {
  const runs = places.places.filter((place) => place.kind === 'run')
  const sets = places.places.filter((place) => place.kind === 'dataset')
  const broken = places.places.filter((place) => place.kind === 'broken')
  return (
    <>
      <h1>Runs</h1>
      {runs.length === 0 ? (
        <Empty>
          No run lies here. Make one: <code>touchstone run TASK --preset PRESET --model MODEL --out runs/first</code>,
          then view the folder that holds it.
        </Empty>
      ) : null}
      {runs.map((run) => (
        <RunCard key={run.id} run={run} />
      ))}
      {sets.length === 0 ? null : (
        <>
          <h2>Data sets</h2>
          <ul class="places">
            {sets.map((set) => (
              <li key={set.id}>
                <a href={linkTo(['d', set.id])}>{visible(set.task)}</a> {set.preset === null ? '' : visible(set.preset)}
                , split {visible(set.split)}, {plural(set.count, 'item')}{' '}
                <small class="path">{visible(set.path)}</small>
              </li>
            ))}
          </ul>
        </>
      )}
      {broken.map((place) => (
        <Broken key={place.id} place={place} />
      ))}
    </>
  )
}

const Broken = ({ place }: { readonly place: Extract<PlaceSummary, { kind: 'broken' }> }) => (
  <div class="problem">
    <b>{visible(place.path)}</b> cannot be read: {visible(place.message)}
  </div>
)

/** Cards whose accuracies are shown at once; those of huge runs are asked for on their own page. */
const LARGE = 400_000

function RunCard({ run }: { readonly run: RunSummary }) {
  const { counts } = run
  const cells = counts.waiting + counts.leased + counts.batched + counts.done + counts.failed
  const state = useDocument(board, counts.done > 0 && cells <= LARGE ? `/api/runs/${run.id}/board` : null, run.revision)
  const rows = state.kind === 'ready' ? accuracyRows(state.value.tables) : []
  return (
    <article class="card">
      <h2>
        <a href={linkTo(['r', run.id])}>{visible(run.name)}</a> <small>{run.tasks.map(visible).join(', ')}</small>
      </h2>
      <Progress run={run} />
      {run.stoppable ? <StopButton run={run.id} /> : null}
      {rows.length > 0 && state.kind === 'ready' ? (
        <table class="board">
          <caption>
            Accuracy by {state.value.tables.find(({ id }) => id === 'core/accuracy') === undefined ? '' : 'model'},
            correct of all but failed, read by the {visible(state.value.parsers[0] ?? 'strict')} parser
          </caption>
          <tbody>
            {rows.slice(0, 12).map((row) => (
              <tr key={row.key}>
                <th scope="row">
                  {modelName(row.model)} <small>{visible(row.where)}</small>
                </th>
                <td>
                  <Interval estimate={row.accuracy} label={row.model} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {rows.length > 12 ? <p class="note">{rows.length - 12} more on the board.</p> : null}
      <p class="path">{visible(run.path)}</p>
    </article>
  )
}

/** Where a run stands: done, failed, in flight, waiting; what was spent; what went wrong. */
export function Progress({ run }: { readonly run: RunSummary }) {
  const { waiting, leased, batched, done, failed } = run.counts
  const cells = Math.max(1, waiting + leased + batched + done + failed)
  const width = (n: number): string => `${(100 * n) / cells}%`
  const parts = [
    `${whole(done)} of ${whole(cells)} done`,
    ...(failed > 0 ? [`${whole(failed)} failed`] : []),
    ...(leased > 0 ? [`${whole(leased)} in flight`] : []),
    ...(batched > 0 ? [`${whole(batched)} in batches`] : []),
    ...(run.usd > 0 || run.limit !== null
      ? [`$${run.usd.toFixed(2)}${run.limit === null ? '' : ` of $${run.limit}`}`]
      : []),
    run.held ? 'a process works on it' : done + failed === cells ? 'finished' : 'nobody works on it: touchstone resume',
  ]
  return (
    <div class="progress">
      <div class="bar" role="img" aria-label={parts.join(', ')}>
        <i class="done" style={{ width: width(done) }} />
        <i class="failed" style={{ width: width(failed) }} />
        <i class="flying" style={{ width: width(leased + batched) }} />
      </div>
      <p>{parts.join(' · ')}</p>
      {run.failures.map(({ code, cells: n, message }) => (
        <p key={code} class="failure">
          ✗ {visible(code)} ({whole(n)}): {visible(message).slice(0, 200)}
        </p>
      ))}
    </div>
  )
}
