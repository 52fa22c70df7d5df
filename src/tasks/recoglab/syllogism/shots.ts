import { shotsBy } from '../common/shots.ts'
import { type Config, config } from './config.ts'
import { draw } from './draw.ts'
import { type Given, moods, type Shared } from './question.ts'

/** Answers take turns. */
export const shots = shotsBy<Config, Shared, Given, string>(draw, (shared, i) => {
  const full = config.parse({ ...shared.like })
  const mood = moods[(i + (shared.view[0] as number)) % 4] as string
  const levels = full.ask === 'judge' ? { mood, answer: i % 2 === 0 ? 'Yes' : 'No' } : { answer: mood }
  return { config: full, levels }
})
