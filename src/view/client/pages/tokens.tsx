import { useRef, useState } from 'preact/hooks'
import {
  type Board,
  MODELS_SHOWN,
  type ShownEstimate,
  scoredDocument,
  type TokenMeasure,
  type TokensDocument,
  tokensDocument,
} from '../../api/index.ts'
import { useDocument } from '../documents.ts'
import { ChoiceNote, choiceQuery, keptPart, sureWords, useChoice } from '../parts/choice.tsx'
import { Curves } from '../parts/curves.tsx'
import { firstFeature, usable } from '../parts/features.ts'
import { measureWords } from '../parts/filter-words.ts'
import { Interval } from '../parts/interval.tsx'
import { BatchChoice } from '../parts/model-batch.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { isUnanswered, Unanswered } from '../parts/unanswered.tsx'
import { amount, featureName, modelName, visible, whole } from '../parts/words.ts'
import { goTo, linkTo, parameter, type Route, withParameter } from '../routing.ts'
import { ParserChoice, useBoard } from './board.tsx'
import { ScoredTokens } from './scored.tsx'

const columns: readonly TokenMeasure[] = ['prompt', 'answer', 'reasoning', 'seconds', 'usd']

/** What was read, written and thought: how much, for what, and does it grow with difficulty? */
export function TokensPage({
  route,
  run,
  revision,
}: {
  readonly route: Route
  readonly run: string
  readonly revision: number
}) {
  const board = useBoard(route, run, revision)
  return <Loaded state={board}>{(value) => <Tokens route={route} board={value} />}</Loaded>
}

function Tokens({ route, board }: { readonly route: Route; readonly board: Board }) {
  const x = parameter(route, 'x') ?? firstFeature(board.features)
  const models = board.run.models.map(({ name }) => name)
  // A task alone is what this page shows, and no choice.
  const choice = useChoice(keptPart(route).length === 0 ? { ...route, parameters: [] } : route, board.run.id)
  const query = new URLSearchParams([
    ...(x === null ? [] : [['x', x]]),
    ...['measure', 'task', 'parser', 'models'].flatMap((name) => {
      const value = parameter(route, name)
      return value === null ? [] : [[name, value]]
    }),
    ...choiceQuery(choice)
      .filter(([name]) => name !== 'task' && name !== 'parser')
      .map(([name, value]) => [name, value]),
  ]).toString()
  const state = useDocument(
    tokensDocument,
    `/api/runs/${board.run.id}/tokens${query === '' ? '' : `?${query}`}`,
    board.run.revision,
  )
  const scored = useDocument(scoredDocument, `/api/runs/${board.run.id}/scored`, board.run.revision)
  const counted = useRef<TokensDocument | null>(null)
  if (state.kind === 'ready') counted.current = state.value
  if (isUnanswered(board.run))
    return (
      <>
        <h1>Tokens</h1>
        <Unanswered run={board.run} />
      </>
    )
  return (
    <>
      <h1>Tokens</h1>
      <ChoiceNote route={route} choice={choice} chosen={state.kind === 'ready' ? state.value.chosen : null} />
      <Loaded state={scored}>
        {(value) => (
          <>
            {value.tasks.length === 0 ? null : <ScoredTokens route={route} board={board} scored={value} />}
            {state.kind === 'ready' && state.value.measure === null && models.length <= MODELS_SHOWN ? null : (
              <>
                <Choices route={route} board={board} x={x} known={counted.current} />
                <BatchChoice route={route} all={models} most={MODELS_SHOWN} />
              </>
            )}
            <Loaded state={state}>
              {(tokens) =>
                tokens.measure === null ? (
                  <NothingCounted scored={value.tasks.length > 0} />
                ) : (
                  <Shown route={route} board={board} tokens={tokens} measure={tokens.measure} />
                )
              }
            </Loaded>
          </>
        )}
      </Loaded>
    </>
  )
}

const NothingCounted = ({ scored }: { readonly scored: boolean }) =>
  scored ? null : (
    <Empty>
      No response of this run says how many tokens it took. Models of providers do; an imported answer may, as{' '}
      <code>usage</code>.
    </Empty>
  )

/** What is laid over what: it stays while numbers come, and where they cannot be made. */
function Choices({
  route,
  board,
  x,
  known,
}: {
  readonly route: Route
  readonly board: Board
  readonly x: string | null
  /** What came last. */
  readonly known: TokensDocument | null
}) {
  return (
    <p class="controls">
      {known === null || known.measure === null ? null : (
        <Choice
          route={route}
          name="measure"
          label="of"
          value={parameter(route, 'measure') ?? known.measure}
          options={known.measures.map((one) => [one, measureWords[one]])}
        />
      )}{' '}
      {x === null ? null : (
        <Choice
          route={route}
          name="x"
          label="over"
          value={x}
          options={usable(board.features).map(({ name }) => [name, featureName(name)])}
        />
      )}{' '}
      {board.run.tasks.length > 1 ? (
        <Choice
          route={route}
          name="task"
          label="task"
          value={parameter(route, 'task') ?? ''}
          options={[['', 'all'], ...board.run.tasks.map((one): [string, string] => [one, visible(one)])]}
        />
      ) : null}
    </p>
  )
}

interface ChoiceProps {
  readonly route: Route
  readonly name: string
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, words: string])[]
}

const Choice = ({ route, name, label, value, options }: ChoiceProps) => (
  <label>
    {label}{' '}
    <select
      value={value}
      onChange={({ currentTarget }) => goTo(withParameter(route, name, currentTarget.value || null), { replace: true })}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

function Shown({
  route,
  board,
  tokens,
  measure,
}: {
  readonly route: Route
  readonly board: Board
  readonly tokens: TokensDocument
  readonly measure: TokenMeasure
}) {
  return (
    <>
      {tokens.crowded === null || tokens.x === null ? null : (
        <Empty>
          {featureName(tokens.x)} has {whole(tokens.crowded)} means by level and model, more than can be seen: lay them
          over another feature.
        </Empty>
      )}
      {tokens.levels.length === 0 || tokens.x === null ? null : (
        <>
          <h2>
            Mean {measureWords[measure]} by {featureName(tokens.x)}
          </h2>
          <Curves
            x={tokens.x}
            y={measureWords[measure]}
            words={amount}
            sure={sureWords(tokens.chosen?.looks ?? 1)}
            cells={tokens.levels.map(({ mean, ...level }) => ({ ...level, estimate: mean }))}
          />
        </>
      )}
      {tokens.outcomes.length === 0 ? null : (
        <Outcomes
          route={route}
          parsers={board.parsers}
          outcomes={tokens.outcomes}
          what={measureWords[measure]}
          looks={tokens.chosen?.looks ?? 1}
        />
      )}
      {tokens.spread === null ? null : <Spread spread={tokens.spread} measure={measure} />}
      <Configs configs={tokens.configs} looks={tokens.chosen?.looks ?? 1} />
      <Dearest dearest={tokens.dearest} measure={measure} run={board.run.id} />
    </>
  )
}

/** Do right answers take more tokens than wrong ones? One line a model and outcome, on one axis. */
function Outcomes({
  route,
  parsers,
  outcomes,
  what,
  looks,
}: {
  readonly route: Route
  readonly parsers: readonly string[]
  readonly outcomes: TokensDocument['outcomes']
  readonly what: string
  readonly looks: number
}) {
  const most = Math.max(...outcomes.map(({ mean }) => mean.high), 1e-9)
  const models = [...Map.groupBy(outcomes, ({ model }) => model)]
  return (
    <section>
      <h2>Mean {what} of right and of wrong answers</h2>
      <ParserChoice route={route} parsers={parsers} />
      <Scroll label="Means by outcome">
        <table class="board">
          <caption>
            Of the answers for which it is known, with {sureWords(looks)} intervals over groups of items, from 0 to{' '}
            {amount(most)}. Unread: unparsed, truncated or refused. Failed calls are left out.
          </caption>
          <thead>
            <tr>
              <th scope="col">model</th>
              <th scope="col">came out</th>
              <th scope="col">mean [{sureWords(looks)}], n</th>
            </tr>
          </thead>
          <tbody>
            {models.flatMap(([model, own]) =>
              own.map(({ outcome, mean, groups }, i) => (
                <tr key={`${model} ${outcome}`}>
                  {i === 0 ? (
                    <th scope="row" rowSpan={own.length}>
                      {modelName(model)}
                    </th>
                  ) : null}
                  <td>
                    {SIGN[outcome]} {outcome}
                  </td>
                  <td>
                    <Interval
                      estimate={mean}
                      to={most}
                      groups={groups}
                      words={amount}
                      label={`${modelName(model)}, ${outcome}`}
                    />
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}

const SIGN = { right: '✓', wrong: '✗', unread: '?' } as const

const WIDTH = 264
const HEIGHT = 40

/** One histogram a model, on one axis. */
function Spread({
  spread: { edges, models },
  measure,
}: {
  readonly spread: NonNullable<TokensDocument['spread']>
  readonly measure: TokenMeasure
}) {
  const bars = edges.length - 1
  const wide = WIDTH / Math.max(1, bars)
  return (
    <Scroll label="Distributions">
      <table class="data spread">
        <caption>
          Responses by {measureWords[measure]}: from 0 to {amount(edges.at(-1) ?? 0)},{' '}
          {measure === 'usd' || measure === 'seconds' ? 'equal steps' : 'each step the same factor'}
        </caption>
        <thead>
          <tr>
            <th scope="col">model</th>
            <th scope="col">distribution</th>
            <th scope="col" class="right">
              10 %
            </th>
            <th scope="col" class="right">
              median
            </th>
            <th scope="col" class="right">
              90 %
            </th>
            <th scope="col" class="right">
              n
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map(({ model, n, low, middle, high, bins }) => {
            const most = Math.max(1, ...bins)
            return (
              <tr key={model}>
                <th scope="row">{modelName(model)}</th>
                <td>
                  <svg
                    class="bars"
                    width={WIDTH}
                    height={HEIGHT}
                    viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
                    role="img"
                    aria-label={`${modelName(model)}: median ${amount(middle)}, eight of ten between ${amount(low)} and ${amount(high)}`}
                  >
                    {bins.map((count, i) => {
                      const tall = ((HEIGHT - 2) * count) / most
                      return (
                        <rect key={`${i}`} x={i * wide} y={HEIGHT - 1 - tall} width={wide - 1} height={tall}>
                          <title>{`${amount(edges[i] ?? 0)} to ${amount(edges[i + 1] ?? 0)}: ${whole(count)}`}</title>
                        </rect>
                      )
                    })}
                    <line x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
                  </svg>
                </td>
                <td class="right">{amount(low)}</td>
                <td class="right">{amount(middle)}</td>
                <td class="right">{amount(high)}</td>
                <td class="right">{whole(n)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Scroll>
  )
}

type Means = { readonly [M in TokenMeasure]: ShownEstimate | number | null }

const meanWords = (mean: ShownEstimate | number | null): string => {
  if (mean === null) return '–'
  return typeof mean === 'number' ? amount(mean) : `${amount(mean.value)} [${amount(mean.low)}, ${amount(mean.high)}]`
}

const MeanCells = ({ means, shown }: { readonly means: Means; readonly shown: readonly TokenMeasure[] }) => (
  <>
    {shown.map((measure) => {
      const mean = means[measure]
      return (
        <td key={measure} class="right" {...(typeof mean === 'number' || mean === null ? {} : { title: mean.method })}>
          {meanWords(mean)} {typeof mean === 'number' || mean === null ? null : <small>n={whole(mean.n)}</small>}
        </td>
      )
    })}
  </>
)

/** Measures of which something is known: the others have no column. */
const knownOf = (all: readonly Means[]): readonly TokenMeasure[] =>
  columns.filter((measure) => all.some((means) => means[measure] !== null))

const Heads = ({ shown }: { readonly shown: readonly TokenMeasure[] }) => (
  <>
    {shown.map((measure) => (
      <th key={measure} scope="col" class="right">
        {measureWords[measure]}
      </th>
    ))}
  </>
)

function Configs({ configs, looks }: Pick<TokensDocument, 'configs'> & { readonly looks: number }) {
  const shown = knownOf(configs.map(({ means }) => means))
  const paid = configs.some((one) => one.paid !== null)
  return (
    <Scroll label="Means by config">
      <table class="data">
        <caption>
          Means of a response, by config, style and model, with {sureWords(looks)} intervals over groups of items; n:
          cells for which it is known
        </caption>
        <thead>
          <tr>
            <th scope="col">config</th>
            <th scope="col">style</th>
            <th scope="col">model</th>
            <th scope="col" class="right">
              cells
            </th>
            <th scope="col" class="right">
              groups
            </th>
            <Heads shown={shown} />
            {paid ? (
              <th scope="col" class="right">
                paid in all
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {configs.map((one) => (
            <tr key={JSON.stringify([one.task, one.config, one.style, one.model])}>
              <td>
                {visible(one.task)} <small>{visible(one.config)}</small>
              </td>
              <td>{visible(one.style)}</td>
              <td>{modelName(one.model)}</td>
              <td class="right">{whole(one.cells)}</td>
              <td class="right">{whole(one.groups)}</td>
              <MeanCells means={one.means} shown={shown} />
              {paid ? <td class="right">{one.paid === null ? '–' : `$${amount(one.paid)}`}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

/** Items that are named before somebody asks for more. */
const FEW_ITEMS = 20

function Dearest({
  dearest,
  measure,
  run,
}: {
  readonly dearest: TokensDocument['dearest']
  readonly measure: TokenMeasure
  readonly run: string
}) {
  const [all, setAll] = useState(false)
  const shown = knownOf(dearest.flatMap(({ models }) => models.map(({ means }) => means)))
  const items = all ? dearest : dearest.slice(0, FEW_ITEMS)
  return (
    <>
      <Scroll label="Items that took most">
        <table class="data">
          <caption>
            {items.length === 1 ? 'The item' : `The ${whole(items.length)} items`} that took most{' '}
            {measureWords[measure]}: what was counted of each, the mean where a model was asked more than once
          </caption>
          <thead>
            <tr>
              <th scope="col">item</th>
              <th scope="col">model</th>
              <Heads shown={shown} />
            </tr>
          </thead>
          <tbody>
            {items.flatMap(({ item, index, task, models }) =>
              models.map(({ model, cells, means }, i) => (
                <tr key={`${item} ${model}`}>
                  {i === 0 ? (
                    <th scope="row" rowSpan={models.length}>
                      <a href={linkTo(['r', run, 'item'], [['id', item]])}>#{index}</a> <small>{visible(task)}</small>
                    </th>
                  ) : null}
                  <td>
                    {modelName(model)} {cells > 1 ? <small>n={whole(cells)}</small> : null}
                  </td>
                  <MeanCells means={means} shown={shown} />
                </tr>
              )),
            )}
          </tbody>
        </table>
      </Scroll>
      {items.length < dearest.length ? (
        <button type="button" onClick={() => setAll(true)}>
          All {whole(dearest.length)} that took most
        </button>
      ) : null}
    </>
  )
}
