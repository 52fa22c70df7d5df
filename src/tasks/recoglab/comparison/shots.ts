import { shotsBy } from '../common/shots.ts'
import { type Config, config, distances } from './config.ts'
import { draw } from './draw.ts'
import type { Given, Shared } from './question.ts'

/** Labels take turns, distances are spread. */
export const shots = shotsBy<Config, Shared, Given, string>(draw, (shared, i) => {
  const full = config.parse({ ...shared.like, pairing: 'single' })
  const [low, high] = distances(full)
  const labels =
    full.ask === 'consistency'
      ? ['Consistent', 'Inconsistent']
      : full.ask === 'feasibility'
        ? ['Yes', 'Unknown', 'No']
        : ['Yes', 'No']
  const levels = {
    distance: low + (i % (high - low + 1)),
    word: i % 2 === 0 ? 'greater' : 'lesser',
    answer: labels[i % labels.length] as string,
  }
  return { config: full, levels }
})
