import { z } from 'zod'
import {
  defineTask,
  type Grade,
  type Parser,
  type Preset,
  type Problem,
  type Question,
  sampleIndices,
} from '../../../core/index.ts'
import { BLANK, templateAnalyzer } from '../../../libraries/grammars/recognise/template.ts'
import { derivationOf } from '../grammars/derivation.ts'
import { bandKinds, dial, dialChecks, dialCurriculum, dialPresets } from '../grammars/dial.ts'
import { liftedOf, namesOf, type Shared, symbolsOf, textOf } from '../grammars/grammar.ts'
import { recognizerOf } from '../grammars/languages.ts'
import { withOwn } from '../grammars/own.ts'
import { codeOf, fenced } from '../grammars/present.ts'
import { provedByDerivation } from '../grammars/proved.ts'
import { lastMatches, lenientTokens, strictTokens } from '../grammars/sequences.ts'
import { workOf } from '../grammars/strings.ts'
import { answerLine, chat, exactBaseline, overGrammars, tokenLine, withTiring } from '../grammars/task.ts'
import { type Answer, draw, features, type Given, guess, templateOf } from './draw.ts'
import { oracle } from './oracle.ts'

type FillQuestion = Question<Shared, Given>

/** Above this load nearly any filling is right in Chomsky normal form. */
const MAX_CNF_LOAD = 0.35

const config = dialChecks(
  z.strictObject({
    ...dial,
    form: dial.form.removeDefault().default('greibach').describe('As in relic/parse; cnf up to a load of 0.35'),
    blanks: z
      .number()
      .min(0.05)
      .max(1)
      .default(0.3)
      .describe('Share of the tokens that are blank; 1: all, only the length is given'),
  }),
).refine(
  ({ form, load }) => form !== 'cnf' || load <= MAX_CNF_LOAD,
  `with form: cnf the load must be at most ${MAX_CNF_LOAD}: above it nearly any filling is right`,
)
export type Config = z.infer<typeof config>

const greibach = { form: 'greibach' } as const
const presets: { readonly [name: string]: Preset<Config> } = {
  ...dialPresets<Config>('fill', greibach, { workBands: [32, 64, 128, 256], perGrammar: 6 }),
  'fill-all': {
    summary: 'Write any string of the language that has exactly this many tokens',
    config: { form: 'greibach', blanks: 1, minLength: 12, maxLength: 24 },
  },
}

const isBlank = (place: string): boolean => place === '_'

const BLANK_LINE = /\bblank #?(\d{1,2}) ?(?:[:=]|->|→|is) ?['"`]?([\p{L}\p{N}_]{1,40})['"`]?/giu

/** A whole string; `alone`: or the tokens for the blanks alone, in a row or one by one (`blank 1: t3`). */
const wholeString =
  (alone: boolean): Parser<Shared, Given, Answer> =>
  (text, { shared, given }) => {
    const places = given.template.split(' ')
    const blanks = places.filter(isBlank).length
    const fits = (names: readonly string[]): boolean =>
      names.length === places.length || (alone && names.length === blanks)
    const found = alone ? lenientTokens(text, shared, fits) : strictTokens(text, shared)
    if (found.kind === 'unparsed') {
      const listed = alone ? lastMatches(text, BLANK_LINE) : null
      const tokens = new Map(listed?.matches.map(([, number, name]) => [Number(number), codeOf(shared, name!)]))
      if (listed === null || listed.matches.length !== blanks || tokens.size !== blanks) return found
      let next = 0
      const answer = places.map((place) => (isBlank(place) ? (tokens.get(++next) ?? '') : place))
      return answer.includes('') ? found : { kind: 'extracted', answer, rule: 'listed-blanks', span: listed.span }
    }
    if (!fits(found.answer))
      return { kind: 'unparsed', reason: `expected ${places.length} tokens, got ${found.answer.length}` }
    if (found.answer.length === places.length) return found
    const left = [...found.answer]
    return { ...found, answer: places.map((place) => (isBlank(place) ? (left.shift() as string) : place)) }
  }
const parsers = { strict: wholeString(false), lenient: wholeString(true) }

/**
 * 1 for a string of the language that agrees with the template. Subscore `prefix`: the share of the blanks, from the left,
 * before the first after which no filling is possible any more; 0 where the string does not agree.
 */
function grade({ shared, given }: Problem<Shared, Given, Answer>, answer: Answer): Grade {
  const template = templateOf(shared, given)
  const { tokens } = symbolsOf(shared)
  const numbers = answer.map((name) => tokens.get(name) ?? -2)
  const agrees =
    numbers.length === template.length && template.every((token, at) => token === BLANK || token === numbers[at])
  if (!agrees) return { value: 0, parts: { prefix: 0 } }
  if (recognizerOf(shared).accepts(numbers)) return { value: 1, parts: { prefix: 1 } }
  const analyzer = templateAnalyzer(liftedOf(shared).cnf)
  const blanks = template.flatMap((token, at) => (token === BLANK ? [at] : []))
  const begun = [...template]
  let good = 0
  for (const place of blanks) {
    begun[place] = numbers[place]!
    if (begun[place] < 0 || !analyzer.fits(begun)) break
    good++
  }
  return { value: 0, parts: { prefix: good / blanks.length } }
}

const proved = provedByDerivation<Given, Answer>({
  stringOf: (_question, answer) => answer?.join(' ') ?? null,
  derivationOf: ({ shared, answer }) => derivationOf(shared, answer.join(' ')),
  oracle,
  gold: ({ answer }) => answerLine(answer),
  parser: parsers.strict,
  decides: (_shared, answer) => answer.join(' '),
})

/** One filling; no tokens where there is none. */
const filled = ({ shared, given }: FillQuestion): ArrayLike<number> =>
  templateAnalyzer(liftedOf(shared).cnf).fill(templateOf(shared, given))?.tokens ?? []

const guessing = (kind: 'uniform' | 'bigram', note: string) =>
  chat<Given>(note, ({ shared, given }, draws) =>
    tokenLine(shared, guess(shared, templateOf(shared, given), kind, draws.stream('tokens'))),
  )

export const fill = defineTask({
  name: 'relic/fill',
  summary: 'Replace the blanks so that the string belongs to the language',
  ...overGrammars<Given>({
    text: ({ template }) => template,
    ask(template) {
      const places = template.split(' ')
      return places.every(isBlank)
        ? `Write a string of the language that has exactly ${places.length} tokens. Any such string is correct.`
        : `Replace each _ with one token so that the string belongs to the language. If there are several ways, any of them is correct.\n${fenced(template)}`
    },
    form:
      'Reason in whatever way you like. Close with one line that says "Answer:" and the whole string, tokens separated by ' +
      "spaces. For example, with the rules S -> 'x' A, A -> 'y', A -> 'z' A, the string \"x _ _\" can be completed as\nAnswer: x z y",
    /** With as large a share of blanks as the question. */
    example({ shared, given }, tokens, stream) {
      const places = given.template.split(' ')
      const share = places.filter(isBlank).length / places.length
      const names = namesOf(shared, tokens)
      const blank = new Set(sampleIndices(stream, names.length, Math.max(1, Math.round(share * names.length))))
      const text = names.map((name, at) => (blank.has(at) ? '_' : name)).join(' ')
      return text === given.template ? null : { text, answer: answerLine(names), key: textOf(shared, tokens) }
    },
  }),
  ...proved,
  ...withOwn(draw, bandKinds),
  config,
  curriculum: dialCurriculum<Config>(greibach),
  presets,
  features,
  parsers,
  grade,
  tieBreaker: 'prefix',
  baselines: withTiring<Given>(
    {
      chart: exactBaseline(
        'exact: a chart over all fillings at once',
        (question) => namesOf(question.shared, filled(question)),
        proved.solution,
      ),
      bigram: guessing('bigram', 'tokens by how often they stand beside their neighbours'),
      random: guessing('uniform', 'random tokens'),
    },
    'bigram',
    (question) => workOf(question.shared, filled(question), 'own'),
  ),
})
