import { shotsBy } from '../common/shots.ts'
import { type Config, config } from './config.ts'
import { draw } from './draw.ts'
import { NONE } from './drawing/twins.ts'
import { type Given, moods, type Shared } from './question.ts'

/** Answers take turns. */
export const shots = shotsBy<Config, Shared, Given, string>(draw, (shared, i) => {
  const full = config.parse({ ...shared.like })
  const turn = i + (shared.view[0] as number)
  const judged = { mood: moods[turn % 4] as string, answer: i % 2 === 0 ? 'Yes' : 'No' }
  const answers = full.construction === 'twins' ? [...moods, NONE] : moods
  const levels = full.ask === 'judge' ? judged : { answer: answers[turn % answers.length] as string }
  return { config: full, levels }
})
