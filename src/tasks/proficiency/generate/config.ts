import { z } from 'zod'
import type { Curriculum, Preset } from '../../../core/index.ts'
import { formatSchema } from '../format.ts'
import { languageSpec, matchedNames } from '../languages/spec.ts'

export const configSchema = z.strictObject({
  languages: z.array(languageSpec).min(1).max(200).default(['g1']).describe('languages to learn'),
  repetitions: z.int().min(1).max(1000).default(3).describe('independent draws of the example list'),
  examples: z
    .array(z.int().min(1).max(10_000))
    .min(1)
    .max(40)
    .default([1, 2, 4, 8, 16, 32])
    .describe('numbers k of examples shown; k examples are the first k of the list'),
  strings: z.int().min(1).max(200).default(10).describe('new strings per request'),
  requests: z.int().min(1).max(10_000).default(1).describe('requests per language, repetition and k'),
  format: formatSchema,
})
export type Config = z.infer<typeof configSchema>

const walk = { states: 5, tokens: [...'abcd'], degree: 2, stop: 10 }
const all = ['g1', 'g2', 'g3', 'g4', 'g5', 'g6', 'g7', 'g8', 'g9'] as const

export const presets: { readonly [name: string]: Preset<Config> } = {
  paper: { summary: 'L1 to L9 after 1 to 32 examples', aliases: ['g1-g9'], config: { languages: [...all] } },
  g1: { summary: 'L1 alone', config: {} },
  classes: {
    summary: 'other classes: Dyck, counting, copy, mirror',
    config: { languages: ['dyck-1', 'dyck-2', 'counting', 'copy', 'mirror'] },
  },
  matched: {
    summary:
      'regular, context-free and multiple context-free languages of equal entropy, lengths and tokens: letters, counts, four random automata',
    config: {
      languages: [
        ...matchedNames,
        ...['walk-a', 'walk-b', 'walk-c', 'walk-d'].map((name) => ({ name, matched: walk })),
      ],
    },
  },
}

/** Fewer examples to learn the language from. */
export const curriculum: Curriculum<Config> = {
  count: 6,
  grows: 'fewer-examples',
  config: (level) => ({ languages: ['g1'], repetitions: 1000, examples: [32 >> level] }),
}
