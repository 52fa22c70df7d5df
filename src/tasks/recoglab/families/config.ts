import { z } from 'zod'
import {
  type AnswerBlock,
  balancedBlocks,
  type Curriculum,
  type Layout,
  type RandomStreams,
} from '../../../core/index.ts'
import { presentationShape } from '../common/presentation.ts'
import { type Presets, presetsOf } from '../common/presets.ts'

export const config = z
  .strictObject({
    ask: z
      .enum(['size', 'hobby', 'larger', 'older', 'shared-hobbies'])
      .default('size')
      .describe('Number of members; has a person a hobby; larger family; older person; shared hobbies'),
    families: z.int().min(2).max(150).default(50).describe('Families in the records'),
    maxMembers: z.int().min(2).max(12).default(5).describe('Maximum members per family'),
    hopLength: z
      .int()
      .min(0)
      .default(0)
      .describe('Records between the two families; 0: balanced over the upper half of the range'),
    ties: z
      .enum(['excluded', 'alphabetical'])
      .default('alphabetical')
      .describe('larger, older: no ties, or ties settled by an alphabetical rule in the question'),
    format: z
      .enum(['json', 'yaml', 'xml', 'prose'])
      .default('json')
      .describe('Presentation: how the records are written'),
    ...presentationShape,
  })
  .superRefine((c, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (c.hopLength >= c.families) wrong('hopLength', `at most ${c.families - 1} with ${c.families} families`)
    if (c.filler === 'entities') wrong('filler', 'records have no entity filler; use "prose"')
  })
export type Config = z.infer<typeof config>

/** How many records apart two families are: the levels. */
export function hops(c: Pick<Config, 'ask' | 'families' | 'hopLength'>): readonly number[] {
  if (c.ask === 'size' || c.ask === 'hobby') return [0]
  if (c.hopLength > 0) return [c.hopLength]
  const low = Math.max(1, Math.floor(c.families / 2))
  return Array.from({ length: c.families - low }, (_, i) => low + i)
}

const capacity: Presets<Config> = presetsOf([5, 10, 20, 30, 50, 75, 100], (families) => [
  `capacity-${families}`,
  `Size of one of ${families} families (sweep of figure 3)`,
  { families },
])

const formats: Presets<Config> = presetsOf(['yaml', 'xml', 'prose'] as const, (format) => [
  `older-${format}`,
  `Who is older, 50 families, records as ${format}`,
  { ask: 'older', format },
])

export const presets: Presets<Config> = {
  size: { summary: 'Size of one of 50 families', aliases: ['family_size'], config: {} },
  hobby: {
    summary: 'Does a person have a hobby, 50 families',
    aliases: ['family_member_hobby'],
    config: { ask: 'hobby' },
  },
  larger: {
    summary: 'Which of two families is larger, of 50',
    aliases: ['family_size_comparison'],
    config: { ask: 'larger' },
  },
  older: {
    summary: 'Who is older, of 50 families',
    aliases: ['family_member_age_comparison'],
    config: { ask: 'older' },
  },
  'shared-hobbies': {
    summary: 'Which hobbies two people share, of 50 families',
    aliases: ['family_member_hobby_comparison'],
    config: { ask: 'shared-hobbies' },
  },
  ...capacity,
  ...formats,
}

/** More records. */
export const curriculum: Curriculum<Config> = {
  count: 10,
  grows: 'question',
  config: (level) => ({ families: 4 + 6 * level }),
}

/** How many hobbies two people share: 0 to 4, equally often. */
const SHARED = [0, 1, 2, 3, 4]

/** The answers that are balanced: sizes, Yes and No, which of the two, or how many are shared. */
export function labelsOf(c: Pick<Config, 'ask' | 'maxMembers'>): readonly string[] {
  switch (c.ask) {
    case 'size':
      return Array.from({ length: c.maxMembers }, (_, i) => String(i + 1))
    case 'hobby':
      return ['Yes', 'No']
    case 'shared-hobbies':
      return SHARED.map(String)
    default:
      return ['first', 'second']
  }
}

/** Labels equally often at every distance of the two records; where a rule settles ties, one in five is a tie. */
export function layout(config: Config, _plan: null, draws: RandomStreams): Layout {
  const ties = (config.ask === 'larger' || config.ask === 'older') && config.ties === 'alphabetical'
  const units = hops(config).flatMap((hop): AnswerBlock[] => [
    { levels: { hop, tie: false }, weight: ties ? 4 : 1 },
    ...(ties ? [{ levels: { hop, tie: true } }] : []),
  ])
  return balancedBlocks({ factors: ['tie', 'hop'], units, label: { name: 'label', levels: labelsOf(config) } }, draws)
}
