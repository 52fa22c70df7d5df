import type { Preset } from '../../../core/task.ts'
import type { Config } from './config.ts'

type Named = { readonly [name: string]: Preset<Config> }

const capacity: Named = Object.fromEntries(
  [3, 4, 5, 6, 8, 10, 12, 15, 20].map((terms): [string, Preset<Config>] => [
    `capacity-${terms}`,
    { summary: `Path of ${terms} terms (sweep of figure 3)`, config: { terms } },
  ]),
)

const ordering: Named = Object.fromEntries(
  (['forward', 'reverse', 'random'] as const).map((order): [string, Preset<Config>] => [
    `order-${order}`,
    {
      summary: `Path of 6 terms, premises ${order} from the subject's end (sweep of figure 7)`,
      config: { terms: 6, order },
    },
  ]),
)

const content: Named = Object.fromEntries(
  (['congruent', 'incongruent', 'nonsense'] as const).map((nouns): [string, Preset<Config>] => [
    `${nouns}-3`,
    { summary: `Path of 3 terms, ${nouns} nouns`, config: { nouns } },
  ]),
)

export const presets: Named = {
  chain: { summary: 'Path of 3 terms', aliases: ['syllogism_chain'], config: {} },
  judge: { summary: 'Path of 4 terms: does the conclusion follow?', config: { ask: 'judge', terms: 4 } },
  'import-4': { summary: 'Path of 4 terms with existential import', config: { terms: 4, existentialImport: true } },
  ...content,
  ...capacity,
  ...ordering,
}
