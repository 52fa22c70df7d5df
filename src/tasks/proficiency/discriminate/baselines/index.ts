import type { Baseline, Question, TokenLogprob } from '../../../../core/index.ts'
import { printPcfg } from '../../../../formal/pcfg/index.ts'
import { makeLearner, type SequenceLearner, scoreSequence } from '../../../../stats/sequence/index.ts'
import { stretches } from '../../format.ts'
import { type Language, languageOf } from '../../languages/compiled.ts'
import { namedGrammar } from '../../languages/make.ts'
import { paperNames } from '../../languages/spec.ts'
import { trainingSizes, trainingTexts } from '../../training.ts'
import type { Given, Shared } from '../types.ts'
import { grammarModel, mixStrings, noiseModel, type StringModel } from './string-models.ts'

/**
 * Models that need no network: in-context learners over the language's tokens and the end of string, the language itself,
 * and mixtures. All are proper distributions over strings.
 */
type ScoreBaseline = Extract<Baseline<Shared, Given>, { kind: 'score' }>

/** Symbols of a string: terminal indices, then the end. */
type Scorer = (question: Question<Shared, Given>, symbols: readonly number[]) => readonly number[]

/** A baseline from a function that gives ln P of each symbol; the end is left out where the text has none. */
function baseline(note: string, score: Scorer): ScoreBaseline {
  return {
    kind: 'score',
    note,
    logprob(question, text) {
      const { shared, given } = question
      const names = given.text.split(' ')
      const starts = stretches(text, names, shared.format.terminator)
      if (starts === null) throw new Error(`the text to score is not the question's string ${given.text}`)
      const { grammar } = languageOf(shared.grammar)
      const symbols = names.map((name) => grammar.terminals.indexOf(name))
      const logprobs = score(question, [...symbols, grammar.terminals.length])
      return starts.map(
        (start, i): TokenLogprob => ({
          text: text.slice(start, starts[i + 1] ?? text.length),
          logprob: logprobs[i] as number,
        }),
      )
    },
  }
}

/** Learners that have read a context, the latest ones used; a context is told by its texts. */
const held = new Map<string, SequenceLearner>()
const mostHeld = 16

/** The learner after reading the texts. */
function primed(name: string, language: Language, grammar: string, texts: readonly string[]): SequenceLearner {
  const make = makeLearner(name)
  if (make === null) throw new Error(`there is no learner ${name}`)
  const { terminals } = language.grammar
  const key = `${name}\n${grammar}\n${texts.length}\n${texts.join('\n')}`
  const found = held.get(key)
  if (found !== undefined) {
    held.delete(key)
    held.set(key, found)
    return found
  }
  const learner = make(terminals.length + 1)
  // Every string begins after an end, the first one too.
  learner.read(terminals.length)
  const index = new Map(terminals.map((terminal, i) => [terminal, i]))
  for (const text of texts) {
    for (const token of text.split(' ')) learner.read(index.get(token) as number)
    learner.read(terminals.length)
  }
  held.set(key, learner)
  const oldest = held.keys().next().value
  if (held.size > mostHeld && oldest !== undefined) held.delete(oldest)
  return learner
}

const logs = (probabilities: ArrayLike<number>): number[] => Array.from(probabilities, Math.log)

/** A learner that reads the examples in context, and the string as it goes. */
const inContext =
  (name: string): Scorer =>
  ({ shared, given }, symbols) => {
    const texts = shared.examples.slice(0, given.k)
    return logs(scoreSequence(primed(name, languageOf(shared.grammar), shared.grammar, texts), symbols))
  }

/** A learner that was trained on the first `size` strings of the language's training set before it reads the examples. */
const trained =
  (name: string, size: number): Scorer =>
  ({ shared, given }, symbols) => {
    const texts = [...trainingTexts(shared, size), ...shared.examples.slice(0, given.k)]
    return logs(scoreSequence(primed(name, languageOf(shared.grammar), shared.grammar, texts), symbols))
  }

/** A model of strings that does not look at the context. */
const ofStrings =
  (make: (shared: Shared) => StringModel): Scorer =>
  ({ shared }, symbols) =>
    make(shared)(symbols)

/** So little noise that a string of the language loses less than 1e-12 nats, and one outside has a finite loss. */
const almostAll = 1 - 1 / 1099511627776

const own = ({ grammar }: Shared): StringModel => oracleOf(grammar, languageOf(grammar))

/** The language of another grammar text over the question's alphabet; a token it does not know is impossible. */
function oracleOf(text: string, { grammar }: Language): StringModel {
  const size = grammar.terminals.length + 1
  return mixStrings([grammarModel(languageOf(text), grammar.terminals), noiseModel(size)], [almostAll, 1 - almostAll])
}

const texts = new Map<string, string>()
function presetText(name: (typeof paperNames)[number]): string {
  let found = texts.get(name)
  if (found === undefined) {
    found = printPcfg(namedGrammar(name))
    texts.set(name, found)
  }
  return found
}

/** M2 of the paper: model M1 with probability p, otherwise a random string. */
const withNoise =
  (first: Scorer, p: number): Scorer =>
  (question, symbols) => {
    const size = languageOf(question.shared.grammar).grammar.terminals.length + 1
    return mixStrings([() => first(question, symbols), noiseModel(size)], [p, 1 - p])(symbols)
  }

export const inContextNames: readonly string[] = [
  'uniform',
  'unigram',
  ...[1, 2, 3, 4, 5].map((k) => `markov:${k}`),
  ...[2, 3, 4, 5, 6].map((k) => `kneser-ney:${k}`),
  'ppm',
  'ctw',
  'match',
  'mixture',
]
export const trainedNames: readonly string[] = ['markov:2', 'markov:3', 'kneser-ney:6', 'ppm', 'ctw', 'mixture']
const noiseShares = [0.9, 0.5, 0.1]

const oracle: Scorer = ofStrings(own)

export const baselines: { readonly [name: string]: ScoreBaseline } = {
  ...Object.fromEntries(inContextNames.map((name) => [name, baseline(`learns in context: ${name}`, inContext(name))])),
  oracle: baseline('the language itself: no model can lose less', oracle),
  ...Object.fromEntries(
    paperNames.map((name) => [
      `oracle:${name}`,
      baseline(
        `the language ${name}, whatever is asked`,
        ofStrings(({ grammar }) => oracleOf(presetText(name), languageOf(grammar))),
      ),
    ]),
  ),
  'oracle:multilingual': baseline(
    'g1 to g9 each with probability 1/9: loses more than one language’s oracle and discriminates as well',
    ofStrings(({ grammar }) => {
      const nine = paperNames.filter((name) => name !== 'g1-figure-1')
      return mixStrings(
        nine.map((name) => oracleOf(presetText(name), languageOf(grammar))),
        nine.map(() => 1 / nine.length),
      )
    }),
  ),
  ...Object.fromEntries(
    noiseShares.flatMap((p) =>
      (
        [
          ['oracle', oracle],
          ['mixture', inContext('mixture')],
          ['ppm', inContext('ppm')],
        ] as const
      ).map(([name, first]) => [
        `mixture-with-noise:${p}:${name}`,
        baseline(`the paper’s M2: ${name} with probability ${p}, otherwise a random string`, withNoise(first, p)),
      ]),
    ),
  ),
  ...Object.fromEntries(
    trainedNames.flatMap((name) =>
      trainingSizes.map((size) => [
        `trained:${name}:${size}`,
        baseline(`${name} trained on ${size} strings before it reads the context`, trained(name, size)),
      ]),
    ),
  ),
}
