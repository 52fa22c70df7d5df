import { z } from 'zod'
import { balancedBlocks, type Layout, type Preset, type RandomStreams } from '../../../core/index.ts'
import { dial, dialChecks, dialCurriculum } from '../grammars/dial.ts'

const { workBands: _workBands, ...sizes } = dial

export const configSchema = dialChecks(
  z.strictObject({
    ...sizes,
    form: dial.form.removeDefault().default('greibach').describe('As in relic/parse'),
    workBands: z.null().default(null).describe('Work is not controlled'),
    maxDistance: z
      .int()
      .min(1)
      .max(3)
      .default(2)
      .describe('Fewest edits that make a string belong: 1 to this number, equally often'),
  }),
)
export type Config = z.infer<typeof configSchema>

export const presets: { readonly [name: string]: Preset<Config> } = {
  'repair-easy': {
    summary: '40 rules, strings of 8 to 12 tokens',
    config: { rules: { low: 40, high: 40 }, minLength: 8, maxLength: 12, maxDistance: 1 },
  },
  repair: { summary: '60 to 400 rules, strings of 12 to 20 tokens, one or two edits', config: { minLength: 12 } },
  'repair-hard': {
    summary: '400 to 1,000 rules, strings of 16 to 28 tokens, one or two edits',
    config: { rules: { low: 400, high: 1000 }, load: 0.55, minLength: 16, maxLength: 28 },
  },
}
export const curriculum = dialCurriculum<Config>({ form: 'greibach' }, 4, 7)

/** Every distance equally often in each grammar. */
export const layout = (config: Config, draws: RandomStreams): Layout =>
  balancedBlocks(
    {
      factors: ['distance'],
      units: Array.from({ length: config.maxDistance }, (_, k) => ({
        levels: { distance: k + 1 },
        capacity: Math.ceil(config.perGrammar / config.maxDistance),
      })),
      groups: { layout: 'group-major', count: null },
    },
    draws,
  )
