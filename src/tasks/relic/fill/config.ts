import { z } from 'zod'
import type { Preset } from '../../../core/index.ts'
import { type Dial, dial, dialChecks, dialCurriculum, dialPresets } from '../grammars/dial.ts'

/** Above this load nearly any filling is right in Chomsky normal form. */
const MAX_CNF_LOAD = 0.35

export const configSchema = dialChecks(
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
export type Config = z.infer<typeof configSchema>

const greibach: Partial<Dial> = { form: 'greibach' }
export const presets: { readonly [name: string]: Preset<Config> } = {
  ...(dialPresets('fill', greibach) as { readonly [name: string]: Preset<Config> }),
  'fill-work': {
    summary: 'Rules and work crossed: 60 to 2,000 rules, three bands of work in every grammar',
    config: {
      form: 'greibach',
      rules: { low: 60, high: 2000 },
      load: 0.5,
      minLength: 8,
      maxLength: 32,
      perGrammar: 6,
      workBands: [32, 64, 128, 256],
    },
  },
  'fill-all': {
    summary: 'Write any string of the language that has exactly this many tokens',
    config: { form: 'greibach', blanks: 1, minLength: 12, maxLength: 24 },
  },
}
export const curriculum = dialCurriculum<Config>(greibach)
