import { z } from 'zod'
import {
  defineTask,
  type Grade,
  type Json,
  type Preset,
  type Problem,
  pick,
  type Question,
  type RandomStreams,
  type SolutionStep,
} from '../../../core/index.ts'
import { printedRules } from '../grammars/derivation.ts'
import { bandKinds, dial, dialChecks, dialCurriculum, dialPresets } from '../grammars/dial.ts'
import { drawGrammar } from '../grammars/draw.ts'
import { liftedOf, type Shared, symbolsOf, targetWordsOf, textOf, tokensOf } from '../grammars/grammar.ts'
import { withOwn } from '../grammars/own.ts'
import { codeOf, fenced } from '../grammars/present.ts'
import {
  derivationLines,
  derivationSteps,
  isNumbers,
  matchingLines,
  partOf,
  provedByDerivation,
  provesMember,
} from '../grammars/proved.ts'
import { tokenParsers } from '../grammars/sequences.ts'
import { type Given, workOf } from '../grammars/strings.ts'
import { answerLine, chat, exactBaseline, overGrammars, withTiring } from '../grammars/task.ts'
import { type Answer, draw, features } from './draw.ts'
import { oracle } from './oracle.ts'
import { drawTargets, type Translation, translations, wordsInOrder, yieldOf } from './synchronous.ts'

type TranslateQuestion = Question<Shared, Given>
type TranslateProblem = Problem<Shared, Given, Answer>

const share = z.number().min(0).max(1)
const config = dialChecks(
  z.strictObject({
    ...dial,
    grammar: z.null().default(null).describe('Grammars are random'),
    form: z.literal('cnf').default('cnf').describe('Rules: A -> B C and A -> t'),
    load: dial.load.default(0.3),
    inversion: share.default(0.5).describe('Share of the rules that change the order of their parts'),
    particles: share.default(0.2).describe('Share of the rules that add a word'),
    unique: z.boolean().default(true).describe('true: exactly one translation; false: at most 20, any is correct'),
    pairs: z
      .boolean()
      .default(false)
      .describe('Only strings for which another has the same pairs of neighbours and is translated by other words'),
  }),
)
export type Config = z.infer<typeof config>

const presets: { readonly [name: string]: Preset<Config> } = {
  ...dialPresets<Config>('translate', { load: 0.3 }, { load: 0.4, workBands: [32, 64, 128, 256], perGrammar: 6 }),
  'translate-pairs': {
    summary: 'As translate; another string has the same pairs of neighbours but other words in its translation',
    config: { pairs: true, load: 0.45, minLength: 14, maxLength: 20 },
  },
}

/** All translations of a question, at most 20. */
const answersTo = ({ shared, given }: TranslateQuestion): readonly Translation[] =>
  translations(shared, tokensOf(shared, given.string)) ?? []

const firstOf = (question: TranslateQuestion): Answer => answersTo(question)[0]?.words ?? []

/**
 * 1 for a translation. Subscores, of the translation for which each is highest: `prefix`, the beginning in common over the longer
 * of the two lengths; `words`, F1 of the words whatever their order; `order`, the share of pairs of right words that stand in
 * their order.
 */
function grade(problem: TranslateProblem, answer: Answer): Grade {
  const all = answersTo(problem).map(({ words }) => words)
  const best = (of: (words: Answer) => number): number => Math.max(0, ...all.map(of))
  return {
    value: all.some((words) => words.join(' ') === answer.join(' ')) ? 1 : 0,
    parts: {
      prefix: best((words) => {
        const wrong = words.findIndex((word, at) => word !== answer[at])
        return (wrong === -1 ? words.length : wrong) / Math.max(words.length, answer.length)
      }),
      words: best((words) => (2 * placesOf(words, answer).length) / (words.length + answer.length)),
      order: best((words) => {
        const places = placesOf(words, answer)
        const pairs = places.flatMap((first, k) => places.slice(k + 1).map((second) => first < second))
        return pairs.length === 0 ? 0 : pairs.filter(Boolean).length / pairs.length
      }),
    },
  }
}

/** Places in a translation of the words of an answer, in its order: the first use of a word is its first place, and so on. */
function placesOf(words: Answer, answer: Answer): readonly number[] {
  const left = Map.groupBy(words.keys(), (place) => words[place])
  return answer.flatMap((word) => left.get(word)?.shift() ?? [])
}

/** A derivation of the string that gives the answer. */
const derivationOf = (problem: TranslateProblem): readonly number[] =>
  answersTo(problem).find(({ words }) => words.join(' ') === problem.answer.join(' '))?.derivation ?? []

const STEP = /^(.{1,600}?): ([\p{L}\p{N}_ ]{1,1900}?)\s{0,8}$/u

/** Lines of a derivation with translations: is the rule right, and is that a translation of its part? */
function* stated(shared: Shared, string: string, text: string) {
  const tokens = tokensOf(shared, string)
  for (const { match, span } of matchingLines(text, STEP, 2600)) {
    const [step] = derivationSteps(shared, string, match[1] as string)
    if (step === undefined) continue
    const words = (match[2] as string).split(/ +/u).map((name) => codeOf(shared, name))
    const [from, to] = step.bounds as [number, number]
    const symbol = symbolsOf(shared).nonterminals.get(step.name) ?? -1
    const known = step.holds ? translations(shared, tokens, [symbol, from, to]) : []
    const holds = step.holds && (known === null || known.some((one) => one.words.join(' ') === words.join(' ')))
    const unknown = [...step.unknown, ...words.filter((word) => !targetWordsOf(shared).has(word))]
    yield { span, holds, unknown }
  }
}

const proved = provedByDerivation<Given, Answer>({
  stringOf: ({ given }) => given.string,
  derivationOf: (problem) => printedRules(problem.shared, derivationOf(problem)),
  oracle,
  gold: ({ answer }) => answerLine(answer),
  parser: tokenParsers.strict,
  decides: (_shared, answer) => answer.join(' '),
  stated,
})

/** The derivation's rules, replayed on both sides. */
const check = (problem: TranslateProblem, proof: Json): boolean => {
  const rules = partOf(proof, 'rules')
  return (
    provesMember(problem.shared, problem.given.string, rules) &&
    isNumbers(rules) &&
    yieldOf(problem.shared, rules)?.join(' ') === problem.answer.join(' ')
  )
}

/** A derivation, each line with the translation of its part. */
function solution(problem: TranslateProblem): readonly SolutionStep[] {
  const { shared } = problem
  const rules = derivationOf(problem)
  const translation = (at: number, size: number): string =>
    `: ${yieldOf(shared, rules.slice(at, at + size))?.join(' ')}`
  return [
    'Behind each colon stands the translation of the part.',
    ...derivationLines(shared, printedRules(shared, rules), translation),
    answerLine(problem.answer),
  ]
}

/** The words that symbols give a token. */
function wordsOfToken(shared: Shared, token: number): readonly string[] {
  const { cnf } = liftedOf(shared)
  const binary = cnf.binary.length / 3
  return Array.from({ length: cnf.lexical.length / 2 }, (_, rule) => rule).flatMap((rule) =>
    cnf.lexical[2 * rule + 1] === token ? (yieldOf(shared, [binary + rule]) ?? []) : [],
  )
}

export const translate = defineTask({
  name: 'relic/translate',
  summary: 'Translate this string by a synchronous grammar',
  ...overGrammars<Given>({
    text: ({ string }) => string,
    ask: (string) => `Translate this string.\n${fenced(string)}`,
    form:
      'Reason in whatever way you like. Close with one line that says "Answer:" and the words of the translation, separated by ' +
      "spaces. For example, with the rules S -> A B / B 'o' A, A -> 'x' / 'k' and B -> 'y' / 'm', the translation of \"x y\" is\n" +
      'Answer: m o k',
    example({ shared }, tokens) {
      const [one, ...others] = translations(shared, tokens) ?? []
      return one === undefined || others.length > 0
        ? null
        : { text: textOf(shared, tokens), answer: answerLine(one.words) }
    },
  }),
  version: 2,
  promptVersion: 3,
  ...proved,
  ...withOwn(draw, bandKinds),
  witness: (problem: TranslateProblem) => ({ rules: [...derivationOf(problem)] }),
  check,
  solution,
  config,
  curriculum: dialCurriculum<Config>({ load: 0.3 }, 4),
  presets,
  features,
  group(config: Config, _plan, _group, draws) {
    const shared = drawGrammar(config, draws)
    return 'reason' in shared
      ? shared
      : { ...shared, targets: drawTargets(config, shared as Shared, draws.stream('targets')) }
  },
  parsers: tokenParsers,
  grade,
  tieBreaker: 'prefix',
  baselines: withTiring<Given>(
    {
      chart: exactBaseline('exact: a chart with translations', firstOf, solution),
      'in-order': chat('the right words, in the order of the source', (question) => {
        const [first] = answersTo(question)
        return answerLine(first === undefined ? [] : wordsInOrder(question.shared, first))
      }),
      'word-by-word': chat('one of its words for each token', ({ shared, given }, draws: RandomStreams) => {
        const stream = draws.stream('words')
        return answerLine(tokensOf(shared, given.string).map((token) => pick(stream, wordsOfToken(shared, token))))
      }),
      random: chat('random words', ({ shared, given }, draws: RandomStreams) => {
        const stream = draws.stream('words')
        const words = [...targetWordsOf(shared)]
        return answerLine(given.string.split(' ').map(() => pick(stream, words)))
      }),
    },
    'in-order',
    ({ shared, given }) => workOf(shared, tokensOf(shared, given.string), 'cnf'),
  ),
})
