import type { Preset } from '../../../core/task.ts'
import type { Config } from './config.ts'

export const presets: { readonly [name: string]: Preset<Config> } = {
  basic: { summary: 'Some car has one property', config: { tier: 'basic' } },
  easy: { summary: 'Some car has two properties', config: { tier: 'easy' } },
  medium: { summary: 'Of two cars coupled one has a property, the next another', config: { tier: 'medium' } },
  hard: {
    summary: 'Of two cars coupled one has two properties and the other a third',
    config: { tier: 'hard', cars: 5 },
  },
}
