import { useState } from 'preact/hooks'
import {
  type Folders,
  type History,
  history,
  type LiveModel,
  type RunSummary,
  type ShownEstimate,
} from '../../../api/index.ts'
import { isExport, useRunDocument } from '../../documents.ts'
import { useKeys } from '../../keys.tsx'
import { Fold, ModelName, Troubles } from '../../parts/controls.tsx'
import { dateWords, formatInteger, percent, plural, rounded, secondsWords, visible } from '../../parts/format.ts'
import { Grid } from '../../parts/grid.tsx'
import { Interval, Points, Share } from '../../parts/interval.tsx'
import { colourAt, colourOf, disambiguate, modelName, setModels } from '../../parts/names.ts'
import { cellsOf, Progress, RunState, StopButton } from '../../parts/progress.tsx'
import { Empty, Loaded } from '../../parts/state.tsx'
import { goTo, linkTo } from '../../routing.ts'

interface Point {
  readonly estimate: ShownEstimate
  /** Points of other contents are not joined. */
  readonly same: string
  readonly href: string
  readonly title: string
}

const [WIDTH, HEIGHT, EDGE] = [220, 32, 6]

/** A trend, not a level: its range is that of its values. Each point leads to its run. */
function Sparkline({ model, colour, points }: { model: string; colour: number; points: readonly Point[] }) {
  const least = Math.min(...points.map(({ estimate }) => estimate.low))
  const most = Math.max(...points.map(({ estimate }) => estimate.high))
  const x = (i: number): number => EDGE + (i / Math.max(1, points.length - 1)) * (WIDTH - 2 * EDGE)
  const y = (value: number): number => EDGE + ((most - value) / Math.max(1e-9, most - least)) * (HEIGHT - 2 * EDGE)
  const joined = points.slice(1).flatMap((point, i) => (point.same === points[i]?.same ? [i] : []))
  return (
    <svg class={`spark m${colour}`} width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}>
      <title>{`${modelName(model)}: ${points.map(({ estimate }) => percent(estimate.value)).join(', ')} %, run by run`}</title>
      {joined.map((i) => {
        const [a, b] = [points[i]?.estimate, points[i + 1]?.estimate]
        if (a === undefined || b === undefined) return null
        return (
          <g key={i}>
            <path
              class="band"
              d={`M${x(i)},${y(a.low)}L${x(i)},${y(a.high)}L${x(i + 1)},${y(b.high)}L${x(i + 1)},${y(b.low)}Z`}
            />
            <path class="line" d={`M${x(i)},${y(a.value)}L${x(i + 1)},${y(b.value)}`} />
          </g>
        )
      })}
      {points.map(({ estimate, href, title }, i) => (
        <a key={href} href={href} aria-label={`${title}: ${percent(estimate.value)} %`}>
          <circle cx={x(i)} cy={y(estimate.value)} r={i === points.length - 1 ? 4 : 2.5} />
        </a>
      ))}
    </svg>
  )
}

/** Most runs of a trend. */
const TREND = 20
/** Most calls of a run whose accuracies are shown here. */
const LARGE = 400_000
const MAX_SHOWN = 12

/** Every run and dataset below what is viewed: runs by experiment, with the trend of each model. */
export function RunsPage({ folders }: { folders: Folders }) {
  const [search, setSearch] = useState('')
  const [ticked, setTicked] = useState<readonly string[]>([])
  const all = folders.folders.filter((folder) => folder.kind === 'run')
  const sets = folders.folders.filter((folder) => folder.kind === 'dataset')
  const broken = folders.folders.filter((folder) => folder.kind === 'broken')
  const wanted = search.toLowerCase()
  const texts = ({ name, path, tasks, models }: RunSummary) => [name, path, ...tasks, ...models.map((one) => one.name)]
  const runs = all.filter((run) => texts(run).some((text) => text.toLowerCase().includes(wanted)))
  const experiments = experimentsOf(runs)
  setModels([...new Set(all.flatMap(({ models }) => models.map(({ name }) => name)))])
  const tick = (id: string): void =>
    setTicked((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before.slice(-1), id]))
  const heads = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.card h2 a')]
  const at = (): number => heads().indexOf(document.activeElement as HTMLElement)
  useKeys({
    j: ['next experiment', () => heads()[at() + 1]?.focus()],
    k: ['experiment before', () => heads()[at() - 1]?.focus()],
    x: ['choose its latest run to compare', () => tick(experiments[at()]?.at(-1)?.id ?? '')],
  })
  const [earlier, later] = runs.filter(({ id }) => ticked.includes(id)).sort(byDate)
  return (
    <>
      <div class="title">
        <h1>Runs</h1>
        <small>
          {plural(all.length, 'run')} of {plural(experimentsOf(all).length, 'experiment')}
          {sets.length > 0 ? `, ${plural(sets.length, 'dataset')}` : ''}
        </small>
        {all.length < 2 ? null : (
          <span class="chips">
            <input
              type="search"
              aria-label="Search runs, tasks, models"
              placeholder="Search runs, tasks, models"
              value={search}
              onInput={({ currentTarget }) => setSearch(currentTarget.value)}
            />
            <button
              type="button"
              disabled={earlier === undefined || later === undefined || isExport()}
              onClick={() => goTo(linkTo(['r', later?.id ?? '', 'compare'], [['with', earlier?.id ?? '']]))}
            >
              Compare two ticked runs
            </button>
          </span>
        )}
      </div>
      {all.length === 0 ? (
        <Empty>
          No runs found. Start one: <code>touchstone run TASK --model baseline:random --out runs/first</code>, then view
          its folder.
        </Empty>
      ) : runs.length === 0 ? (
        <Empty>No run matches.</Empty>
      ) : null}
      {experiments.map((own) => (
        <Experiment key={own[0]?.id} runs={own} ticked={ticked} onTick={all.length < 2 ? null : tick} />
      ))}
      {sets.length === 0 ? null : (
        <>
          <h2>Datasets</h2>
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
        <div key={folder.id} class="problem">
          <b>{visible(folder.path)}</b> cannot be read: {visible(folder.message)}
        </div>
      ))}
    </>
  )
}

const byDate = (a: RunSummary, b: RunSummary): number => (a.created < b.created ? -1 : a.created > b.created ? 1 : 0)

/** Runs of one name and the same tasks, the earliest first; the experiment with the latest run first. */
function experimentsOf(runs: readonly RunSummary[]): readonly (readonly RunSummary[])[] {
  return [...Map.groupBy(runs, ({ name, tasks }) => JSON.stringify([name, tasks.toSorted()])).values()]
    .map((own) => own.toSorted(byDate))
    .sort((a, b) => byDate(b.at(-1) as RunSummary, a.at(-1) as RunSummary))
}

interface ExperimentProps {
  /** The earliest first. */
  readonly runs: readonly RunSummary[]
  readonly ticked: readonly string[]
  /** null: there is nothing to compare. */
  readonly onTick: ((run: string) => void) | null
}

function Experiment({ runs, ticked, onTick }: ExperimentProps) {
  const latest = runs.at(-1) as RunSummary
  const before = runs.at(-2)
  const apart = disambiguate(runs)
  const facts = [
    latest.tasks.length > 2 ? plural(latest.tasks.length, 'task') : latest.tasks.map(visible).join(', '),
    plural(latest.items, 'item'),
    plural(runs.length, 'run'),
    `latest ${dateWords(latest.created)}`,
    ...(latest.usd > 0 ? [`$${latest.usd.toFixed(2)}`] : []),
  ]
  return (
    <article class="card">
      <div class="title">
        <h2>
          <a href={linkTo(['r', latest.id])}>{visible(latest.name)}</a>
        </h2>
        <small>{facts.join(' · ')}</small>
        <span class="chips">
          <RunState run={latest} />
        </span>
      </div>
      <Progress run={latest} />
      {latest.live === null ? null : <LiveModels models={latest.live.models} limit={latest.limit} />}
      {latest.adapt === null ? null : <Adapted adapt={latest.adapt} />}
      {latest.stoppable ? <StopButton run={latest.id} /> : null}
      <Trends runs={runs.slice(-TREND)} latest={latest} before={before} />
      {onTick === null ? (
        <p class="path">{visible(latest.path)}</p>
      ) : (
        <Fold
          title={plural(runs.length, 'run')}
          note={visible(latest.path)}
          open={runs.length === 1 && ticked.includes(latest.id)}
        >
          <ul class="folders">
            {runs.toReversed().map((run) => (
              <li key={run.id}>
                <label>
                  <input type="checkbox" checked={ticked.includes(run.id)} onChange={() => onTick(run.id)} /> compare
                </label>{' '}
                <a href={linkTo(['r', run.id])}>{visible(apart.get(run.id) ?? dateWords(run.created))}</a>{' '}
                <small class="path">{visible(run.path)}</small>
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </article>
  )
}

/** One row a model: mean accuracy run by run, the latest, and its change. */
function Trends({
  runs,
  latest,
  before,
}: {
  runs: readonly RunSummary[]
  latest: RunSummary
  before: RunSummary | undefined
}) {
  const query = (run: RunSummary) => {
    if (run.counts.done === 0 || cellsOf(run) > LARGE) return null
    return run === latest && before !== undefined && !isExport() ? [['before', before.id] as const] : []
  }
  // As many hooks as runs: an experiment is remounted when their number changes.
  const states = runs.map((run) => useRunDocument(run.id, history, query(run), run.revision))
  const [last] = states.slice(-1)
  if (last === undefined || query(latest) === null) return null
  if (last.kind !== 'ready') return <Loaded state={last}>{() => null}</Loaded>
  const points = states.map((state) => (state.kind === 'ready' ? state.value : null))
  const shown = last.value.models.filter(({ mean }) => mean !== null).slice(0, MAX_SHOWN)
  const more = last.value.models.length - shown.length
  if (shown.length === 0)
    return latest.counts.done === 0 ? null : (
      <p class="note">
        No accuracies. If strings are scored: <a href={linkTo(['r', latest.id, 'tokens'])}>the loss of every model</a>
      </p>
    )
  return (
    <>
      <Grid
        label={`Models of ${visible(latest.name)}, ${latest.id}`}
        rows={shown}
        keyOf={({ model }) => model}
        columns={({ right, rowHead, text }) => [
          rowHead('Model', ({ model }, at) => <ModelName model={model} colour={colourAt(at)} />),
          text(`${latest.tasks.length > 1 ? 'Mean accuracy over tasks' : 'Accuracy'}, run by run`, ({ model }, at) => (
            <Trend model={model} colour={colourAt(at)} runs={runs} points={points} />
          )),
          right('Latest, %', ({ mean }) => (mean === null ? '–' : <Share estimate={mean} bold />)),
          right('Change from run before', ({ change }) => <Change change={change} />),
          text('Problems', ({ model, planned, ...counts }) => (
            <span class="chips">
              <Troubles run={latest.id} count={(outcome) => counts[outcome]} of={planned} kept={[['model', model]]} />
            </span>
          )),
          right('Cost · median time', ({ usd, seconds }) => (
            <>
              {usd === null || usd === 0 ? null : `$${usd.toFixed(2)} `}
              {seconds === null ? null : <small>{secondsWords(seconds)}</small>}
            </>
          )),
        ]}
      />
      {more > 0 ? <p class="note">{plural(more, 'more model')} on the overview.</p> : null}
    </>
  )
}

function Trend({
  model,
  colour,
  runs,
  points,
}: {
  model: string
  colour: number
  runs: readonly RunSummary[]
  points: readonly (History | null)[]
}) {
  const line = points.flatMap((point, i) => {
    const estimate = point?.models.find((other) => other.model === model)?.mean ?? null
    const of = runs[i]
    return estimate === null || point === null || of === undefined
      ? []
      : [{ estimate, same: point.same, href: linkTo(['r', of.id]), title: dateWords(of.created) }]
  })
  return line.length < 2 ? <small>no run before</small> : <Sparkline model={model} colour={colour} points={line} />
}

function Change({ change }: Pick<History['models'][number], 'change'>) {
  if (change === null) return null
  const { difference, significant } = change
  const up = difference.value > 0
  return (
    <span class={significant ? (up ? 'up' : 'down') : ''}>
      {significant ? (up ? '▲ ' : '▼ ') : ''}
      <Points estimate={difference} bold={significant} />
    </span>
  )
}

/** Each model of a run in progress: calls, rate, accuracy, waits and last errors. */
const LiveModels = ({ models, limit }: { models: readonly LiveModel[]; limit: number | null }) => (
  <Grid
    label="The models at work"
    caption="In progress (this process)"
    rows={models}
    keyOf={({ model }) => model}
    columns={({ rowHead, text }) => [
      rowHead('Model', ({ model }) => <ModelName model={model} />),
      text(
        'Done',
        ({ done, total, failed }) =>
          `${formatInteger(done)} of ${formatInteger(total)}${failed > 0 ? `, ${formatInteger(failed)} failed` : ''}`,
      ),
      text('Rate', ({ left, rate }) => (left === 0 ? '' : `${rate.toFixed(1)}/s`)),
      {
        head: 'Left',
        name: 'left:',
        cell: ({ left }) => (left === null ? 'not known' : left === 0 ? 'none' : inWords(left)),
      },
      limit !== null && { head: 'Spent', name: 'spent', cell: ({ usd }) => `$${usd.toFixed(4)}` },
      text('Accuracy so far, with the 95 % interval of a single analysis', ({ accuracy, model }) =>
        accuracy === null ? '' : <Interval estimate={accuracy} label={model} colour={colourOf(model)} />,
      ),
      text('Waiting for, last errors', ({ waits, failures }) => (
        <>
          {waits.map((words) => (
            <div key={words}>{visible(words)}</div>
          ))}
          {failures.map(({ code, times, message }) => (
            <div key={code} class="failure">
              ✗ {visible(code)} ×{formatInteger(times)}: {visible(message)}
            </div>
          ))}
        </>
      )),
    ]}
  />
)

const inWords = (seconds: number): string =>
  seconds < 90
    ? `${Math.ceil(seconds)} s`
    : seconds < 5400
      ? `${Math.ceil(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`

/** Where each model of an adaptive run breaks. */
const Adapted = ({ adapt: { parameter, until, models } }: { adapt: NonNullable<RunSummary['adapt']> }) => (
  <Grid
    label="Thresholds"
    bare
    caption={`Adaptive along ${visible(parameter)}${until === null ? '' : `, until ${visible(until)}`}: threshold of each model`}
    rows={models}
    keyOf={({ model }) => model}
    columns={({ rowHead, text }) => [
      rowHead('', ({ model }) => <ModelName model={model} />),
      text('', ({ outside, threshold }) =>
        outside !== null
          ? `${outside} all values`
          : threshold === null
            ? 'not known'
            : `${rounded(threshold.value, 2)} [${rounded(threshold.low, 2)}, ${rounded(threshold.high, 2)}]`,
      ),
      text(
        '',
        ({ answers, steps, at, end }) =>
          `${plural(answers, 'answer')}, ${plural(steps, 'choice')}${at === null ? '' : `, last at ${at}`}${end === null ? '' : `; ${end.replaceAll('-', ' ')}`}`,
      ),
    ]}
  />
)
