import { shotsBy } from '../common/shots.ts'
import { type Config, config } from './config.ts'
import { draw } from './draw.ts'
import { distances } from './drawing/extent.ts'
import type { Answer, Given, Shared } from './question.ts'

/** Distances are spread. */
export const shots = shotsBy<Config, Shared, Given, Answer>(draw, (shared, i) => {
  const full = config.parse({ ...shared.like, wording: shared.wording })
  if (full.ask === 'oldest' || full.ask === 'youngest') return { config: full, levels: {} }
  const [low, high] = distances(full)
  return { config: full, levels: { distance: low + ((i * 2) % (high - low + 1)) } }
})
