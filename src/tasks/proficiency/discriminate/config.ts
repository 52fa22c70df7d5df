import { z } from 'zod'
import type { Curriculum, Layout, Preset } from '../../../core/index.ts'
import { formatSchema } from '../format.ts'
import { exampleLists, fewerExamples, type LanguageName, matchedSummary, paperLanguages } from '../languages/spec.ts'
import { highestOrder } from './sampling/twins.ts'
import type { Plan } from './types.ts'

export const configSchema = z
  .strictObject({
    ...exampleLists(0),
    distances: z
      .array(z.union([z.int().min(0).max(20), z.enum(['twin', 'unrelated'])]))
      .min(1)
      .default([0, 1, 2, 3, 'unrelated'])
      .describe(
        '0: strings of the language; d: d edits away; twin: non-members with equal k-gram counts; unrelated: random strings',
      ),
    order: z
      .int()
      .min(2)
      .max(highestOrder)
      .default(highestOrder)
      .describe('maximum k of `twin` strings; a lower k where none exists at k'),
    tests: z.int().min(1).max(100_000).default(12).describe('test strings per distance, repetition and language'),
    edits: z
      .enum(['mixed', 'substitute', 'insert', 'delete', 'length-matched'])
      .default('mixed')
      .describe('uniform: any kind and position; length-matched: as many insertions as deletions'),
    nearest: z
      .enum(['source', 'language'])
      .default('source')
      .describe('d edits from the edited string, or exactly d from the nearest string of the language'),
    disjoint: z
      .enum(['fence', 'published'])
      .default('fence')
      .describe(
        'examples from the train partition and test strings from the split’s; or the paper’s alternating split of one sample',
      ),
    pool: z.int().min(10).max(100_000).default(1000).describe('sample size of the published split'),
    format: formatSchema,
  })
  .refine(
    ({ distances, disjoint }) => disjoint === 'fence' || !distances.includes('twin'),
    'a `twin` is drawn with its member, which the published split fixes: set disjoint to fence',
  )
export type Config = z.infer<typeof configSchema>

const { all, matched } = paperLanguages()

/** The languages of the paper that have twins in plenty. */
const paired: LanguageName[] = ['g1', 'g5', 'g7']

export const presets: { readonly [name: string]: Preset<Config> } = {
  paper: {
    summary: 'L1 to L9 with 1 to 32 in-context examples, three repetitions: table 1 and figures 4 and 5',
    aliases: ['g1-g9'],
    config: { languages: all },
  },
  g1: { summary: 'L1 alone', config: {} },
  'g1-figure-1': {
    summary: 'the grammar of the paper’s figure 1, which is not that of figure 6',
    config: { languages: ['g1-figure-1'] },
  },
  'figure-4': {
    summary: 'L1 with 1 to 128 examples and edits at distance 1 to 3',
    config: { examples: [1, 2, 4, 8, 16, 32, 64, 128], distances: [0, 1, 2, 3] },
  },
  training: {
    summary: 'L1 without examples in context, for models trained on export sets',
    config: { examples: [0], tests: 50 },
  },
  fresh: {
    summary: 'random languages like g9 and g3, different for every seed and split',
    config: {
      languages: [
        ...['hpcfg-a', 'hpcfg-b', 'hpcfg-c'].map((name) => ({ name, random: hpcfg(['0', '1', '2', '3', '4']) })),
        ...['bridged-a', 'bridged-b'].map((name) => ({
          name,
          bridged: { first: hpcfg([...'123456789']), second: hpcfg([...'123456789']), pairs: 4 },
        })),
      ],
    },
  },
  classes: {
    summary: 'other classes: regular, Dyck, counting, copy, mirror',
    config: {
      languages: [
        { name: 'regular', regular: { states: 6, tokens: ['a', 'b', 'c', 'd'], degree: 2, stop: 10 } },
        'dyck-1',
        'dyck-2',
        'counting',
        'copy',
        'mirror',
      ],
    },
  },
  matched: {
    summary: matchedSummary,
    config: {
      languages: matched,
      edits: 'length-matched',
      distances: [0, 1, 2],
      tests: 24,
    },
  },
  'length-matched': {
    summary: 'L1 to L9 with edits that keep the length, so that length tells nothing',
    config: { languages: all, edits: 'length-matched', distances: [0, 1, 2, 3] },
  },
  twins: {
    summary: 'L1, L5 and L7, each string paired with a non-member that short n-grams and places do not tell',
    config: { languages: paired, distances: [0, 'twin'] },
  },
  'edits-and-twins': {
    summary: 'L1, L5 and L7 with the paper’s edits and `twin` strings',
    config: { languages: paired, distances: [0, 1, 2, 3, 'twin'] },
  },
  published: {
    summary:
      'L1 to L9 with the paper’s own split: a sample of 1000 strings, distinct ones to training and test in turn',
    config: { languages: all, disjoint: 'published' },
  },
}

function hpcfg(tokens: string[]) {
  return {
    depth: 4,
    breadth: 4,
    rules: 2,
    width: 4,
    tokens,
    skip: 30,
    probabilities: { kind: 'peaked' as const, percent: 84 },
  }
}

export const curriculum: Curriculum<Config> = fewerExamples

/** Test strings in a row in one context before the next context's turn. */
const block = 4

/**
 * A finite grid: languages x repetitions (the groups), k, test number, distance (the strata). Blocks of four test
 * numbers one after another; in a block k goes slowest, so that the items of a group come context by context, each
 * context the beginning of the next, and a backend reads it once.
 */
export function layout(config: Config, plan: Plan): Layout {
  const groups = plan.languages.length * config.repetitions
  const ks = config.examples.length
  const strata = config.distances.map((distance) => ({ distance }))
  const perTest = groups * strata.length
  // A paired string uses the streams of the member strings, so that it finds its member.
  const members = config.distances.indexOf(0)
  const units = config.distances.map((distance, i) => (distance === 'twin' && members >= 0 ? members : i))
  const size = config.tests * ks * perTest
  return {
    size,
    strata,
    layout: 'interleaved',
    at(index) {
      const blockSize = block * ks * perTest
      const first = Math.floor(index / blockSize) * block
      const width = Math.min(block, config.tests - first)
      const inBlock = index % blockSize
      const k = Math.floor(inBlock / (width * perTest))
      const inContext = inBlock % (width * perTest)
      const test = first + Math.floor(inContext / perTest)
      const group = Math.floor((inContext % perTest) / strata.length)
      const stratum = inContext % strata.length
      // The same test number has the same string in every context: content is drawn by (group, stratum, test).
      return { stratum, unit: units[stratum] as number, group, ordinal: test * ks + k }
    },
  }
}

/** Test number and index into `config.examples` of a place. */
export const placeOf = (config: Config, nth: number): { readonly test: number; readonly k: number } => ({
  test: Math.floor(nth / config.examples.length),
  k: nth % config.examples.length,
})
