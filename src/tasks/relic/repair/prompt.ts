import { between, type ChatRequest, type Question, type RandomStreams } from '../../../core/index.ts'
import { applySwap, swapFinder } from '../../../libraries/grammars/negatives/segment-swap.ts'
import { nearestMember } from '../../../libraries/grammars/recognise/distance.ts'
import { fenced, requestOf } from '../grammars/asking.ts'
import { liftedOf, type Shared } from '../grammars/grammar.ts'
import { languageOf, textOf } from '../grammars/strings.ts'
import type { Given } from './draw.ts'

export type RepairQuestion = Question<Shared, Given>

const FORM =
  'Reason in whatever way you like. Close with one line that says "Answer:" and the changed string, tokens separated by ' +
  "blanks. For example, with the rules S -> 'x' A and A -> 'y', the string \"x y y\" becomes\nAnswer: x y"

const ask = (string: string): string =>
  'This string does not belong to the language. Change it into one that does with as few edits as possible: an edit puts a ' +
  `token in, takes one out, or replaces one. If there are several ways, any of them is correct.\n${fenced(string)}`

export const request = (question: RepairQuestion, style: string, draws: RandomStreams): ChatRequest =>
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

/** Most edits of an example. */
const MAX_EDITS = 2

/** Other damaged strings of the grammar, no longer than the question's. */
function examplesOf({ shared, given }: RepairQuestion, count: number, draws: RandomStreams) {
  const stream = draws.stream('shots')
  const { cnf } = liftedOf(shared)
  const longest = given.string.split(' ').length
  const { sampler, inside } = languageOf(shared, longest)
  const find = swapFinder(cnf.terminals.length)
  const lengths = Array.from({ length: longest - 3 }, (_, k) => k + 4).filter((n) => inside.weight[n]! > 0)
  const seen = new Set([given.string])
  const found: { readonly question: string; readonly answer: string }[] = []
  for (let tries = 0; lengths.length > 0 && found.length < count && tries < 200; tries++) {
    const member = sampler.sample(stream, lengths[between(stream, 0, lengths.length - 1)] as number)
    const swap = find(member, 2)?.(stream)
    if (swap == null) continue
    const string = applySwap(member, swap)
    const nearest = nearestMember(cnf, string, MAX_EDITS)
    if (nearest === null || nearest.distance === 0 || seen.has(textOf(shared, string))) continue
    seen.add(textOf(shared, string))
    found.push({ question: ask(textOf(shared, string)), answer: `Answer: ${textOf(shared, nearest.tokens)}` })
  }
  return found
}
