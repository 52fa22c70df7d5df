import { linkTo } from '../routing.ts'
import { formatInteger, modelName, visible } from './format.ts'
import { Interval, type IntervalMark } from './interval.tsx'
import { Scroll } from './scroll.tsx'
import { type AccuracyRow, missingPredictions } from './tables.ts'

/** Width of an interval in a matrix. */
const WIDTH = 104

/** True for several conditions, which then stand in columns. */
export const isMatrix = (rows: readonly AccuracyRow[]): boolean => new Set(rows.map(({ where }) => where)).size > 1

/** Models by sets of items, every interval on one axis from 0 to 1. */
export function Matrix({
  rows,
  label,
  caption,
  wrong,
  marks = () => [],
}: {
  readonly rows: readonly AccuracyRow[]
  readonly label: string
  readonly caption: string
  /** The run, whose incorrect responses are linked, and what else its items are selected by; null: nothing is linked. */
  readonly wrong: { readonly run: string; readonly subset: readonly (readonly [string, string])[] } | null
  /** Reference lines of a row. */
  readonly marks?: (row: AccuracyRow) => readonly IntervalMark[]
}) {
  const sets = [...new Set(rows.map(({ where }) => where))]
  const found = new Map(rows.map((row) => [row.key, row]))
  const first = [...new Map(rows.map((row) => [row.model, row])).keys()]
  return (
    <Scroll label={label}>
      <table class="overview matrix">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            {sets.map((set) => (
              <th key={set} scope="col">
                {visible(set)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first.map((model) => (
            <tr key={model}>
              <th scope="row">{modelName(model)}</th>
              {sets.map((set) => {
                const row = found.get(JSON.stringify([model, set]))
                return (
                  <td key={set}>
                    {row === undefined ? 'no answer' : <Cell row={row} wrong={wrong} marks={marks(row)} />}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function Cell({
  row,
  wrong,
  marks,
}: {
  readonly row: AccuracyRow
  readonly wrong: Parameters<typeof Matrix>[0]['wrong']
  readonly marks: readonly IntervalMark[]
}) {
  const missing = missingPredictions(row.row).reduce((sum, { count }) => sum + count, 0)
  const linked = wrong !== null && row.accuracy.value !== 1
  const lines = [
    ...(row.ranks === null ? [] : [`rank ${row.ranks.replace('-', '–')}`]),
    ...(missing === 0 ? [] : [`${formatInteger(missing)} without prediction`]),
  ]
  return (
    <>
      <Interval estimate={row.accuracy} width={WIDTH} marks={marks} label={`${row.model}, ${row.where}`} />
      <small>
        {lines.map((words, i) => (
          <>
            <span class="whole">
              {words}
              {linked || i < lines.length - 1 ? ' ·' : ''}
            </span>{' '}
          </>
        ))}
        {linked ? (
          <a
            href={wrongAnswers(wrong.run, row, wrong.subset)}
            aria-label={`incorrect responses of ${row.model}, ${row.where}`}
          >
            incorrect
          </a>
        ) : null}
      </small>
    </>
  )
}

/** The items that a model got wrong, of the task of a row. */
export const wrongAnswers = (
  run: string,
  { model, task }: AccuracyRow,
  subset: readonly (readonly [string, string])[],
): string =>
  linkTo(
    ['r', run, 'items'],
    [['task', task], ['model', model], ['outcome', 'wrong'], ...subset.filter(([name]) => name !== 'task')],
  )
