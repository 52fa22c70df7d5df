import { useMemo } from 'preact/hooks'
import type { Json } from '../../../core/index.ts'
import {
  type ByFeature,
  byFeature,
  filterOf,
  type ItemsFilter,
  MODELS_SHOWN,
  type Outline,
  parametersOf,
  type ReferencesByFeature,
} from '../../api/index.ts'
import { isExport, useRunDocument } from '../documents.ts'
import { type Bin, binOf, binsOf, conditionsOfBin, type FeatureBins, levelWords } from '../parts/bins.ts'
import { Curves } from '../parts/curves.tsx'
import { firstFeature, layable, ofTask } from '../parts/features.ts'
import { featureName, formatShare, plural, visible } from '../parts/format.ts'
import { ModelPageSelect, modelPageOf } from '../parts/model-page.tsx'
import { OneLevel } from '../parts/one-level.tsx'
import type { PlotReference } from '../parts/plot.tsx'
import { DASHES, marksAt, ReferenceLegend, useReferencesByFeature } from '../parts/references.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { isUnanswered, Unanswered } from '../parts/unanswered.tsx'
import { goTo, linkTo, queryValue, type Route, type RunPage, type RunPageProps, withQueryValue } from '../routing.ts'
import { Heat, type Selected } from './heat.tsx'
import { ItemRows } from './item-rows.tsx'
import { useOutline } from './outline.ts'
import { SubsetSection } from './subset-and-rest.tsx'

/** Accuracy over one or two features. */
function ByFeaturePage({ route, run, revision }: RunPageProps) {
  const outline = useOutline(route, run, revision)
  return <Loaded state={outline}>{(value) => <Surface route={route} outline={value} />}</Loaded>
}

/** With several tasks, the first that has the feature is shown: a curve over tasks that share a feature name describes none of them. */
function withTask(route: Route, { run, features }: Outline): Route {
  if (run.tasks.length < 2 || queryValue(route, 'task') !== null) return route
  const x = queryValue(route, 'x')
  const shows = (one: string): boolean => ofTask(features, one).some(({ name }) => x === null || name === x)
  const task = run.tasks.find(shows) ?? run.tasks[0] ?? ''
  return { ...route, parameters: [...route.parameters, ['task', task]] }
}

function Surface({ route: asked, outline }: { readonly route: Route; readonly outline: Outline }) {
  const models = outline.run.models.map(({ name }) => name)
  const route = withTask(asked, outline)
  const task = queryValue(route, 'task')
  const features = layable(outline, task)
  const x = queryValue(route, 'x') ?? firstFeature(features) ?? ''
  const y = queryValue(route, 'y')
  const query = new URLSearchParams([
    ['x', x],
    ...(y === null ? [] : [['y', y]]),
    ...['each', 'parser', 'task', 'models'].flatMap((name) => {
      const value = queryValue(route, name)
      return value === null ? [] : [[name, value]]
    }),
  ])
  const state = useRunDocument(outline.run.id, byFeature, x === '' ? null : query, outline.run.revision)
  // What was selected lay on the axes that were there; another task has other features.
  const go = (name: 'x' | 'y' | 'task', value: string): void => {
    const without = withFeatures(route, [])
    const { parameters } = without
    const kept = name === 'task' ? parameters.filter(([other]) => other !== 'x' && other !== 'y') : parameters
    goTo(withQueryValue({ ...without, parameters: kept }, name, value || null))
  }
  const choose = (name: 'x' | 'y' | 'task', value: string, options: readonly string[], none: string | null) => (
    <label>
      {name === 'x' ? 'over' : name === 'y' ? 'and' : 'of'}{' '}
      <select value={value} onChange={({ currentTarget }) => go(name, currentTarget.value)}>
        {none === null ? null : <option value="">{none}</option>}
        {options.map((one) => (
          <option key={one} value={one}>
            {name === 'task' ? one : featureName(one)}
          </option>
        ))}
      </select>
    </label>
  )
  const ofTasks = task === null || outline.run.tasks.length < 2 ? null : choose('task', task, outline.run.tasks, null)
  if (isUnanswered(outline.run))
    return (
      <>
        <h1>Accuracy by feature</h1>
        <Unanswered run={outline.run} />
      </>
    )
  const names = features.map(({ name }) => name)
  if (x === '')
    return (
      <>
        <h1>Accuracy by feature</h1>
        {ofTasks === null ? null : <p class="controls">{ofTasks}</p>}
        <OneLevel outline={outline} task={ofTasks === null ? null : task} />
      </>
    )
  return (
    <>
      <h1>Accuracy by feature</h1>
      <p class="controls">
        {ofTasks} {names.length === 0 ? null : choose('x', x, names, null)}{' '}
        {names.length < 2
          ? null
          : choose(
              'y',
              y ?? '',
              names.filter((name) => name !== x),
              'none',
            )}
      </p>
      <ModelPageSelect route={route} all={models} most={MODELS_SHOWN} />
      <Loaded state={state}>
        {(document) =>
          document.cells.length === 0 ? (
            <Empty>
              {outline.parsers.length === 0 ? (
                <>
                  These strings were scored by log-probability, so there are no correct or incorrect answers. See{' '}
                  <a href={linkTo(['r', outline.run.id, 'tokens'])}>the loss of every model</a>.
                </>
              ) : (
                'No response is graded yet.'
              )}
            </Empty>
          ) : (
            <Shown route={route} outline={outline} document={document} query={query} />
          )
        }
      </Loaded>
    </>
  )
}

/** The picture, what is selected of it, and what is there. */
function Shown({
  route,
  outline: { run },
  document,
  query,
}: {
  readonly route: Route
  readonly outline: Outline
  readonly document: ByFeature
  /** The query of the document. */
  readonly query: URLSearchParams
}) {
  const { cells } = document
  const shown = modelPageOf(
    route,
    run.models.map(({ name }) => name),
    MODELS_SHOWN,
  ).models
  const x = useMemo(
    () =>
      binsOf(
        document.x,
        document.cells.map((cell) => cell.x),
        document.bins,
      ),
    [document],
  )
  const y = useMemo(
    () =>
      document.y === null
        ? null
        : binsOf(
            document.y,
            document.cells.map((cell) => cell.y),
          ),
    [document],
  )
  const filter = useFilter(route)
  const feature = filter?.feature ?? []
  const selected = { x: binOf(x, feature), y: y === null ? null : binOf(y, feature) }
  const onChoose = (next: Selected): void => {
    const conditions = [...conditionsOfBin(x, next.x), ...(y === null ? [] : conditionsOfBin(y, next.y))]
    goTo(linkOf(withFeatures(route, conditions)), { replace: true })
  }
  const brush = useMemo(
    () => ({ along: x, selected: selected.x, onChoose: (bin: Bin | null) => onChoose({ x: bin, y: null }) }),
    [x, JSON.stringify([route, selected.x])],
  )
  const place = useMemo(() => (value: Json) => levelWords(x, x.levels.indexOf(value)), [x])
  const task = queryValue(route, 'task')
  const state = useReferencesByFeature(run.id, query, run.held ? 0 : run.revision)
  const known = state.kind === 'ready' ? state.value : null
  const references = useMemo(() => referenceLines(known), [known])
  const referencesAt = useMemo(() => referenceWords(known), [known])
  return (
    <>
      {y === null ? <Together route={route} bins={document.bins.length} /> : null}
      {y === null ? (
        <Curves
          x={x.name}
          y="accuracy"
          range={[0, 1]}
          words={formatShare}
          brush={brush}
          place={place}
          references={references}
          cells={cells.map(({ share: estimate, ...cell }) => ({ ...cell, estimate }))}
        />
      ) : (
        <Heat
          cells={cells}
          x={x}
          y={y}
          selected={selected}
          onChoose={onChoose}
          beside={referencesAt}
          link={(cell) =>
            linkTo(
              ['r', run.id, 'items'],
              [
                ['feature', `${x.name}=${String(cell.x)}`],
                ['feature', `${y.name}=${String(cell.y)}`],
                ['model', cell.model],
                ...(task === null ? [] : [['task', task] as const]),
              ],
            )
          }
        />
      )}
      <ReferenceLegend state={state} />
      <p class="controls">
        <BinSelect along={x} selected={selected.x} onChoose={(bin) => onChoose({ ...selected, x: bin })} />
        {y === null ? null : (
          <BinSelect along={y} selected={selected.y} onChoose={(bin) => onChoose({ ...selected, y: bin })} />
        )}
        {feature.length === 0 ? null : (
          <button type="button" onClick={() => onChoose({ x: null, y: null })}>
            Select all
          </button>
        )}
      </p>
      {filter === null || feature.length === 0 ? (
        <p class="note">
          Drag over the figure, or choose a range. The accuracy in the range and its items appear here.
        </p>
      ) : (
        <section aria-label="Selected items">
          <SubsetSection run={run.id} filter={filter} revision={run.revision} open />
          <p>
            <a href={linkTo(['r', run.id, 'items'], parametersOf(filter))}>Open these items</a>, their{' '}
            <a href={linkTo(['r', run.id], parametersOf(filter))}>overview</a>, and{' '}
            <a href={linkTo(['r', run.id, 'compare'], parametersOf(filter))}>two models compared</a> on them
          </p>
          <ItemRows run={run.id} filter={filter} models={shown} several={false} />
        </section>
      )}
    </>
  )
}

/** Chance and heuristic baseline as lines over the feature. */
const referenceLines = (references: ReferencesByFeature | null): readonly PlotReference[] =>
  (['chance', 'guess'] as const).flatMap((kind) => {
    const points = (references?.cells ?? []).flatMap(({ x, [kind]: y }) => (y === null ? [] : [{ x, y }]))
    return points.length === 0 ? [] : [{ dash: DASHES[kind], points }]
  })

/** The same in words, by cell. */
function referenceWords(references: ReferencesByFeature | null): (cell: ByFeature['cells'][number]) => string {
  const key = ({ x, y }: { readonly x: Json; readonly y: Json }): string => JSON.stringify([x, y])
  const words = new Map(
    references?.cells.map((cell) => [
      key(cell),
      marksAt(cell, references.rule)
        .map((mark) => `, ${mark.words}`)
        .join(''),
    ]),
  )
  return (cell) => words.get(key(cell)) ?? ''
}

/** Many values are binned; a link shows each of them. */
function Together({ route, bins }: { readonly route: Route; readonly bins: number }) {
  if (queryValue(route, 'each') === 'yes')
    return (
      <p class="note">
        Every value is shown. <a href={withQueryValue(route, 'each', null)}>Group values into bins</a>
      </p>
    )
  if (bins === 0) return null
  return (
    <p class="note">
      Many values, put together into {plural(bins, 'bin', 'bins')} of about as many answers; each mark stands in the
      middle of its bin. {isExport() ? null : <a href={withQueryValue(route, 'each', 'yes')}>Show every value</a>}
    </p>
  )
}

/** The subset in the address: task, parser and features; null: no such filter. */
function useFilter({ parameters }: Route): ItemsFilter | null {
  const own = parameters.filter(([name]) => ['task', 'parser', 'feature'].includes(name))
  return useMemo(() => filterOf(own).data ?? null, [JSON.stringify(own)])
}

/** From which level to which: what drawing over the picture chooses, by keys. */
function BinSelect({
  along,
  selected,
  onChoose,
}: {
  readonly along: FeatureBins
  readonly selected: Bin | null
  readonly onChoose: (bin: Bin) => void
}) {
  const { name, levels } = along
  const { from, to } = selected ?? { from: 0, to: levels.length - 1 }
  const end = (label: string, at: number, next: (to: number) => Bin) => (
    <label>
      {label}{' '}
      <select value={String(at)} onChange={({ currentTarget }) => onChoose(next(Number(currentTarget.value)))}>
        {levels.map((level, place) => (
          <option key={JSON.stringify(level)} value={String(place)}>
            {levelWords(along, place)}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <>
      {end(`${visible(name)} from`, from, (at) => ({ from: at, to: Math.max(at, to) }))}{' '}
      {end('to', to, (at) => ({ from: Math.min(from, at), to: at }))}{' '}
    </>
  )
}

const withFeatures = (route: Route, conditions: readonly string[]): Route => ({
  ...route,
  parameters: [
    ...route.parameters.filter(([name]) => name !== 'feature'),
    ...conditions.map((one) => ['feature', one] as const),
  ],
})

const linkOf = ({ path, parameters }: Route): string => linkTo(path, parameters)

export const byFeaturePage: RunPage = {
  name: 'by-feature',
  label: 'Accuracy by feature',
  key: 'f',
  Page: ByFeaturePage,
}
