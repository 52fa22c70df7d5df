import { below, between, type ChatRequest, type Question, type RandomStreams } from '../../../core/index.ts'
import { fenced, requestOf } from '../grammars/asking.ts'
import { liftedOf, type Shared } from '../grammars/grammar.ts'
import { languageOf, textOf } from '../grammars/strings.ts'
import { ANSWERS } from './config.ts'
import { derivationsOf, type Given } from './draw.ts'

export type CountQuestion = Question<Shared, Given>

const FORM =
  'Reason in whatever way you like. Close with one line that says "Answer:" and the number. For example, with the rules ' +
  'S -> A A, A -> A A and A -> \'x\', the string "x x x" has two derivations, by (x x) x and x (x x):\nAnswer: 2'

const ask = (string: string): string =>
  `How many different derivations (parse trees) from S does this string have? It has 0 if it does not belong to the language; the answer is a number from 0 to 5.\n${fenced(string)}`

export const request = (question: CountQuestion, style: string, draws: RandomStreams): ChatRequest =>
  requestOf(
    {
      shared: question.shared,
      ask: (show) => ask(question.given.string.split(' ').map(show).join(' ')),
      form: FORM,
      examples: (count) => examplesOf(question, count, draws),
    },
    style,
    draws,
  )

/** Other strings of the grammar, no longer than the question's. */
function examplesOf({ shared, given }: CountQuestion, count: number, draws: RandomStreams) {
  const stream = draws.stream('shots')
  const longest = given.string.split(' ').length
  const { sampler, inside } = languageOf(shared, longest)
  const lengths = Array.from({ length: longest - 1 }, (_, k) => k + 2).filter((n) => inside.weight[n]! > 0)
  const seen = new Set([given.string])
  const found: { readonly question: string; readonly answer: string }[] = []
  for (let tries = 0; lengths.length > 0 && found.length < count && tries < 200; tries++) {
    const tokens = sampler.sample(stream, lengths[between(stream, 0, lengths.length - 1)] as number)
    // Every other one with a token changed, which is seldom a string of the language.
    if (found.length % 2 === 1)
      tokens[below(stream, tokens.length)] = below(stream, liftedOf(shared).cnf.terminals.length)
    const string = textOf(shared, tokens)
    const derivations = derivationsOf(shared, tokens)
    if (seen.has(string) || derivations >= ANSWERS.length) continue
    seen.add(string)
    found.push({ question: ask(string), answer: `Answer: ${derivations}` })
  }
  return found
}
