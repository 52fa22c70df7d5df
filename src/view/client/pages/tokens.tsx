import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import {
  loglikelihood,
  MODELS_SHOWN,
  type Outline,
  type TokenMeasure,
  type TokensDocument,
  tokensDocument,
} from '../../api/index.ts'
import { useRunDocument } from '../documents.ts'
import { Curves } from '../parts/curves.tsx'
import { firstFeature, layable } from '../parts/features.ts'
import { measureWords } from '../parts/filter-words.ts'
import { featureName, formatInteger, formatNumber, plural, visible } from '../parts/format.ts'
import { ModelPageSelect } from '../parts/model-page.tsx'
import { Empty, Loaded } from '../parts/state.tsx'
import { confidenceText, keptParameters, SubsetNote, subsetQuery, useSubset } from '../parts/subset.tsx'
import { isUnanswered, Unanswered } from '../parts/unanswered.tsx'
import { goTo, queryValue, type Route, type RunPage, type RunPageProps, withQueryValue } from '../routing.ts'
import { LoglikelihoodTokens } from './loglikelihood.tsx'
import { useOutline } from './outline.ts'
import { Configs, Dearest } from './token-means.tsx'
import { Outcomes, Spread } from './token-outcomes.tsx'

/** Prompt, answer and reasoning tokens by condition, item and feature. */
function TokensPage({ route, run, revision }: RunPageProps) {
  const outline = useOutline(route, run, revision)
  return <Loaded state={outline}>{(value) => <Tokens route={route} outline={value} />}</Loaded>
}

function Tokens({ route, outline }: { readonly route: Route; readonly outline: Outline }) {
  const features = layable(outline, queryValue(route, 'task'))
  const asked = queryValue(route, 'x')
  const ofOthers = outline.features.some((one) => one.name === asked && !features.includes(one))
  const x = asked !== null && !ofOthers ? asked : firstFeature(features)
  const models = outline.run.models.map(({ name }) => name)
  // A task alone is what this page shows, and no subset.
  const subset = useSubset(keptParameters(route).length === 0 ? { ...route, parameters: [] } : route, outline.run.id)
  const query = new URLSearchParams([
    ...(x === null ? [] : [['x', x]]),
    ...['measure', 'task', 'parser', 'models'].flatMap((name) => {
      const value = queryValue(route, name)
      return value === null ? [] : [[name, value]]
    }),
    ...subsetQuery(subset)
      .filter(([name]) => name !== 'task' && name !== 'parser')
      .map(([name, value]) => [name, value]),
  ])
  const state = useRunDocument(outline.run.id, tokensDocument, query, outline.run.revision)
  const scored = useRunDocument(outline.run.id, loglikelihood, [], outline.run.revision)
  const counted = useRef<TokensDocument | null>(null)
  if (state.kind === 'ready') counted.current = state.value
  if (isUnanswered(outline.run))
    return (
      <>
        <h1>Tokens</h1>
        <Unanswered run={outline.run} />
      </>
    )
  return (
    <>
      <h1>Tokens</h1>
      <SubsetNote route={route} subset={subset} subsetSize={state.kind === 'ready' ? state.value.subsetSize : null} />
      <Loaded state={scored}>
        {(value) => (
          <>
            {value.tasks.length === 0 ? null : <LoglikelihoodTokens route={route} outline={outline} scored={value} />}
            {state.kind === 'ready' && state.value.measure === null && models.length <= MODELS_SHOWN ? null : (
              <>
                <Choices route={route} outline={outline} features={features} x={x} known={counted.current} />
                <ModelPageSelect route={route} all={models} most={MODELS_SHOWN} />
              </>
            )}
            <Loaded state={state}>
              {(tokens) =>
                tokens.measure === null ? (
                  <NothingCounted scored={value.tasks.length > 0} />
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

const NothingCounted = ({ scored }: { readonly scored: boolean }) =>
  scored ? null : (
    <Empty>
      No response of this run has token counts. Models of providers report them; an imported answer may have them, as{' '}
      <code>usage</code>.
    </Empty>
  )

/** Selectors of the page; they stay while numbers load or fail. */
function Choices({
  route,
  outline,
  features,
  x,
  known,
}: {
  readonly route: Route
  readonly outline: Outline
  readonly features: Outline['features']
  readonly x: string | null
  /** The last document. */
  readonly known: TokensDocument | null
}) {
  return (
    <p class="controls">
      {known === null || known.measure === null ? null : (
        <Subset
          route={route}
          name="measure"
          label="of"
          value={queryValue(route, 'measure') ?? known.measure}
          options={known.measures.map((one) => [one, measureWords[one]])}
        />
      )}{' '}
      {x === null ? null : (
        <Subset
          route={route}
          name="x"
          label="over"
          value={x}
          options={features.map(({ name }) => [name, `${featureName(name)}${ofOne(outline, route, name)}`])}
        />
      )}{' '}
      {outline.run.tasks.length > 1 ? (
        <Subset
          route={route}
          name="task"
          label="task"
          value={queryValue(route, 'task') ?? ''}
          options={[['', 'all'], ...outline.run.tasks.map((one): [string, string] => [one, visible(one)])]}
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

const Subset = ({ route, name, label, value, options }: ChoiceProps) => (
  <label>
    {label}{' '}
    <select
      value={value}
      onChange={({ currentTarget }) =>
        goTo(withQueryValue(route, name, currentTarget.value || null), { replace: true })
      }
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

/** Of all tasks together something is laid over what only one of them has: then it is of that one. */
function ofOne({ run, features }: Outline, route: Route, name: string): string {
  const tasks = features.find((one) => one.name === name)?.tasks ?? []
  const [only] = tasks
  const isAlone = run.tasks.length > 1 && queryValue(route, 'task') === null && tasks.length === 1
  return isAlone && only !== undefined ? `, ${visible(only)}` : ''
}

/** Most rows of a table that is open at first. */
const SEEN = 24

const Folded = ({
  title,
  rows,
  children,
}: {
  readonly title: string
  readonly rows: number
  readonly children: ComponentChildren
}) =>
  rows <= SEEN ? (
    children
  ) : (
    <details>
      <summary>
        {title} ({plural(rows, 'row')})
      </summary>
      {children}
    </details>
  )

function Shown({
  route,
  outline,
  tokens,
  measure,
}: {
  readonly route: Route
  readonly outline: Outline
  readonly tokens: TokensDocument
  readonly measure: TokenMeasure
}) {
  return (
    <>
      {tokens.crowded === null || tokens.x === null ? null : (
        <Empty>
          {featureName(tokens.x)} has {formatInteger(tokens.crowded)} means by level and model, more than can be seen:
          choose another feature.
        </Empty>
      )}
      {tokens.levels.length === 0 || tokens.x === null ? null : (
        <>
          <h2>
            Mean {measureWords[measure]} by {featureName(tokens.x)}
            {ofOne(outline, route, tokens.x)}
          </h2>
          <Curves
            x={tokens.x}
            y={measureWords[measure]}
            words={formatNumber}
            sure={confidenceText(tokens.subsetSize?.views ?? 1)}
            cells={tokens.levels.map(({ mean, ...level }) => ({ ...level, estimate: mean }))}
          />
        </>
      )}
      {tokens.outcomes.length === 0 ? null : (
        <Outcomes outcomes={tokens.outcomes} what={measureWords[measure]} views={tokens.subsetSize?.views ?? 1} />
      )}
      {tokens.spread === null ? null : <Spread spread={tokens.spread} measure={measure} />}
      <Folded title="Means by config, style and model" rows={tokens.configs.length}>
        <Configs configs={tokens.configs} views={tokens.subsetSize?.views ?? 1} />
      </Folded>
      <Folded
        title={`The items with the most ${measureWords[measure]}`}
        rows={tokens.dearest.reduce((sum, { models }) => sum + models.length, 0)}
      >
        <Dearest dearest={tokens.dearest} measure={measure} run={outline.run.id} />
      </Folded>
    </>
  )
}

export const tokensPage: RunPage = { name: 'tokens', label: 'Tokens and cost', key: 't', Page: TokensPage }
