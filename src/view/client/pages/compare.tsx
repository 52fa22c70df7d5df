import type { ComponentChildren } from 'preact'
import { compareDocument, itemsPage, type Overview } from '../../api/index.ts'
import { useRunDocument } from '../documents.ts'
import { DataTable } from '../parts/data-table.tsx'
import { formatInteger, formatP, formatShare, modelName, plural, shellWord, visible } from '../parts/format.ts'
import { Interval } from '../parts/interval.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { confidenceText, type Subset, SubsetNote, subsetParameters, subsetQuery, useSubset } from '../parts/subset.tsx'
import { estimateOf, numberOf, tableOf, textOf } from '../parts/tables.ts'
import { isUnanswered, Unanswered } from '../parts/unanswered.tsx'
import { adjustP } from '../parts/viewed-subsets.ts'
import { whereOf } from '../parts/where.ts'
import { goTo, linkTo, queryValue, type Route, type RunPage, type RunPageProps, withQueryValue } from '../routing.ts'
import { adjustForViews, Evidence, Forest, negate, swapSides } from './forest.tsx'
import { ParserSelect, useOverview } from './overview.tsx'

/** Two models on the same items. */
function ComparePage({ route, run, revision }: RunPageProps) {
  const subset = useSubset(route, run)
  const overview = useOverview(route, run, revision, subset)
  return <Loaded state={overview}>{(value) => <Compare route={route} overview={value} subset={subset} />}</Loaded>
}

function Compare({
  route,
  overview,
  subset,
}: {
  readonly route: Route
  readonly overview: Overview
  readonly subset: Subset | null
}) {
  const views = overview.subsetSize?.views ?? 1
  const models = overview.run.models.map(({ name }) => name)
  const a = queryValue(route, 'a') ?? models[0] ?? ''
  const b = queryValue(route, 'b') ?? models.find((name) => name !== a) ?? ''
  if (models.length < 2)
    return (
      <>
        <h1>Compare</h1>
        <Empty>This run has one model. Run another on the same items to compare them.</Empty>
      </>
    )
  const choose = (name: 'a' | 'b', value: string) => (
    <label>
      {name.toUpperCase()}{' '}
      <select value={value} onChange={({ currentTarget }) => goTo(withQueryValue(route, name, currentTarget.value))}>
        {models.map((model) => (
          <option key={model} value={model}>
            {visible(model)}
          </option>
        ))}
      </select>
    </label>
  )
  if (isUnanswered(overview.run))
    return (
      <>
        <h1>Compare</h1>
        <Unanswered run={overview.run} />
      </>
    )
  const unknown = [a, b].find((name) => !models.includes(name))
  if (a === b || unknown !== undefined)
    return (
      <>
        <h1>Compare</h1>
        <p class="controls">
          {choose('a', a)} {choose('b', b)}
        </p>
        <Empty>
          {unknown === undefined ? 'Both models are the same' : `This run has no model ${visible(unknown)}`}. Choose two
          models.
        </Empty>
      </>
    )
  if (overview.subsetSize?.items === 0)
    return (
      <>
        <h1>Compare</h1>
        <SubsetNote route={route} subset={subset} subsetSize={overview.subsetSize} />
        <Empty>No item of this run matches the subset. Change it, or show all items.</Empty>
      </>
    )
  const measures = overview.parsers.length === 0 ? tableOf(overview.tables, 'core/measures') : undefined
  if (measures !== undefined)
    return (
      <Scored overview={overview} table={measures} choose={choose} a={a} b={b} subset={subset}>
        <SubsetNote route={route} subset={subset} subsetSize={overview.subsetSize} />
      </Scored>
    )
  const rows = rowsOf(overview.tables, 'core/paired', a, b)
  const [over] = rowsOf(overview.tables, 'core/across-tasks', a, b)
  return (
    <>
      <h1>
        {modelName(a)} against {modelName(b)}
      </h1>
      <p class="controls">
        {choose('a', a)} {choose('b', b)}
      </p>
      <ParserSelect route={route} parsers={overview.parsers} />
      <SubsetNote route={route} subset={subset} subsetSize={overview.subsetSize} />
      {rows.length === 0 && !overview.skipped.some(({ id }) => id === 'core/paired') ? (
        <Empty>{subset === null ? 'No item' : 'None of these items'} was answered by both.</Empty>
      ) : null}
      {rows.length === 0 ? null : (
        <Scroll label="Differences">
          <table class="overview">
            <caption>
              A − B item by item on shared items, with {confidenceText(views)} intervals; p by Holm over all pairs of
              the run
              {views === 1 ? '' : `, times ${plural(views, 'subset')} of items`}.
            </caption>
            <thead>
              <tr>
                <th scope="col">Items</th>
                <th scope="col">A − B, from −1 to 1</th>
                <th scope="col">p (Holm)</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ row, difference }) => (
                <tr key={JSON.stringify(row)}>
                  <th scope="row">
                    {['task', 'config', 'style']
                      .map((key) => visible(textOf(row, key)))
                      .filter(Boolean)
                      .join(', ')}
                  </th>
                  <td>
                    <Interval estimate={difference} from={-1} label="A minus B" />
                    {views === 1 ? <div>{visible(textOf(row, 'verdict'))}</div> : null}
                  </td>
                  <td>{formatP(adjustP(numberOf(row, 'holm'), views))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <p class="note">
        <Command run={overview.run.path} a={a} b={b} subset={subset} parser={queryValue(route, 'parser')} />
      </p>
      {over === undefined ? null : <OverTasks row={over.row} difference={over.difference} further={over.further} />}
      <Mosaic route={route} run={overview.run.id} a={a} b={b} subset={subset} />
      <Details route={route} overview={overview} a={a} b={b} subset={subset} />
    </>
  )
}

/** Strings that were scored have no answers to compare: what the two lose on them. */
function Scored({
  overview,
  table,
  choose,
  a,
  b,
  subset,
  children,
}: {
  readonly overview: Overview
  readonly table: Overview['tables'][number]
  readonly choose: (name: 'a' | 'b', value: string) => ComponentChildren
  readonly a: string
  readonly b: string
  readonly subset: Subset | null
  /** Of which items. */
  readonly children: ComponentChildren
}) {
  const rows = table.rows.filter((row) => [a, b].includes(textOf(row, 'model')))
  return (
    <>
      <h1>
        {modelName(a)} against {modelName(b)}
      </h1>
      <p class="controls">
        {choose('a', a)} {choose('b', b)}
      </p>
      {children}
      <DataTable table={{ ...table, rows }} />
      <p class="note">
        These strings were scored by log-probability. The difference with its interval:{' '}
        <Command run={overview.run.path} a={a} b={b} subset={subset} measure={table.columns.find(isEstimate)?.key} />
      </p>
    </>
  )
}

const isEstimate = ({ kind }: Overview['tables'][number]['columns'][number]): boolean => kind === 'estimate'

/** What makes the same comparison on the command line; nothing where prompts were searched, which it cannot do. */
function Command({
  run,
  a,
  b,
  subset,
  measure,
  parser = null,
}: {
  readonly run: string
  readonly a: string
  readonly b: string
  readonly subset: Subset | null
  readonly measure?: string | undefined
  readonly parser?: string | null
}) {
  const where = subset === null ? null : whereOf(subset.filter)
  if (subset !== null && where === null) return null
  const parts = [
    ['--model', a],
    ['--model', b],
    ...(measure === undefined ? [] : [['--measure', measure]]),
    ...(parser === null ? [] : [['--parser', parser]]),
    ...(where === null ? [] : [['--where', where]]),
  ].map(([flag = '', value = '']) => ` ${flag} ${shellWord(value)}`)
  return (
    <code>
      touchstone compare {shellWord(run)}
      {parts.join('')}
    </code>
  )
}

/** The rows of a table of pairs that are of these two, with the differences as A − B. */
function rowsOf(tables: Overview['tables'], id: string, a: string, b: string) {
  return (tableOf(tables, id)?.rows ?? []).flatMap((row) => {
    const same = textOf(row, 'a') === a && textOf(row, 'b') === b
    const swapped = textOf(row, 'a') === b && textOf(row, 'b') === a
    const difference = estimateOf(row['difference'])
    if (difference === null || !(same || swapped)) return []
    const further = estimateOf(row['prediction'])
    return [
      {
        row,
        difference: same ? difference : negate(difference),
        further: same || further === null ? further : negate(further),
      },
    ]
  })
}

/** The comparison in total and by feature. Documents name models in the order of the run, as they are exported. */
function Details({
  route,
  overview: { run },
  a,
  b,
  subset,
}: {
  readonly route: Route
  readonly overview: Overview
  readonly a: string
  readonly b: string
  readonly subset: Subset | null
}) {
  const names = run.models.map(({ name }) => name)
  const straight = names.indexOf(a) < names.indexOf(b)
  const query = new URLSearchParams(straight ? { a, b } : { a: b, b: a })
  for (const [name, value] of subsetQuery(subset)) query.append(name, value)
  const parser = queryValue(route, 'parser')
  if (parser !== null) query.set('parser', parser)
  const state = useRunDocument(run.id, compareDocument, query, run.revision)
  return (
    <Loaded state={state}>
      {({ found, subsetSize }) => {
        if (found === null) return null
        const views = subsetSize?.views ?? 1
        const mine = adjustForViews(straight ? found : swapSides(found), views)
        return (
          <>
            <Evidence found={mine} a={a} b={b} views={views} />
            <Forest route={route} run={run.id} found={mine} a={a} b={b} views={views} />
          </>
        )
      }}
    </Loaded>
  )
}

/** The difference over all shared tasks, as a random sample of tasks. */
function OverTasks({ row, difference, further }: ReturnType<typeof rowsOf>[number]) {
  const unknown = textOf(row, 'note')
  const spread = (key: string): string => formatShare(numberOf(row, key) ?? 0)
  return (
    <section>
      <h2>Over {plural(difference.n, 'task')}</h2>
      <p>
        <Interval estimate={difference} from={-1} label="A minus B over tasks" /> {formatP(numberOf(row, 'holm'))}
      </p>
      <p class="note">
        Random effects over tasks: tau (SD between tasks) = {spread('tau')} [{spread('tauLow')}, {spread('tauHigh')}].{' '}
        {further === null
          ? `No prediction interval for a new task${unknown === '' ? '' : `: ${visible(unknown)}`}.`
          : `Prediction interval for a new task: [${formatShare(further.low)}, ${formatShare(further.high)}].`}
      </p>
    </section>
  )
}

const KINDS = ['both', 'onlyA', 'onlyB', 'neither'] as const

/** The four joint outcomes of two models, with areas in proportion to items; each links to its items. */
function Mosaic({
  route,
  run,
  a,
  b,
  subset,
}: {
  readonly route: Route
  readonly run: string
  readonly a: string
  readonly b: string
  readonly subset: Subset | null
}) {
  const own = subset === null ? subsetParameters(route).filter(([name]) => name === 'parser') : subsetParameters(route)
  const query = (pair: string): URLSearchParams =>
    new URLSearchParams([['a', a], ['b', b], ['pair', pair], ...own.map(([name, value]) => [name, value])])
  const states = KINDS.map((kind) => useRunDocument(run, itemsPage, query(kind)))
  const totals = states.map((state) => (state.kind === 'ready' ? state.value.total : null))
  const broken = states.find((state) => state.kind === 'error')
  if (broken?.kind === 'error') return <p class="problem">{broken.message}</p>
  if (totals.includes(null)) return <p class="waiting">Counting …</p>
  const [both = 0, onlyA = 0, onlyB = 0, neither = 0] = totals.map((total) => total ?? 0)
  const all = both + onlyA + onlyB + neither
  const styled = states.some((state) => state.kind === 'ready' && state.value.styled)
  if (all === 0) return null
  const label = {
    both: 'both correct',
    onlyA: `only ${modelName(a)} right`,
    onlyB: `only ${modelName(b)} right`,
    neither: 'neither correct',
  }
  const count = { both, onlyA, onlyB, neither }
  return (
    <section>
      <h2>Outcomes by item</h2>
      <ul class="mosaic">
        {KINDS.map((kind) => (
          <li key={kind} class={kind} style={{ flexGrow: Math.max(0.02, count[kind] / all) }}>
            <a href={linkTo(['r', run, 'items'], query(kind))}>
              <b>{formatInteger(count[kind])}</b> {label[kind]}
            </a>
          </li>
        ))}
      </ul>
      <p class="note">
        {formatInteger(all)} items that both answered{styled ? ' (an item counts once per prompt style)' : ''}. An item
        is correct if all its samples are. Items on which both agree carry no information about the difference.
      </p>
    </section>
  )
}

export const comparePage: RunPage = { name: 'compare', label: 'compare', Page: ComparePage }
