import { type Baseline, coin, remember } from '../../../core/index.ts'
import { compileRecognizer } from '../../../formal/recognizer.ts'
import { compiled } from './grammars.ts'
import { bigramLegal } from './heuristics.ts'
import type { Given, RelicQuestion, Shared } from './prompt.ts'

const recognizer = remember((shared: Shared) => compileRecognizer(compiled(shared)))

const yesNo = (yes: boolean): string => (yes ? 'Yes' : 'No')

const known = (question: RelicQuestion): boolean => {
  const terminals = terminalSet(question.shared)
  return question.given.string.split(' ').every((token) => terminals.has(token))
}
const terminalSet = remember((shared: Shared) => new Set(compiled(shared).terminals))

/** Solvers and rules of thumb, from exact to blind (paper, section 5; specs/relic 8). */
export const baselines: { readonly [name: string]: Baseline<Shared, Given> } = {
  cyk: {
    kind: 'chat',
    note: 'exact: parses the string',
    answer: (question) => yesNo(recognizer(question.shared).accepts(tokensOf(question))),
  },
  bigram: {
    kind: 'chat',
    note: 'Yes where the first token can begin, the last can end and every adjacent pair can occur',
    answer: (question) => yesNo(bigramLegal(question)),
  },
  length: {
    kind: 'chat',
    note: 'Yes with a chance that falls with the length: half at the middle of 2 to 50 tokens',
    answer: (question) => yesNo(question.given.string.split(' ').length <= 25),
  },
  symbols: {
    kind: 'chat',
    note: 'Yes where every token occurs in the grammar',
    answer: (question) => yesNo(known(question)),
  },
  majority: {
    kind: 'chat',
    note: 'always No, the commoner class of the released set',
    answer: () => 'No',
  },
  random: {
    kind: 'chat',
    note: 'a fair coin',
    answer: (_question, draws) => yesNo(coin(draws.stream('coin'))),
  },
}

const tokensOf = (question: RelicQuestion): number[] => {
  const numbers = terminalNumbers(question.shared)
  return question.given.string.split(' ').map((token) => numbers.get(token) ?? -1)
}
const terminalNumbers = remember(
  (shared: Shared) => new Map(compiled(shared).terminals.map((terminal, i) => [terminal, i])),
)
