import { z } from 'zod'
import type { Curriculum, Preset } from '../../../core/index.ts'
import { ALL_LETTERS, LITE_LETTERS, proposerShape } from '../sampling/settings.ts'

const ALL_CATEGORIES = Array.from({ length: 16 }, (_, bits) => bits.toString(2).padStart(4, '0'))

export const config = z
  .strictObject({
    ...proposerShape,
    categories: z
      .array(z.string().regex(/^[01]{4}$/, 'a category is four digits 0 or 1 for F, B, CF, CB'))
      .min(1)
      .max(16)
      .refine((list) => new Set(list).size === list.length, 'duplicate category in the list')
      .default(ALL_CATEGORIES)
      .describe('relation categories: digits for feeding, bleeding, counterfeeding, counterbleeding'),
    gate: z
      .enum(['exact', 'relaxed'])
      .default('exact')
      .describe('exact: the cascade has exactly this category; relaxed: one randomly chosen relation of the category'),
    minimal: z.boolean().default(false).describe('conditional sampler: only cascades proved to be shortest'),
    determined: z
      .literal(true)
      .optional()
      .describe(
        'the examples determine the rules, and the score needs rules that hold on held-out words; at least 4 words a rule',
      ),
    limit: z
      .strictObject({
        floor: z.int().min(0).max(200).describe('minimum number of rules that an answer may have'),
        slack: z
          .int()
          .min(-5)
          .max(200)
          .describe('rules that an answer may have beyond the length of the target cascade'),
      })
      .default({ floor: 5, slack: 0 })
      .describe('maximum number of rules in an answer: max(floor, length + slack)'),
    sampler: z
      .enum(['conditional', 'published'])
      .default('conditional')
      .describe(
        'conditional: every stratum is filled by construction; published: rejection sampling of whole instances',
      ),
    patience: z
      .int()
      .min(0)
      .nullable()
      .default(null)
      .describe('published sampler: steps after which category quotas are dropped; null: never'),
    eachLength: z
      .boolean()
      .default(false)
      .describe('published sampler: quotas and patience per length, as in the hard sets'),
    maxSteps: z.int().min(1).max(5_000_000).default(100_000).describe('published sampler: proposals before it stops'),
    size: z.int().min(1).max(10_000_000).nullable().default(null).describe('number of items; null: endless'),
    even: z
      .enum(['length', 'category'])
      .optional()
      .describe('conditional sampler: what is balanced where some strata are empty (default: lengths)'),
    attempts: z.int().min(1).max(100_000).default(2000).describe('maximum attempts per item'),
  })
  .refine(
    ({ eachLength, sampler, size, lengths }) =>
      !eachLength || (sampler === 'published' && (size ?? 0) % lengths.length === 0),
    {
      path: ['eachLength'],
      error: 'eachLength needs sampler: published and a size divisible by the number of lengths',
    },
  )
  .refine(({ even, sampler }) => even === undefined || sampler === 'conditional', {
    path: ['even'],
    error: 'the published sampler balances categories: even needs sampler: conditional',
  })
  .refine(({ minimal, sampler, gate }) => !minimal || (sampler === 'conditional' && gate === 'exact'), {
    path: ['minimal'],
    error: 'minimal needs sampler: conditional and gate: exact',
  })

  .refine(
    ({ determined, minimal, limit }) => determined !== true || (minimal && limit.floor === 0 && limit.slack === 0),
    { path: ['determined'], error: 'determined needs minimal: true and limit: {floor: 0, slack: 0}' },
  )

export type Config = z.infer<typeof config>

const through = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, k) => from + k)

const lite = { words: 5, alphabet: LITE_LETTERS, lengths: [2, 3, 4, 5], limit: { floor: 5, slack: 0 } }
const proved = { classifier: 'exact' as const, minimal: true, attempts: 20_000 }
const rejected = { leftSides: 'initial' as const, sampler: 'published' as const, eachLength: true, patience: 500 }
const determined = { ...proved, words: 20, limit: { floor: 0, slack: 0 }, determined: true as const }
const hard = { words: 50, alphabet: ALL_LETTERS, limit: { floor: 20, slack: 0 } }

export const presets: { readonly [name: string]: Preset<Config> } = {
  'determined-lite': {
    summary:
      'examples that determine the rules, scored on held-out words too: 20 pairs, 17 letters, 2-5 rules, 256 items',
    config: { ...lite, ...determined, size: 256 },
  },
  determined: {
    summary: 'the same with 2-20 rules: 20-80 pairs, 52 letters, 304 items',
    config: { ...hard, ...determined, lengths: through(2, 20), size: 304 },
  },
  'pbebench-lite-minimal': {
    summary: '5 pairs, 17 letters, 2-5 rules and never fewer, exact categories: 1024 items, 16 in each of 64 strata',
    aliases: ['lite-minimal'],
    config: { ...lite, ...proved, size: 1024 },
  },
  'pbebench-lite-moreeg-minimal': {
    summary: 'as pbebench-lite-minimal with 50 pairs: 256 items, 4 in each of 64 strata',
    aliases: ['lite-moreeg-minimal', 'moreeg-minimal'],
    config: { ...lite, ...proved, words: 50, size: 256 },
  },
  'pbebench-minimal': {
    summary: '50 pairs, 52 letters, 2-20 rules and never fewer, exact categories: 1216 items, 4 in each of 304 strata',
    aliases: ['minimal'],
    config: { ...hard, ...proved, lengths: through(2, 20), size: 1216 },
  },
  'pbebench-lite': {
    summary: '5 pairs, 17 letters, 2-5 rules: 1008 items, 63 per category',
    aliases: ['lite'],
    config: { ...lite, size: 1008 },
  },
  'pbebench-lite-moreeg': {
    summary: 'as pbebench-lite with 50 pairs: 240 items, 15 per category',
    aliases: ['lite-moreeg', 'moreeg'],
    config: { ...lite, words: 50, size: 240 },
  },
  pbebench: {
    summary: '50 pairs, 52 letters, 2-20 rules: 1216 items, 4 in each of 304 strata',
    aliases: ['hard'],
    config: { ...hard, lengths: through(2, 20), size: 1216 },
  },
  'pbebench-25-30': {
    summary: 'as pbebench with 25 and 30 rules: 128 items',
    aliases: ['25-30'],
    config: { ...hard, lengths: [25, 30], size: 128 },
  },
  'pbebench-balanced-2-30': {
    summary: 'as pbebench with 2-30 rules, every category at every length: 1856 items, 4 in each of 464 strata',
    aliases: ['balanced-2-30'],
    config: { ...hard, lengths: through(2, 30), size: 1856 },
  },
  'pbebench-ablation-2-5': {
    summary: '50 pairs, 52 letters, 2-5 rules: 256 items',
    aliases: ['ablation-2-5'],
    config: { ...hard, lengths: through(2, 5), size: 256 },
  },
  'pbebench-ablation-6-10': {
    summary: '50 pairs, 52 letters, 6-10 rules: 320 items',
    aliases: ['ablation-6-10'],
    config: { ...hard, lengths: through(6, 10), size: 320 },
  },
  'pbebench-100-inputs-11-20': {
    summary: '100 pairs, 52 letters, 11-20 rules: 240 items',
    aliases: ['100-inputs-11-20'],
    config: { ...hard, words: 100, lengths: through(11, 20), size: 240 },
  },
  'pbebench-relaxed-4-16': {
    summary: '50 pairs, 4-16 rules, five loose categories: 832 items',
    aliases: ['relaxed-4-16'],
    config: {
      ...hard,
      lengths: through(4, 16),
      categories: ['0000', '1000', '0100', '0010', '0001'],
      gate: 'relaxed',
      size: 832,
    },
  },
  'pbebench-dense': {
    summary: 'few letters, rules that touch many words, no spare rules: 8 letters, 50 pairs, 3-10 rules, 512 items',
    aliases: ['dense'],
    config: {
      words: 50,
      alphabet: 'abcdefgh',
      lengths: through(3, 10),
      categories: ['1111'],
      limit: { floor: 0, slack: 0 },
      changed: { min: 5, max: null },
      size: 512,
    },
  },
  'pbebench-slack': {
    summary: 'the hard setting with ten spare rules at every length: 10-30 rules, 320 items',
    aliases: ['slack'],
    config: { ...hard, lengths: [10, 15, 20, 25, 30], limit: { floor: 0, slack: 10 }, size: 320 },
  },
  'pbebench-lite-published': {
    summary: 'published distribution, left sides are any text: 1008 items, 63 per category',
    aliases: ['lite-published'],
    config: { ...lite, leftSides: 'alphabet', size: 1008 },
  },
  'pbebench-lite-moreeg-published': {
    summary: 'published distribution: 50 pairs, 1-5 rules: 240 items, 15 per category',
    aliases: ['lite-moreeg-published', 'moreeg-published'],
    config: {
      ...lite,
      leftSides: 'alphabet',
      words: 50,
      lengths: [1, 2, 3, 4, 5],
      even: 'category',
      size: 240,
    },
  },
  'pbebench-published': {
    summary: 'published distribution, left sides from the inputs, quotas while patience lasts: 64 per length',
    aliases: ['hard-published'],
    config: { ...hard, ...rejected, lengths: through(2, 20), size: 1216 },
  },
  'pbebench-25-30-published': {
    summary: 'as pbebench-published with 25 and 30 rules: 128 items',
    aliases: ['25-30-published'],
    config: { ...hard, ...rejected, lengths: [25, 30], size: 128 },
  },
  'pbebench-lite-released': {
    summary: 'as pbebench-lite by the released rejection sampler, lengths not balanced: 240 items, 15 per category',
    aliases: ['lite-released'],
    config: { ...lite, sampler: 'published', size: 240 },
  },
}

/** Longer cascades that their examples determine: a reward is for rules that hold, not for patching the words shown. */
export const curriculum: Curriculum<Config> = {
  count: 9,
  grows: 'proof',
  config: (level) => ({ ...determined, lengths: [2 + level] }),
}
