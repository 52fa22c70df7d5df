import { type Overview, overview } from '../../api/index.ts'
import { isExport, useRunDocument } from '../documents.ts'
import { DataTable } from '../parts/data-table.tsx'
import { modelName, visible } from '../parts/format.ts'
import { Interval, type IntervalMark } from '../parts/interval.tsx'
import { isMatrix, Matrix, wrongAnswers } from '../parts/matrix.tsx'
import { Pairs } from '../parts/pairs.tsx'
import { marksOf, ReferenceNote, useReferences } from '../parts/references.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { confidenceText, type Subset, SubsetNote, subsetParameters, subsetQuery, useSubset } from '../parts/subset.tsx'
import { type AccuracyRow, accuracyRows, missingPredictions, tableOf } from '../parts/tables.ts'
import { isUnanswered, Unanswered } from '../parts/unanswered.tsx'
import { goTo, queryValue, type Route, type RunPage, type RunPageProps, withQueryValue } from '../routing.ts'
import { Progress } from './runs.tsx'

/** The overview of a run as the server sends it, read by the parser that the address names; of all items where none are selected. */
export function useOverview(route: Route, run: string, revision: number, subset: Subset | null = null) {
  const parser = queryValue(route, 'parser')
  const query = new URLSearchParams(subsetQuery(subset).map(([name, value]) => [name, value]))
  if (parser !== null) query.set('parser', parser)
  return useRunDocument(run, overview, query, revision)
}

/** Who did how well, and which differences are there. */
function OverviewPage({ route, run, revision }: RunPageProps) {
  const subset = useSubset(route, run)
  const state = useOverview(route, run, revision, subset)
  return <Loaded state={state}>{(value) => <OverviewView route={route} overview={value} subset={subset} />}</Loaded>
}

function OverviewView({
  route,
  overview: { run, subsetSize, tables, parsers, skipped },
  subset,
}: {
  readonly route: Route
  readonly overview: Overview
  readonly subset: Subset | null
}) {
  const views = subsetSize?.views ?? 1
  const accuracies = accuracyRows(tables)
  const references = useReferences(run, accuracies, subset)
  const marks = (row: AccuracyRow) => marksOf(references, row)
  const pairs = tableOf(tables, 'core/paired')
  const others = tables.filter(({ id }) => !['core/accuracy', 'core/ranks', 'core/paired'].includes(id))
  const same =
    subsetSize === null ? 'the report' : `a report of these items${views === 1 ? '' : ', with wider intervals'}`
  const ranks = accuracies.some((row) => row.ranks !== null)
    ? ' Ranks: simultaneous 95 % over all models; too few: fewer than eight groups.'
    : ''
  const explanation = `Accuracy = correct / all calls except errors; unparsed, truncated and refused responses count as incorrect. Same numbers as in ${same}.${ranks}`
  return (
    <>
      <h1>{visible(run.name)}</h1>
      <Progress run={run} />
      {isUnanswered(run) ? null : <ParserSelect route={route} parsers={parsers} />}
      <SubsetNote route={route} subset={subset} subsetSize={subsetSize} />
      {isUnanswered(run) ? (
        <Unanswered run={run} />
      ) : accuracies.length === 0 && others.length === 0 ? (
        <Empty>{subset === null ? 'No response is scored yet.' : 'No response to the selected items yet.'}</Empty>
      ) : null}
      {accuracies.length === 0 ? null : isMatrix(accuracies) ? (
        <>
          <Matrix
            rows={accuracies}
            label="Accuracy by model and items"
            caption={`Accuracy with its ${confidenceText(views)} interval. ${explanation}`}
            wrong={{ run: run.id, subset: subsetParameters(route) }}
            marks={marks}
          />
          <details>
            <summary>As a list, with unparsed responses</summary>
            <Accuracies
              route={route}
              run={run.id}
              rows={accuracies}
              marks={marks}
              caption={explanation}
              views={views}
            />
          </details>
        </>
      ) : (
        <Accuracies route={route} run={run.id} rows={accuracies} marks={marks} caption={explanation} views={views} />
      )}
      {accuracies.length === 0 ? null : <ReferenceNote state={references} />}
      {pairs === undefined ? null : <Pairs route={route} run={run.id} table={pairs} views={views} />}
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
      {skipped.length === 0 ? null : (
        <p class="note">Skipped analyses: {skipped.map(({ id, reason }) => `${id} (${visible(reason)})`).join('; ')}</p>
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
  views,
}: {
  readonly route: Route
  readonly run: string
  readonly rows: readonly AccuracyRow[]
  readonly marks: (row: AccuracyRow) => readonly IntervalMark[]
  readonly caption: string
  readonly views: number
}) {
  const ranked = rows.some(({ ranks }) => ranks !== null)
  return (
    <Scroll label="Accuracy by model">
      <table class="overview">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Accuracy with its {confidenceText(views)} interval</th>
            {ranked ? <th scope="col">Ranks</th> : null}
            <th scope="col">Unparsed</th>
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
                {missingPredictions(row.row)
                  .map(({ why, count }) => `${count} ${why}`)
                  .join(', ') || 'none'}
              </td>
              <td>
                <a href={wrongAnswers(run, row, subsetParameters(route))}>incorrect responses</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

/** The parser that counts, in the header of every page with accuracies; nothing if all strings were scored by log-probability. */
export function ParserSelect({ route, parsers }: { readonly route: Route; readonly parsers: readonly string[] }) {
  const [first] = parsers
  if (first === undefined) return null
  const selected = queryValue(route, 'parser') ?? first
  // An exported view has the first parser only.
  if (parsers.length < 2 || isExport()) return <p class="note">Parser: {visible(selected)}.</p>
  return (
    <p class="controls">
      <label>
        Parser{' '}
        <select value={selected} onChange={(event) => goTo(withQueryValue(route, 'parser', event.currentTarget.value))}>
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

export const overviewPage: RunPage = { name: '', label: null, Page: OverviewPage }
