import { between, type ChatRequest, type Question, type RandomStreams, sampleIndices } from '../../../core/index.ts'
import { fenced, requestOf } from '../grammars/asking.ts'
import type { Shared } from '../grammars/grammar.ts'
import { languageOf, textOf } from '../grammars/strings.ts'
import type { Given } from './draw.ts'

export type FillQuestion = Question<Shared, Given>

const FORM =
  'Reason in whatever way you like. Close with one line that says "Answer:" and the whole string, tokens separated by ' +
  "blanks. For example, with the rules S -> 'x' A, A -> 'y', A -> 'z' A, the string \"x _ _\" can be completed as\nAnswer: x z y"

function ask(template: string): string {
  const places = template.split(' ')
  return places.every((place) => place === '_')
    ? `Write a string of the language that has exactly ${places.length} tokens. Any such string is correct.`
    : `Replace each _ by one token so that the string belongs to the language. If there are several ways, any of them is correct.\n${fenced(template)}`
}

export const request = (question: FillQuestion, style: string, draws: RandomStreams): ChatRequest =>
  requestOf(
    {
      shared: question.shared,
      ask: (show) =>
        ask(
          question.given.template
            .split(' ')
            .map((name) => (name === '_' ? name : show(name)))
            .join(' '),
        ),
      form: FORM,
      examples: (count) => examplesOf(question, count, draws),
    },
    style,
    draws,
  )

/** Other strings of the grammar, no longer than the question's, with as large a share of blanks. */
function examplesOf({ shared, given }: FillQuestion, count: number, draws: RandomStreams) {
  const stream = draws.stream('shots')
  const places = given.template.split(' ')
  const share = places.filter((place) => place === '_').length / places.length
  const { sampler, inside } = languageOf(shared, places.length)
  const lengths = Array.from({ length: places.length - 1 }, (_, k) => k + 2).filter((n) => inside.weight[n]! > 0)
  const seen = new Set<string>()
  const found: { readonly question: string; readonly answer: string }[] = []
  for (let tries = 0; lengths.length > 0 && found.length < count && tries < 200; tries++) {
    const string = textOf(shared, sampler.sample(stream, lengths[between(stream, 0, lengths.length - 1)] as number))
    const names = string.split(' ')
    const blank = new Set(sampleIndices(stream, names.length, Math.max(1, Math.round(share * names.length))))
    const template = names.map((name, at) => (blank.has(at) ? '_' : name)).join(' ')
    if (template === given.template || seen.has(string)) continue
    seen.add(string)
    found.push({ question: ask(template), answer: `Answer: ${string}` })
  }
  return found
}
