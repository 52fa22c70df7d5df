import { z } from 'zod'
import { balancedBlocks, below, defineTask, type Extraction, type Preset, pick } from '../../../core/index.ts'
import { parseFinalLine } from '../../../libraries/language/final-line.ts'
import { lenientNumber, strictNumber } from '../../../libraries/language/numbers.ts'
import { bandKinds, dial, dialChecks, workPreset } from '../grammars/dial.ts'
import { drawGrammar } from '../grammars/draw.ts'
import { chartDrawing } from '../grammars/drawings.ts'
import { liftedOf, textOf, tokensOf } from '../grammars/grammar.ts'
import { recognizerOf } from '../grammars/languages.ts'
import { fenced } from '../grammars/present.ts'
import { type Given, workOf } from '../grammars/strings.ts'
import { chat, exactBaseline, overGrammars, withTiring } from '../grammars/task.ts'
import { anonymize } from '../recognize/anonymized.ts'
import { check, checkSteps, gold, solution, witness } from './chart.ts'
import { ANSWERS, derivationsOf, draw, features, isAmbiguous } from './draw.ts'
import { oracle } from './oracle.ts'

const { rules, load, tokens, minLength, maxLength, workBands } = dial
const config = dialChecks(
  z.strictObject({
    rules,
    load,
    tokens,
    minLength,
    maxLength,
    workBands,
    setsPerGrammar: z
      .int()
      .min(1)
      .max(10)
      .default(2)
      .describe(
        'Sets of six strings of each grammar and band of work, one for each answer, alike in length and local ambiguity',
      ),
  }),
)
export type Config = z.infer<typeof config>

const presets: { readonly [name: string]: Preset<Config> } = {
  'count-easy': {
    summary: '40 rules, strings of 6 to 10 tokens',
    config: { rules: { low: 40, high: 40 }, load: 0.6, tokens: 12, minLength: 7, maxLength: 10 },
  },
  count: { summary: '60 to 400 rules, strings of 10 to 16 tokens', config: { minLength: 10, maxLength: 16 } },
  'count-hard': {
    summary: '400 to 1,000 rules, strings of 16 to 20 tokens',
    config: { rules: { low: 400, high: 1000 }, minLength: 16, maxLength: 20 },
  },
  'count-2000': {
    summary: '2,000 rules, strings of 18 to 24 tokens',
    config: { rules: { low: 2000, high: 2000 }, minLength: 18, maxLength: 24 },
  },
  'count-work': workPreset({ maxLength: 40, workBands: [320, 430, 570, 760], setsPerGrammar: 1 }),
}

/** Rules by level: each has about 1.67 times those of the one before. */
const LEVELS = [30, 50, 84, 140, 233, 390, 651, 1087] as const

const UNITS = ['derivation', 'derivations', 'tree', 'trees', 'parse', 'parses', 'ways', 'way', 'different', 'distinct']

const ZERO =
  /^(?:there (?:are|is) )?(?:none|no (?:derivations?|parses?|(?:parse |derivation )?trees?))$|^(?:(?:it|the string) (?:is|does) )?not (?:in|belong to|part of) the language$/iu

/** 0 where the last line says so in words. */
function zeroInWords(text: string): Extraction<string> | null {
  const found = parseFinalLine(text, (stated) => (ZERO.test(stated) ? '0' : null), '')
  return found.kind === 'extracted' ? found : null
}

const asNumber = (found: Extraction<string>): Extraction<number> =>
  found.kind === 'unparsed' ? found : { ...found, answer: Number(found.answer) }

export const count = defineTask({
  name: 'relic/count',
  summary: 'How many derivations does this string have?',
  ...overGrammars<Given>({
    text: ({ string }) => string,
    ask: (string) =>
      `How many different derivations (parse trees) from S does this string have? It has 0 if it does not belong to the language; the answer is a number from 0 to 5.\n${fenced(string)}`,
    form:
      'Reason in whatever way you like. Close with one line that says "Answer:" and the number. For example, with the rules ' +
      'S -> A A, A -> A A and A -> \'x\', the string "x x x" has two derivations, by (x x) x and x (x x):\nAnswer: 2',
    example({ shared }, tokens, stream, found) {
      // Every other one with a token changed, which is seldom a string of the language.
      if (found % 2 === 1) tokens[below(stream, tokens.length)] = below(stream, liftedOf(shared).cnf.terminals.length)
      const derivations = derivationsOf(shared, tokens)
      return derivations >= ANSWERS.length ? null : { text: textOf(shared, tokens), answer: `Answer: ${derivations}` }
    },
  }),
  version: 2,
  config,
  curriculum: {
    count: LEVELS.length,
    grows: 'proof',
    config: (level) => {
      const size = LEVELS[level] as number
      return {
        rules: { low: size, high: size },
        load: 0.6 - 0.02 * level,
        minLength: 6 + level,
        maxLength: 8 + 2 * level,
      }
    },
  },
  presets,
  features,
  layout: (config, _plan, draws) =>
    balancedBlocks(
      {
        factors: config.workBands === null ? [] : ['band'],
        units: bandKinds(config).map((kind) => ({
          levels: config.workBands === null ? {} : kind,
          capacity: config.setsPerGrammar,
        })),
        label: { name: 'derivations', levels: ANSWERS },
        groups: { layout: 'group-major', count: null },
      },
      draws,
    ),
  group: (config, _plan, _group, draws) =>
    drawGrammar(
      { ...config, grammar: null, form: 'cnf', perGrammar: ANSWERS.length },
      draws, // Sets within bands of work are looked for in any grammar.
      (shared, stream) => config.workBands !== null || isAmbiguous(config, shared, stream),
    ),
  draw,
  parsers: {
    strict: (text) => asNumber(zeroInWords(text) ?? strictNumber(text, UNITS)),
    lenient: (text) => asNumber(zeroInWords(text) ?? lenientNumber(text, UNITS)),
  },
  /** 1 for the number. Subscore `sign`: is it rightly 0, or rightly above 0? */
  grade: ({ answer: wanted }, answer) => ({
    value: answer === wanted ? 1 : 0,
    parts: { sign: answer > 0 === wanted > 0 ? 1 : 0 },
  }),
  choices: () => ANSWERS.map(String),
  gold,
  oracle,
  witness,
  check,
  solution,
  checkSteps,
  drawings: ({ shared, given }) => [chartDrawing(shared, given.string)],
  anonymize,
  baselines: withTiring<Given>(
    {
      chart: exactBaseline(
        'exact: a chart with numbers; one item per line',
        ({ shared, given }) => derivationsOf(shared, tokensOf(shared, given.string)),
        solution,
      ),
      membership: chat(
        '1 for a string of the language, 0 for any other',
        ({ shared, given }) => `Answer: ${recognizerOf(shared).accepts(tokensOf(shared, given.string)) ? 1 : 0}`,
      ),
      random: chat(
        'a number from 0 to 5 at random',
        (_question, draws) => `Answer: ${pick(draws.stream('number'), ANSWERS)}`,
      ),
    },
    'membership',
    ({ shared, given }) => workOf(shared, tokensOf(shared, given.string), 'cnf'),
  ),
})
