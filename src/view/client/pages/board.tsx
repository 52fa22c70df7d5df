import { type Board, board } from '../../api/index.ts'
import { isExport, useDocument } from '../documents.ts'
import { BlindNote, marksOf, useBlindSets } from '../parts/blind.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { modelName, visible } from '../parts/format.ts'
import { Interval, type IntervalMark } from '../parts/interval.tsx'
import { isMatrix, Matrix, wrongAnswers } from '../parts/matrix.tsx'
import { Pairs } from '../parts/pairs.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { type Choice, ChoiceNote, choiceQuery, chosenPart, confidenceText, useChoice } from '../parts/subset.tsx'
import { type AccuracyRow, accuracyRows, tableOf, unreadOf } from '../parts/tables.ts'
import { isUnanswered, Unanswered } from '../parts/unanswered.tsx'
import { goTo, parameter, type Route, withParameter } from '../routing.ts'
import { Progress } from './runs.tsx'

/** The board of a run as the server sends it, read by the parser that the address names; of all items where none are chosen. */
export function useBoard(route: Route, run: string, revision: number, choice: Choice | null = null) {
  const parser = parameter(route, 'parser')
  const query = new URLSearchParams(choiceQuery(choice).map(([name, value]) => [name, value]))
  if (parser !== null) query.set('parser', parser)
  return useDocument(board, `/api/runs/${run}/board${query.size === 0 ? '' : `?${query}`}`, revision)
}

/** Who did how well, and which differences are there. */
export function BoardPage({
  route,
  run,
  revision,
}: {
  readonly route: Route
  readonly run: string
  readonly revision: number
}) {
  const choice = useChoice(route, run)
  const state = useBoard(route, run, revision, choice)
  return <Loaded state={state}>{(value) => <BoardView route={route} board={value} choice={choice} />}</Loaded>
}

function BoardView({
  route,
  board: { run, chosen, tables, parsers, leftOut },
  choice,
}: {
  readonly route: Route
  readonly board: Board
  readonly choice: Choice | null
}) {
  const looks = chosen?.looks ?? 1
  const accuracies = accuracyRows(tables)
  const blind = useBlindSets(run, accuracies, choice)
  const marks = (row: AccuracyRow) => marksOf(blind, row)
  const pairs = tableOf(tables, 'core/paired')
  const others = tables.filter(({ id }) => !['core/accuracy', 'core/ranks', 'core/paired'].includes(id))
  const same = chosen === null ? 'the report' : `a report of these items${looks === 1 ? '' : ', with wider intervals'}`
  const ranks = accuracies.some((row) => row.ranks !== null)
    ? ' Ranks: all that the items leave open, 95 % sure of all models together; too few: of fewer than eight groups.'
    : ''
  const said = `Accuracy: correct of all cells but the failed ones; unparsed, truncated and refused answers count as not correct. The same numbers as in ${same}.${ranks}`
  return (
    <>
      <h1>{visible(run.name)}</h1>
      <Progress run={run} />
      {isUnanswered(run) ? null : <ParserChoice route={route} parsers={parsers} />}
      <ChoiceNote route={route} choice={choice} chosen={chosen} />
      {isUnanswered(run) ? (
        <Unanswered run={run} />
      ) : accuracies.length === 0 && others.length === 0 ? (
        <Empty>{choice === null ? 'Nothing is scored yet.' : 'Nothing is answered of what was chosen.'}</Empty>
      ) : null}
      {accuracies.length === 0 ? null : isMatrix(accuracies) ? (
        <>
          <Matrix
            rows={accuracies}
            label="Accuracy by model and items"
            caption={`Accuracy, 0 to 1, with its ${confidenceText(looks)} interval. ${said}`}
            wrong={{ run: run.id, choice: chosenPart(route) }}
            marks={marks}
          />
          <details>
            <summary>One below the other, with what was not read</summary>
            <Accuracies route={route} run={run.id} rows={accuracies} marks={marks} caption={said} looks={looks} />
          </details>
        </>
      ) : (
        <Accuracies route={route} run={run.id} rows={accuracies} marks={marks} caption={said} looks={looks} />
      )}
      {accuracies.length === 0 ? null : <BlindNote state={blind} />}
      {pairs === undefined ? null : <Pairs route={route} run={run.id} table={pairs} looks={looks} />}
      {others.map((table) =>
        table.id === 'core/measures-all' ? (
          <details key={table.id}>
            <summary>{table.title}</summary>
            <DataTable table={table} />
          </details>
        ) : (
          <DataTable key={table.id} table={table} />
        ),
      )}
      {leftOut.length === 0 ? null : (
        <p class="note">Left out: {leftOut.map(({ id, reason }) => `${id} (${visible(reason)})`).join('; ')}</p>
      )}
    </>
  )
}

/** The accuracies one below the other. */
function Accuracies({
  route,
  run,
  rows,
  marks,
  caption,
  looks,
}: {
  readonly route: Route
  readonly run: string
  readonly rows: readonly AccuracyRow[]
  readonly marks: (row: AccuracyRow) => readonly IntervalMark[]
  readonly caption: string
  readonly looks: number
}) {
  const ranked = rows.some(({ ranks }) => ranks !== null)
  return (
    <Scroll label="Accuracy by model">
      <table class="board">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Accuracy, 0 to 1, with its {confidenceText(looks)} interval</th>
            {ranked ? <th scope="col">Ranks</th> : null}
            <th scope="col">Unread</th>
            <th scope="col">Items</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">
                {modelName(row.model)} <small>{visible(row.where)}</small>
              </th>
              <td>
                <Interval estimate={row.accuracy} marks={marks(row)} label={row.model} />
              </td>
              {ranked ? <td>{row.ranks?.replace('-', '–') ?? 'too few'}</td> : null}
              <td>
                {unreadOf(row.row)
                  .map(({ why, count }) => `${count} ${why}`)
                  .join(', ') || 'none'}
              </td>
              <td>
                <a href={wrongAnswers(run, row, chosenPart(route))}>wrong answers</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

/** Whose readings count: said in the header of every page that counts; nothing where only strings are scored. */
export function ParserChoice({ route, parsers }: { readonly route: Route; readonly parsers: readonly string[] }) {
  const [first] = parsers
  if (first === undefined) return null
  const chosen = parameter(route, 'parser') ?? first
  // An exported view has the readings of the first.
  if (parsers.length < 2 || isExport()) return <p class="note">Answers as the {visible(chosen)} parser reads them.</p>
  return (
    <p class="controls">
      <label>
        Answers as read by{' '}
        <select value={chosen} onChange={(event) => goTo(withParameter(route, 'parser', event.currentTarget.value))}>
          {parsers.map((parser) => (
            <option key={parser} value={parser}>
              {parser}
            </option>
          ))}
        </select>
      </label>
    </p>
  )
}
