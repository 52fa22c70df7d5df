import {
  type Baseline,
  between,
  type ChatRequest,
  float,
  type Problem,
  type Question,
  type RandomStreams,
  type SolutionStep,
  type Stream,
  solutionText,
  type TemplateParts,
} from '../../../core/index.ts'
import { keyOf } from '../recognize/grammars/canonical.ts'
import { familyAnalyses } from './analyses/index.ts'
import type { Dial } from './dial.ts'
import { drawGrammar } from './draw.ts'
import { isOwn, liftedOf, namesOf, type Shared } from './grammar.ts'
import { languageOf } from './languages.ts'
import { readOwn } from './own.ts'
import { grammarText, presentations, presentGrammar, writerOf } from './present.ts'

/** What a task over drawn grammars asks, as far as it is its own. */
interface Asking<G> {
  /** Tokens in codes, and whatever else is shown as it is. */
  text(given: G): string
  /** The question about such a text, with names of whatever vocabulary. */
  ask(text: string, shared: Shared): string
  /** The form of the answer, with an example from a fixed toy grammar. */
  readonly form: string | ((shared: Shared) => string)
  /** Is the answer made of the grammar's rules? */
  readonly inRules?: boolean
  /** A solved example from a string of the question's grammar, after `found` others; null: the string does not serve. */
  example(question: Question<Shared, G>, tokens: Int32Array, stream: Stream, found: number): SolvedExample | null
  /** Lengths of strings for examples: from `shortest` to `longer` more than the question's text. Default: from 2, none more. */
  readonly lengths?: { readonly shortest: number; readonly longer: number }
}
interface SolvedExample {
  readonly text: string
  readonly answer: string
  /** What no two examples share. Default: the text. */
  readonly key?: string
}

const shotCounts = [2, 4] as const

/** Prompt styles of all tasks over drawn grammars: presentations of one question, and solved examples. */
const styles = [...presentations, ...shotCounts.map((n) => `few-shot-${n}`)] as unknown as readonly [
  string,
  ...string[],
]

/** Strings drawn in search of examples. */
const TRIES = 200

/** Solved examples from the question's grammar, none of them the question. */
function examplesOf<G>(own: Asking<G>, question: Question<Shared, G>, count: number, draws: RandomStreams) {
  const stream = draws.stream('shots')
  const text = own.text(question.given)
  const { shortest, longer } = own.lengths ?? { shortest: 2, longer: 0 }
  const longest = text.split(' ').length + longer
  const { sampler, inside } = languageOf(question.shared, longest)
  const lengths = Array.from({ length: longest - shortest + 1 }, (_, k) => k + shortest).filter(
    (n) => inside.weight[n]! > 0,
  )
  const seen = new Set([text])
  const found: SolvedExample[] = []
  for (let tries = 0; lengths.length > 0 && found.length < count && tries < TRIES; tries++) {
    const tokens = sampler.sample(stream, lengths[between(stream, 0, lengths.length - 1)] as number)
    const one = own.example(question, tokens, stream, found.length)
    if (one === null || seen.has(one.key ?? one.text)) continue
    seen.add(one.key ?? one.text)
    found.push(one)
  }
  return found
}

function request<G>(own: Asking<G>, question: Question<Shared, G>, style: string, draws: RandomStreams): ChatRequest {
  const shots = /^few-shot-(\d+)$/u.exec(style)?.[1]
  const examples = shots === undefined ? [] : examplesOf(own, question, Number(shots), draws)
  const show = writerOf(question.shared, style)
  const parts = [
    presentGrammar(question.shared, style, draws, own.inRules),
    ...(examples.length === 0
      ? []
      : [
          `Solved examples:\n\n${examples.map((one) => `${own.ask(one.text, question.shared)}\n\n${one.answer}`).join('\n\n')}`,
        ]),
    own.ask(own.text(question.given).split(' ').map(show).join(' '), question.shared),
    formOf(own, question.shared),
  ]
  return { kind: 'chat', messages: [{ role: 'user', content: parts.join('\n\n') }] }
}

const formOf = <G>({ form }: Asking<G>, shared: Shared): string => (typeof form === 'string' ? form : form(shared))

/** What all tasks over drawn grammars have alike. */
export const overGrammars = <G>(asking: Asking<G>) => ({
  version: 1,
  scorerVersion: 3,
  promptVersion: 2,
  group: (config: Dial, _plan: unknown, _group: number, draws: RandomStreams) =>
    config.grammar === null ? drawGrammar(config, draws) : readOwn(config.grammar),
  styles,
  request: (question: Question<Shared, G>, style: string, draws: RandomStreams) =>
    request(asking, question, style, draws),
  parts: {
    texts: {
      grammar: ({ shared }) => grammarText(shared),
      string: ({ given }) => asking.text(given),
      question: ({ shared, given }) => asking.ask(asking.text(given), shared),
      form: ({ shared }) => formOf(asking, shared),
    },
    needs: ['grammar', 'string|question'],
    examples: {
      names: ['string', 'question', 'answer'],
      of: (question, count, draws) =>
        examplesOf(asking, question, count, draws).map(({ text, answer }) => ({
          string: text,
          question: asking.ask(text, question.shared),
          answer,
        })),
    },
  } satisfies TemplateParts<Shared, G>,
  partition: {
    domain: 'relic/grammar',
    keyVersion: 1,
    of: 'group' as const,
    exempts: ({ shared }: { readonly shared: Shared }) => isOwn(shared),
    key: ({ shared }: { readonly shared: Shared }) => keyOf(shared),
  },
  analyses: familyAnalyses,
})

/** An exact baseline: the worked solution of what `solve` finds. A step is a line. */
export function exactBaseline<G, A>(
  note: string,
  solve: (question: Question<Shared, G>) => A,
  solution: (problem: Problem<Shared, G, A>) => readonly SolutionStep[],
) {
  const work = (question: Question<Shared, G>) => {
    const text = solutionText(solution({ ...question, answer: solve(question) }), 'full')
    return { text, steps: text.split('\n').length }
  }
  return { kind: 'chat' as const, note, answer: (question: Question<Shared, G>) => work(question).text, work }
}

type Answering<G> = Extract<Baseline<Shared, G>, { readonly kind: 'chat' }>

/** A baseline that answers at once. */
export const chat = <G>(note: string, answer: Answering<G>['answer']): Answering<G> => ({ kind: 'chat', note, answer })

/** Rules, and items of a chart, at which a model that tires works out half of the answers. */
const ENDURANCE = { rules: 300, work: 150 } as const

/**
 * The baselines, one of them also as `greedy`, so that all tasks can be asked alike, and two mock models that tire: each answers as `chart` with a chance that falls with the rules of the grammar, or with the
 * work, else as `random`. A step is an item of the chart; who tires of work stops at what it can bear.
 */
export function withTiring<G>(
  baselines: { readonly [name: string]: Answering<G> } & { readonly [name in 'chart' | 'random']: Answering<G> },
  greedy: string,
  workOf: (question: Question<Shared, G>) => number,
) {
  const tires = (of: 'rules' | 'work'): Answering<G> => {
    const work: NonNullable<Answering<G>['work']> = (question, draws) => {
      const items = workOf(question)
      const size = of === 'rules' ? liftedOf(question.shared).rules.length : items
      const drawn = float(draws.stream('effort'))
      const load = size / ENDURANCE[of]
      return load * load * load * drawn <= 1 - drawn
        ? { text: baselines.chart.answer(question, draws), steps: items }
        : {
            text: baselines.random.answer(question, draws),
            steps: Math.min(items, of === 'rules' ? 20 : ENDURANCE.work),
          }
    }
    return {
      kind: 'chat',
      note: `as chart with even odds at ${ENDURANCE[of]} ${of === 'rules' ? 'rules' : 'items of work'} and less beyond, else as random`,
      answer: (question, draws) => work(question, draws).text,
      work,
    }
  }
  const exact: Answering<G> = {
    ...baselines.chart,
    work: (question, draws) => ({ text: baselines.chart.answer(question, draws), steps: workOf(question) }),
  }
  return {
    ...baselines,
    chart: exact,
    greedy: { ...(baselines[greedy] as Answering<G>), note: `as ${greedy}` },
    'tires-of-rules': tires('rules'),
    'tires-of-work': tires('work'),
  }
}

export const answerLine = (names: readonly string[]): string => `Answer: ${names.join(' ')}`

/** The answer line of token numbers. */
export const tokenLine = (shared: Shared, tokens: ArrayLike<number>): string => answerLine(namesOf(shared, tokens))
