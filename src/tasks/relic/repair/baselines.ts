import { type Baseline, below, pick, solutionText } from '../../../core/index.ts'
import { nearestMember } from '../../../libraries/grammars/recognise/distance.ts'
import { adjacencyOf, liftedOf, type Shared, tokensOf } from '../grammars/grammar.ts'
import { languageOf } from '../grammars/strings.ts'
import type { Given } from './draw.ts'
import type { RepairQuestion } from './prompt.ts'
import { solution } from './truth.ts'

const MAX_EDITS = 3
const namesOf = (shared: Shared, tokens: ArrayLike<number>): readonly string[] =>
  Array.from(tokens, (token) => liftedOf(shared).cnf.terminals[token] as string)

function worked(question: RepairQuestion): { readonly text: string; readonly steps: number } {
  const { shared, given } = question
  const found = nearestMember(liftedOf(shared).cnf, tokensOf(shared, given.string), MAX_EDITS)
  const text =
    found === null
      ? 'No string found.'
      : solutionText(solution({ ...question, answer: namesOf(shared, found.tokens) }), 'full')
  return { text, steps: text.split('\n').length }
}

/** From exact to blind. */
export const baselines: { readonly [name: string]: Baseline<Shared, Given> } = {
  chart: {
    kind: 'chat',
    note: 'exact: a chart of least edits',
    answer: (question) => worked(question).text,
    work: worked,
  },
  'legal-edit': {
    kind: 'chat',
    note: 'one random edit after which all neighbouring tokens may stand side by side',
    answer({ shared, given }, draws) {
      const stream = draws.stream('edits')
      const { pairs, begins, ends } = adjacencyOf(shared)
      const size = liftedOf(shared).cnf.terminals.length
      const tokens = tokensOf(shared, given.string)
      const isLegal = (row: readonly number[]): boolean =>
        row.length > 0 &&
        begins[row[0]!] === 1 &&
        ends[row.at(-1)!] === 1 &&
        row.every((token, at) => at === 0 || pairs[row[at - 1]! * size + token] === 1)
      let edited = tokens
      for (let tries = 0; tries < 100; tries++) {
        const at = below(stream, tokens.length)
        const token = below(stream, size)
        const kind = below(stream, 3)
        edited = [...tokens.slice(0, at), ...(kind === 0 ? [] : [token]), ...tokens.slice(kind === 2 ? at : at + 1)]
        if (isLegal(edited)) break
      }
      return `Answer: ${namesOf(shared, edited).join(' ')}`
    },
  },
  random: {
    kind: 'chat',
    note: 'a random string of the language of the same length',
    answer({ shared, given }, draws) {
      const stream = draws.stream('string')
      const length = given.string.split(' ').length
      const { sampler, inside } = languageOf(shared, length)
      const lengths = Array.from({ length }, (_, k) => k + 1).filter((n) => inside.weight[n]! > 0)
      const own = lengths.includes(length) ? length : pick(stream, lengths)
      return `Answer: ${namesOf(shared, sampler.sample(stream, own)).join(' ')}`
    },
  },
}
