import { type Board, type SurfaceDocument, surfaceDocument } from '../../api/index.ts'
import { useDocument } from '../documents.ts'
import { Curves } from '../parts/curves.tsx'
import { FEW } from '../parts/interval.tsx'
import { inOrder } from '../parts/plot.tsx'
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
              <Curves
                x={x}
                y="accuracy"
                range={[0, 1]}
                words={share}
                cells={surface.cells.map(({ share: estimate, ...cell }) => ({ ...cell, estimate }))}
              />
            ) : (
              <Heat surface={surface} route={route} run={board.run.id} />
            )
          }
        </Loaded>
      )}
    </>
  )
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
