import type { Problem, Streams } from '../../../core/task.ts'
import { trainRegions } from '../../../language/partition.ts'
import { shotMaker } from '../common/shots.ts'
import { config } from './config.ts'
import { draw } from './draw.ts'
import { type Given, moods, type Shared } from './question.ts'

/** Solved examples of the question's kind, made of train words; answers take turns. */
export const shots = (shared: Shared, count: number): readonly Problem<Shared, Given, string>[] =>
  shotMaker(shared, count, trainRegions, (i, streams) => make(shared, i, streams))

function make(shared: Shared, i: number, streams: Streams): Problem<Shared, Given, string> | null {
  const full = config.parse({ ...shared.like })
  const mood = moods[(i + (shared.view[0] as number)) % 4] as string
  const levels = full.ask === 'judge' ? { mood, answer: i % 2 === 0 ? 'Yes' : 'No' } : { answer: mood }
  const drawn = draw(full, { stratum: 0, unit: 0, group: 0, nth: 0, levels }, streams)
  return drawn.kind === 'drawn' ? { shared, given: drawn.given, answer: drawn.answer } : null
}
