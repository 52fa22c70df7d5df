import type { FolderSummary, Folders, LiveModel, Overview, RunSummary } from '../../api/index.ts'
import { overview } from '../../api/index.ts'
import { useRunDocument } from '../documents.ts'
import { formatInteger, modelName, plural, rounded, visible } from '../parts/format.ts'
import { Interval } from '../parts/interval.tsx'
import { isMatrix, Matrix } from '../parts/matrix.tsx'
import { goOnWords, spentWords } from '../parts/money-words.ts'
import { disambiguate } from '../parts/same-names.ts'
import { Scroll } from '../parts/scroll.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { StopButton } from '../parts/stop-button.tsx'
import { type AccuracyRow, accuracyRows } from '../parts/tables.ts'
import { linkTo } from '../routing.ts'

/** Every run and dataset below what is viewed. */
export function RunsPage({ folders }: { readonly folders: Folders }) {
  const runs = folders.folders.filter((folder) => folder.kind === 'run')
  const sets = folders.folders.filter((folder) => folder.kind === 'dataset')
  const apart = disambiguate(runs)
  const broken = folders.folders.filter((folder) => folder.kind === 'broken')
  return (
    <>
      <h1>Runs</h1>
      {runs.length === 0 ? (
        <Empty>
          No runs found. Start one: <code>touchstone run TASK --preset PRESET --model MODEL --out runs/first</code>,
          then view its folder.
        </Empty>
      ) : null}
      {runs.map((run) => (
        <RunCard key={run.id} run={run} apart={apart.get(run.id) ?? null} />
      ))}
      {sets.length === 0 ? null : (
        <>
          <h2>Data sets</h2>
          <ul class="folders">
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
      {broken.map((folder) => (
        <Broken key={folder.id} folder={folder} />
      ))}
    </>
  )
}

const Broken = ({ folder }: { readonly folder: Extract<FolderSummary, { kind: 'broken' }> }) => (
  <div class="problem">
    <b>{visible(folder.path)}</b> cannot be read: {visible(folder.message)}
  </div>
)

/** Most calls of a run whose accuracies are shown on its card. */
const LARGE = 400_000

interface RunCardProps {
  readonly run: RunSummary
  /** What tells it from others of its name; null: none has it. */
  readonly apart: string | null
}

function RunCard({ run, apart }: RunCardProps) {
  const { counts } = run
  const cells = counts.waiting + counts.leased + counts.batched + counts.done + counts.failed
  const asked = counts.done > 0 && cells <= LARGE ? [] : null
  const state = useRunDocument(run.id, overview, asked, run.revision)
  return (
    <article class="card">
      <h2>
        <a href={linkTo(['r', run.id])}>
          {visible(run.name)}
          {apart === null ? null : <small> {visible(apart)}</small>}
        </a>{' '}
        <small>
          {run.tasks
            .filter((task) => !run.name.includes(task))
            .map(visible)
            .join(', ')}
        </small>
      </h2>
      <Progress run={run} />
      {run.live === null ? null : <LiveModels models={run.live.models} limit={run.limit} />}
      {run.adapt === null ? null : <Adapted adapt={run.adapt} />}
      {run.stoppable ? <StopButton run={run.id} /> : null}
      {asked === null ? null : <Loaded state={state}>{(value) => <Results run={run} overview={value} />}</Loaded>}
      <p class="path">{visible(run.path)}</p>
    </article>
  )
}

/** What is known of the models of a run. */
function Results({ run, overview: { parsers, tables } }: { readonly run: RunSummary; readonly overview: Overview }) {
  const rows = accuracyRows(tables)
  // A run in progress shows newer accuracies below.
  if (run.live?.models.some(({ accuracy }) => accuracy !== null) === true && !isMatrix(rows)) return null
  if (rows.length > 0) return <Accuracies run={run} rows={rows} parser={parsers[0] ?? 'strict'} />
  return parsers.length === 0 && tables.length > 0 ? (
    <p class="note">
      Strings that {plural(run.models.length, 'model')} scored: <a href={linkTo(['r', run.id, 'tokens'])}>their loss</a>
    </p>
  ) : null
}

/** Models that a card names. */
const MAX_SHOWN = 12

function Accuracies({
  run,
  rows,
  parser,
}: {
  readonly run: RunSummary
  readonly rows: readonly AccuracyRow[]
  readonly parser: string
}) {
  const named = new Set([...new Set(rows.map(({ model }) => model))].slice(0, MAX_SHOWN))
  const shown = rows.filter(({ model }) => named.has(model))
  const more = run.models.length - named.size
  const label = `Accuracy, ${visible(run.name)}, ${run.id}`
  const caption = `Accuracy by model (correct / all calls except errors), ${visible(parser)} parser`
  return (
    <>
      {isMatrix(shown) ? (
        <Matrix rows={shown} label={label} caption={caption} wrong={null} />
      ) : (
        <Scroll label={label}>
          <table class="overview">
            <caption>{caption}</caption>
            <tbody>
              {shown.map((row) => (
                <tr key={row.key}>
                  <th scope="row">{modelName(row.model)}</th>
                  <td>
                    <Interval estimate={row.accuracy} label={row.model} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {more > 0 ? <p class="note">{plural(more, 'more model')} on the overview.</p> : null}
    </>
  )
}

/** Each model of a run in progress: calls, rate, accuracy, waits and last errors. */
function LiveModels({ models, limit }: { readonly models: readonly LiveModel[]; readonly limit: number | null }) {
  return (
    <Scroll label="The models at work">
      <table class="overview live">
        <caption>In progress (this process)</caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Done</th>
            <th scope="col">Rate</th>
            <th scope="col">Left</th>
            {limit === null ? null : <th scope="col">Spent</th>}
            <th scope="col">Accuracy so far, with the 95 % interval of a single analysis</th>
            <th scope="col">Waiting for, last errors</th>
          </tr>
        </thead>
        <tbody>
          {models.map((one) => (
            <LiveRow key={one.model} model={one} limit={limit} />
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function LiveRow({ model: one, limit }: { readonly model: LiveModel; readonly limit: number | null }) {
  return (
    <tr>
      <th scope="row">{modelName(one.model)}</th>
      <td>
        {formatInteger(one.done)} of {formatInteger(one.total)}
        {one.failed > 0 ? <small> {formatInteger(one.failed)} failed</small> : null}
      </td>
      <td>{one.left === 0 ? '' : `${one.rate.toFixed(1)}/s`}</td>
      <td data-name="left:">{one.left === null ? 'not known' : one.left === 0 ? 'none' : inWords(one.left)}</td>
      {limit === null ? null : <td data-name="spent">${one.usd.toFixed(4)}</td>}
      <td>{one.accuracy === null ? '' : <Interval estimate={one.accuracy} label={one.model} />}</td>
      <td class="happens">
        {one.waits.map((words) => (
          <div key={words}>{visible(words)}</div>
        ))}
        {one.failures.map(({ code, times, message }) => (
          <div key={code} class="failure">
            ✗ {visible(code)} ×{formatInteger(times)}: {visible(message)}
          </div>
        ))}
      </td>
    </tr>
  )
}

const inWords = (seconds: number): string =>
  seconds < 90
    ? `${Math.ceil(seconds)} s`
    : seconds < 5400
      ? `${Math.ceil(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`

/** Why sampling of a model ended. */
const ENDS = { known: 'precise', most: 'max items', exhausted: 'no items left' } as const

/** Why a run with remaining calls is complete; null: it is not. */
function decided({ until, adapt }: RunSummary): string | null {
  if (until !== null && until.verdict !== null)
    return `stopped early: ${visible(until.verdict)} after ${plural(until.units, 'group')}, ${plural(until.interim, 'interim analysis', 'interim analyses')}`
  const over = adapt !== null && adapt.models.length > 0 && adapt.models.every(({ end }) => end !== null)
  return over ? 'stopped, no more items are needed' : null
}

/** Where each model of an adaptive run breaks. */
function Adapted({ adapt: { parameter, until, models } }: { readonly adapt: NonNullable<RunSummary['adapt']> }) {
  return (
    <table class="overview">
      <caption>
        Adaptive along {visible(parameter)}
        {until === null ? '' : `, until ${visible(until)}`}: threshold of each model
      </caption>
      <tbody>
        {models.map(({ model, answers, steps, at, threshold, outside, end }) => (
          <tr key={model}>
            <th scope="row">{modelName(model)}</th>
            <td>
              {outside !== null ? (
                `${outside} all values`
              ) : threshold === null ? (
                'not known'
              ) : (
                <>
                  <b>{rounded(threshold.value, 2)}</b> [{rounded(threshold.low, 2)}, {rounded(threshold.high, 2)}]
                </>
              )}
            </td>
            <td>
              {plural(answers, 'answer')}, {plural(steps, 'choice')}
              {at === null ? '' : `, last at ${at}`}
              {end === null ? '' : `; ${ENDS[end]}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** State of a run: calls, cost, errors. */
export function Progress({ run }: { readonly run: RunSummary }) {
  const { waiting, leased, batched, done, failed } = run.counts
  const cells = waiting + leased + batched + done + failed
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
