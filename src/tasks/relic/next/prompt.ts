import { between, type ChatRequest, type Question, type RandomStreams } from '../../../core/index.ts'
import { continuations } from '../../../libraries/grammars/recognise/prefix.ts'
import { fenced, requestOf } from '../grammars/asking.ts'
import { liftedOf, type Shared } from '../grammars/grammar.ts'
import { languageOf, textOf } from '../grammars/strings.ts'
import { answerOf, type Given } from './draw.ts'

export type NextQuestion = Question<Shared, Given>

const FORM =
  'Reason in whatever way you like. Close with one line that says "Answer:" and all of these tokens, separated by blanks, ' +
  "with END among them if nothing need follow. For example, with the rules S -> 'x' A, A -> 'y', A -> 'z' A, what may follow " +
  'the beginning "x" is\nAnswer: y z'

const ask = (beginning: string): string =>
  `A string of the language begins with these tokens:\n${fenced(beginning)}\nWhich tokens can come next? List every token t ` +
  'such that some string of the language begins with these tokens followed by t, and END if these tokens alone are a ' +
  'string of the language.'

export const request = (question: NextQuestion, style: string, draws: RandomStreams): ChatRequest =>
  requestOf(
    {
      shared: question.shared,
      ask: (show) => ask(question.given.beginning.split(' ').map(show).join(' ')),
      form: FORM,
      examples: (count) => examplesOf(question, count, draws),
    },
    style,
    draws,
  )

/** Other beginnings of the grammar, no longer than the question's. */
function examplesOf({ shared, given }: NextQuestion, count: number, draws: RandomStreams) {
  const stream = draws.stream('shots')
  const longest = given.beginning.split(' ').length
  const { sampler, inside } = languageOf(shared, longest + 2)
  const lengths = Array.from({ length: longest + 2 }, (_, k) => k + 1).filter((n) => inside.weight[n]! > 0)
  const seen = new Set([given.beginning])
  const found: { readonly question: string; readonly answer: string }[] = []
  for (let tries = 0; lengths.length > 0 && found.length < count && tries < 200; tries++) {
    const string = sampler.sample(stream, lengths[between(stream, 0, lengths.length - 1)] as number)
    const tokens = string.subarray(0, between(stream, 1, Math.min(longest, string.length)))
    const beginning = textOf(shared, tokens)
    if (seen.has(beginning)) continue
    seen.add(beginning)
    const answer = answerOf(shared, continuations(liftedOf(shared).cnf, tokens))
    found.push({ question: ask(beginning), answer: `Answer: ${answer.join(' ')}` })
  }
  return found
}
