import { type Overview, overview, type RunSummary } from '../../../api/index.ts'
import { useRunDocument } from '../../documents.ts'
import { Fold, ModelName, Sentence, TaskName, TROUBLE, Troubles } from '../../parts/controls.tsx'
import {
  capitalized,
  dateWords,
  formatInteger,
  formatNumber,
  plural,
  secondsWords,
  shellWord,
  visible,
} from '../../parts/format.ts'
import { DataTable, Grid } from '../../parts/grid.tsx'
import { Points } from '../../parts/interval.tsx'
import { Progress, RunState } from '../../parts/progress.tsx'
import { Empty, isUnanswered, Loaded, Unanswered } from '../../parts/state.tsx'
import { pageQuery, type Subset, SubsetNote, subsetParameters, useSubset } from '../../parts/subset.tsx'
import { type AccuracyRow, accuracyRows, pairsIn, tableOf, totals } from '../../parts/tables.ts'
import { linkTo, type Route, type RunPage, type RunPageProps } from '../../routing.ts'
import { Matrix, type MatrixProps, ranked } from './matrix.tsx'

/** The overview of a run as the server sends it, read by the parser that the address names; of all items where none are selected. */
export const useOverview = (route: Route, run: string, revision: number, subset: Subset | null = null) =>
  useRunDocument(run, overview, pageQuery(route, subset), revision)

/** Who is better at what, how sure that is, what went wrong and what it cost. */
function OverviewPage({ route, run, revision }: RunPageProps) {
  const subset = useSubset(route, run)
  const state = useOverview(route, run, revision, subset)
  return <Loaded state={state}>{(value) => <OverviewView route={route} overview={value} subset={subset} />}</Loaded>
}

interface ViewProps {
  readonly route: Route
  readonly overview: Overview
  readonly subset: Subset | null
}

/** Tables that are folded below the matrix, with the names of their folds. */
const FOLDED: readonly (readonly [id: string, title: string, note: string])[] = [
  ['core/paired', 'All pairwise differences', ''],
  ['core/ranks', 'Ranks that the items leave open', 'simultaneous 95 % sets'],
  ['core/across-tasks', 'Differences over such tasks in general', 'random effects over tasks'],
  ['core/measures-all', 'All metrics', ''],
  ['core/usage', 'Tokens, time and cost by task', ''],
]

function OverviewView({ route, overview: { run, subsetSize, verdict, tables, skipped }, subset }: ViewProps) {
  const views = subsetSize?.views ?? 1
  const rows = accuracyRows(tables)
  const pairs = pairsIn(tables, views)
  const others = tables.filter(({ id }) => id !== 'core/accuracy' && !FOLDED.some(([folded]) => folded === id))
  const folded = FOLDED.flatMap(([id, title, note]) => {
    const table = tableOf(tables, id)
    return table === undefined || table.rows.length === 0 ? [] : [{ table, title, note }]
  })
  const significant = pairs.filter((pair) => pair.significant).length
  return (
    <>
      <Title run={run} rows={rows} route={route} />
      <Progress run={run} />
      <SubsetNote route={route} subset={subset} subsetSize={subsetSize} />
      {isUnanswered(run) ? (
        <Unanswered run={run} />
      ) : rows.length === 0 && others.length === 0 && folded.length === 0 ? (
        <Empty>{subset === null ? 'No response is scored yet.' : 'No response to the selected items yet.'}</Empty>
      ) : null}
      {verdict === null ? null : <VerdictCard verdict={verdict} />}
      {rows.length === 0 ? null : (
        <>
          <Matrix route={route} run={run} rows={rows} pairs={pairs} subset={subset} views={views} />
          <Models route={route} run={run} rows={rows} pairs={pairs} tables={tables} />
        </>
      )}
      {others.map((table) => (
        <DataTable key={table.id} table={table} />
      ))}
      <div class="folds">
        {folded.map(({ table, title, note }) => (
          <Fold
            key={table.id}
            title={title}
            note={table.id === 'core/paired' ? `${significant} of ${pairs.length} significant at 5 % after Holm` : note}
          >
            <DataTable table={table} />
          </Fold>
        ))}
        <Fold
          title="How these numbers are computed"
          note="unparsed, truncated and refused responses count as incorrect"
        >
          <p>
            Accuracy is correct / all calls except errors. Intervals are 95 % and count groups of items, not items. A
            difference is significant if its p, adjusted by Holm over all pairs of the run, is below 0.05. The report
            has the same numbers.
          </p>
          {skipped.length === 0 ? null : (
            <p>Skipped analyses: {skipped.map(({ id, reason }) => `${id} (${visible(reason)})`).join('; ')}</p>
          )}
        </Fold>
        <Fold title="Files and commands" note={visible(run.path)}>
          <p>
            <code>touchstone report {shellWord(run.path)}</code>
          </p>
          <p>
            <code>touchstone compare {shellWord(run.path)}</code>
          </p>
        </Fold>
      </div>
    </>
  )
}

function Title({ run, rows, route }: { run: RunSummary; rows: readonly AccuracyRow[]; route: Route }) {
  const answers = run.counts.done
  const facts = [
    dateWords(run.created),
    `${plural(run.items, 'item')}${run.tasks.length > 1 ? ` in ${run.tasks.length} tasks` : ` of ${run.tasks.map(visible).join('')}`}`,
    plural(run.models.length, 'model'),
    plural(answers, 'response'),
    ...(run.usd > 0 ? [`$${run.usd.toFixed(2)}`] : []),
  ]
  return (
    <div class="title">
      <h1>{visible(run.name)}</h1>
      <RunState run={run} />
      <small>{facts.join(' · ')}</small>
      <span class="chips">
        <Troubles run={run.id} count={(outcome) => totals(rows, outcome)} of={answers} kept={subsetParameters(route)} />
      </span>
    </div>
  )
}

type Verdict = NonNullable<Overview['verdict']>

/** The answer as a sentence, and the differences behind it. */
function VerdictCard({ verdict: { kind, title, detail, pair, better, worse, unclear } }: { verdict: Verdict }) {
  const several = better.length + worse.length + unclear.length > 1
  return (
    <section class={`verdict-card${kind === 'verdict' ? '' : ' open'}`}>
      <h2>
        <Sentence text={title} />
      </h2>
      {detail === '' ? null : <p>{visible(detail)}</p>}
      {pair === null || !several ? null : (
        <div class="sides">
          {better.length + worse.length === 0 ? null : (
            <div>
              <VerdictTable title={`${pair.a} better`} note="difference in points, 95 % CI" lines={better} />
              <VerdictTable title={`${pair.b} better`} note="difference in points, 95 % CI" lines={worse} />
            </div>
          )}
          <VerdictTable
            title="No clear difference"
            note={`${pair.a} − ${pair.b}, and what would settle it`}
            lines={unclear}
          />
        </div>
      )}
    </section>
  )
}

const VerdictTable = ({ title, note, lines }: { title: string; note: string; lines: Verdict['better'] }) =>
  lines.length === 0 ? null : (
    <table>
      <thead>
        <tr>
          <th scope="col" colSpan={3}>
            <b>{visible(title)}</b> {visible(note)}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ condition, difference, settle }) => (
          <tr key={condition}>
            <th scope="row">
              <TaskName task={condition} />
            </th>
            <td>
              <Points estimate={difference} bold />
            </td>
            {settle === '' ? null : <td>{settle}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )

/** Each model over all conditions: comparisons, cost and trouble. */
function Models({ run, rows, pairs, tables }: Omit<MatrixProps, 'subset'> & { readonly tables: Overview['tables'] }) {
  const usage = tableOf(tables, 'core/usage')?.rows ?? []
  const known = (key: string): boolean => usage.some((row) => typeof row[key] === 'number')
  const models = ranked(rows, pairs).map((model) => {
    const own = usage.filter((row) => row['model'] === model)
    const sum = (key: string): number => own.reduce((all, row) => all + Number(row[key] ?? 0), 0)
    const mean = (key: string): number =>
      own.reduce((all, row) => all + Number(row[key] ?? 0) * Number(row['calls'] ?? 0), 0) / Math.max(1, sum('calls'))
    const mine = pairs.filter(({ a, b }) => a === model || b === model)
    const wins = mine.filter(({ winner }) => winner === model).length
    const losses = mine.filter(({ winner }) => winner !== null && winner !== model).length
    const accuracy = rows.filter((row) => row.model === model)
    return {
      model,
      usd: sum('usd'),
      mean,
      wins,
      ties: mine.length - wins - losses,
      losses,
      total: (key: string) => totals(accuracy, key),
    }
  })
  const compared = (models[0]?.wins ?? 0) + (models[0]?.ties ?? 0) + (models[0]?.losses ?? 0)
  return (
    <section>
      <h2>
        Models{' '}
        {compared === 0 ? null : (
          <small>win, tie, loss of {plural(compared, 'comparison')} each, significant at 5 % after Holm</small>
        )}
      </h2>
      <Grid
        label="Models"
        rows={models}
        keyOf={({ model }) => model}
        columns={({ numeric, rowHead }) => [
          rowHead('Model', ({ model }) => <ModelName model={model} />),
          compared > 0 && {
            head: 'Win – tie – loss',
            name: 'win–tie–loss',
            cell: ({ wins, ties, losses }) => (
              <span class="whole">
                <span class="wins" aria-hidden="true">
                  <i style={{ flex: wins }} />
                  <i style={{ flex: ties }} />
                  <b style={{ flex: losses }} />
                </span>
                {wins} – {ties} – {losses}
              </span>
            ),
          },
          numeric('Correct', ({ total }) => (
            <>
              {formatInteger(total('correct'))} <small>of {formatInteger(total('planned'))}</small>
            </>
          )),
          known('usd') && numeric('Cost', ({ usd }) => (usd > 0 ? `$${usd.toFixed(2)}` : '–')),
          known('usd') &&
            numeric('per correct', ({ usd, total }) =>
              usd > 0 && total('correct') > 0 ? `${formatNumber((100 * usd) / total('correct'))} ¢` : '–',
            ),
          known('outputTokens') &&
            numeric('Output tokens, mean', ({ mean }) => formatInteger(Math.round(mean('outputTokens')))),
          known('seconds') && numeric('Time, median', ({ mean }) => secondsWords(mean('seconds'))),
          ...TROUBLE.map((outcome) =>
            numeric(capitalized(outcome), ({ model, total }: (typeof models)[number]) => {
              const count = total(outcome)
              const query = new URLSearchParams({ model, outcome })
              return count === 0 ? (
                <small>0</small>
              ) : (
                <a href={linkTo(['r', run.id, 'items'], query)}>{formatInteger(count)}</a>
              )
            }),
          ),
        ]}
      />
    </section>
  )
}

export const overviewPage: RunPage = { name: '', label: 'Overview', key: 'o', Page: OverviewPage }
