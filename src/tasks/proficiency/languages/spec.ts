import { z } from 'zod'
import {
  type Arrangement,
  arrangements,
  type PaperGrammar,
  paperGrammars,
  terminalName,
} from '../../../libraries/grammars/pcfg/index.ts'

/** Languages that need no parameters, by name. */
export const paperNames = Object.keys(paperGrammars) as readonly PaperGrammar[]
const otherNames = ['dyck-1', 'dyck-2', 'dyck-3', 'dyck-4', 'counting', 'copy', 'mirror'] as const
/** Words of one source, each token with its partner, in three arrangements: matched languages of three classes. */
export const matchedSources = ['letters', 'counts'] as const
type MatchedName = `${(typeof matchedSources)[number]}-${Arrangement}`
export const matchedNames: readonly MatchedName[] = matchedSources.flatMap((source) =>
  arrangements.map((arrangement): MatchedName => `${source}-${arrangement}`),
)
/** Lowest rules of g5 and g6 as the released code changes them one after another: `g5-2` has the first two changes. */
export const ladders = {
  g5: [
    ["A7 -> '1' '2' '3'", "A7 -> '1' '3' '2'"],
    ["A8 -> '6' '5'", "A8 -> '5' '6'"],
    ["A9 -> '9' '8' '7'", "A9 -> '8' '7' '9'"],
    ["A7 -> '3' '1'", "A7 -> '2' '3'"],
    ["A9 -> '8' '7'", "A9 -> '7' '8'"],
  ],
  g6: [
    ["B1 -> '9' '6' '1'", "B1 -> '1' '9' '6'"],
    ["E1 -> '1' '8' '6' '6'", "E1 -> '1' '6' '8' '6'"],
    ["E1 -> '5' '6'", "E1 -> '6' '5'"],
    ["E1 -> '1' '5' '1' '5' '5' '9'", "E1 -> '1' '5' '9'"],
    ["B1 -> '1' '8' '6' '2'", "B1 -> '6' '2'"],
  ],
} as const
type RungName = `${keyof typeof ladders}-${1 | 2 | 3 | 4 | 5}`
export const rungNames: readonly RungName[] = (['g5', 'g6'] as const).flatMap((base) =>
  ([1, 2, 3, 4, 5] as const).map((rung): RungName => `${base}-${rung}`),
)
export const languageNames = [...paperNames, ...rungNames, ...otherNames, ...matchedNames] as const
export type LanguageName = PaperGrammar | RungName | (typeof otherNames)[number] | MatchedName

const walk = { states: 5, tokens: [...'abcd'], degree: 2, stop: 10 }
const walkNames = ['walk-a', 'walk-b', 'walk-c', 'walk-d']

/** Parameters of both tasks: languages and their example lists, with `least` examples in a list. */
export const exampleLists = (least: number) => ({
  languages: z.array(languageSpec).min(1).max(200).default(['g1']).describe('languages to learn'),
  repetitions: z.int().min(1).max(1000).default(3).describe('independent draws of the example list, as in the paper'),
  examples: z
    .array(z.int().min(least).max(10_000))
    .min(1)
    .max(40)
    .default([1, 2, 4, 8, 16, 32])
    .describe('numbers k of in-context examples: the first k of the list'),
})

/** Sizes of the training sets that are named or exported. */
export const trainingSizes: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

/** Languages of presets of both tasks. */
export const paperLanguages = () => ({
  all: ['g1', 'g2', 'g3', 'g4', 'g5', 'g6', 'g7', 'g8', 'g9'] as LanguageName[],
  matched: [...matchedNames, ...walkNames.map((name) => ({ name, matched: walk }))],
})
export const matchedSummary =
  'regular, context-free and multiple context-free languages of equal entropy, lengths and tokens: letters, counts, four random automata'

/** Fewer examples to learn the language from. */
export const fewerExamples = {
  count: 6,
  grows: 'fewer-examples' as const,
  config: (level: number) => ({ languages: ['g1' as const], repetitions: 1000, examples: [32 >> level] }),
}

const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.-]{0,39}$/u)
  .describe('name of the language in tables')
const preset = z.enum(languageNames as unknown as [LanguageName, ...LanguageName[]])
const token = z.string().max(16).regex(terminalName, 'a token has no blanks and not both kinds of quotes')
const changes = {
  alphabet: z.record(z.string(), token).optional().describe('token to token, one to one'),
  entropy: z
    .number()
    .positive()
    .optional()
    .describe('target derivational entropy in nats (rule probabilities are tilted, support fixed)'),
  first: z
    .int()
    .min(1)
    .max(99)
    .optional()
    .describe('percent of the first rule of every nonterminal with several; the others share the rest'),
}
/** Of fixed languages only, whose strings are fenced one by one as those of the other are. */
const learnt = preset.optional().describe('examples and training sets are of this language instead')
const hpcfg = z.strictObject({
  depth: z.int().min(1).max(12).default(4).describe('levels of nonterminals'),
  breadth: z.int().min(1).max(12).default(4).describe('longest right-hand side'),
  rules: z.int().min(1).max(20).default(2).describe('rules per nonterminal'),
  width: z.int().min(1).max(50).default(4).describe('nonterminals of each level but the top one'),
  tokens: z.array(token).min(2).max(200).default(['0', '1', '2', '3', '4']).describe('the alphabet'),
  skip: z.int().min(0).max(100).default(30).describe('percent of symbols taken from any lower level'),
  probabilities: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('uniform') }),
      z.strictObject({ kind: z.literal('peaked'), percent: z.int().min(1).max(99) }),
      z.strictObject({ kind: z.literal('random') }),
    ])
    .default({ kind: 'peaked', percent: 84 })
    .describe('shape of the rule probabilities'),
})

/** A language of an experiment: a preset's name, a changed preset, a grammar text, or parameters of a random one. */
export const languageSpec = z.union([
  preset,
  z.strictObject({ name, preset, learnt, ...changes }),
  z.strictObject({ name, grammar: z.string().max(1_000_000).describe('text form, see the docs'), learnt, ...changes }),
  z.strictObject({ name, random: hpcfg, ...changes }),
  z.strictObject({
    name,
    bridged: z.strictObject({ first: hpcfg, second: hpcfg, pairs: z.int().min(1).max(50).default(4) }),
    ...changes,
  }),
  z.strictObject({
    name,
    regular: z.strictObject({
      states: z.int().min(1).max(200).default(6),
      tokens: z.array(token).min(2).max(200).default(['a', 'b', 'c', 'd']),
      degree: z.int().min(1).max(20).default(2),
      stop: z.int().min(1).max(99).default(10).describe('percent of stopping after each token'),
    }),
    ...changes,
  }),
  z
    .strictObject({
      name,
      matched: z.strictObject({
        states: z.int().min(1).max(200).default(5),
        tokens: z
          .array(z.string().regex(/^[a-z]$/u, 'a letter a to z; its partner is its capital'))
          .min(2)
          .max(26)
          .default(['a', 'b', 'c', 'd']),
        degree: z.int().min(2).max(26).default(2).describe('arcs out of each state'),
        stop: z.int().min(1).max(99).default(10).describe('percent of stopping after each token'),
      }),
    })
    .describe('words of one random automaton with partners, in three languages: NAME-local, NAME-nested, NAME-crossed'),
])
export type LanguageSpec = z.infer<typeof languageSpec>

export const nameOf = (spec: LanguageSpec): string => (typeof spec === 'string' ? spec : spec.name)
