import { z } from 'zod'
import {
  below,
  between,
  defineTask,
  fullOnly,
  type Grade,
  isObject,
  type Json,
  type Preset,
  type Problem,
  type Question,
  type SolutionStep,
  shuffle,
} from '../../../core/index.ts'
import { continuations } from '../../../libraries/grammars/recognise/prefix.ts'
import { BLANK, templateAnalyzer } from '../../../libraries/grammars/recognise/template.ts'
import { earleyItems } from '../../../libraries/grammars/recognise/work.ts'
import { derivationOf } from '../grammars/derivation.ts'
import { bandKinds, dial, dialChecks, dialCurriculum, dialPresets } from '../grammars/dial.ts'
import { treeDrawing } from '../grammars/drawings.ts'
import {
  adjacencyOf,
  analyzerOf,
  liftedOf,
  namesOf,
  type Shared,
  symbolsOf,
  textOf,
  tokensOf,
} from '../grammars/grammar.ts'
import { recognizerOf } from '../grammars/languages.ts'
import { withOwn } from '../grammars/own.ts'
import { codeOf, fenced } from '../grammars/present.ts'
import { matchingLines, partOf, provesMember, withAnswer } from '../grammars/proved.ts'
import { END, strictTokens, tokenParsers } from '../grammars/sequences.ts'
import { answerLine, chat, exactBaseline, overGrammars, withTiring } from '../grammars/task.ts'
import { type Answer, answerOf, draw, features, type Given } from './draw.ts'
import { oracle } from './oracle.ts'

type NextQuestion = Question<Shared, Given>
type NextProblem = Problem<Shared, Given, Answer>

const config = dialChecks(
  z.strictObject({
    ...dial,
    form: z
      .enum(['greibach', 'regular'])
      .default('greibach')
      .describe('Rules: A -> t, A -> t B and A -> t B C (greibach); without the last (regular)'),
    load: dial.load.default(0.3),
    window: z
      .int()
      .min(1)
      .max(4)
      .default(2)
      .describe('Other beginnings end in the same number of tokens and have other continuations'),
  }),
)
export type Config = z.infer<typeof config>

const greibach = { form: 'greibach', load: 0.3 } as const
const presets: { readonly [name: string]: Preset<Config> } = {
  ...dialPresets<Config>('next', greibach, { load: 0.5, workBands: [16, 32, 64, 128, 256] }),
  'next-hard': {
    summary: '400 to 1,000 rules, beginnings of strings of 16 to 32 tokens, windows of 3 tokens',
    config: { rules: { low: 400, high: 1000 }, minLength: 16, maxLength: 32, window: 3 },
  },
  'next-regular': {
    summary: 'Regular grammars of 200 to 600 rules, windows of 3 tokens',
    config: { form: 'regular', rules: { low: 200, high: 600 }, window: 3 },
  },
}

/**
 * 1 for the exact set: order and repeats do not matter. Subscores: `set`, (right - wrong) / size, at least 0, so that naming all tokens earns nothing; `missed`
 * and `added`, the share of the set that is not named and of what is named that is wrong.
 */
function grade({ answer: wanted }: NextProblem, answer: Answer): Grade {
  const named = [...new Set(answer)]
  const right = named.filter((name) => wanted.includes(name)).length
  const wrong = named.length - right
  return {
    value: wrong === 0 && right === wanted.length ? 1 : 0,
    parts: {
      set: Math.max(0, (right - wrong) / wanted.length),
      missed: 1 - right / wanted.length,
      added: named.length === 0 ? 0 : wrong / named.length,
    },
  }
}

/** Most tokens behind the beginning of a completion. */
const MAX_BEHIND = 40

const begun = ({ shared, given }: NextQuestion, name: string): readonly number[] =>
  tokensOf(shared, name === END ? given.beginning : `${given.beginning} ${name}`)

/** The shortest string of the language that begins with the question's tokens and a name of the answer, with its derivation. */
function completion(question: NextQuestion, name: string) {
  const { shared } = question
  const tokens = begun(question, name)
  if (name === END) return { tokens, derivation: analyzerOf(shared).derivation(tokens) ?? [] }
  const analyzer = templateAnalyzer(liftedOf(shared).cnf)
  for (let behind = 0; behind <= MAX_BEHIND; behind++) {
    const found = analyzer.fill([...tokens, ...new Array<number>(behind).fill(BLANK)])
    if (found !== null) return found
  }
  return null
}

const begins = (question: NextQuestion, name: string, tokens: readonly number[]): boolean => {
  const start = begun(question, name)
  return start.every((token, at) => tokens[at] === token) && (name !== END || tokens.length === start.length)
}

/** For each token of the answer a string that begins so, with its derivation. */
const witness = (problem: NextProblem): Json =>
  Object.fromEntries(
    problem.answer.map((name) => {
      const found = completion(problem, name)
      return [
        name,
        found === null ? null : { string: textOf(problem.shared, found.tokens), rules: [...found.derivation] },
      ]
    }),
  )

/** Replays each derivation; that no other token may follow is checked by Earley's algorithm. */
function check(problem: NextProblem, proof: Json): boolean {
  const { shared, answer } = problem
  if (!isObject(proof) || Object.keys(proof).length !== answer.length) return false
  return (
    answer.every((name) => {
      const own = partOf(proof, name) ?? null
      const string = partOf(own, 'string')
      return (
        typeof string === 'string' &&
        begins(problem, name, tokensOf(shared, string)) &&
        provesMember(shared, string, partOf(own, 'rules'))
      )
    }) && oracle(problem, answer)
  )
}

const gold = ({ answer }: NextProblem): string => answerLine(answer)

/** For each token a string of the language that begins so; the first is the reason. */
function solution(problem: NextProblem): readonly SolutionStep[] {
  const lines = problem.answer.map((name, at): SolutionStep => {
    const found = completion(problem, name)
    const text = `${name}: ${found === null ? '' : textOf(problem.shared, found.tokens)}`
    return at === 0 ? text : fullOnly(text)
  })
  return [
    {
      reason: 'A token that may come next, with a string of the language that begins so.',
      short: 'A token that may come next, with a string of the language that begins so.',
      full: 'Each token that may come next, with a string of the language that begins so; END with the tokens themselves.',
    },
    ...lines,
    gold(problem),
  ]
}

/** The derivation of a string for each token that may come next. */
const drawings = (problem: NextProblem): readonly Json[] =>
  problem.answer.flatMap((name) => {
    const found = completion(problem, name)
    const { shared } = problem
    return found === null ? [] : treeDrawing(shared, derivationOf(shared, textOf(shared, found.tokens)))
  })

const STEP = /^\s{0,8}([\p{L}\p{N}_]{1,64}): ([\p{L}\p{N}_ ]{1,1900}?)\s{0,8}$/u

/** Lines `t3: t1 t2 t3 t7`: does the string begin so, and is it in the language? */
function* stated(question: NextQuestion, text: string) {
  const { shared } = question
  for (const { match, span } of matchingLines(text, STEP, 2000)) {
    if (match[1] === 'Answer') continue
    const [name = '', ...string] = [match[1] as string, ...(match[2] as string).split(/ +/u)].map((word) =>
      codeOf(shared, word),
    )
    const tokens = tokensOf(shared, string.join(' '))
    const holds = begins(question, name, tokens) && recognizerOf(shared).accepts(tokens)
    yield { span, holds, unknown: string.filter((_, at) => tokens[at] === -1) }
  }
}

/** Tokens in the order of their numbers, as the answer has them. */
const inOrder = (shared: Shared, names: readonly string[]): string =>
  allNames(shared)
    .filter((name) => names.includes(name))
    .join(' ')

const allNames = (shared: Shared): readonly string[] => [...symbolsOf(shared).tokens.keys(), END]

export const next = defineTask({
  name: 'relic/next',
  summary: 'Which tokens can follow this beginning of a string?',
  ...overGrammars<Given>({
    text: ({ beginning }) => beginning,
    ask: (beginning) =>
      `A string of the language begins with these tokens:\n${fenced(beginning)}\nWhich tokens can come next? List every token t ` +
      'such that some string of the language begins with these tokens followed by t, and END if these tokens alone are a ' +
      'string of the language.',
    form:
      'Reason in whatever way you like. Close with one line that says "Answer:" and all of these tokens, separated by spaces, ' +
      "with END among them if the string can end here. For example, with the rules S -> 'x' A, A -> 'y', A -> 'z' A, what can " +
      'follow the beginning "x" is\nAnswer: y z',
    lengths: { shortest: 1, longer: 2 },
    example({ shared, given }, string, stream) {
      const longest = given.beginning.split(' ').length
      const tokens = string.subarray(0, between(stream, 1, Math.min(longest, string.length)))
      const answer = answerOf(shared, continuations(liftedOf(shared).cnf, tokens))
      return { text: textOf(shared, tokens), answer: answerLine(answer) }
    },
  }),
  ...withOwn(draw, bandKinds),
  config,
  curriculum: dialCurriculum<Config>({ ...greibach, tokens: 8, window: 1 }, 2),
  presets,
  features,
  parsers: tokenParsers,
  grade,
  tieBreaker: 'set',
  gold,
  oracle,
  witness,
  check,
  solution,
  checkSteps: (question, text) =>
    withAnswer(question, stated(question, text), strictTokens(text, question.shared), { oracle, decides: inOrder }),
  drawings,
  baselines: withTiring<Given>(
    {
      chart: exactBaseline(
        'exact, with a string for every token',
        ({ shared, given }: NextQuestion) =>
          answerOf(shared, continuations(liftedOf(shared).cnf, tokensOf(shared, given.beginning))),
        solution,
      ),
      followers: chat('all tokens that may stand behind the last one in some string', ({ shared, given }) => {
        const { pairs, ends } = adjacencyOf(shared)
        const last = tokensOf(shared, given.beginning).at(-1) as number
        const size = ends.length
        const following = Array.from(ends.keys()).filter((token) => pairs[last * size + token] === 1)
        return answerLine([...namesOf(shared, following), ...(ends[last] === 1 ? [END] : [])])
      }),
      all: chat('all tokens and END', ({ shared }) => answerLine(allNames(shared))),
      random: chat('some tokens at random, at most half of them', ({ shared }, draws) => {
        const stream = draws.stream('choices')
        const names = allNames(shared)
        return answerLine(shuffle(stream, names).slice(0, 1 + below(stream, Math.floor(names.length / 2))))
      }),
    },
    'followers',
    ({ shared, given }) => earleyItems(liftedOf(shared).cnf, tokensOf(shared, given.beginning)),
  ),
})
