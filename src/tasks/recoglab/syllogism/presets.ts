import type { Preset } from '../../../core/task.ts'
import type { Config } from './config.ts'

type Named = { readonly [name: string]: Preset<Config> }

const sizes = [3, 4, 5, 6, 8, 10, 12, 15, 20]

const capacity: Named = Object.fromEntries(
  sizes.map((terms): [string, Preset<Config>] => [
    `capacity-${terms}`,
    { summary: `Way of ${terms} terms, invented nouns (sweep of figure 3)`, config: { terms, nouns: 'nonsense' } },
  ]),
)

/** The statements on the way and no others, whose places tell the answer: kept for comparison with the original. */
const published: Named = Object.fromEntries(
  sizes.map((terms): [string, Preset<Config>] => [
    `capacity-${terms}-published`,
    { summary: `Path of ${terms} terms as published (figure 3)`, config: { terms, construction: 'path' } },
  ]),
)

const ordering: Named = Object.fromEntries(
  (['forward', 'reverse', 'random'] as const).map((order): [string, Preset<Config>] => [
    `order-${order}`,
    {
      summary: `Way of 6 terms, premises ${order} from the subjects' end (sweep of figure 7)`,
      config: { terms: 6, order },
    },
  ]),
)

const content: Named = Object.fromEntries(
  (['congruent', 'incongruent', 'nonsense'] as const).map((nouns): [string, Preset<Config>] => [
    `${nouns}-3`,
    { summary: `Path of 3 terms, ${nouns} nouns`, config: { terms: 3, nouns, construction: 'padded' } },
  ]),
)

export const presets: Named = {
  chain: { summary: 'Way of 4 terms: which of four follows, or none of them?', config: {} },
  'chain-pairs': { summary: 'The same statements asked about for each of the five answers', config: { pairs: true } },
  'chain-published': {
    summary: 'Path of 3 terms, no other statements',
    aliases: ['syllogism_chain'],
    config: { terms: 3, construction: 'path' },
  },
  judge: { summary: 'Way of 4 terms: does the conclusion follow?', config: { ask: 'judge' } },
  'judge-pairs': {
    summary: 'The same statements with a conclusion that follows and one that does not',
    config: { ask: 'judge', pairs: true },
  },
  'import-4': { summary: 'Way of 4 terms with existential import', config: { existentialImport: true } },
  ...content,
  ...capacity,
  ...published,
  ...ordering,
}
