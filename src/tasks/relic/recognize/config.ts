import { z } from 'zod'
import { balancedBlocks, type Curriculum, type Layout, type Preset, type RandomStreams } from '../../../core/index.ts'
import { bandKinds, dial, formOrCrossed } from '../grammars/dial.ts'
import { lengthsOf } from '../grammars/languages.ts'
import { grammar, readOwn } from '../grammars/own.ts'

const size = z.int().min(1).max(2000)

/** How one of the four sizes of a random grammar is drawn. */
const parameter = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('fixed'), value: size }),
    z.strictObject({ kind: z.literal('uniform'), low: size, high: size }),
    z.strictObject({ kind: z.literal('grid'), low: size, high: size, step: size }),
    z.strictObject({ kind: z.literal('exponential'), mean: size, low: size, high: size }),
  ])
  .refine((drawn) => drawn.kind === 'fixed' || drawn.low <= drawn.high, {
    error: ({ input }) => {
      const { low, high } = input as { readonly low: number; readonly high: number }
      return `sizes from ${low} to ${high}: low must not be above high`
    },
  })

/** The published sampler: the integer part of an exponential of mean 100, clamped to 5..400. */
const published = { kind: 'exponential', mean: 100, low: 5, high: 400 } as const

const negativeKinds = ['uniform', 'bigram', 'edit', 'hard'] as const
export type NegativeKind = (typeof negativeKinds)[number]

export const configSchema = z
  .strictObject({
    grammar,
    dial: z
      .strictObject({
        form: formOrCrossed,
        rules: dial.rules,
        load: dial.load,
        tokens: dial.tokens,
        workBands: dial.workBands,
      })
      .nullable()
      .default(null)
      .describe('Grammars by rules and load, as in relic/parse, instead of the four sizes; work bands replace lengths'),
    grammars: z.int().min(1).max(100000).nullable().default(200).describe('Number of grammars; null: endless'),
    terminals: parameter.default(published).describe('Distinct terminals before trimming'),
    nonterminals: parameter.default(published).describe('Nonterminals besides S before trimming'),
    lexical: parameter.default(published).describe('Lexical rules before trimming'),
    binary: parameter.default(published).describe('Binary rules before trimming'),
    selection: z
      .enum(['minimal-correlation', 'none'])
      .default('minimal-correlation')
      .describe('Whether to choose the grammars from a larger pool so that their four sizes are uncorrelated'),
    pool: z.int().min(1).max(100000).default(600).describe('Grammars in the pool of the selection'),
    coverage: z.number().min(0).max(1).default(0.5).describe('Minimum share of lengths at which a grammar has strings'),
    trivial: z
      .enum(['published', 'everywhere'])
      .default('everywhere')
      .describe(
        'Languages rejected as too large: with all of 20 random strings (published), or also all of 12 at one of three lengths',
      ),
    minLength: z.int().min(1).max(500).default(2).describe('Shortest string, in tokens'),
    maxLength: z.int().min(1).max(500).default(50).describe('Longest string, in tokens'),
    perCell: z.int().min(1).max(1000).default(10).describe('Strings per length and class'),
    twins: z
      .enum(['none', 'apart', 'together'])
      .default('apart')
      .describe('n-gram-matched pairs: none; apart: one string of a pair is used; together: both, and nothing else'),
    twinOrders: z
      .strictObject({ least: z.int().min(2).max(8), most: z.int().min(2).max(8) })
      .refine(({ least, most }) => least <= most, 'least must not be above most')
      .default({ least: 2, most: 4 })
      .describe('Maximum n for which the strings of a pair have equal n-gram counts'),
    negatives: z
      .array(z.enum(negativeKinds))
      .min(1)
      .default(['edit', 'bigram'])
      .describe(
        'Kinds of unpaired negatives, in turn: uniform; bigram (legal pairs); edit (1 to maxEdits edits); hard (substitutions that keep pairs or triples legal)',
      ),
    hardGrade: z.literal([2, 3]).default(2).describe('Hard negatives are strictly k-local: k = 2 or 3'),
    maxEdits: z
      .int()
      .min(1)
      .max(3)
      .default(3)
      .describe('Maximum edits between an edit or hard negative and its positive'),
    lengths: z
      .enum(['matched', 'released'])
      .default('matched')
      .describe(
        'matched: equal positives and negatives per length; released: each class filled separately, positives evenly from the distinct ones of 500,000 draws',
      ),
  })
  .refine((config) => config.minLength <= config.maxLength, 'minLength must not be above maxLength')
  .refine(
    (config) => config.twins === 'none' || config.lengths === 'matched',
    'twins needs lengths: matched, or set twins to none',
  )
  .refine(
    (config) => config.dial === null || config.grammars === null,
    'grammars by dial are endless: set grammars to null and selection to none',
  )
  .refine(
    (config) => config.dial?.workBands == null || config.twins === 'together',
    'bands of work need matched pairs: set twins to together',
  )
  .refine(
    (config) => config.dial?.form !== 'crossed' || config.twins === 'together',
    'grammars over pairs of strings (crossed) need matched pairs: set twins to together',
  )
  .refine(
    (config) => config.grammars !== null || config.selection === 'none',
    'endless grammars cannot be selected from a pool: set selection to none',
  )

export type Config = z.infer<typeof configSchema>

const endless = { grammars: null, selection: 'none' } as const

/** Endless grammars by rules and load, with matched pairs. */
const dialled = (own: Partial<NonNullable<Config['dial']>>, more: Partial<Config> = {}): Partial<Config> => ({
  ...endless,
  dial: { form: 'cnf', load: 0.5, tokens: 16, workBands: null, rules: { low: 60, high: 400 }, ...own },
  twins: 'together',
  twinOrders: { least: 2, most: 2 },
  minLength: 12,
  maxLength: 28,
  perCell: 1,
  ...more,
})

export const presets: { readonly [name: string]: Preset<Config> } = {
  'relic-500': {
    summary: '200 grammars of the published sizes, lengths 2-50, negatives with the n-gram counts of positives',
    config: {},
  },
  'relic-500-published': {
    summary:
      'As released: uniform negatives, 59 % No, positives rarer with length, lengths 1-50; its shortcuts are declared',
    config: { negatives: ['uniform'], twins: 'none', lengths: 'released', minLength: 1 },
  },
  'relic-hard': {
    summary: 'As relic-500, but unpaired negatives are one edit from a positive with every adjacent pair legal',
    config: { negatives: ['hard'], maxEdits: 1 },
  },
  'relic-twins': {
    summary: 'Pairs of strings with equal 2-gram or 3-gram counts, one in the language and one not',
    config: { twins: 'together', twinOrders: { least: 2, most: 3 }, minLength: 10, perCell: 5 },
  },
  'relic-demo': {
    summary: '32 small grammars, lengths 2-16, 1 string per length and class',
    config: {
      grammars: 32,
      selection: 'none',
      terminals: { kind: 'uniform', low: 8, high: 24 },
      nonterminals: { kind: 'uniform', low: 6, high: 14 },
      lexical: { kind: 'uniform', low: 12, high: 40 },
      binary: { kind: 'uniform', low: 20, high: 60 },
      maxLength: 16,
      perCell: 1,
    },
  },
  'relic-2000': {
    summary: '2,000 rules and 16 tokens, pairs of strings of 16 to 32 tokens with equal 2-gram counts',
    config: dialled({ rules: { low: 2000, high: 2000 } }, { minLength: 16, maxLength: 32 }),
  },
  'relic-work': {
    summary:
      'Rules and work crossed: 60 to 2,000 rules, four bands of work in every grammar, pairs with equal 2-gram counts',
    config: dialled(
      { rules: { low: 60, high: 2000 }, workBands: [64, 128, 256, 512, 1024] },
      { minLength: 8, maxLength: 32, perCell: 2 },
    ),
  },
  'relic-greibach': {
    summary: 'As relic-twins, with rules that begin with a token: 60 to 400 rules, strings of 12 to 28 tokens',
    config: dialled({ form: 'greibach', load: 0.6 }),
  },
  'relic-deterministic': {
    summary: 'As relic-greibach, with one rule per symbol and first token; negatives one edit from a positive',
    config: dialled(
      { form: 'greibach', load: 0.18 },
      { twins: 'none', twinOrders: { least: 2, most: 4 }, negatives: ['hard'], maxEdits: 1 },
    ),
  },
  'relic-regular': {
    summary:
      'Regular grammars of 200 to 400 rules and 8 tokens, pairs of strings of 12 to 28 tokens with equal 2-gram counts',
    config: dialled({ form: 'regular', load: 1, tokens: 8, rules: { low: 200, high: 400 } }),
  },
  'relic-crossed': {
    summary:
      'Multiple context-free grammars over pairs of strings (fan-out 2), 60 to 400 rules, pairs of strings of 12 to 28 tokens with equal 2-gram counts',
    config: dialled({ form: 'crossed' }),
  },
  'relic-endless': {
    summary: 'As relic-500, but endlessly many grammars and no selection from a pool',
    config: endless,
  },
}

const sizes = (low: number, high: number) => ({ kind: 'uniform', low, high }) as const

/** First level with strings long enough for matched pairs. */
const WITH_TWINS = 2

/** Larger grammars and longer strings together; grammars without end. */
export const curriculum: Curriculum<Config> = {
  count: 10,
  grows: 'proof',
  config: (level) => ({
    grammars: null,
    selection: 'none',
    terminals: sizes(6 + 4 * level, 8 + 5 * level),
    nonterminals: sizes(5 + 2 * level, 6 + 3 * level),
    lexical: sizes(8 + 6 * level, 12 + 8 * level),
    binary: sizes(12 + 10 * level, 16 + 12 * level),
    minLength: 2 + 2 * level,
    maxLength: 6 + 4 * level,
    perCell: 2,
    ...(level < WITH_TWINS ? { twins: 'none' } : {}),
  }),
}

/**
 * Lengths in every grammar, with as many positives as negatives; where lengths are not matched, the classes are
 * separate strata, and one may stay empty.
 */
export function layout(config: Config, draws: RandomStreams): Layout {
  const lengths =
    config.grammar === null
      ? Array.from({ length: config.maxLength - config.minLength + 1 }, (_, i) => config.minLength + i).filter(
          (length) => config.dial?.form !== 'crossed' || length % 2 === 0,
        )
      : lengthsOf(config, readOwn(config.grammar))
  const groups = { layout: 'group-major', count: config.grammar === null ? config.grammars : 1 } as const
  const labels = [true, false]
  if (config.lengths === 'matched') {
    const kinds = config.dial?.workBands == null ? lengths.map((length) => ({ length })) : bandKinds(config.dial)
    return balancedBlocks(
      {
        factors: Object.keys(kinds[0]!),
        units: kinds.map((levels) => ({ levels, capacity: config.perCell })),
        label: { name: 'label', levels: labels },
        groups,
        ...(config.twins === 'together' ? { twins: true } : {}),
      },
      draws,
    )
  }
  const units = lengths.flatMap((length) =>
    labels.map((label) => ({ levels: { label, length }, capacity: config.perCell })),
  )
  // The label is no factor: were it one, labels would alternate inside a round and an index tell them by its parity.
  return balancedBlocks({ factors: ['length'], units, groups }, draws)
}
