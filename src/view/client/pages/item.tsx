import { useLayoutEffect, useState } from 'preact/hooks'
import type { Json } from '../../../core/index.ts'
import {
  conditionCount,
  filterOf,
  type ItemDocument,
  itemDocument,
  itemNeighbours,
  type Parameters,
  parametersOf,
  type ShownOutcome,
  type ShownRequest,
  type ShownResponse,
} from '../../api/index.ts'
import { useRunDocument } from '../documents.ts'
import { besideTruth } from '../parts/beside-truth.ts'
import { FeatureMeanings } from '../parts/feature-meanings.tsx'
import { countWords, featureName, formatInteger, formatValue, plural, visible } from '../parts/format.ts'
import { Linked } from '../parts/links.tsx'
import { modelName } from '../parts/models.ts'
import { Empty, Loaded, Problem } from '../parts/state.tsx'
import { Spoken } from '../parts/text.tsx'
import { goTo, linkTo, queryValue, type Route, type RunPage, type RunPageProps, withQueryValue } from '../routing.ts'
import { LossStrip } from '../truth/loss-strip.tsx'
import { lossRow, type Scored } from '../truth/losses.ts'
import { scoredIn, Truth, useTruth } from '../truth/truth.tsx'

/** One item: prompt, responses, drawing and proof. With a filter in the address its neighbours match the filter. */
function ItemPage({ route, run, revision }: RunPageProps) {
  const id = queryValue(route, 'id')
  const state = useRunDocument(run, itemDocument, id === null ? null : [['id', id]], revision)
  if (id === null)
    return (
      <>
        <h1>Item</h1>
        <Empty>The address names no item. Choose one on the page items.</Empty>
      </>
    )
  if (state.kind === 'error')
    return (
      <>
        <h1>Item</h1>
        <Problem message={state.message} next={state.next} />
      </>
    )
  return (
    <Loaded state={state}>
      {(item) => (
        <Linked key={item.id}>
          <ItemView route={route} run={run} revision={revision} item={item} />
        </Linked>
      )}
    </Loaded>
  )
}

function ItemView({
  route,
  run,
  revision,
  item,
}: {
  readonly route: Route
  readonly run: string
  readonly revision: number
  readonly item: ItemDocument
}) {
  const walk = useWalk(route, run, revision, item)
  const { before, after } = walk
  const go = (id: string | null): void => {
    if (id !== null) goTo(withQueryValue(route, 'id', id))
  }
  // Runs with the rendering of the page, so that a key pressed right after it is not lost.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return
      if (event.key === 'j' || event.key === 'n') go(after)
      if (event.key === 'k' || event.key === 'p') go(before)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
  // Each by its selected parser if the address names none.
  const named = queryValue(route, 'parser')
  const parsers = [...new Set(item.responses.map(({ parser }) => parser))]
  const parser = named !== null && named !== 'selected' ? named : parsers.length > 1 ? null : (parsers[0] ?? 'strict')
  const truth = useTruth(item.task, item.version, item.problem)
  const scored = scoredIn(truth)
  return (
    <>
      <h1>Item {item.index}</h1>
      <p class="controls">
        <Step label="← before" id={before} route={route} /> <Step label="after →" id={after} route={route} />
        <a href={linkTo(route.path.slice(0, 2).concat('items'), walk.filter)}>{walk.where}</a>{' '}
        <small>keys: k and j</small>
      </p>
      <p class="note">
        {visible(item.task)} version {item.version}, {visible(item.config)} · <code>{visible(item.id)}</code>
      </p>
      <p class="features">
        {Object.entries(item.features).map(([name, value]) =>
          // An item without a feature fulfils no condition on it.
          value === null ? (
            <span key={name} class="chip" title={chipTitle(name, item.meanings)}>
              {featureName(name)} = none
            </span>
          ) : (
            <a
              key={name}
              class="chip"
              title={chipTitle(name, item.meanings)}
              href={linkTo(route.path.slice(0, 2).concat('items'), [['feature', `${name}=${value}`]])}
            >
              {featureName(name)} = {value === '' ? '(empty)' : formatValue(value, 30)}
            </a>
          ),
        )}
      </p>
      <FeatureMeanings names={Object.keys(item.features)} meanings={item.meanings} />
      <div class="item-page">
        <Prompts item={item} />
        <section aria-label="Answers">
          <h2>
            Answers{' '}
            <small>
              {parser === null
                ? 'each parsed by the parser selected for its model'
                : `parsed by the ${visible(parser)} parser`}
            </small>
          </h2>
          {item.responses.length === 0 ? <Empty>No model has answered this item yet.</Empty> : null}
          {item.responses
            .filter(({ outcome }) => outcome?.kind !== 'error')
            .map((response) => (
              <Response
                key={response.cell}
                response={response}
                parser={parser ?? response.parser}
                scored={scored}
                truth={item.problem.answer}
              />
            ))}
          <Failures responses={item.responses} />
        </section>
        <Truth state={truth} answer={item.problem.answer} />
      </div>
    </>
  )
}

interface Walk {
  readonly before: string | null
  readonly after: string | null
  /** The items that are walked through, in words; where they are listed, with this filter. */
  readonly where: string
  readonly filter: Parameters
}

/** The items around one: of those that fit the filter in the address, or of all where there is none. */
function useWalk(route: Route, run: string, revision: number, { id, before, after }: ItemDocument): Walk {
  const { data } = filterOf(route.parameters)
  const filter = data === undefined || conditionCount(data) === 0 ? null : parametersOf(data)
  const query = new URLSearchParams([['id', id], ...(filter ?? [])])
  const state = useRunDocument(run, itemNeighbours, filter === null ? null : query, revision)
  if (filter === null) return { before, after, where: 'all items', filter: [] }
  if (state.kind !== 'ready') return { before: null, after: null, where: 'the items that match', filter }
  const { at, total, ...around } = state.value
  const where =
    at === null
      ? `not among the ${formatInteger(total)} that match`
      : `${formatInteger(at + 1)} of ${formatInteger(total)} that match`
  return { ...around, where, filter }
}

const Step = ({ label, id, route }: { readonly label: string; readonly id: string | null; readonly route: Route }) =>
  id === null ? <span class="off">{label}</span> : <a href={withQueryValue(route, 'id', id)}>{label}</a>

function Prompts({ item }: { readonly item: ItemDocument }) {
  const [style, setStyle] = useState(0)
  const prompt = item.prompts[style] ?? item.prompts[0]
  return (
    <section aria-label="Prompt">
      <h2>Prompt</h2>
      {item.prompts.length > 1 ? (
        <p class="controls">
          {item.prompts.map(({ style: name }, i) => (
            <button key={name} type="button" aria-pressed={i === style} onClick={() => setStyle(i)}>
              {visible(name)}
            </button>
          ))}
        </p>
      ) : null}
      {prompt === undefined ? (
        <Empty>The prompt cannot be reproduced: {visible(item.promptless ?? '')}</Empty>
      ) : (
        <RequestView request={prompt.request} />
      )}
    </section>
  )
}

export function RequestView({ request }: { readonly request: ShownRequest }) {
  if (request.kind === 'score')
    return (
      <>
        <h3>context</h3>
        <Spoken text={request.context} length={request.context.length} />
        <h3>text to score</h3>
        <Spoken text={request.text} length={request.text.length} />
      </>
    )
  return (
    <>
      {request.messages.map(({ role, content }, i) => (
        <div key={`${i} ${role}`} class={`message ${role}`}>
          <h3>{role}</h3>
          <Spoken text={content} length={content.length} />
        </div>
      ))}
    </>
  )
}

interface ResponseProps {
  readonly response: ShownResponse
  readonly parser: string
  readonly scored: Scored | null
  readonly truth: Json
}

function Response({ response, parser, scored, truth }: ResponseProps) {
  const { outcome, text, reasoning } = response
  const verdict = outcome?.kind === 'answered' ? outcome.results[parser] : undefined
  const graded = verdict?.kind === 'graded' ? verdict : null
  return (
    <article class="response">
      <h3>
        {modelName(response.model)} <Verdict outcome={outcome} parser={parser} truth={truth} />
      </h3>
      <p class="note">
        {[
          response.style,
          ...(response.sample > 0 ? [`sample ${response.sample}`] : []),
          ...settingsWords(response.settings),
          ...(response.finish === null || response.finish === 'stop' || response.finish === 'unknown'
            ? []
            : [response.finish]),
          ...Object.entries(response.usage).map(([name, value]) => countWords(featureName(name), value)),
        ]
          .map(visible)
          .join(' · ')}
      </p>
      {reasoning === null ? null : (
        <details>
          <summary>Reasoning, {plural(reasoning.length, 'character')}</summary>
          <Spoken text={reasoning.text} length={reasoning.length} />
        </details>
      )}
      {text === null || (text.text === '' && response.logprobs !== null) ? null : (
        <Spoken
          text={text.text}
          length={text.length}
          span={graded === null ? null : graded.span}
          rule={graded?.rule ?? ''}
        />
      )}
      {response.logprobs === null ? null : <Losses tokens={response.logprobs} scored={scored} />}
    </article>
  )
}

/** Cells without an answer, and why. */
function Failures({ responses }: { readonly responses: readonly ShownResponse[] }) {
  const failed = responses.flatMap(({ outcome, model, cell }) =>
    outcome?.kind === 'error' ? [{ outcome, model, cell }] : [],
  )
  if (failed.length === 0) return null
  return (
    <details class="response" open={failed.length === responses.length}>
      <summary>{plural(failed.length, 'call')} failed</summary>
      <ul>
        {failed.map(({ outcome, model, cell }) => (
          <li key={cell} class="failure">
            {modelName(model)}: {visible(outcome.code)} ({visible(outcome.message).slice(0, 300)})
          </li>
        ))}
      </ul>
    </details>
  )
}

function settingsWords(settings: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(settings)
    return typeof parsed === 'object' && parsed !== null
      ? Object.entries(parsed).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
      : []
  } catch {
    return []
  }
}

function Verdict({
  outcome,
  parser,
  truth,
}: {
  readonly outcome: ShownOutcome | null
  readonly parser: string
  readonly truth: Json
}) {
  if (outcome === null) return <span class="verdict none">… no response yet</span>
  switch (outcome.kind) {
    case 'error':
      return (
        <span class="verdict failed">
          ! failed: {visible(outcome.code)} ({visible(outcome.message).slice(0, 200)})
        </span>
      )
    case 'measured':
      return (
        <span class="verdict none">
          {Object.entries(outcome.values)
            .slice(0, 6)
            .map(([name, value]) => `${name} ${formatValue(value)}`)
            .join(', ')}
        </span>
      )
    case 'answered': {
      const verdict = outcome.results[parser]
      if (verdict === undefined) return <span class="verdict none">not parsed by this parser</span>
      if (verdict.kind === 'unparsed')
        return <span class="verdict unparsed">? unparsed: {visible(verdict.reason)}</span>
      const sign =
        verdict.value >= 1 ? '✓ correct' : verdict.value <= 0 ? '✗ incorrect' : `~ ${verdict.value.toFixed(3)}`
      return (
        <span class={`verdict ${verdict.value >= 1 ? 'right' : 'wrong'}`}>
          {sign}: {formatValue(besideTruth(verdict.answer, truth), 60)} <small>rule {visible(verdict.rule)}</small>
        </span>
      )
    }
  }
}

/** What each token lost above the exact floor; where no floor is known, tokens underlined the more they surprised the model. */
function Losses({
  tokens,
  scored,
}: {
  readonly tokens: NonNullable<ShownResponse['logprobs']>
  readonly scored: Scored | null
}) {
  const row = scored === null ? null : lossRow('loss − floor', tokens, scored)
  if (scored !== null && row !== null) return <LossStrip {...scored} rows={[row]} />
  const total = tokens.reduce((sum, { logprob }) => sum - logprob, 0)
  return (
    <>
      <p class="note">
        {plural(tokens.length, 'token')}, {total.toFixed(3)} nats in all
      </p>
      <p class="losses">
        {tokens.slice(0, 2000).map(({ text, logprob }, i) => (
          <span key={`${i}`} class={`loss${Math.min(5, Math.floor(-logprob))}`} title={`${(-logprob).toFixed(3)} nats`}>
            {visible(text)}
          </span>
        ))}
      </p>
    </>
  )
}

/** What a feature means, and where `--where` finds it. */
function chipTitle(name: string, meanings: ItemDocument['meanings']): string {
  const column = visible(`feature_${name}`).slice(0, 80)
  return Object.hasOwn(meanings, name) ? `${visible(meanings[name] ?? '')} (${column})` : column
}

export const itemPage: RunPage = { name: 'item', label: null, Page: ItemPage }
