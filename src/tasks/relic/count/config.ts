import { z } from 'zod'
import { balancedBlocks, type Curriculum, type Layout, type Preset, type RandomStreams } from '../../../core/index.ts'
import { type Dial, dial } from '../grammars/dial.ts'

/** The possible answers: numbers of derivations. */
export const ANSWERS = [0, 1, 2, 3, 4, 5] as const

const { rules, load, tokens, minLength, maxLength } = dial

export const configSchema = z
  .strictObject({
    rules,
    load,
    tokens,
    minLength,
    maxLength,
    setsPerGrammar: z
      .int()
      .min(1)
      .max(10)
      .default(2)
      .describe('Sets of six strings of each grammar, one for each answer, alike in length and local ambiguity'),
  })
  .refine(({ minLength, maxLength }) => minLength <= maxLength, 'minLength must not be above maxLength')
export type Config = z.infer<typeof configSchema>

/** The parameters of a grammar's drawing. */
export const dialOf = ({ rules, load, tokens, minLength, maxLength }: Omit<Config, 'setsPerGrammar'>): Dial => ({
  form: 'cnf',
  rules,
  load,
  tokens,
  minLength,
  maxLength,
  perGrammar: ANSWERS.length,
  workBands: null,
})

export const presets: { readonly [name: string]: Preset<Config> } = {
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
}

/** Rules by level: each has about 1.67 times those of the one before. */
const LEVELS = [30, 50, 84, 140, 233, 390, 651, 1087] as const

export const curriculum: Curriculum<Config> = {
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
}

export const layout = (config: Config, draws: RandomStreams): Layout =>
  balancedBlocks(
    {
      factors: [],
      units: [{ levels: {}, capacity: config.setsPerGrammar }],
      label: { name: 'derivations', levels: ANSWERS },
      groups: { layout: 'group-major', count: null },
    },
    draws,
  )
