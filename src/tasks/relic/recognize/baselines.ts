import { type Baseline, coin, float } from '../../../core/index.ts'
import { isCrossed } from '../grammars/crossed.ts'
import { liftedOf, type Shared, tokensOf } from '../grammars/grammar.ts'
import { recognizerOf } from '../grammars/languages.ts'
import type { Given } from '../grammars/strings.ts'
import { chat, exactBaseline, withTiring } from '../grammars/task.ts'
import { isBigramLegal } from './group/group.ts'
import type { RelicQuestion } from './prompt.ts'
import { solution } from './proof.ts'
import { chartWorkOf } from './work.ts'

const tokensIn = ({ shared, given }: RelicQuestion): number[] => tokensOf(shared, given.string)

const isMember = (question: RelicQuestion): boolean => recognizerOf(question.shared).accepts(tokensIn(question))

const yesNo = (yes: boolean): string => (yes ? 'Yes' : 'No')

const bigramLegal = (question: RelicQuestion): boolean => isBigramLegal(question.shared, tokensIn(question))

const symbolsKnown = (question: RelicQuestion): boolean => !tokensIn(question).includes(-1)

/** Rules of thumb that need no parsing: probes of the audit. */
export const heuristics: { readonly [name: string]: (question: RelicQuestion) => string } = {
  'relic/bigram': (question) => yesNo(bigramLegal(question)),
  'relic/symbols': (question) => yesNo(symbolsKnown(question)),
}

/** Maximum length that `cyk-to-length-8` parses, in tokens. */
const PARSE_LIMIT = 8

/** A derivation, or a chart in which none is, with the verdict; a step is a line. */
const proved = exactBaseline('exact, with a derivation or a chart that has none; one step per line', isMember, solution)

/** As above for strings that are short; a heuristic beyond, as the paper finds it of models (its section 6.2). */
function workedUpToLimit(question: RelicQuestion) {
  const tokens = question.given.string.split(' ')
  if (tokens.length <= PARSE_LIMIT) return proved.work(question)
  const legal = bigramLegal(question)
  const text = [
    `The string has ${tokens.length} tokens, too many to try every way of splitting it.`,
    legal
      ? 'Its neighbouring tokens all look as if they could stand side by side, so it is likely to be generated.'
      : 'Some of its neighbouring tokens look as if they could never stand side by side, so it is not likely to be generated.',
    `Answer: ${legal ? 'Yes' : 'No'}`,
  ].join('\n')
  return { text, steps: text.split('\n').length }
}

type Chat = Extract<Baseline<Shared, Given>, { readonly kind: 'chat' }>

/**
 * A model that tires: it works out the answer with a chance that falls with tokens x binary rules (one half at `endurance`), else
 * it looks up the first tokens, the fewer the more there would be to do, and guesses.
 */
function tires(endurance: number, guess: 'Yes' | 'No'): Chat {
  const answer: NonNullable<Chat['work']> = (question, draws) => {
    const { binary, lexical, nonterminals, terminals } = liftedOf(question.shared).cnf
    const tokens = tokensIn(question)
    const need = (tokens.length * binary.length) / 3
    const drawn = float(draws.stream('effort'))
    if ((need / endurance) ** 4 * drawn <= 1 - drawn) return proved.work(question)
    const looked = Math.min(tokens.length, Math.floor((4 * endurance) / need))
    const found = Array.from(isCrossed(question.shared) ? [] : tokens.slice(0, looked)).flatMap((token) => {
      const rule = lexical.findIndex((terminal, at) => at % 2 === 1 && terminal === token)
      return rule === -1 ? [] : [`${nonterminals[lexical[rule - 1] ?? 0]} -> '${terminals[token]}'`]
    })
    const seems =
      guess === 'Yes'
        ? 'All of its tokens occur in the grammar, so it is'
        : 'The string is long and the grammar large, so it is not'
    const text = [
      ...found,
      `With ${tokens.length} tokens and ${binary.length / 3} rules this is too complex to go through by hand.`,
      `${seems} likely to be generated.`,
      `Answer: ${guess}`,
    ].join('\n')
    return { text, steps: text.split('\n').length }
  }
  return {
    kind: 'chat',
    note: `a derivation or a chart, with even odds at ${endurance} tokens x rules and less beyond; else it guesses ${guess}`,
    answer: (question, draws) => answer(question, draws).text,
    work: answer,
  }
}

/** Solvers and heuristics, from exact to blind (paper, section 5; specs/relic 8). */
export const baselines: { readonly [name: string]: Baseline<Shared, Given> } = withTiring<Given>(
  {
    cyk: {
      kind: 'chat',
      note: 'exact: parses the string; a step is a look-up of two neighbours in a chart',
      answer: (question) => yesNo(isMember(question)),
      work: (question) => ({ text: yesNo(isMember(question)), steps: chartWorkOf(question).lookups }),
    },
    'cyk-with-proof': proved,
    chart: proved,
    'cyk-to-length-8': {
      kind: 'chat',
      note: `as cyk-with-proof up to ${PARSE_LIMIT} tokens, beyond that by legal adjacent pairs`,
      answer: (question) => workedUpToLimit(question).text,
      work: workedUpToLimit,
    },
    'tires-to-yes': tires(400, 'Yes'),
    'tires-to-no': tires(1000, 'No'),
    bigram: chat('Yes if the first token can begin, the last can end and every adjacent pair can occur', (question) =>
      yesNo(bigramLegal(question)),
    ),
    symbols: chat('Yes if every token occurs in the grammar', (question) => yesNo(symbolsKnown(question))),
    length: chat('Yes up to 25 tokens (released positives are shorter)', (question) =>
      yesNo(question.given.string.split(' ').length <= 25),
    ),
    majority: chat('always No, the majority class of the released set', () => 'No'),
    random: chat('a fair coin', (_question, draws) => yesNo(coin(draws.stream('coin')))),
  },
  'bigram',
  (question) => chartWorkOf(question).entries,
)
