import { z } from 'zod'
import type { Preset } from '../../../core/index.ts'
import { dial, dialChecks, dialCurriculum, dialPresets } from '../grammars/dial.ts'

export const configSchema = dialChecks(
  z.strictObject({
    ...dial,
    form: z
      .enum(['greibach', 'regular'])
      .default('greibach')
      .describe('Rules: A -> t, A -> t B and A -> t B C (greibach); without the last (regular)'),
    load: dial.load.default(0.3),
    window: z
      .int()
      .min(1)
      .max(4)
      .default(2)
      .describe('Other beginnings end in the same number of tokens and have other continuations'),
  }),
)
export type Config = z.infer<typeof configSchema>

const greibach = { form: 'greibach', load: 0.3 } as const
export const presets: { readonly [name: string]: Preset<Config> } = {
  ...(dialPresets('next', greibach) as { readonly [name: string]: Preset<Config> }),
  'next-work': {
    summary: 'Rules and work crossed: 60 to 2,000 rules, four bands of work in every grammar',
    config: {
      rules: { low: 60, high: 2000 },
      load: 0.5,
      minLength: 8,
      maxLength: 32,
      workBands: [16, 32, 64, 128, 256],
    },
  },
  'next-hard': {
    summary: '400 to 1,000 rules, beginnings of strings of 16 to 32 tokens, windows of 3 tokens',
    config: { rules: { low: 400, high: 1000 }, minLength: 16, maxLength: 32, window: 3 },
  },
  'next-regular': {
    summary: 'Regular grammars of 200 to 600 rules, windows of 3 tokens',
    config: { form: 'regular', rules: { low: 200, high: 600 }, window: 3 },
  },
}
export const curriculum = dialCurriculum<Config>({ ...greibach, tokens: 8, window: 1 }, 2)
