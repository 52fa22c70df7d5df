import { shotsBy } from '../common/shots.ts'
import { type Config, config, hops } from './config.ts'
import { draw } from './draw.ts'
import { labelsOf } from './labels.ts'
import type { Given, Shared } from './question.ts'

/** Few families; answers take turns. */
export const shots = shotsBy<Config, Shared, Given, string>(draw, (shared, i) => {
  const full = { ...config.parse({ ...shared.like, hopLength: 0 }), families: 3 }
  const labels = labelsOf(full)
  const distances = hops(full)
  const levels = {
    hop: distances[i % distances.length] as number,
    tie: false,
    label: labels[(i + (shared.view[0] as number)) % labels.length] as string,
  }
  return { config: full, levels }
})
