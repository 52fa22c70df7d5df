import { z } from 'zod'
import type { Curriculum, Preset } from '../../../core/index.ts'
import { givenPairs, type Language, valleyLanguages } from './word-pairs.ts'

const language = z.strictObject({
  name: z.string().min(1).max(80).describe('shown in features and reports'),
  pairs: z
    .array(z.tuple([z.string(), z.string()]))
    .min(1)
    .describe('earlier and later words'),
})

export const config = z.strictObject({
  languages: z
    .union([z.literal('valley'), z.array(language).min(1).max(200)])
    .default('valley')
    .describe('word pairs: our invented set, or your own'),
  chunk: z.int().min(2).max(1000).default(50).describe('words per item, in file order (the last item has fewer)'),
  order: z.enum(['shuffled', 'file']).default('shuffled').describe('order of the words inside an item'),
  heldOut: z.number().min(0).max(0.9).default(0).describe('share of each chunk that is held out and scored separately'),
  rules: z.int().min(1).max(200).default(50).describe('maximum number of rules in an answer'),
  side: z.int().min(1).max(20).default(5).describe('maximum length of a side of a rule'),
  count: z
    .enum(['code-points', 'graphemes'])
    .default('code-points')
    .describe('how sides are counted: code points, or a letter with its diacritics as one'),
  letters: z
    .string()
    .max(2000)
    .default('')
    .describe('letters of a working cascade, stated in the prompt (default: none stated)'),
})

export type Config = z.infer<typeof config>

export const presets: { readonly [name: string]: Preset<Config> } = {
  'valley-laws': { summary: 'two invented daughter languages with known sound laws, 49 words each', config: {} },
  'valley-laws-held-out': {
    summary: 'the same with a fifth of the words held out',
    aliases: ['held-out'],
    config: { heldOut: 0.2 },
  },
}

/** The word pairs of a config. @throws UsageError */
export const languagesOf = ({ languages }: Config): readonly Language[] =>
  languages === 'valley'
    ? valleyLanguages
    : languages.map(({ name, pairs }) => ({ name, pairs: givenPairs(name, pairs), laws: null }))

/** More words an item, whose changes need more laws; a list has an end, and so has a level. */
export const curriculum: Curriculum<Config> = {
  count: 4,
  grows: 'proof',
  config: (level) => ({ chunk: 5 << level }),
}
