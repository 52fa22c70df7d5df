import * as Plot from '@observablehq/plot'
import { useEffect, useRef } from 'preact/hooks'
import type { Json } from '../../../core/index.ts'
import { type Board, type SurfaceDocument, surfaceDocument } from '../../api/index.ts'
import { useDocument } from '../documents.ts'
import { FEW } from '../parts/interval.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { estimateWords, modelName, share, shown, visible } from '../parts/words.ts'
import { goTo, linkTo, parameter, type Route, withParameter } from '../routing.ts'
import { ParserChoice, useBoard } from './board.tsx'

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
  const board = useBoard(route, run, revision)
  return <Loaded state={board}>{(value) => <Surface route={route} board={value} />}</Loaded>
}

function Surface({ route, board }: { readonly route: Route; readonly board: Board }) {
  const usable = board.features.filter(({ levels }) => levels.length > 1 && levels.length <= 24)
  const x = parameter(route, 'x') ?? (usable.find(({ type }) => type === 'number') ?? usable[0])?.name ?? ''
  const y = parameter(route, 'y')
  const query = new URLSearchParams([
    ['x', x],
    ...(y === null ? [] : [['y', y]]),
    ...['parser', 'task'].flatMap((name) => {
      const value = parameter(route, name)
      return value === null ? [] : [[name, value]]
    }),
  ])
  const state = useDocument(
    surfaceDocument,
    x === '' ? null : `/api/runs/${board.run.id}/surface?${query}`,
    board.run.revision,
  )
  const choose = (name: 'x' | 'y' | 'task', value: string, options: readonly string[], none: string | null) => (
    <label>
      {name === 'x' ? 'over' : name === 'y' ? 'and' : 'task'}{' '}
      <select
        value={value}
        onChange={({ currentTarget }) =>
          goTo(withParameter(route, name, currentTarget.value || null), { replace: true })
        }
      >
        {none === null ? null : <option value="">{none}</option>}
        {options.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  )
  const names = usable.map(({ name }) => name)
  return (
    <>
      <h1>Where does it break?</h1>
      <p class="controls">
        {choose('x', x, names, null)}{' '}
        {choose(
          'y',
          y ?? '',
          names.filter((name) => name !== x),
          'nothing else',
        )}
        {board.run.tasks.length > 1
          ? choose('task', parameter(route, 'task') ?? '', board.run.tasks, 'all that have it')
          : null}
      </p>
      <ParserChoice route={route} parsers={board.parsers} />
      {x === '' ? (
        <Empty>No feature of these items has between 2 and 24 levels: there is nothing to lay accuracy over.</Empty>
      ) : null}
      {x === '' ? null : (
        <Loaded state={state}>
          {(surface) =>
            surface.cells.length === 0 ? (
              <Empty>Nothing is graded yet.</Empty>
            ) : y === null ? (
              <Curves surface={surface} />
            ) : (
              <Heat surface={surface} route={route} run={board.run.id} />
            )
          }
        </Loaded>
      )}
    </>
  )
}

/** Shapes and colours of models: one can be told from another without colour. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#888888']

function Curves({ surface: { x, cells } }: { readonly surface: SurfaceDocument }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const numeric = cells.every((cell) => numberAt(cell.x) !== null)
    const data = cells.map((cell) => ({
      model: modelName(cell.model),
      x: numeric ? numberAt(cell.x) : shown(cell.x),
      value: cell.share.value,
      low: cell.share.low,
      high: cell.share.high,
      title: `${modelName(cell.model)}, ${x} ${shown(cell.x)}: ${estimateWords(cell.share)}`,
    }))
    const models = [...new Set(data.map(({ model }) => model))]
    const plot = Plot.plot({
      width: Math.min(900, box.current?.clientWidth ?? 900),
      height: 360,
      marginRight: 40,
      style: { background: 'transparent', fontSize: '12px' },
      x: numeric ? { label: x, inset: 20 } : { type: 'point', label: x, domain: inOrder(cells.map((cell) => cell.x)) },
      y: { domain: [0, 1], label: 'accuracy', grid: true },
      color: { domain: models, range: COLOURS },
      symbol: { domain: models, legend: true },
      marks: models.flatMap((model, number) => {
        const mine = data.filter((one) => one.model === model)
        // Side by side, so that no interval hides another.
        const dx = (number - (models.length - 1) / 2) * 5
        return [
          Plot.ruleX(mine, {
            x: 'x',
            y1: 'low',
            y2: 'high',
            stroke: 'model',
            strokeWidth: 1.5,
            strokeOpacity: 0.7,
            dx,
          }),
          ...(numeric
            ? [Plot.line(mine, { x: 'x', y: 'value', stroke: 'model', sort: 'x', strokeOpacity: 0.5, dx })]
            : []),
          Plot.dot(mine, { x: 'x', y: 'value', stroke: 'model', fill: 'model', symbol: 'model', title: 'title', dx }),
        ]
      }),
    })
    // Plot names its layers for debugging; for a reader the picture is one, and its numbers stand below.
    for (const layer of plot.querySelectorAll('g[aria-label]')) layer.removeAttribute('aria-label')
    const picture = plot instanceof SVGSVGElement ? plot : [...plot.querySelectorAll('svg')].at(-1)
    picture?.setAttribute('role', 'img')
    picture?.setAttribute('aria-label', `accuracy over ${x}, one mark a model; the numbers stand below`)
    box.current?.replaceChildren(plot)
  }, [x, cells])
  return (
    <>
      <div ref={box} class="plot" />
      <CellTable x={x} cells={cells} />
    </>
  )
}

const numberAt = (value: Json): number | null => {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : null
}

const inOrder = (values: readonly Json[]): readonly string[] => {
  const found = [...new Set(values.map((value) => shown(value)))]
  return found.every((one) => Number.isFinite(Number(one))) ? found.sort((a, b) => Number(a) - Number(b)) : found.sort()
}

/** One grid a model; a cell says its share and n, and leads to its items. */
function Heat({
  surface: { x, y, cells },
  route,
  run,
}: {
  readonly surface: SurfaceDocument
  readonly route: Route
  readonly run: string
}) {
  const models = [...new Set(cells.map(({ model }) => model))]
  const xs = inOrder(cells.map((cell) => cell.x))
  const ys = inOrder(cells.map((cell) => cell.y))
  const task = parameter(route, 'task')
  return (
    <>
      <p class="note">
        Each cell: the share of correct answers and the number n it is of; point at it for its interval. Cells of fewer
        than {FEW} groups are hatched.
      </p>
      {models.map((model) => (
        <Scroll key={model} label="Accuracy by cell">
          <table class="heat">
            <caption>{modelName(model)}</caption>
            <thead>
              <tr>
                <th scope="col">
                  {visible(y ?? '')} ↓ {visible(x)} →
                </th>
                {xs.map((at) => (
                  <th key={at} scope="col">
                    {at}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {ys.map((down) => (
                <tr key={down}>
                  <th scope="row">{down}</th>
                  {xs.map((across) => {
                    const cell = cells.find(
                      (one) => one.model === model && shown(one.x) === across && shown(one.y) === down,
                    )
                    if (cell === undefined) return <td key={across}>–</td>
                    const { value, n } = cell.share
                    const filters = [`${x}=${String(cell.x)}`, `${y}=${String(cell.y)}`].map(
                      (one) => ['feature', one] as const,
                    )
                    return (
                      <td
                        key={across}
                        class={cell.groups < FEW ? 'few' : ''}
                        style={{ '--share': `${(100 * value).toFixed(0)}%` }}
                        title={estimateWords(cell.share)}
                      >
                        <a
                          href={linkTo(
                            ['r', run, 'items'],
                            [...filters, ['model', model], ...(task === null ? [] : [['task', task] as const])],
                          )}
                        >
                          {share(value)} <small>n={n}</small>
                        </a>
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      ))}
    </>
  )
}

const CellTable = ({ x, cells }: Pick<SurfaceDocument, 'x' | 'cells'>) => (
  <details>
    <summary>The numbers</summary>
    <Scroll label="The numbers">
      <table class="data">
        <thead>
          <tr>
            <th scope="col">model</th>
            <th scope="col">{visible(x)}</th>
            <th scope="col">accuracy [95 %], n</th>
            <th scope="col">groups</th>
          </tr>
        </thead>
        <tbody>
          {cells.map((cell) => (
            <tr key={JSON.stringify([cell.model, cell.x])}>
              <td>{modelName(cell.model)}</td>
              <td>{shown(cell.x)}</td>
              <td>{estimateWords(cell.share)}</td>
              <td>{cell.groups}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  </details>
)
