import { z } from 'zod'
import type { Curriculum, Preset } from '../../../core/index.ts'
import { formatSchema } from '../format.ts'
import { exampleLists, fewerExamples, matchedSummary, paperLanguages } from '../languages/spec.ts'

export const configSchema = z.strictObject({
  ...exampleLists(1),
  strings: z.int().min(1).max(200).default(10).describe('new strings per request'),
  requests: z.int().min(1).max(10_000).default(1).describe('requests per language, repetition and k'),
  format: formatSchema,
})
export type Config = z.infer<typeof configSchema>

const { all, matched } = paperLanguages()

export const presets: { readonly [name: string]: Preset<Config> } = {
  paper: { summary: 'L1 to L9 after 1 to 32 examples', aliases: ['g1-g9'], config: { languages: all } },
  g1: { summary: 'L1 alone', config: {} },
  classes: {
    summary: 'other classes: Dyck, counting, copy, mirror',
    config: { languages: ['dyck-1', 'dyck-2', 'counting', 'copy', 'mirror'] },
  },
  matched: {
    summary: matchedSummary,
    config: {
      languages: matched,
    },
  },
}

export const curriculum: Curriculum<Config> = fewerExamples
