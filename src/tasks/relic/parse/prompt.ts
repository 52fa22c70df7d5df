import { between, type ChatRequest, type Question, type RandomStreams } from '../../../core/index.ts'
import { fenced, requestOf } from '../grammars/asking.ts'
import { bracketed, namedRule } from '../grammars/derivation.ts'
import { analyzerOf, printedRules, type Shared } from '../grammars/grammar.ts'
import { languageOf, textOf } from '../grammars/strings.ts'
import type { Given } from './draw.ts'

export type ParseQuestion = Question<Shared, Given>

const FORM =
  'Reason in whatever way you like. Close with the derivation as a tree in brackets, in a code block: each nonterminal ' +
  "is followed by what its rule rewrites it into. For example, with the rules S -> A B, A -> 'x' A, A -> 'x' and B -> 'y', " +
  'a derivation of "x x y" is\n```\n(S (A x (A x)) (B y))\n```'

const ask = (string: string): string =>
  `Give a derivation of this string from S. If there are several, any of them is correct.\n${fenced(string)}`

export const request = (question: ParseQuestion, style: string, draws: RandomStreams): ChatRequest =>
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

/** Other strings of the grammar, no longer than the question's, with derivations. */
function examplesOf({ shared, given }: ParseQuestion, count: number, draws: RandomStreams) {
  const stream = draws.stream('shots')
  const longest = given.string.split(' ').length
  const { sampler, inside } = languageOf(shared, longest)
  const lengths = Array.from({ length: longest - 1 }, (_, k) => k + 2).filter((n) => inside.weight[n]! > 0)
  const seen = new Set([given.string])
  const found: { readonly question: string; readonly answer: string }[] = []
  for (let tries = 0; found.length < count && tries < 200; tries++) {
    const tokens = sampler.sample(stream, lengths[between(stream, 0, lengths.length - 1)] as number)
    const string = textOf(shared, tokens)
    if (seen.has(string)) continue
    seen.add(string)
    const rules = printedRules(shared, analyzerOf(shared).derivation(tokens) ?? []).map(namedRule)
    found.push({ question: ask(string), answer: fenced(bracketed(shared, rules)) })
  }
  return found
}
