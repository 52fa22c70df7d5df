import type { Preset } from '../../../core/task.ts'
import type { Config } from './config.ts'

export const presets: { readonly [name: string]: Preset<Config> } = {
  ...Object.fromEntries(
    ([4, 6, 8] as const).map((hops): [string, Preset<Config>] => [
      `hops-${hops}`,
      { summary: `Chains of ${hops} sentences, shuffled with those of two other families`, config: { hops } },
    ]),
  ),
  distractors: {
    summary: 'Chains of 4 sentences, and 2 in each family that matter to nothing',
    config: { hops: 4, distractors: 2 },
  },
  along: { summary: 'Chains of 4 sentences, told in order', config: { hops: 4, order: 'along' } },
}
