import { z } from 'zod'
import type { Preset } from '../../../core/index.ts'
import { type Dial, dial, dialChecks, dialCurriculum, dialPresets } from '../grammars/dial.ts'

export const configSchema = dialChecks(z.strictObject(dial))

export const presets: { readonly [name: string]: Preset<Dial> } = {
  ...dialPresets('parse'),
  'parse-greibach': {
    summary: 'Rules that begin with a token, strings of 24 to 32 tokens',
    config: { form: 'greibach', load: 0.6, minLength: 24, maxLength: 32 },
  },
}

export const curriculum = dialCurriculum()

export type Config = Dial
