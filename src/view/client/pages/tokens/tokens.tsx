import { useRef, useState } from 'preact/hooks'
import {
  loglikelihood,
  MODELS_SHOWN,
  type Outline,
  type ShownEstimate,
  type TokenMeasure,
  type TokensDocument,
  tokenMeasures,
  tokensDocument,
} from '../../../api/index.ts'
import { useRunDocument } from '../../documents.ts'
import { Fold, ModelName, Pick, TaskName } from '../../parts/controls.tsx'
import { firstFeature, layable } from '../../parts/features.ts'
import { Curves } from '../../parts/figure.tsx'
import { measureWords } from '../../parts/filter-words.ts'
import { featureName, formatInteger, formatNumber, plural, visible } from '../../parts/format.ts'
import { type Column, Grid } from '../../parts/grid.tsx'
import { Axis, quartersUpTo, Track } from '../../parts/interval.tsx'
import { colourOf, modelName } from '../../parts/names.ts'
import { ModelPageSelect, OfOutline, type OutlineProps } from '../../parts/outline.tsx'
import { Empty, Loaded } from '../../parts/state.tsx'
import { confidenceText, keptParameters, SubsetNote, subsetQuery, useSubset } from '../../parts/subset.tsx'
import {
  goTo,
  linkTo,
  parametersIn,
  queryValue,
  type Route,
  type RunPage,
  type RunPageProps,
  withQueryValue,
} from '../../routing.ts'
import { LoglikelihoodTokens } from './loglikelihood.tsx'

/** Prompt, answer and reasoning tokens by condition, item and feature. */
const TokensPage = (props: RunPageProps) => (
  <>
    <h1 class="hidden">Tokens and cost</h1>
    <OfOutline {...props}>{(value) => <Tokens route={props.route} outline={value} />}</OfOutline>
  </>
)

function Tokens({ route, outline }: OutlineProps) {
  const features = layable(outline, queryValue(route, 'task'))
  const asked = queryValue(route, 'x')
  const ofOthers = outline.features.some((one) => one.name === asked && !features.includes(one))
  const x = asked !== null && !ofOthers ? asked : firstFeature(features)
  // A task alone is what this page shows, and no subset.
  const subset = useSubset(keptParameters(route).length === 0 ? { ...route, parameters: [] } : route, outline.run.id)
  const query = [
    ...(x === null ? [] : [['x', x] as const]),
    ...parametersIn(route, ['measure', 'task', 'parser', 'models']),
    ...subsetQuery(subset).filter(([name]) => name !== 'task' && name !== 'parser'),
  ]
  const { run } = outline
  const state = useRunDocument(run.id, tokensDocument, query, run.revision)
  const scored = useRunDocument(run.id, loglikelihood, [], run.revision)
  const counted = useRef<TokensDocument | null>(null)
  if (state.kind === 'ready') counted.current = state.value
  return (
    <>
      <SubsetNote route={route} subset={subset} subsetSize={state.kind === 'ready' ? state.value.subsetSize : null} />
      <Loaded state={scored}>
        {(value) => (
          <>
            {value.tasks.length === 0 ? null : <LoglikelihoodTokens route={route} outline={outline} scored={value} />}
            {state.kind === 'ready' && state.value.measure === null && run.models.length <= MODELS_SHOWN ? null : (
              <>
                <Choices route={route} outline={outline} features={features} x={x} known={counted.current} />
                <ModelPageSelect route={route} of={run.models.length} />
              </>
            )}
            <Loaded state={state}>
              {(tokens) =>
                tokens.measure === null ? (
                  value.tasks.length > 0 ? null : (
                    <Empty>
                      No response of this run has token counts. Models of providers report them; an imported answer may
                      have them, as <code>usage</code>.
                    </Empty>
                  )
                ) : (
                  <Shown route={route} outline={outline} tokens={tokens} measure={tokens.measure} />
                )
              }
            </Loaded>
          </>
        )}
      </Loaded>
    </>
  )
}

interface ChoicesProps extends OutlineProps {
  readonly features: Outline['features']
  readonly x: string | null
  /** The last document. */
  readonly known: TokensDocument | null
}

/** Selectors of the page; they stay while numbers load or fail. */
function Choices({ route, outline, features, x, known }: ChoicesProps) {
  const pick = (name: string) => (value: string | undefined) =>
    goTo(withQueryValue(route, name, value ?? null), { replace: true })
  return (
    <p class="controls">
      {known === null || known.measure === null ? null : (
        <Pick
          label="of"
          value={queryValue(route, 'measure') ?? known.measure}
          options={known.measures.map((one) => [one, measureWords[one]])}
          onPick={pick('measure')}
        />
      )}{' '}
      {x === null ? null : (
        <Pick
          label="over"
          value={x}
          options={features.map(({ name }) => [name, `${featureName(name)}${ofOne(outline, route, name)}`])}
          onPick={pick('x')}
        />
      )}{' '}
      {outline.run.tasks.length > 1 ? (
        <Pick
          label="task"
          value={queryValue(route, 'task') ?? undefined}
          none="all"
          options={outline.run.tasks}
          onPick={pick('task')}
        />
      ) : null}
    </p>
  )
}

/** Of all tasks together something is laid over what only one of them has: then it is of that one. */
function ofOne({ run, features }: Outline, route: Route, name: string): string {
  const tasks = features.find((one) => one.name === name)?.tasks ?? []
  const [only] = tasks
  const isAlone = run.tasks.length > 1 && queryValue(route, 'task') === null && tasks.length === 1
  return isAlone && only !== undefined ? `, ${visible(only)}` : ''
}

interface Measured {
  readonly tokens: TokensDocument
  readonly measure: TokenMeasure
}

function Shown({ route, outline, ...measured }: OutlineProps & Measured) {
  const { tokens, measure } = measured
  const what = measureWords[measure]
  return (
    <>
      <Finding {...measured} />
      <Conditions {...measured} />
      <Models {...measured} />
      <div class="folds">
        {tokens.x === null ? null : (
          <Fold
            title={`Mean ${what} by ${featureName(tokens.x)}${ofOne(outline, route, tokens.x)}`}
            open={queryValue(route, 'x') !== null}
          >
            {tokens.crowded === null ? (
              <Curves
                x={tokens.x}
                y={what}
                words={formatNumber}
                sure={confidenceText(tokens.subsetSize?.views ?? 1)}
                cells={tokens.levels.map(({ mean, ...level }) => ({ ...level, estimate: mean }))}
              />
            ) : (
              <Empty>
                {featureName(tokens.x)} has {formatInteger(tokens.crowded)} means by level and model, more than can be
                seen: choose another feature.
              </Empty>
            )}
          </Fold>
        )}
        {tokens.spread === null ? null : (
          <Fold title="Distributions" note={plural(tokens.spread.models.length, 'model')}>
            <Spread {...tokens.spread} measure={measure} />
          </Fold>
        )}
        <Fold title={`The items with the most ${what}`} note={plural(tokens.dearest.length, 'item')}>
          <Dearest {...measured} run={outline.run.id} />
        </Fold>
      </div>
    </>
  )
}

type Config = TokensDocument['configs'][number]

/** The mean of a measure over some conditions, by their responses; null: unknown. */
function meanOver(configs: readonly Config[], measure: TokenMeasure): number | null {
  const known = configs.flatMap(({ means, cells }) =>
    means[measure] === null ? [] : [{ value: means[measure].value, cells }],
  )
  const cells = known.reduce((sum, one) => sum + one.cells, 0)
  return cells === 0 ? null : known.reduce((sum, one) => sum + one.value * one.cells, 0) / cells
}

const byModel = (configs: readonly Config[]) => [...Map.groupBy(configs, ({ model }) => model)]

/** Which model takes most, and at what price, in one sentence. */
function Finding({ tokens: { configs, outcomes }, measure }: Measured) {
  const [most, next] = byModel(configs)
    .flatMap(([model, own]) => {
      const mean = meanOver(own, measure)
      return mean === null || mean === 0 ? [] : [{ model, mean, usd: meanOver(own, 'usd') }]
    })
    .sort((a, b) => b.mean - a.mean)
  // Times are stored in whole milliseconds: ratios of less than ten are noise of the clock.
  if (most === undefined || next === undefined || (measure === 'seconds' && next.mean < 0.01)) return null
  const price = most.usd === null || next.usd === null || next.usd === 0 ? null : most.usd / next.usd
  const longer = byOutcome(outcomes).filter(
    ({ correct, incorrect }) => correct !== undefined && incorrect !== undefined,
  )
  const all =
    longer.length > 0 &&
    longer.every(({ correct, incorrect }) => (incorrect?.mean.low ?? 0) > (correct?.mean.high ?? 0))
  return (
    <p class="finding">
      Compared with {modelName(next.model)}, {modelName(most.model)} takes {timesThe(most.mean / next.mean, 'as many')}{' '}
      {measureWords[measure]}
      {price === null || measure === 'usd' ? '' : ` at ${timesThe(price, 'the same')} cost`}.
      {all ? ' Incorrect responses take more than correct ones for every model.' : ''}
    </p>
  )
}

/** `2.1 times the`; `about` and the words for two that are equal to two digits. */
function timesThe(ratio: number, equal: string): string {
  const digits = Number(ratio.toPrecision(2))
  return digits === 1 ? `about ${equal}` : `${formatNumber(digits)} times the`
}

const byOutcome = (outcomes: TokensDocument['outcomes']) =>
  [...Map.groupBy(outcomes, ({ model }) => model)].map(([model, own]) => ({
    model,
    correct: own.find(({ outcome }) => outcome === 'correct'),
    incorrect: own.find(({ outcome }) => outcome === 'incorrect'),
    none: own.find(({ outcome }) => outcome === 'no prediction'),
  }))

/** Means by condition and model, all on one axis from 0. */
function Conditions({ tokens: { configs, subsetSize }, measure }: Measured) {
  const known = configs.flatMap((one) => (one.means[measure] === null ? [] : [{ ...one, mean: one.means[measure] }]))
  const ticks = quartersUpTo(Math.max(...known.map(({ mean }) => mean.high), 1e-9))
  const end = ticks.at(-1) ?? 1
  const models = byModel(known).map(([model]) => model)
  const times = Map.groupBy(known, ({ task, model }) => `${task} ${model}`)
  const where = ({ task, config, style, model }: Config): string =>
    times.get(`${task} ${model}`)?.length === 1 ? task : `${task}, ${config}, ${style}`
  const meanOf = (own: typeof known, model: string) => own.find((one) => one.model === model)?.mean
  return (
    <Grid
      kind="matrix"
      label={`Mean ${measureWords[measure]}`}
      rows={[...Map.groupBy(known, where)]}
      keyOf={([name]) => name}
      columns={({ marks, rowHead }) => [
        rowHead(<h2>Mean {measureWords[measure]}</h2>, ([name, [first]]) => (
          <>
            <TaskName task={name} />
            <small> {plural(first?.groups ?? 0, 'group')}</small>
          </>
        )),
        marks(
          <>
            {confidenceText(subsetSize?.views ?? 1)} CI
            <Axis ticks={ticks} to={end} words={formatNumber} />
          </>,
          ([, own]) => (
            <Track
              rows={own.map(({ model, mean }) => ({
                label: modelName(model),
                estimate: mean,
                colour: colourOf(model),
              }))}
              to={end}
              words={formatNumber}
            />
          ),
        ),
        ...models.map(
          (model): Column<[string, typeof known]> => ({
            head: <ModelName model={model} provider={false} />,
            name: modelName(model),
            kind: 'right',
            cell: ([, own]) => <Mean mean={meanOf(own, model)} />,
          }),
        ),
      ]}
    />
  )
}

const Mean = ({ mean }: { mean: ShownEstimate | undefined }) =>
  mean === undefined ? (
    <>–</>
  ) : (
    <span title={`${mean.method}, n = ${mean.n}`}>
      {formatNumber(mean.value)}{' '}
      <small>
        {formatNumber(mean.low)}–{formatNumber(mean.high)}
      </small>
    </span>
  )

/** Each model over all conditions: what it took, and the chosen measure by outcome. */
function Models({ tokens: { configs, outcomes }, measure }: Measured) {
  const shown = tokenMeasures.filter((one) => configs.some(({ means }) => means[one] !== null))
  const ends = byOutcome(outcomes)
  const number = (value: number | null): string => (value === null ? '–' : formatNumber(value))
  return (
    <section>
      <h2>
        Models <small>means of a response; {measureWords[measure]} by outcome at the right</small>
      </h2>
      <Grid
        label="Models"
        rows={byModel(configs)}
        keyOf={([model]) => model}
        columns={({ numeric, rowHead }) => [
          rowHead('Model', ([model]) => <ModelName model={model} />),
          ...shown.map((one) =>
            numeric(measureWords[one], ([, own]: [string, Config[]]) => number(meanOver(own, one))),
          ),
          configs.some((one) => one.paid !== null) &&
            numeric('total cost', ([, own]) => {
              const usd = own.reduce((sum, one) => sum + (one.paid ?? 0), 0)
              return usd === 0 ? '–' : `$${formatNumber(usd)}`
            }),
          ...(ends.length === 0 ? [] : OUTCOME_COLUMNS).map(([key, name]) =>
            numeric(name, ([model]: [string, Config[]]) => (
              <Mean mean={ends.find((one) => one.model === model)?.[key]?.mean} />
            )),
          ),
        ]}
      />
    </section>
  )
}

const OUTCOME_COLUMNS = [
  ['correct', '✓ correct'],
  ['incorrect', '✕ incorrect'],
  ['none', '? no prediction'],
] as const

const WIDTH = 264
const HEIGHT = 40

function Spread({ edges, models, measure }: NonNullable<TokensDocument['spread']> & Pick<Measured, 'measure'>) {
  const bars = edges.length - 1
  const wide = WIDTH / Math.max(1, bars)
  return (
    <Grid
      label="Distributions"
      caption={`Responses by ${measureWords[measure]}: from 0 to ${formatNumber(edges.at(-1) ?? 0)}, ${measure === 'usd' || measure === 'seconds' ? 'linear bins' : 'logarithmic bins'}`}
      rows={models}
      keyOf={({ model }) => model}
      columns={({ numeric, rowHead, text }) => [
        rowHead('model', ({ model }) => <ModelName model={model} />),
        text('distribution', ({ model, low, middle, high, bins }) => {
          const most = Math.max(1, ...bins)
          return (
            <svg
              class="bars"
              width={WIDTH}
              height={HEIGHT}
              viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
              role="img"
              aria-label={`${modelName(model)}: median ${formatNumber(middle)}, 10th to 90th percentile ${formatNumber(low)} to ${formatNumber(high)}`}
            >
              {bins.map((count, i) => {
                const tall = ((HEIGHT - 2) * count) / most
                return (
                  <rect key={`${i}`} x={i * wide} y={HEIGHT - 1 - tall} width={wide - 1} height={tall}>
                    <title>{`${formatNumber(edges[i] ?? 0)} to ${formatNumber(edges[i + 1] ?? 0)}: ${formatInteger(count)}`}</title>
                  </rect>
                )
              })}
              <line x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
            </svg>
          )
        }),
        numeric('10 %', ({ low }) => formatNumber(low)),
        numeric('median', ({ middle }) => formatNumber(middle)),
        numeric('90 %', ({ high }) => formatNumber(high)),
        numeric('n', ({ n }) => formatInteger(n)),
      ]}
    />
  )
}

/** Items listed at first. */
const FEW_ITEMS = 20

function Dearest({ tokens: { dearest }, measure, run }: Measured & { run: string }) {
  const [all, setAll] = useState(false)
  const shown = tokenMeasures.filter((one) =>
    dearest.some(({ models }) => models.some(({ means }) => means[one] !== null)),
  )
  const items = all ? dearest : dearest.slice(0, FEW_ITEMS)
  const rows = items.flatMap(({ models, ...item }) => models.map((one) => ({ ...item, ...one })))
  return (
    <>
      <Grid
        label="Items that took most"
        caption={`The ${plural(items.length, 'item')} with the most ${measureWords[measure]}: the mean where a model was asked more than once`}
        rows={rows}
        keyOf={({ item, model }) => `${item} ${model}`}
        columns={({ numeric, rowHead, text }) => [
          rowHead('item', ({ item, index }) => <a href={linkTo(['r', run, 'item'], [['id', item]])}>#{index}</a>),
          text('task', ({ task }) => visible(task)),
          text('model', ({ model, cells }) => `${modelName(model)}${cells > 1 ? ` n=${cells}` : ''}`),
          ...shown.map((one) =>
            numeric(measureWords[one], ({ means }: (typeof rows)[number]) =>
              means[one] === null ? '–' : formatNumber(means[one]),
            ),
          ),
        ]}
      />
      {items.length < dearest.length ? (
        <button type="button" onClick={() => setAll(true)}>
          All {formatInteger(dearest.length)} that took most
        </button>
      ) : null}
    </>
  )
}

export const tokensPage: RunPage = { name: 'tokens', label: 'Tokens and cost', key: 't', Page: TokensPage }
