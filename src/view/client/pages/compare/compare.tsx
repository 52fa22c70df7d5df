import { type CompareDocument, compareDocument, folders, type Outline } from '../../../api/index.ts'
import { isExport, useDocument, useRunDocument } from '../../documents.ts'
import { Fold, OUTCOMES, Pick, Sentence, TaskName } from '../../parts/controls.tsx'
import { whereOf } from '../../parts/filter-words.ts'
import {
  answerWords,
  dateWords,
  formatInteger,
  plural,
  points,
  pValue,
  shellWord,
  visible,
} from '../../parts/format.ts'
import { DataTable, Grid } from '../../parts/grid.tsx'
import { Axis, isFew, Points, Track } from '../../parts/interval.tsx'
import { colourOf, modelName } from '../../parts/names.ts'
import { OfOutline } from '../../parts/outline.tsx'
import { Empty, Loaded } from '../../parts/state.tsx'
import { confidenceText, pageQuery, type Subset, SubsetNote, subsetParameters, useSubset } from '../../parts/subset.tsx'
import { tableOf, textOf } from '../../parts/tables.ts'
import { adjustP } from '../../parts/viewed-subsets.ts'
import { goTo, linkTo, queryValue, type Route, type RunPage, type RunPageProps, withQueryValue } from '../../routing.ts'
import { useOverview } from '../overview/overview.tsx'
import { Evidence, type FoundProps, formatEValue, Levels, reachOf, type Sides } from './forest.tsx'

/** Two models on the same items, of this run or of two. */
const ComparePage = (props: RunPageProps) => (
  <>
    <h1 class="hidden">Compare</h1>
    <OfOutline {...props}>{(value) => <Compare route={props.route} outline={value} />}</OfOutline>
  </>
)

function Compare({ route, outline: { run, parsers } }: { route: Route; outline: Outline }) {
  const subset = useSubset(route, run.id)
  const listed = useDocument(folders, isExport() ? null : '/api/folders')
  const runs = (listed.kind === 'ready' ? listed.value.folders : []).flatMap((one) =>
    one.kind === 'run' && one.id !== run.id && one.tasks.some((task) => run.tasks.includes(task)) ? [one] : [],
  )
  const other = queryValue(route, 'with')
  const models = run.models.map(({ name }) => name)
  const theirs = other === null ? models : (runs.find(({ id }) => id === other)?.models.map(({ name }) => name) ?? [])
  const a = queryValue(route, 'a') ?? models.find((name) => other === null || theirs.includes(name)) ?? models[0] ?? ''
  const b =
    queryValue(route, 'b') ?? theirs.find((name) => (other === null ? name !== a : name === a)) ?? theirs[0] ?? ''
  if (models.length < 2 && runs.length === 0)
    return <Empty>This run has one model. Run another on the same items to compare them.</Empty>
  const choose = (name: 'a' | 'b', value: string, options: readonly string[]) => (
    <Pick
      label={name.toUpperCase()}
      value={value}
      options={options.map((model) => [model, modelName(model)])}
      onPick={(model = '') => goTo(withQueryValue(route, name, model))}
    />
  )
  const go = (values: { readonly [name: string]: string | null }): void => {
    const kept = route.parameters.filter(([name]) => !(name in values))
    const set = Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
    goTo(linkTo(route.path, [...kept, ...set]))
  }
  const [latest] = runs.toSorted((x, y) => (x.created < y.created ? 1 : -1))
  const unknown = !models.includes(a) ? a : theirs.length > 0 && !theirs.includes(b) ? b : undefined
  const ready = unknown === undefined && (other !== null || a !== b) && b !== ''
  return (
    <>
      <p class="controls">
        {runs.length === 0 ? null : (
          // biome-ignore lint/a11y/useSemanticElements: buttons, no fields
          <span class="segments" role="group" aria-label="Compare">
            <button type="button" aria-pressed={other === null} onClick={() => go({ with: null, b: null })}>
              Models
            </button>
            <button
              type="button"
              aria-pressed={other !== null}
              onClick={() => go({ with: other ?? latest?.id ?? null, b: null })}
            >
              Runs
            </button>
          </span>
        )}
        {choose('a', a, models)}
        {other === null ? (
          <button type="button" aria-label="Swap A and B" onClick={() => go({ a: b, b: a })}>
            ⇄
          </button>
        ) : null}
        {other === null ? null : (
          <Pick
            label="with run"
            value={other}
            options={runs.map(({ id, name, created, path }) => [
              id,
              `${name} ${dateWords(created)} ${path.split('/').at(-1) ?? ''}`,
            ])}
            onPick={(run = '') => go({ with: run, b: null })}
          />
        )}
        {choose('b', b, theirs)}
      </p>
      {!ready && (other === null || listed.kind === 'ready') ? (
        <Empty>
          {unknown === undefined ? 'Both models are the same' : `This run has no model ${visible(unknown)}`}. Choose two
          models.
        </Empty>
      ) : parsers.length === 0 ? (
        <Scored route={route} run={run} subset={subset} sides={{ a, b, with: other }} />
      ) : ready ? (
        <Found route={route} run={run} subset={subset} sides={{ a, b, with: other }} />
      ) : null}
    </>
  )
}

const NO_ITEM = 'No item of this run matches the subset. Change it, or show all items.'

interface ComparedProps {
  readonly route: Route
  readonly run: Outline['run']
  readonly subset: Subset | null
  readonly sides: Sides
}

/** Strings that were scored have no answers to compare: what the two lose on them. */
function Scored({ route, run, subset, sides }: ComparedProps) {
  const state = useOverview(route, run.id, run.revision, subset)
  return (
    <Loaded state={state}>
      {({ tables, subsetSize }) => {
        const table = tableOf(tables, 'core/measures')
        if (subsetSize?.items === 0 || table === undefined)
          return <Empty>{subsetSize?.items === 0 ? NO_ITEM : 'No response is scored yet.'}</Empty>
        const rows = table.rows.filter((row) => [sides.a, sides.b].includes(textOf(row, 'model')))
        const metric = table.columns.find(({ kind }) => kind === 'estimate')?.key
        return (
          <>
            <SubsetNote route={route} subset={subset} subsetSize={subsetSize} />
            <DataTable table={{ ...table, rows }} />
            <p class="note">
              These strings were scored by log-probability. The difference with its interval:{' '}
              <Command run={run.path} sides={sides} subset={subset} metric={metric} />
            </p>
          </>
        )
      }}
    </Loaded>
  )
}

function Found({ route, run, subset, sides }: ComparedProps) {
  const { with: other, ...models } = sides
  const query = [...Object.entries(other === null ? models : { ...models, with: other }), ...pageQuery(route, subset)]
  const state = useRunDocument(run.id, compareDocument, query, run.revision)
  if (state.kind !== 'ready') return <Loaded state={state}>{() => null}</Loaded>
  const { found, names, changed, subsetSize } = state.value
  const note = <SubsetNote route={route} subset={subset} subsetSize={subsetSize} />
  if (subsetSize?.items === 0 || found === null)
    return (
      <>
        {note}
        <Empty>
          {subsetSize?.items === 0
            ? NO_ITEM
            : `Too few ${subset === null ? '' : 'of these '}items were answered by both: two groups of items are needed.`}
        </Empty>
      </>
    )
  const views = subsetSize?.views ?? 1
  const { joint, unshared, tasks } = found
  const shared = joint.both + joint.onlyA + joint.onlyB + joint.neither
  const missing = unshared.a + unshared.b
  const all = { route, run: run.id, found, names, sides, views }
  return (
    <>
      {note}
      <section class="verdict-card">
        <h2>
          <Sentence text={views === 1 ? found.title : `${names.a} − ${names.b} on the selected items`} />
        </h2>
        {views === 1 && found.detail !== '' ? <p>{visible(found.detail)}</p> : null}
        <p>
          {visible(names.a)} solves {plural(joint.onlyA, 'item')} that {visible(names.b)} does not, and misses{' '}
          {formatInteger(joint.onlyB)} that {visible(names.b)} solves. {plural(shared, 'shared item')}
          {missing === 0 ? '' : `; ${formatInteger(missing)} of one side only`}.
        </p>
        {sides.with === null ? null : (
          <p>
            What changed:{' '}
            {changed.length === 0 ? 'nothing that the runs record.' : `${changed.map(visible).join('; ')}.`}
          </p>
        )}
      </section>
      <Differences {...all} />
      <WhichItems {...all} />
      <div class="folds">
        <Fold
          title="By feature"
          note={`${plural(found.levels.length, 'level')} of at least ${found.fewest} shared items, ${found.levels.filter(({ holm }) => adjustP(holm, views) < 0.05).length} significant`}
        >
          <Levels {...all} />
        </Fold>
        <Fold
          title="Evidence that holds at any time"
          note={`e-value ${formatEValue(Math.max(found.evidence.a, found.evidence.b) / views)}; p is for one analysis of ${tasks.length > 1 ? 'all tasks' : 'the task'} at the end`}
        >
          <Evidence found={found} names={names} views={views} />
        </Fold>
        {sides.with === null ? (
          <Fold title="Command">
            <p>
              <Command run={run.path} sides={sides} subset={subset} parser={queryValue(route, 'parser')} />
            </p>
          </Fold>
        ) : null}
      </div>
    </>
  )
}

/** The items of one side only, of a task or of all. */
const onlyLink = ({ route, run, sides }: FoundProps, pair: string, task: string | null): string | null =>
  sides.with !== null
    ? null
    : linkTo(
        ['r', run, 'items'],
        [
          ...(task === null ? [] : [['task', task] as const]),
          ['a', sides.a],
          ['b', sides.b],
          ['pair', pair],
          ...subsetParameters(route).filter(([name]) => task === null || name !== 'task'),
        ],
      )

const Linked = ({ href, children }: { href: string | null; children: string }) =>
  href === null ? children : <a href={href}>{children}</a>

/** The difference on each task, sorted; then their mean, and such tasks in general. */
function Differences(props: FoundProps & { readonly views: number }) {
  const { found, names, sides, views } = props
  const { tasks, mean, general, overall } = found
  const reach = reachOf([...tasks, overall].map(({ difference }) => difference))
  const steps =
    reach <= 0.25
      ? [-reach, 0, reach]
      : [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1].filter((tick) => Math.abs(tick) <= reach)
  const colour = sides.with === null ? colourOf(sides.a) : 0
  const pooled = [
    [`Mean of these ${tasks.length} tasks`, mean],
    ['Such tasks in general', mean === null ? null : general],
  ] as const
  const rows = [
    ...tasks
      .toSorted((x, y) => y.difference.value - x.difference.value)
      .map((of) => {
        const p = adjustP(of.holm, views)
        return { name: of.task, of, difference: of.difference, p, significant: p < 0.05 }
      }),
    ...pooled.flatMap(([name, one]) =>
      one === null
        ? []
        : // Drawn as what all items say.
          [
            {
              name,
              of: null,
              difference: { ...one, n: overall.items },
              p: null,
              significant: one.low > 0 || one.high < 0,
            },
          ],
    ),
  ]
  return (
    <section>
      <h2>
        Difference by task{' '}
        <small>
          accuracy of {visible(names.a)} minus {visible(names.b)}, points, on the items both answered;{' '}
          {confidenceText(views)} CI, p after Holm
          {views === 1 ? '' : `, times ${plural(views, 'subset')} of items`}
        </small>
      </h2>
      <Grid
        kind="matrix"
        label="Differences"
        rows={rows}
        keyOf={({ name }) => name}
        columns={({ marks, numeric, right, rowHead }) => [
          rowHead('Task', ({ name, of, difference }) =>
            of === null ? (
              name
            ) : (
              <>
                <TaskName task={name} />
                <small>
                  {' '}
                  {plural(of.items, 'item')}
                  {isFew(difference) ? ` · ${plural(difference.groups ?? 0, 'group')}` : ''}
                </small>
              </>
            ),
          ),
          marks(
            <>
              <span class="ends">
                <span>← {visible(names.b)} better</span>
                <span>{visible(names.a)} better →</span>
              </span>
              <Axis ticks={steps} from={-reach} to={reach} words={points} />
            </>,
            ({ name, difference, significant }) => (
              <Track
                rows={[{ label: `A minus B, ${name}`, estimate: difference, colour, hollow: !significant }]}
                from={-reach}
                to={reach}
                words={points}
              />
            ),
          ),
          right('Difference', ({ difference, significant }) => <Points estimate={difference} bold={significant} />),
          ...(['onlyA', 'onlyB'] as const).map((only) =>
            numeric(`only ${visible(names[only === 'onlyA' ? 'a' : 'b'])}`, ({ name, of }: (typeof rows)[number]) =>
              of === null ? null : <Linked href={onlyLink(props, only, name)}>{formatInteger(of[only])}</Linked>,
            ),
          ),
          numeric('p', ({ of, p, significant }) => (of === null ? null : significant ? <b>{pValue(p)}</b> : pValue(p))),
        ]}
      />
      <p class="note">Filled: significant. Ring: not significant. Dotted: fewer than 10 groups.</p>
    </section>
  )
}

const KINDS = ['both', 'onlyA', 'onlyB', 'neither'] as const

/** The four joint outcomes, with widths in proportion to items, and some items on which exactly one is correct. */
function WhichItems(props: FoundProps) {
  const { run, found, names, sides } = props
  const { joint, items } = found
  const all = KINDS.reduce((sum, kind) => sum + joint[kind], 0)
  if (all === 0) return null
  const label = { both: 'both correct', onlyA: `only ${names.a}`, onlyB: `only ${names.b}`, neither: 'neither' }
  return (
    <section>
      <h2>
        Which items <small>{plural(all, 'item')}; those on which both agree say nothing about the difference</small>
      </h2>
      <ul class="mosaic">
        {KINDS.map((kind) => (
          <li
            key={kind}
            class={
              kind === 'onlyA'
                ? `m${colourOf(sides.a)}`
                : kind === 'onlyB'
                  ? `m${sides.with === null ? colourOf(sides.b) : 0}`
                  : ''
            }
            style={{ flexGrow: Math.max(0.02, joint[kind] / all) }}
          >
            <Linked href={onlyLink(props, kind, null)}>{formatInteger(joint[kind])}</Linked>{' '}
            <span>{visible(label[kind])}</span>
          </li>
        ))}
      </ul>
      {items.length === 0 ? null : (
        <Grid
          label="Items on which one is correct"
          rows={items}
          keyOf={({ item }) => item}
          columns={({ rowHead, text }) => [
            rowHead('Item', ({ item, index }) => {
              const pair = sides.with === null ? { a: sides.a, b: sides.b, pair: 'differ' } : {}
              return <a href={linkTo(['r', run, 'item'], Object.entries({ id: item, ...pair }))}>#{index}</a>
            }),
            text('Question', ({ question, task }) => (
              <>
                {visible(question)} <small>{visible(task)}</small>
              </>
            )),
            { head: 'Truth', name: 'Truth', cell: ({ truth }) => answerWords(truth) },
            ...(['a', 'b'] as const).map((side) => ({
              head: visible(names[side]),
              name: names[side],
              cell: (item: (typeof items)[number]) => <Said {...item[side]} />,
            })),
          ]}
        />
      )}
      {joint.onlyA + joint.onlyB > items.length && sides.with === null ? (
        <p>
          <a href={onlyLink(props, 'differ', null) ?? ''}>All {formatInteger(joint.onlyA + joint.onlyB)}</a>
        </p>
      ) : null}
    </section>
  )
}

function Said({ outcome, answer }: NonNullable<CompareDocument['found']>['items'][number]['a']) {
  if (outcome === null) return <>{answerWords(answer)}</>
  const { icon, word, tint } = OUTCOMES[outcome]
  return (
    <>
      <span class={`sign ${tint}`} title={word}>
        {icon}
      </span>{' '}
      {answer === '' ? word : answerWords(answer)}
    </>
  )
}

/** What makes the same comparison on the command line. */
function Command({
  run,
  sides: { a, b },
  subset,
  metric,
  parser = null,
}: {
  run: string
  sides: Sides
  subset: Subset | null
  metric?: string | undefined
  parser?: string | null
}) {
  const where = subset === null ? null : whereOf(subset.filter)
  const parts = [
    ['--model', a],
    ['--model', b],
    ...(metric === undefined ? [] : [['--metric', metric]]),
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

export const comparePage: RunPage = { name: 'compare', label: 'Compare', key: 'c', Page: ComparePage }
