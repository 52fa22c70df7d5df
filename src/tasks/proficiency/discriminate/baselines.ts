import { type Baseline, LruCache, type Question, type TokenLogprob } from '../../../core/index.ts'
import { printPcfg } from '../../../libraries/grammars/pcfg/index.ts'
import { makeLearner, type SequenceLearner, scoreSequence } from '../../../libraries/statistics/sequence/index.ts'
import { type Language, languageOf } from '../languages/compiled.ts'
import { namedGrammar } from '../languages/make.ts'
import { channelSteps } from '../languages/relations.ts'
import { paperNames, trainingSizes } from '../languages/spec.ts'
import { trainingTexts } from '../training.ts'
import { contextOf, formatString, groupsOf, groupWidth, writtenStarts } from './string-format.ts'
import type { Given, Shared } from './types.ts'

/**
 * Models that need no network: in-context learners over the language's tokens and the end of string, the language itself,
 * and mixtures. All are proper distributions over strings.
 */
type ScoreBaseline = Extract<Baseline<Shared, Given>, { kind: 'score' }>

/**
 * ln P of each unit of a string, the end last. `symbols` are its tokens as terminal indices, then the end; a unit is a
 * symbol, or where `width` is above 1 a group of as many: what a tokenizer that merges them reads.
 */
type Scorer = (question: Question<Shared, Given>, symbols: readonly number[], width: number) => readonly number[]

/** A baseline from a function that gives ln P of each unit; the end is omitted where the text has none. */
function baseline(note: string, score: Scorer): ScoreBaseline {
  return {
    kind: 'score',
    note,
    logprob(question, text) {
      const { shared, given } = question
      const names = given.text.split(' ')
      const { terminals } = languageOf(shared.grammar).grammar
      const starts = writtenStarts(question, text)
      if (starts === null) throw new Error(`the text to score is not the question's string ${given.text}`)
      // A string no longer than a group looks the same in both formats, and is parsed token by token.
      const group = groupWidth(terminals.length)
      const merged = names.length > group && text.startsWith(formatString(shared, given.text, 'merged'))
      const width = merged ? group : 1
      const symbols = names.map((name) => terminals.indexOf(name))
      const logprobs = score(question, [...symbols, terminals.length], width)
      const units = starts.filter((_, i) => i === names.length || i % width === 0)
      return units.map(
        (start, i): TokenLogprob => ({
          text: text.slice(start, units[i + 1] ?? text.length),
          logprob: logprobs[i] as number,
        }),
      )
    },
  }
}

/** Learners trained on a context (its texts are the key), most recently used. */
const learners = new LruCache<SequenceLearner, string>(16)

/** The learner after reading the texts, `width` tokens at a time. */
function trainedLearner(name: string, grammar: string, texts: readonly string[], width: number): SequenceLearner {
  const make = makeLearner(name)
  if (make === null) throw new Error(`there is no learner ${name}`)
  const { terminals } = languageOf(grammar).grammar
  const key = `${name}\n${width}\n${grammar}\n${texts.length}\n${texts.join('\n')}`
  return learners.get(key, () => {
    const end = unitsOf([terminals.length], terminals.length, width)[0] as number
    const learner = make(end + 1)
    // Every string begins after an end, the first one too.
    learner.read(end)
    const index = new Map(terminals.map((terminal, i) => [terminal, i]))
    for (const text of texts) {
      const symbols = text.split(' ').map((token) => {
        const symbol = index.get(token)
        if (symbol === undefined) throw new Error(`the language has no token ${token}, which ${name} was trained on`)
        return symbol
      })
      for (const unit of unitsOf([...symbols, terminals.length], terminals.length, width)) learner.read(unit)
    }
    return learner
  })
}

/**
 * Symbols as units, the end last: groups of up to `width` tokens are numbered in order of their length, then token by
 * token, and the end after them all.
 */
function unitsOf(symbols: readonly number[], alphabet: number, width: number): readonly number[] {
  if (width === 1) return symbols
  let before = 0
  const firsts = Array.from({ length: width }, (_, i) => {
    const first = before
    before += alphabet ** (i + 1)
    return first
  })
  const tokens = symbols.slice(0, -1)
  const units = groupsOf(tokens, width).map(
    (group) => (firsts[group.length - 1] as number) + group.reduce((code, token) => code * alphabet + token, 0),
  )
  return [...units, before]
}

/** Losses of tokens put together into those of their units. */
const summed = (logprobs: readonly number[], width: number): readonly number[] =>
  width === 1
    ? logprobs
    : [
        ...groupsOf(logprobs.slice(0, -1), width).map((group) => group.reduce((a, b) => a + b, 0)),
        logprobs.at(-1) as number,
      ]

const logs = (probabilities: ArrayLike<number>): number[] => Array.from(probabilities, Math.log)

/** A learner that reads the examples in context, and the string as it goes. */
const inContext =
  (name: string): Scorer =>
  ({ shared, given }, symbols, width) =>
    afterTexts(name, shared, contextOf(shared, given.k), symbols, width)

function afterTexts(
  name: string,
  { grammar }: Shared,
  texts: readonly string[],
  symbols: readonly number[],
  width: number,
): readonly number[] {
  const units = unitsOf(symbols, languageOf(grammar).grammar.terminals.length, width)
  return logs(scoreSequence(trainedLearner(name, grammar, texts, width), units))
}

/** What a learner was trained on before it reads the examples. */
interface Training {
  readonly size: number
  /** Times that it read the strings. */
  readonly passes: number
  /** The language; null: that of the examples. */
  readonly language: (typeof paperNames)[number] | null
}

const trained =
  (name: string, { size, passes, language }: Training): Scorer =>
  ({ shared, given }, symbols, width) => {
    const { repetition } = shared
    const of = language === null ? shared : { grammar: presetText(language), fenced: 'string' as const, repetition }
    const read = Array.from({ length: passes }, () => trainingTexts(of, size)).flat()
    return afterTexts(name, shared, [...read, ...contextOf(shared, given.k)], symbols, width)
  }

/** A string model that ignores the context. */
const ofStrings =
  (make: (shared: Shared) => StringModel): Scorer =>
  ({ shared }, symbols, width) =>
    summed(make(shared)(symbols), width)

/** So little noise that a string of the language loses less than 1e-12 nats, and one outside has a finite loss. */
const almostAll = 1 - 1 / 1099511627776

const own = ({ grammar }: Shared): StringModel => oracleOf(grammar, languageOf(grammar))

/** The language of another grammar text over the question's alphabet; a token it does not know is impossible. */
function oracleOf(text: string, { grammar }: Language): StringModel {
  const size = grammar.terminals.length + 1
  return mixStrings([grammarModel(languageOf(text), grammar.terminals), noiseModel(size)], [almostAll, 1 - almostAll])
}

const texts = new LruCache<string, string>(paperNames.length)
const presetText = (name: (typeof paperNames)[number]): string => texts.get(name, () => printPcfg(namedGrammar(name)))

/** M2 of the paper: model M1 with probability p, otherwise a random string. */
const withNoise =
  (first: Scorer, p: number): Scorer =>
  (question, symbols, width) => {
    const size = languageOf(question.shared.grammar).grammar.terminals.length + 1
    const noise = summed(noiseModel(size)(symbols), width)
    return mixStrings([() => first(question, symbols, width), () => noise], [p, 1 - p])(noise)
  }

const inContextNames: readonly string[] = [
  'uniform',
  'unigram',
  ...[1, 2, 3, 4, 5].map((k) => `markov:${k}`),
  ...[2, 3, 4, 5, 6].map((k) => `kneser-ney:${k}`),
  'ppm',
  'ctw',
  'match',
  'mixture',
]
const trainedNames: readonly string[] = ['markov:2', 'markov:3', 'kneser-ney:6', 'ppm', 'ctw', 'mixture']
/** Learners whose training is of another language, or several times over. */
const fewSizes = [4, 16, 64, 256]
const epochs = [1, 2, 4, 8]
const trainedOn = ['g1', 'g5', 'g6'] as const
const noiseShares = [0.9, 0.5, 0.1]

const oracle: Scorer = ofStrings(own)

/** The language that is learnt seen through a channel of token errors, per symbol; every context has the same strings. */
const noisy = (e: number): Scorer => {
  const known = new LruCache<readonly number[], string>(5000)
  return ({ shared, given }, symbols, width) => {
    const { grammar } = languageOf(shared.learnt ?? shared.grammar)
    const names = languageOf(shared.grammar).grammar.terminals
    const found = known.get(`${names.join(' ')}\n${shared.learnt ?? shared.grammar}\n${given.text}`, () => {
      const tokens = symbols.slice(0, -1).map((symbol) => grammar.terminals.indexOf(names[symbol] as string))
      const own = logs(channelSteps(grammar, e, tokens, names.length))
      return mixStrings([() => own, noiseModel(names.length + 1)], [almostAll, 1 - almostAll])(symbols)
    })
    return summed(found, width)
  }
}
const channels = [0, 0.02, 0.1]

const otherLanguage = (name: (typeof paperNames)[number]): Scorer =>
  ofStrings(({ grammar }) => oracleOf(presetText(name), languageOf(grammar)))

/** The nine of the experiments, each equally likely. */
const multilingual: Scorer = ofStrings(({ grammar }) => {
  const nine = paperNames.filter((name) => name !== 'g1-figure-1')
  return mixStrings(
    nine.map((name) => oracleOf(presetText(name), languageOf(grammar))),
    nine.map(() => 1 / nine.length),
  )
})

type Entry = readonly [name: string, note: string, score: Scorer]
const entries: readonly Entry[] = [
  ...inContextNames.map((name): Entry => [name, `learns in context: ${name}`, inContext(name)]),
  ['oracle', 'the language itself: no model can lose less', oracle],
  [
    'oracle:learnt',
    'the language of the examples, whatever is asked',
    ofStrings(({ grammar, learnt }) => oracleOf(learnt ?? grammar, languageOf(grammar))),
  ],
  ...channels.map((e): Entry => {
    const errors = `the language of the examples with ${100 * e} errors in 100 tokens`
    return [`oracle-noisy:${e}`, `${errors}: what a perfect learner of it has of another`, noisy(e)]
  }),
  ...paperNames.map(
    (name): Entry => [`oracle:${name}`, `the language ${name}, whatever is asked`, otherLanguage(name)],
  ),
  [
    'oracle:multilingual',
    'g1 to g9 each with probability 1/9: loses more than one language’s oracle and discriminates as well',
    multilingual,
  ],
  ...noiseShares.flatMap((p) =>
    Object.entries({ oracle, mixture: inContext('mixture'), ppm: inContext('ppm') }).map(
      ([name, first]): Entry => [
        `mixture-with-noise:${p}:${name}`,
        `the paper’s M2: ${name} with probability ${p}, otherwise a random string`,
        withNoise(first, p),
      ],
    ),
  ),
  ...trainedNames.flatMap((name) =>
    trainingSizes.map(
      (size): Entry => [
        `trained:${name}:${size}`,
        `${name} trained on ${size} strings before it reads the context`,
        trained(name, { size, passes: 1, language: null }),
      ],
    ),
  ),
  ...fewSizes.flatMap((size) => [
    ...epochs.map(
      (passes): Entry => [
        `trained:ppm:${size}@${passes}`,
        `ppm that read ${size} strings ${passes} times over`,
        trained('ppm', { size, passes, language: null }),
      ],
    ),
    ...trainedOn.map(
      (language): Entry => [
        `trained-on-${language}:ppm:${size}`,
        `ppm trained on ${size} strings of ${language}, whatever the examples are of`,
        trained('ppm', { size, passes: 1, language }),
      ],
    ),
  ]),
]

export const baselines: { readonly [name: string]: ScoreBaseline } = Object.fromEntries(
  entries.map(([name, note, score]) => [name, baseline(note, score)]),
)

/** ln P of each symbol of a string (the end last) given those before it; -Infinity from the first impossible one on. */
type StringModel = (symbols: readonly number[]) => readonly number[]

/** The language of a grammar; `names` are the question's terminals, which symbols index. */
function grammarModel(language: Language, names: readonly string[]): StringModel {
  const translate = names.map((name) => language.grammar.terminals.indexOf(name))
  return (symbols) => {
    const steps = language.conditionals(symbols.slice(0, -1).map((symbol) => translate[symbol] as number))
    // After the first impossible token everything is impossible.
    return symbols.map((_, i) => Math.log(steps[i] ?? 0))
  }
}

/** Random strings: every symbol, the end among them, equally likely at every place. */
const noiseModel =
  (size: number): StringModel =>
  (symbols) =>
    symbols.map(() => -Math.log(size))

/**
 * A mixture over whole strings: one model is picked, with probability `weights`, and makes the string. Given a prefix the
 * weights are those of the models' posterior.
 */
function mixStrings(models: readonly StringModel[], weights: readonly number[]): StringModel {
  return (symbols) => {
    const scored = models.map((model) => model(symbols))
    const joint = weights.map(Math.log)
    let before = logSum(joint)
    return symbols.map((_, i) => {
      for (const [m, own] of scored.entries()) joint[m] = (joint[m] as number) + (own[i] as number)
      const after = logSum(joint)
      const step = after - before
      before = after
      return step
    })
  }
}

function logSum(values: readonly number[]): number {
  const most = Math.max(...values)
  if (most === Number.NEGATIVE_INFINITY) return most
  return most + Math.log(values.reduce((sum, v) => sum + Math.exp(v - most), 0))
}
