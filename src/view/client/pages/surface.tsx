import { useMemo } from 'preact/hooks'
import type { Json } from '../../../core/index.ts'
import {
  type BlindSurface,
  filterOf,
  type ItemsFilter,
  MODELS_SHOWN,
  type Outline,
  parametersOf,
  type SurfaceDocument,
  surfaceDocument,
} from '../../api/index.ts'
import { isExport, useDocument } from '../documents.ts'
import { type Along, binOf, binsOf, conditionsOfStretch, levelWords, type Stretch } from '../parts/bins.ts'
import { BlindNote, DASHES, marksAt, useBlindSurface } from '../parts/blind.tsx'
import { Curves } from '../parts/curves.tsx'
import { firstFeature, layable, ofTask } from '../parts/features.ts'
import { featureName, formatShare, plural, visible } from '../parts/format.ts'
import { BatchChoice, batchOf } from '../parts/model-batch.tsx'
import { OneLevel } from '../parts/one-level.tsx'
import type { PlotReference } from '../parts/plot.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { isUnanswered, Unanswered } from '../parts/unanswered.tsx'
import { goTo, linkTo, parameter, type Route, withParameter } from '../routing.ts'
import { ParserChoice } from './board.tsx'
import { Cut } from './cut.tsx'
import { type Chosen, Heat } from './heat.tsx'
import { ItemRows } from './item-rows.tsx'
import { useOutline } from './outline.ts'

/** Accuracy over one or two knobs: where does it break? */
export function SurfacePage({
  route,
  run,
  revision,
}: {
  readonly route: Route
  readonly run: string
  readonly revision: number
}) {
  const outline = useOutline(route, run, revision)
  return <Loaded state={outline}>{(value) => <Surface route={route} outline={value} />}</Loaded>
}

/** Of several tasks one is shown, of which something can be: a curve over tasks that share the name of a knob is of none. */
function withTask(route: Route, { run, features }: Outline): Route {
  if (run.tasks.length < 2 || parameter(route, 'task') !== null) return route
  const x = parameter(route, 'x')
  const shows = (one: string): boolean => ofTask(features, one).some(({ name }) => x === null || name === x)
  const task = run.tasks.find(shows) ?? run.tasks[0] ?? ''
  return { ...route, parameters: [...route.parameters, ['task', task]] }
}

function Surface({ route: asked, outline }: { readonly route: Route; readonly outline: Outline }) {
  const models = outline.run.models.map(({ name }) => name)
  const route = withTask(asked, outline)
  const task = parameter(route, 'task')
  const features = layable(outline, task)
  const x = parameter(route, 'x') ?? firstFeature(features) ?? ''
  const y = parameter(route, 'y')
  const query = new URLSearchParams([
    ['x', x],
    ...(y === null ? [] : [['y', y]]),
    ...['each', 'parser', 'task', 'models'].flatMap((name) => {
      const value = parameter(route, name)
      return value === null ? [] : [[name, value]]
    }),
  ])
  const state = useDocument(
    surfaceDocument,
    x === '' ? null : `/api/runs/${outline.run.id}/surface?${query}`,
    outline.run.revision,
  )
  // What was chosen lay on the axes that were there; another task has other features.
  const go = (name: 'x' | 'y' | 'task', value: string): void => {
    const without = withFeatures(route, [])
    const { parameters } = without
    const kept = name === 'task' ? parameters.filter(([other]) => other !== 'x' && other !== 'y') : parameters
    goTo(withParameter({ ...without, parameters: kept }, name, value || null))
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
        <h1>Where does it break?</h1>
        <Unanswered run={outline.run} />
      </>
    )
  const names = features.map(({ name }) => name)
  if (x === '')
    return (
      <>
        <h1>Where does it break?</h1>
        {ofTasks === null ? null : <p class="controls">{ofTasks}</p>}
        <OneLevel outline={outline} task={ofTasks === null ? null : task} />
      </>
    )
  return (
    <>
      <h1>Where does it break?</h1>
      <p class="controls">
        {ofTasks} {names.length === 0 ? null : choose('x', x, names, null)}{' '}
        {names.length < 2
          ? null
          : choose(
              'y',
              y ?? '',
              names.filter((name) => name !== x),
              'nothing else',
            )}
      </p>
      <BatchChoice route={route} all={models} most={MODELS_SHOWN} />
      <ParserChoice route={route} parsers={outline.parsers} />
      <Loaded state={state}>
        {(surface) =>
          surface.cells.length === 0 ? (
            <Empty>
              {outline.parsers.length === 0 ? (
                <>
                  These strings were scored, and there are no answers to be right or wrong:{' '}
                  <a href={linkTo(['r', outline.run.id, 'tokens'])}>what models lose on them</a>.
                </>
              ) : (
                'Nothing is graded yet.'
              )}
            </Empty>
          ) : (
            <Shown route={route} outline={outline} surface={surface} query={query} />
          )
        }
      </Loaded>
    </>
  )
}

/** The picture, what is chosen of it, and what is there. */
function Shown({
  route,
  outline: { run },
  surface,
  query,
}: {
  readonly route: Route
  readonly outline: Outline
  readonly surface: SurfaceDocument
  /** What it was asked for with. */
  readonly query: URLSearchParams
}) {
  const { cells } = surface
  const shown = batchOf(
    route,
    run.models.map(({ name }) => name),
    MODELS_SHOWN,
  ).models
  const x = useMemo(
    () =>
      binsOf(
        surface.x,
        surface.cells.map((cell) => cell.x),
        surface.stretches,
      ),
    [surface],
  )
  const y = useMemo(
    () =>
      surface.y === null
        ? null
        : binsOf(
            surface.y,
            surface.cells.map((cell) => cell.y),
          ),
    [surface],
  )
  const filter = useFilter(route)
  const feature = filter?.feature ?? []
  const chosen = { x: binOf(x, feature), y: y === null ? null : binOf(y, feature) }
  const onChoose = (next: Chosen): void => {
    const conditions = [...conditionsOfStretch(x, next.x), ...(y === null ? [] : conditionsOfStretch(y, next.y))]
    goTo(linkOf(withFeatures(route, conditions)), { replace: true })
  }
  const brush = useMemo(
    () => ({ along: x, chosen: chosen.x, onChoose: (stretch: Stretch | null) => onChoose({ x: stretch, y: null }) }),
    [x, JSON.stringify([route, chosen.x])],
  )
  const place = useMemo(() => (value: Json) => levelWords(x, x.levels.indexOf(value)), [x])
  const task = parameter(route, 'task')
  const blind = useBlindSurface(run.id, query, run.held ? 0 : run.revision)
  const places = blind.kind === 'ready' ? blind.value : null
  const references = useMemo(() => referencesOf(places), [places])
  const blindAt = useMemo(() => blindWords(places), [places])
  return (
    <>
      {y === null ? <Together route={route} stretches={surface.stretches.length} /> : null}
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
          chosen={chosen}
          onChoose={onChoose}
          beside={blindAt}
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
      <BlindNote state={blind} />
      <p class="controls">
        <StretchChoice along={x} chosen={chosen.x} onChoose={(stretch) => onChoose({ ...chosen, x: stretch })} />
        {y === null ? null : (
          <StretchChoice along={y} chosen={chosen.y} onChoose={(stretch) => onChoose({ ...chosen, y: stretch })} />
        )}
        {feature.length === 0 ? null : (
          <button type="button" onClick={() => onChoose({ x: null, y: null })}>
            Choose all again
          </button>
        )}
      </p>
      {filter === null || feature.length === 0 ? (
        <p class="note">
          Draw over the picture, or say from where to where: what the models do there, and the items, will stand here.
        </p>
      ) : (
        <section aria-label="What was chosen">
          <Cut run={run.id} filter={filter} revision={run.revision} open />
          <p>
            <a href={linkTo(['r', run.id, 'items'], parametersOf(filter))}>These items on their own page</a>, their{' '}
            <a href={linkTo(['r', run.id], parametersOf(filter))}>board</a>, and{' '}
            <a href={linkTo(['r', run.id, 'compare'], parametersOf(filter))}>two models compared</a> on them
          </p>
          <ItemRows run={run.id} filter={filter} models={shown} several={false} />
        </section>
      )}
    </>
  )
}

/** Chance and the rule of thumb as lines over the knob. */
const referencesOf = (blind: BlindSurface | null): readonly PlotReference[] =>
  (['chance', 'guess'] as const).flatMap((kind) => {
    const points = (blind?.cells ?? []).flatMap(({ x, [kind]: y }) => (y === null ? [] : [{ x, y }]))
    return points.length === 0 ? [] : [{ dash: DASHES[kind], points }]
  })

/** The same in words, by cell. */
function blindWords(blind: BlindSurface | null): (cell: SurfaceDocument['cells'][number]) => string {
  const key = ({ x, y }: { readonly x: Json; readonly y: Json }): string => JSON.stringify([x, y])
  const words = new Map(
    blind?.cells.map((cell) => [
      key(cell),
      marksAt(cell, blind.rule)
        .map((mark) => `, ${mark.words}`)
        .join(''),
    ]),
  )
  return (cell) => words.get(key(cell)) ?? ''
}

/** Many values lie together at first; whoever wants them has each by itself. */
function Together({ route, stretches }: { readonly route: Route; readonly stretches: number }) {
  if (parameter(route, 'each') === 'yes')
    return (
      <p class="note">
        Each value by itself. <a href={withParameter(route, 'each', null)}>Put many values together</a>
      </p>
    )
  if (stretches === 0) return null
  return (
    <p class="note">
      Many values, put together into {plural(stretches, 'stretch', 'stretches')} of about as many answers; each mark
      stands in the middle of its stretch.{' '}
      {isExport() ? null : <a href={withParameter(route, 'each', 'yes')}>Each value by itself</a>}
    </p>
  )
}

/** The items that the address chooses: task, parser and features; null: it says something else. */
function useFilter({ parameters }: Route): ItemsFilter | null {
  const own = parameters.filter(([name]) => ['task', 'parser', 'feature'].includes(name))
  return useMemo(() => filterOf(own).data ?? null, [JSON.stringify(own)])
}

/** From which level to which: what drawing over the picture chooses, by keys. */
function StretchChoice({
  along,
  chosen,
  onChoose,
}: {
  readonly along: Along
  readonly chosen: Stretch | null
  readonly onChoose: (stretch: Stretch) => void
}) {
  const { name, levels } = along
  const { from, to } = chosen ?? { from: 0, to: levels.length - 1 }
  const end = (label: string, at: number, next: (to: number) => Stretch) => (
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
