import { z } from 'zod'
import type { Curriculum, Layout, Preset } from '../../../core/index.ts'
import { formatSchema } from '../format.ts'
import {
  exampleLists,
  fewerExamples,
  type LanguageName,
  matchedSummary,
  paperLanguages,
  rungNames,
  trainingSizes,
} from '../languages/spec.ts'
import { highestOrder } from './sampling/twins.ts'
import type { Plan } from './types.ts'

/** Levels of a changed rule, from the lowest. */
const changedLevels = ['rule-1', 'rule-2', 'rule-3', 'rule-4', 'rule-5', 'rule-6', 'rule-7'] as const

export const configSchema = z
  .strictObject({
    ...exampleLists(0),
    distances: z
      .array(z.union([z.int().min(0).max(20), z.enum(['twin', 'unrelated', 'seen', ...changedLevels])]))
      .min(1)
      .default([0, 1, 2, 3, 'unrelated'])
      .describe(
        '0: strings of the language; d: d edits away; twin: non-members with equal k-gram counts; unrelated: random strings; rule-L: of the grammar with a rule of level L changed; seen: the examples, in their order',
      ),
    neighbours: z.int().min(1).max(20).default(1).describe('strings at each distance d of every test string'),
    order: z
      .int()
      .min(2)
      .max(highestOrder)
      .default(highestOrder)
      .describe('maximum k of `twin` strings; a lower k where none exists at k'),
    tests: z.int().min(1).max(100_000).default(12).describe('test strings per distance, repetition and language'),
    edits: z
      .enum(['mixed', 'substitute', 'insert', 'delete', 'length-matched', 'released'])
      .default('mixed')
      .describe(
        'mixed: any kind and position; length-matched: as many insertions as deletions; released: d operations as in the released code, at whatever distance',
      ),
    sources: z
      .enum(['tests', 'fresh'])
      .default('tests')
      .describe('edit the test strings of the language, so that strings form pairs, or other strings'),
    unrelated: z
      .enum(['uniform', 'unigram'])
      .default('uniform')
      .describe(
        'uniform: lengths of the language, any token; unigram: any length between its shortest and longest, tokens by frequency',
      ),
    sharedTests: z.boolean().default(false).describe('the same test strings in every repetition'),
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
    examplesFrom: z
      .enum(['drawn', 'training'])
      .default('drawn')
      .describe('training: the first strings of the exported training set, so that context and training are the same'),
    repeats: z.int().min(2).max(16).optional().describe('times that the examples stand in the context'),
    pool: z.int().min(10).max(100_000).default(1000).describe('sample size of the published split'),
    format: formatSchema,
  })
  .refine(
    ({ distances, disjoint, examplesFrom, sharedTests }) =>
      disjoint === 'fence' || !(distances.includes('twin') || examplesFrom === 'training' || sharedTests),
    'the published split fixes test strings and examples: for `twin`, sharedTests or examplesFrom: training set disjoint to fence',
  )
  .refine(
    ({ distances, edits, nearest }) => edits !== 'released' || (nearest === 'source' && !distances.includes('twin')),
    'released edits are at whatever distance, and of strings without a `twin`: set nearest to source and edits to mixed',
  )
export type Config = z.infer<typeof configSchema>

const { all, matched } = paperLanguages()

/** The languages of the paper that have twins in plenty. */
const paired: LanguageName[] = ['g1', 'g5', 'g7']

export const presets: { readonly [name: string]: Preset<Config> } = {
  paper: {
    summary: 'L1 to L9 with 0 to 32 in-context examples, three repetitions: table 1 and figures 4 and 5',
    aliases: ['g1-g9'],
    config: { languages: all, examples: [0, 1, 2, 4, 8, 16, 32] },
  },
  g1: { summary: 'g1 alone: L1 by the paper’s figure 6', config: {} },
  g5: { summary: 'g5 alone: L1 of the paper’s experiments, most likely', config: { languages: ['g5'] } },
  'figure-4': {
    summary: 'g5 and g1 with 0 to 128 examples and edits at distance 1 to 3',
    config: { languages: ['g5', 'g1'], examples: [0, 1, 2, 4, 8, 16, 32, 64, 128], distances: [0, 1, 2, 3], tests: 50 },
  },
  formallm: {
    summary: 'g5 as in the released code of the paper: its edits, random strings, format and shared test strings',
    config: {
      languages: ['g5'],
      examples: [0, ...trainingSizes],
      distances: [0, 1, 2, 3, 'unrelated'],
      tests: 128,
      edits: 'released',
      unrelated: 'unigram',
      sharedTests: true,
      examplesFrom: 'training',
      format: { separator: '', terminator: ';', opening: '', instruction: '', scoreEnd: false, alignment: 'report' },
    },
  },
  modes: {
    summary: 'g5 and g1: models that read strings in context beside models trained on the same strings',
    config: {
      languages: ['g5', 'g1'],
      examples: [0, 1, 4, 16, 64, 256],
      distances: [0, 1, 'rule-2'],
      tests: 50,
      sharedTests: true,
      examplesFrom: 'training',
    },
  },
  transfer: {
    summary: 'examples of g5, test strings of g5 and of its five changed forms',
    config: {
      languages: [
        'g5',
        ...rungNames.slice(0, 5).map((rung) => ({ name: `${rung}.after-g5`, preset: rung, learnt: 'g5' as const })),
      ],
      examples: [0, 4, 16, 64, 256],
      distances: [0, 1],
      tests: 50,
      sharedTests: true,
      examplesFrom: 'training',
    },
  },
  memorisation: {
    summary: 'strings that were read beside strings of the same language that were not, edits and changed rules',
    config: {
      languages: ['g5'],
      examples: [0, 1, 4, 16, 64],
      distances: [0, 1, 'seen', 'rule-1', 'rule-2', 'rule-3', 'rule-4'],
      neighbours: 10,
      tests: 64,
      sharedTests: true,
      examplesFrom: 'training',
    },
  },
  training: {
    summary: 'g5 and g1 without examples in context, for models trained on export sets',
    config: { languages: ['g5', 'g1'], examples: [0], tests: 50, sharedTests: true, examplesFrom: 'training' },
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
    summary: 'L1 to L9 with edits that keep the length, so that length reveals nothing',
    config: { languages: all, edits: 'length-matched', distances: [0, 1, 2, 3] },
  },
  twins: {
    summary: 'L1, L5 and L7, each string paired with a non-member that short n-grams and positions do not distinguish',
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
  const kinds = kindsOf(config)
  const strata = kinds.map(({ distance, copy }) => (copy === 0 ? { distance } : { distance, copy }))
  const perTest = groups * strata.length
  // What is made of a member uses the streams of the member strings, so that it finds its member.
  const members = config.distances.indexOf(0)
  const units = kinds.map(({ distance }, i) => (members >= 0 && isMade(config, distance) ? members : i))
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

/** What the strings of each stratum are: a distance, and which of the neighbours of a test string. */
export const kindsOf = ({ distances, neighbours }: Pick<Config, 'distances' | 'neighbours'>) =>
  distances.flatMap((distance) =>
    Array.from({ length: typeof distance === 'number' && distance > 0 ? neighbours : 1 }, (_, copy) => ({
      distance,
      copy,
    })),
  )
export type Distance = Config['distances'][number]

/** Is a string at this distance made of a test string of the language? */
export const isMade = ({ sources }: Pick<Config, 'sources'>, distance: Distance): boolean =>
  distance === 'twin' || (typeof distance === 'number' && distance > 0 && sources === 'tests')

/** Test number and index into `config.examples` of a place. */
export const placeOf = (config: Config, nth: number): { readonly test: number; readonly k: number } => ({
  test: Math.floor(nth / config.examples.length),
  k: nth % config.examples.length,
})
