import { enc, sha256 } from '../../../core/hash.ts'
import type { ChatRequest, Message } from '../../../core/request.ts'
import { partitionBucket } from '../../../core/split-partition.ts'
import { bindStreams, KeySpace } from '../../../core/streams.ts'
import type { DrawContext, DrawResult, Problem, Question, RandomStreams, StratumLevels } from '../../../core/task.ts'
import type { TemplateParts } from '../../../core/template.ts'
import type { EntityKind } from '../../../libraries/language/filler.ts'
import type { TokenCounters } from '../../../libraries/language/tokens.ts'
import { TRAIN_BUCKETS, wordBucket, wordDomain } from '../../../libraries/language/word-partition.ts'
import { moduleLines, withFiller } from './filler.ts'
import { least } from './names.ts'
import type { Shown } from './presentation.ts'

/** How a task wants its answer written; pieces of sentences for the prompts. */
export interface AnswerForm {
  /** "Answer Yes or No." A full sentence. */
  readonly instruction: string
  /** What stands after "Answer:", as in "either Yes or No". */
  readonly final: string
  /** The role a model is put in by the `role` style. */
  readonly role: string
  /** The answer is a fenced block, so the prompt requests no "Answer:" line. */
  readonly fenced?: boolean
}

/** A solved example for the few-shot styles. */
interface Shot {
  readonly question: string
  readonly answer: string
}

/**
 * Named ways of asking. `bare`, `one-word`, `think`, `think-one-word`, `step-by-step`, `role` and `best-guess` play the
 * parts of the paper's templates (appendix A), in our own words; `answer-line` is the default; `few-shot-k` puts k
 * solved examples made of train words before the question.
 */
export const commonStyles = [
  'answer-line',
  'bare',
  'one-word',
  'think',
  'think-one-word',
  'step-by-step',
  'role',
  'best-guess',
  'few-shot-2',
  'few-shot-5',
] as const

const shotsOf = (style: string): number => Number(/^few-shot-(\d+)$/.exec(style)?.[1] ?? 0)

/** Wraps a question (context and question proper) in a style. */
function applyStyle(style: string, question: string, form: AnswerForm, shots: readonly Shot[] = []): ChatRequest {
  const content = contentOf(style, question, form, shots)
  const messages: readonly Message[] = [{ role: 'user', content }]
  return { kind: 'chat', messages }
}

function contentOf(style: string, question: string, form: AnswerForm, shots: readonly Shot[]): string {
  const ending = form.fenced
    ? `${form.instruction} Nothing may follow that block.`
    : `${form.instruction} Close with a line that reads "Answer:" followed by ${form.final}.`
  switch (style) {
    case 'bare':
      return form.fenced ? `${question}\n${form.instruction}` : question
    case 'one-word':
      return form.fenced
        ? `${question}\n${form.instruction} Write the block and nothing else.`
        : `${question}\n${form.instruction} Reply with ${form.final} and nothing else.`
    case 'think':
      return `${question}\nThink it over before you commit yourself. ${ending}`
    case 'think-one-word':
      return `${question}\nThink it over before you commit yourself. ${ending} Keep that line as short as it can be.`
    case 'step-by-step':
      return `${question}\n${form.instruction} Work through it one step at a time.`
    case 'role':
      return `${form.role}\n\n${question}\n${ending}`
    case 'best-guess':
      return `${question}\n${ending} If you are not sure, give the answer you think most likely.`
    default: {
      if (shots.length === 0) return `${question}\n${ending}`
      const solved = shots.map((shot, i) => `Example ${i + 1}\n${shot.question}\n${shot.answer}`).join('\n\n')
      return `${solved}\n\nNow your turn\n${question}\n${ending}`
    }
  }
}

/** The response that a form expects for a final answer. */
export const answerLine = (answer: string): string => `Answer: ${answer}`

/** What a context speaks of. */
export interface About {
  /** Who or what filler about entities mentions. */
  readonly kind: EntityKind
  readonly names: readonly string[]
  /** Words that further contexts may not use. */
  readonly taken: readonly string[]
  /** The word whose partition bucket further contexts take theirs from. */
  readonly home: string
}

export const about = (kind: EntityKind, names: readonly string[]): About => ({
  kind,
  names,
  taken: names,
  home: least(names),
})

/** How one task puts its questions into words; {@link asking} adds what all four tasks share. */
export interface Wording<S extends Shown, G, A> {
  /** The statements or records in prompt order. */
  lines(question: Question<S, G>): readonly string[]
  about(given: G): About
  /** The question proper, after the context. */
  ask(question: Question<S, G>): string
  form(question: Question<S, G>, style: string): AnswerForm
  /** Solved examples of the question's kind. */
  examples(shared: S, count: number): readonly Problem<S, G, A>[]
  /** How a solved example answers. */
  gold(problem: Problem<S, G, A>): string
}

/** The prompt of a question in a style: solved examples, further contexts, statements with filler, and the question. */
export function asking<S extends Shown, G, A>(wording: Wording<S, G, A>, counters: TokenCounters) {
  function context(question: Question<S, G>): string {
    const { shared, given } = question
    const entities = wording.about(given)
    const further = moduleLines(shared, 1 << wordBucket(entities.home), entities.taken)
    const own = withFiller(shared, wording.lines(question), entities, counters)
    return [shared.preamble ?? [], ...further, ...own].flat().join('\n')
  }
  const proper = (question: Question<S, G>): string =>
    [question.shared.questionPreamble ?? [], wording.ask(question)].flat().join('\n')
  const text = (question: Question<S, G>): string => `${context(question)}\n${proper(question)}`
  const parts: TemplateParts<S, G> = {
    texts: { context, question: proper, form: (question) => wording.form(question, 'answer-line').instruction },
    needs: ['context', 'question'],
    examples: {
      names: ['context', 'question', 'answer'],
      of: ({ shared }, count) =>
        wording.examples(shared, count).map((problem) => ({
          context: context(problem),
          question: proper(problem),
          answer: wording.gold(problem),
        })),
    },
  }
  function request(question: Question<S, G>, style: string): ChatRequest {
    const solved = wording
      .examples(question.shared, shotsOf(style))
      .map((problem): Shot => ({ question: text(problem), answer: wording.gold(problem) }))
    return applyStyle(style, text(question), wording.form(question, style), solved)
  }
  return { request, parts }
}

/** How often an example that cannot be made is tried again. */
const TRIES = 8

/** What kind of problem a solved example is. */
interface ShotKind<C> {
  readonly config: C
  readonly levels: StratumLevels
}

/**
 * Solved examples for a few-shot style: seeded by the question's view, made of train words, without filler or further
 * contexts. `kindOf` gives config and stratum of the i-th example.
 */
export const shotsBy =
  <C, S extends Shown, G, A>(
    draw: (config: C, at: DrawContext, draws: RandomStreams) => DrawResult<G, A>,
    kindOf: (shared: S, i: number) => ShotKind<C>,
  ) =>
  (shared: S, count: number): readonly Problem<S, G, A>[] => {
    const made: Problem<S, G, A>[] = []
    for (let i = 0; i < count; i++) {
      const { config, levels } = kindOf(shared, i)
      const cell: DrawContext = { stratum: 0, unit: 0, group: 0, ordinal: 0, levels }
      const view = [...shared.view.slice(1), (shared.view[0] as number) ^ (i + 1)].map((word) => word >>> 0)
      for (let attempt = 0; attempt < TRIES; attempt++) {
        const key = sha256(enc('recoglab/shots/1', ...shared.view, i, attempt))
        const drawn = draw(config, cell, ofTrainWords(bindStreams(new KeySpace(key), 'shot/', [])))
        if (drawn.kind === 'unreachable') continue
        const plain = { ...shared, view, filler: 'none' as const, fillerLines: 0, padTokens: 0, modules: [] }
        made.push({ shared: plain, given: drawn.given, answer: drawn.answer })
        break
      }
    }
    return made
  }

/** The same streams with the partition of the train split. */
function ofTrainWords(streams: RandomStreams): RandomStreams {
  return {
    stream: (label, ...indices) => streams.stream(label, ...indices),
    fork: (label, ...indices) => ofTrainWords(streams.fork(label, ...indices)),
    inSplit: (key) => (TRAIN_BUCKETS & (1 << partitionBucket(wordDomain, key))) !== 0,
  }
}
