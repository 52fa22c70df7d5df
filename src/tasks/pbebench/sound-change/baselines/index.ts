import type { Baseline, CountedAnswer, Json, Question } from '../../../../core/index.ts'
import { printLaw, wordOf } from '../../../../libraries/rewriting/sounds/index.ts'
import { answerBlock } from '../prompt.ts'
import type { Given } from '../question.ts'
import { shortestDescription } from './shortest-description.ts'

type LawsBaseline = Extract<Baseline<Json, Given>, { kind: 'chat' }>

/** Lists of laws tried, a language: some 10,000 a second. */
const STEPS = 20_000

const search = ({ given }: Question<unknown, Given>): CountedAnswer => {
  const { languages, words, limits } = given
  const found = languages.map((_, k) => {
    const pairs = words.flatMap(({ older, younger }) => {
      const form = younger[k] ?? null
      return form === null ? [] : [[wordOf(older), wordOf(form)] as const]
    })
    const [olders, youngers] = [pairs.map(([older]) => older), pairs.map(([, form]) => form)]
    return shortestDescription(olders, youngers, limits.laws, STEPS)
  })
  return {
    text: answerBlock(
      languages,
      found.map(({ laws }) => laws.map(printLaw)),
    ),
    steps: found.reduce((sum, { steps }) => sum + steps, 0),
  }
}

export const baselines: { readonly [name: string]: LawsBaseline } = {
  'no-laws': {
    kind: 'chat',
    note: 'no laws: every word stays as it is',
    answer: ({ given }) => answerBlock(given.languages, []),
  },
  'shortest-description': {
    kind: 'chat',
    note: `laws and corrections that say the younger words in the fewest symbols, ${STEPS} lists of laws tried a language`,
    answer: (question) => search(question).text,
    work: search,
  },
}
