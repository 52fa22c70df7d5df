import type { Preset } from '../../../core/task.ts'
import type { Config } from './config.ts'

type Named = { readonly [name: string]: Preset<Config> }

const capacity: Named = Object.fromEntries(
  [5, 10, 20, 30, 50, 75, 100].map((families): [string, Preset<Config>] => [
    `capacity-${families}`,
    { summary: `Size of one of ${families} families (sweep of figure 3)`, config: { families } },
  ]),
)

const formats: Named = Object.fromEntries(
  (['yaml', 'xml', 'prose'] as const).map((format): [string, Preset<Config>] => [
    `older-${format}`,
    { summary: `Who is older, 50 families, records as ${format}`, config: { ask: 'older', format } },
  ]),
)

export const presets: Named = {
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
