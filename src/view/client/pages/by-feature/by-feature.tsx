import { useMemo } from 'preact/hooks'
import type { Json } from '../../../../core/index.ts'
import {
  type ByFeature,
  byFeature,
  type Effects,
  effects,
  filterOf,
  type ItemsFilter,
  itemsPage,
  type Outline,
  parametersOf,
  type ReferencesByFeature,
  referencesByFeature,
} from '../../../api/index.ts'
import { useRunDocument } from '../../documents.ts'
import { useKeys } from '../../keys.tsx'
import { Pick } from '../../parts/controls.tsx'
import {
  type Bin,
  binBetween,
  binOf,
  binsOf,
  conditionsOfBin,
  type FeatureBins,
  firstFeature,
  layable,
  levelWords,
  ofTask,
} from '../../parts/features.ts'
import { Curves } from '../../parts/figure.tsx'
import { featureName, percent, plural, points } from '../../parts/format.ts'
import { modelName } from '../../parts/names.ts'
import { ModelPageSelect, OfOutline } from '../../parts/outline.tsx'
import type { PlotReference } from '../../parts/plot.tsx'
import { DASHES, marksAt, ReferenceLegend } from '../../parts/references.tsx'
import { Empty, Loaded, OneLevel } from '../../parts/state.tsx'
import { SubsetSection } from '../../parts/subset-and-rest.tsx'
import {
  goTo,
  linkTo,
  parametersIn,
  queryValue,
  type Route,
  type RunPage,
  type RunPageProps,
  withQueryValue,
} from '../../routing.ts'
import { Heat, type Selected } from './heat.tsx'
import { type Effect, isClear, Ranking, unitOf, withFeatures } from './ranking.tsx'

/** What makes items hard: accuracy over one feature, or two. */
const ByFeaturePage = (props: RunPageProps) => (
  <>
    <h1 class="hidden">Accuracy by feature</h1>
    <OfOutline {...props}>{(value) => <OfTask route={props.route} outline={value} />}</OfOutline>
  </>
)

/** With several tasks, the first that has the feature is shown: a curve over tasks that share a feature name describes none of them. */
function withTask(route: Route, { run, features }: Outline): Route {
  if (run.tasks.length < 2 || queryValue(route, 'task') !== null) return route
  const x = queryValue(route, 'x')
  const shows = (one: string): boolean => ofTask(features, one).some(({ name }) => x === null || name === x)
  const task = run.tasks.find(shows) ?? run.tasks[0] ?? ''
  return { ...route, parameters: [...route.parameters, ['task', task]] }
}

function OfTask({ route: asked, outline }: { route: Route; outline: Outline }) {
  const route = withTask(asked, outline)
  const task = queryValue(route, 'task')
  const features = layable(outline, task)
  const query = outline.parsers.length === 0 ? null : parametersIn(route, ['task', 'parser'])
  const state = useRunDocument(outline.run.id, effects, query, outline.run.revision)
  const choose = (value: string): void => {
    // What was selected lay on the axes that were there; another task has other features.
    const { path, parameters } = withFeatures(route, [])
    goTo(
      withQueryValue({ path, parameters: parameters.filter(([name]) => name !== 'x' && name !== 'y') }, 'task', value),
    )
  }
  const tasks =
    task === null || outline.run.tasks.length < 2 ? null : (
      <Pick label="Task" value={task} options={outline.run.tasks} onPick={(one = '') => choose(one)} />
    )
  if (outline.parsers.length === 0)
    return (
      <Empty>
        These strings were scored by log-probability, so there are no correct or incorrect answers. See{' '}
        <a href={linkTo(['r', outline.run.id, 'tokens'])}>the loss of every model</a>.
      </Empty>
    )
  if (features.length === 0)
    return (
      <>
        <p class="controls">{tasks}</p>
        <OneLevel outline={outline} task={tasks === null ? null : task} />
      </>
    )
  return (
    <Loaded state={state}>
      {(found) => {
        const drawn = found.features.filter(({ hidden }) => hidden === '')
        const main = firstFeature(features.filter(({ name }) => drawn.some((one) => one.name === name)))
        const clear = drawn.find(({ p }) => p !== null && p < 0.05)
        const x =
          queryValue(route, 'x') ??
          (drawn.find(({ name }) => name === main) ?? clear ?? drawn[0] ?? found.features[0])?.name ??
          ''
        const y = queryValue(route, 'y')
        return (
          <>
            <div class="controls">
              {tasks}
              {features.length < 2 ? null : (
                <Pick
                  label="Then by"
                  value={y ?? undefined}
                  none="nothing"
                  options={features.flatMap(({ name }) => (name === x ? [] : [[name, featureName(name)] as const]))}
                  onPick={(name) => goTo(withQueryValue(withFeatures(route, []), 'y', name ?? null))}
                />
              )}
              <ModelPageSelect route={route} of={outline.run.models.length} />
              <small class="end">
                {plural(found.items, 'item')}
                {found.groups < found.items ? ` in ${plural(found.groups, 'group')}` : ''}
              </small>
            </div>
            <div class="by-feature">
              <Ranking route={route} effects={found} x={x} />
              <Chart route={route} outline={outline} found={found} x={x} y={y} />
            </div>
          </>
        )
      }}
    </Loaded>
  )
}

interface ChartProps {
  readonly route: Route
  readonly outline: Outline
  readonly found: Effects
  readonly x: string
  readonly y: string | null
}

function Chart({ route, outline, found, x, y }: ChartProps) {
  const query: Route['parameters'] = [
    ['x', x],
    ...(y === null ? [] : [['y', y] as const]),
    ...parametersIn(route, ['parser', 'task', 'models']),
  ]
  const state = useRunDocument(outline.run.id, byFeature, x === '' ? null : query, outline.run.revision)
  return (
    <section>
      <Loaded state={state}>
        {(document) =>
          document.cells.length === 0 ? (
            <Empty>No response is graded yet.</Empty>
          ) : (
            <Shown route={route} outline={outline} found={found} document={document} query={query} />
          )
        }
      </Loaded>
    </section>
  )
}

/** What a feature does, as sentences: slopes where the trend is clear, then who is above the baseline where it is hardest. */
function Finding({
  effect,
  found,
  document,
  references,
}: {
  effect: Effect | undefined
  found: Effects
  document: ByFeature
  references: ReferencesByFeature | null
}) {
  if (effect === undefined) return null
  const name = featureName(effect.name)
  const few = found.groups < found.items && found.groups < 10
  const slopes = effect.slopes.map(({ model, slope }) => `${modelName(model)} ${points(slope)}`)
  const first = few
    ? `${plural(found.groups, 'group')}: levels cannot be compared beyond them.`
    : !isClear(effect)
      ? `No significant effect of ${name}.`
      : effect.slopes.some(({ slope }) => Math.abs(slope) >= 0.005)
        ? `Accuracy ${effect.slopes.every(({ slope }) => slope < 0) ? 'falls' : effect.slopes.every(({ slope }) => slope > 0) ? 'rises' : 'changes'} with ${name}: ${slopes.join(', ')} points per ${unitOf(effect.name)}.`
        : `Accuracy depends on ${name}.`
  return (
    <p class="finding">
      {first} {few ? '' : hardestWords(document, references, name)}
    </p>
  )
}

function hardestWords({ cells, bins }: ByFeature, references: ReferencesByFeature | null, name: string): string {
  const known = cells.filter(({ share }) => share.n >= 10)
  const levels = [...Map.groupBy(known, ({ x }) => JSON.stringify(x)).values()]
  const mean = (own: typeof known): number => own.reduce((sum, { share }) => sum + share.value, 0) / own.length
  const [hardest] = levels.sort((a, b) => mean(a) - mean(b))
  const at = hardest?.[0]
  const line = references?.cells.find(({ x }) => at !== undefined && JSON.stringify(x) === JSON.stringify(at.x))
  const base = line?.guess ?? line?.chance ?? null
  if (hardest === undefined || at === undefined || base === null || levels.length < 2) return ''
  const above = hardest.filter(({ share }) => share.low > base).map(({ model }) => modelName(model))
  const what = line?.guess === null ? 'chance' : 'the heuristic baseline'
  const where = `At ${name} ${levelWords(binsOf('', [at.x], bins), 0)}`
  if (above.length === 0) return `${where} no model is clearly above ${what}.`
  return above.length === hardest.length && above.length > 1
    ? `${where} all models are clearly above ${what}.`
    : `${where} only ${above.join(', ')} ${above.length === 1 ? 'is' : 'are'} clearly above ${what}.`
}

/** The finding, its picture, and what is selected of it. */
function Shown({
  route,
  outline: { run },
  found,
  document,
  query,
}: {
  route: Route
  outline: Outline
  found: Effects
  document: ByFeature
  query: Route['parameters']
}) {
  const { cells } = document
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
    const { path, parameters } = withFeatures(route, conditions)
    goTo(linkTo(path, parameters), { replace: true })
  }
  /** Selects the bin beside the selected ones, or one more. */
  const slide = (by: number, more: boolean): void => {
    const last = x.levels.length - 1
    const { from, to } = selected.x ?? (by > 0 ? { from: -1, to: -1 } : { from: last + 1, to: last + 1 })
    const at = Math.max(0, Math.min(last, (by > 0 ? to : from) + by))
    const other = !more || selected.x === null ? at : by > 0 ? from : to
    onChoose({ ...selected, x: binBetween(at, other) })
  }
  useKeys({
    ArrowRight: ['select the next range, with Shift one more', ({ shiftKey }) => slide(1, shiftKey)],
    ArrowLeft: ['the range before', ({ shiftKey }) => slide(-1, shiftKey)],
    Enter: [
      'open the selected items',
      () => feature.length > 0 && filter !== null && goTo(linkTo(['r', run.id, 'items'], parametersOf(filter))),
    ],
    Escape: ['select all', () => feature.length > 0 && onChoose({ x: null, y: null })],
  })
  const brush = useMemo(
    () => ({ along: x, selected: selected.x, onChoose: (bin: Bin | null) => onChoose({ x: bin, y: null }) }),
    [x, JSON.stringify([route, selected.x])],
  )
  const place = useMemo(() => (value: Json) => levelWords(x, x.levels.indexOf(value)), [x])
  const listed = useRunDocument(
    run.id,
    itemsPage,
    filter === null || feature.length === 0 ? null : parametersOf(filter),
  )
  const task = queryValue(route, 'task')
  const state = useRunDocument(run.id, referencesByFeature, query, run.held ? 0 : run.revision)
  const known = state.kind === 'ready' ? state.value : null
  const references = useMemo(() => referenceLines(known), [known])
  const referencesAt = useMemo(() => referenceWords(known), [known])
  const effect = found.features.find(({ name }) => name === document.x)
  return (
    <>
      <Finding effect={effect} found={found} document={document} references={known} />
      {y !== null ? (
        <Heat
          cells={cells}
          x={x}
          y={y}
          selected={selected}
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
      ) : effect?.hidden ? (
        <Empty>Not drawn: {effect.hidden}. The numbers are on the page Results.</Empty>
      ) : (
        <Curves
          x={x.name}
          y="% correct"
          range={[0, 1]}
          words={(value) => percent(value)}
          brush={brush}
          place={place}
          references={references}
          cells={cells.map(({ share: estimate, ...cell }) => ({ ...cell, estimate }))}
        />
      )}
      <p class="note legend">
        <span>95 % CI; dashed with fewer than 10 groups; levels with fewer than 10 items are not drawn</span>
        <ReferenceLegend state={state} />
      </p>
      <p class="controls">
        <BinSelect along={x} selected={selected.x} onChoose={(bin) => onChoose({ ...selected, x: bin })} />
        {y === null ? null : (
          <BinSelect along={y} selected={selected.y} onChoose={(bin) => onChoose({ ...selected, y: bin })} />
        )}
        {feature.length === 0 ? (
          <small>Drag over the figure, or choose a range, to compare it with the rest.</small>
        ) : (
          <button type="button" onClick={() => onChoose({ x: null, y: null })}>
            Select all
          </button>
        )}
      </p>
      {filter === null || feature.length === 0 ? null : (
        <section aria-label="Selected items">
          <SubsetSection run={run.id} filter={filter} revision={run.revision} open />
          <p>
            <a href={linkTo(['r', run.id, 'items'], parametersOf(filter))}>
              Open the {listed.kind === 'ready' ? plural(listed.value.total, 'item') : 'items'}
            </a>
            , their <a href={linkTo(['r', run.id], parametersOf(filter))}>overview</a>, and{' '}
            <a href={linkTo(['r', run.id, 'compare'], parametersOf(filter))}>two models compared</a> on them
          </p>
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

/** The same as text, by cell. */
function referenceWords(references: ReferencesByFeature | null): (cell: ByFeature['cells'][number]) => string {
  const key = ({ x, y }: { x: Json; y: Json }): string => JSON.stringify([x, y])
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

/** The subset in the address: task, parser and features; null: no such filter. */
function useFilter(route: Route): ItemsFilter | null {
  const own = parametersIn(route, ['task', 'parser', 'feature'])
  return useMemo(() => filterOf(own).data ?? null, [JSON.stringify(own)])
}

/** From which level to which: what drawing over the picture chooses, by keys. */
function BinSelect({
  along,
  selected,
  onChoose,
}: {
  along: FeatureBins
  selected: Bin | null
  onChoose: (bin: Bin) => void
}) {
  const { name, levels } = along
  const { from, to } = selected ?? { from: 0, to: levels.length - 1 }
  const options = levels.map((_, place) => [String(place), levelWords(along, place)] as const)
  const end = (label: string, at: number, next: (to: number) => Bin) => (
    <Pick label={label} value={String(at)} options={options} onPick={(to) => onChoose(next(Number(to)))} />
  )
  return (
    <>
      {end(`${featureName(name)} from`, from, (at) => ({ from: at, to: Math.max(at, to) }))}{' '}
      {end('to', to, (at) => ({ from: Math.min(from, at), to: at }))}{' '}
    </>
  )
}

export const byFeaturePage: RunPage = {
  name: 'by-feature',
  label: 'Accuracy by feature',
  key: 'f',
  Page: ByFeaturePage,
}
