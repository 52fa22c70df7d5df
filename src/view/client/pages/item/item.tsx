import { useState } from 'preact/hooks'
import type { Json } from '../../../../core/index.ts'
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
} from '../../../api/index.ts'
import { useRunDocument } from '../../documents.ts'
import { useKeys } from '../../keys.tsx'
import { Fold, ModelName, Outcome, type OutcomeName, TaskName } from '../../parts/controls.tsx'
import {
  besideTruth,
  countWords,
  featureName,
  formatInteger,
  formatNumber,
  formatValue,
  plural,
  secondsWords,
  shellWord,
  visible,
} from '../../parts/format.ts'
import { Features } from '../../parts/generated-item.tsx'
import { Linked } from '../../parts/links.tsx'
import { modelName } from '../../parts/names.ts'
import { Empty, Loaded } from '../../parts/state.tsx'
import { Question, Spoken } from '../../parts/text.tsx'
import { goTo, linkTo, queryValue, type Route, type RunPage, type RunPageProps, withQueryValue } from '../../routing.ts'
import { LossStrip } from '../../truth/loss-strip.tsx'
import { lossRow, type Scored } from '../../truth/losses.ts'
import { scoredIn, Truth, useTruth } from '../../truth/truth.tsx'

/** One item: prompt, responses, drawing and proof. With a filter in the address its neighbours match the filter. */
function ItemPage({ route, run, revision }: RunPageProps) {
  const id = queryValue(route, 'id')
  const state = useRunDocument(run, itemDocument, id === null ? null : [['id', id]], revision)
  return (
    <>
      {id === null || state.kind === 'error' ? <h1>Item</h1> : null}
      {id === null ? (
        <Empty>The address names no item. Choose one on the page Results.</Empty>
      ) : (
        <Loaded state={state}>
          {(item) => (
            <Linked key={item.id}>
              <ItemView route={route} run={run} revision={revision} item={item} />
            </Linked>
          )}
        </Loaded>
      )}
    </>
  )
}

function ItemView({ route, run, revision, item }: { route: Route; run: string; revision: number; item: ItemDocument }) {
  const walk = useWalk(route, run, revision, item)
  const { before, after } = walk
  const go = (id: string | null): unknown => id !== null && goTo(withQueryValue(route, 'id', id))
  const list = linkTo(route.path.slice(0, 2).concat('items'), walk.filter)
  useKeys({
    j: ['next item', () => go(after)],
    n: ['', () => go(after)],
    k: ['item before', () => go(before)],
    p: ['', () => go(before)],
    Escape: ['back to the list', () => goTo(list)],
  })
  return <ItemBody route={route} item={item} walk={walk} />
}

/** An item with its question, answers and truth; without `walk` beside the list of items. */
export function ItemBody({ route, item, walk = null }: { route: Route; item: ItemDocument; walk?: Walk | null }) {
  // Each by its selected parser if the address names none.
  const named = queryValue(route, 'parser')
  const parsers = [...new Set(item.responses.map(({ parser }) => parser))]
  const parser = named !== null && named !== 'selected' ? named : parsers.length > 1 ? null : (parsers[0] ?? 'strict')
  const Heading = walk === null ? 'h2' : 'h1'
  const truth = useTruth(item.task, item.version, item.problem)
  const scored = scoredIn(truth)
  const cards = item.responses
    .filter(({ outcome }) => outcome?.kind !== 'error')
    .map((response) => (
      <Response
        key={response.cell}
        response={response}
        parser={parser ?? response.parser}
        scored={scored}
        truth={item.problem.answer}
        several={item.prompts.length > 1}
      />
    ))
  const first = item.responses.filter(({ sample, style }, _, [one]) => sample === 0 && style === one?.style)
  return (
    <>
      <div class="title">
        <Heading>
          <TaskName task={item.task} /> #{item.index}
        </Heading>
        <span class="chips">
          {first.slice(0, HEAD_CHIPS).map((response) => {
            const outcome = outcomeOf(response, parser ?? response.parser)
            return outcome === null ? null : (
              <Outcome key={response.cell} outcome={outcome}>
                {modelName(response.model)}
              </Outcome>
            )
          })}
        </span>
        {walk === null ? null : (
          <span class="walk">
            <a href={linkTo(route.path.slice(0, 2).concat('items'), walk.filter)}>{walk.where}</a>{' '}
            {step(route, walk.before, '‹', 'k', 'before')} {step(route, walk.after, '›', 'j', 'after')}
          </span>
        )}
      </div>
      <div class="item-page">
        <Prompts item={item} />
        <section aria-label="Answers">
          <div class="section-head">
            <h2>Answers</h2>
            <small>
              {parser === null
                ? 'each parsed by the parser selected for its model'
                : `parsed by the ${visible(parser)} parser`}
            </small>
          </div>
          {item.responses.length === 0 ? <Empty>No model has answered this item yet.</Empty> : null}
          {cards.slice(0, CARDS)}
          {cards.length <= CARDS ? null : (
            <Fold title={plural(cards.length - CARDS, 'more answer')}>{cards.slice(CARDS)}</Fold>
          )}
          <Failures responses={item.responses} />
        </section>
      </div>
      <Truth state={truth} answer={item.problem.answer} />
      <div class="folds">
        <Features
          features={item.features}
          meanings={item.meanings}
          link={(condition) => linkTo(route.path.slice(0, 2).concat('items'), [['feature', condition]])}
        />
        <Fold title="Identity and commands" note={visible(item.id)}>
          <p>
            {visible(item.task)} version {item.version}, {visible(item.config)}, group {visible(item.group)}
          </p>
          <p>
            <code>
              touchstone show {shellWord(item.task)} --index {item.index}
            </code>
          </p>
        </Fold>
      </div>
    </>
  )
}

/** Chips in the head, and answers that are not folded. */
const [HEAD_CHIPS, CARDS] = [8, 6]

/** What came of a response under a parser; null: nothing yet, or a scored string. */
function outcomeOf({ outcome, finish }: ShownResponse, parser: string): OutcomeName | null {
  if (outcome === null || outcome.kind === 'measured') return null
  if (outcome.kind === 'error') return 'failed'
  if (finish === 'truncated' || finish === 'refused') return finish
  const verdict = outcome.results[parser]
  if (verdict === undefined) return null
  return verdict.kind === 'unparsed' ? 'unparsed' : verdict.value >= 1 ? 'right' : 'wrong'
}

interface Walk {
  readonly before: string | null
  readonly after: string | null
  /** Names the items that are paged through; where they are listed, with this filter. */
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

/** A link to the item before or after, with its key; null: there is none. */
function step(route: Route, id: string | null, sign: string, key: string, says: string) {
  const inside = (
    <>
      {sign} <kbd>{key}</kbd>
      <span class="hidden"> {says}</span>
    </>
  )
  return id === null ? <span class="off">{inside}</span> : <a href={withQueryValue(route, 'id', id)}>{inside}</a>
}

function Prompts({ item }: { item: ItemDocument }) {
  const [style, setStyle] = useState(0)
  const prompt = item.prompts[style] ?? item.prompts[0]
  return (
    <section aria-label="Question">
      <div class="section-head">
        <h2>Question</h2>
        {item.prompts.length > 1 ? (
          <span class="segments">
            {item.prompts.map(({ style: name }, i) => (
              <button key={name} type="button" aria-pressed={i === style} onClick={() => setStyle(i)}>
                {visible(name)}
              </button>
            ))}
          </span>
        ) : null}
      </div>
      {prompt === undefined ? (
        <Empty>The prompt cannot be reproduced: {visible(item.promptless ?? '')}</Empty>
      ) : (
        <Asking request={prompt.request} truth={item.problem.answer} />
      )}
    </section>
  )
}

/** The question of a request, and all that was sent. */
function Asking({ request, truth }: { request: ShownRequest; truth: Json }) {
  if (request.kind === 'score') return <RequestView request={request} />
  const last = request.messages.at(-1)?.content ?? ''
  const length = request.messages.reduce((sum, { content }) => sum + content.length, 0)
  return (
    <>
      <Question prompt={last} truth={truth} />
      <Fold title="Full prompt" note={plural(length, 'character')}>
        <RequestView request={request} />
      </Fold>
    </>
  )
}

export function RequestView({ request }: { request: ShownRequest }) {
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
  /** Were the items asked in several prompt styles? Then each response names its own. */
  readonly several: boolean
}

function Response({ response, parser, scored, truth, several }: ResponseProps) {
  const { outcome, text, reasoning, usage } = response
  const verdict = outcome?.kind === 'answered' ? outcome.results[parser] : undefined
  const graded = verdict?.kind === 'graded' ? verdict : null
  const kind = outcomeOf(response, parser)
  const facts = [
    ...(several ? [response.style] : []),
    ...(response.sample > 0 ? [`sample ${response.sample}`] : []),
    ...settingsWords(response.settings),
    ...(typeof usage['outputTokens'] === 'number' ? [plural(usage['outputTokens'], 'token')] : []),
    ...(typeof usage['seconds'] === 'number' ? [secondsWords(usage['seconds'])] : []),
    ...(typeof usage['usd'] === 'number' ? [`${formatNumber(100 * usage['usd'])} ¢`] : []),
  ]
  return (
    <article class="response">
      <div class="section-head">
        <h3>
          <ModelName model={response.model} />
        </h3>
        {kind === null ? <small>{outcome === null ? '… no response yet' : ''}</small> : <Outcome outcome={kind} />}
      </div>
      <div class="section-head">
        <span>
          <Parsed outcome={outcome} parser={parser} truth={truth} />
        </span>
        <small
          title={Object.entries(usage)
            .map(([name, value]) => countWords(featureName(name), value))
            .join(', ')}
        >
          {facts.map(visible).join(' · ')}
        </small>
      </div>
      {text === null || (text.text === '' && response.logprobs !== null) ? null : (
        <Spoken
          text={text.text}
          length={text.length}
          span={graded === null ? null : graded.span}
          rule={graded?.rule ?? ''}
          tint={kind === 'right' ? 'good' : 'bad'}
        />
      )}
      {reasoning === null ? null : (
        <Fold title="Reasoning" note={plural(reasoning.length, 'character')}>
          <Spoken text={reasoning.text} length={reasoning.length} />
        </Fold>
      )}
      {response.logprobs === null ? null : <Losses tokens={response.logprobs} scored={scored} />}
    </article>
  )
}

/** What was parsed, or why nothing was. */
function Parsed({ outcome, parser, truth }: { outcome: ShownOutcome | null; parser: string; truth: Json }) {
  if (outcome === null || outcome.kind === 'error') return null
  if (outcome.kind === 'measured')
    return (
      <>
        {Object.entries(outcome.values)
          .slice(0, 6)
          .map(([name, value]) => `${name} ${formatValue(value)}`)
          .join(', ')}
      </>
    )
  const verdict = outcome.results[parser]
  if (verdict === undefined) return <>not parsed by this parser</>
  if (verdict.kind === 'unparsed') return <span class="warn">Parsed answer: none: {visible(verdict.reason)}</span>
  return (
    <span title={`rule ${visible(verdict.rule)}`}>
      Parsed answer <b>{formatValue(besideTruth(verdict.answer, truth), 80)}</b>
      {verdict.value > 0 && verdict.value < 1 ? ` (score ${verdict.value.toFixed(2)})` : ''}
    </span>
  )
}

/** Cells without an answer, and why. */
function Failures({ responses }: { responses: readonly ShownResponse[] }) {
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

/** What each token lost above the exact floor; where no floor is known, tokens underlined the more they surprised the model. */
function Losses({ tokens, scored }: { tokens: NonNullable<ShownResponse['logprobs']>; scored: Scored | null }) {
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
          <span
            key={`${i}`}
            style={{ '--size': Math.min(1, Math.floor(-logprob) / 5) }}
            title={`${(-logprob).toFixed(3)} nats`}
          >
            {visible(text)}
          </span>
        ))}
      </p>
    </>
  )
}

export const itemPage: RunPage = { name: 'item', label: null, Page: ItemPage }
