import type { Problem, Streams } from '../../../core/task.ts'
import { trainRegions } from '../../../language/partition.ts'
import { shotMaker } from '../common/shots.ts'
import { type Config, config } from './config.ts'
import { draw } from './draw.ts'
import { distances } from './extent.ts'
import type { Answer, Given, Shared } from './question.ts'

/** Solved examples of the question's kind, made of train words, with spread distances. */
export const shots = (shared: Shared, count: number): readonly Problem<Shared, Given, Answer>[] =>
  shotMaker(shared, count, trainRegions, (i, streams) => make(shared, i, streams))

function make(shared: Shared, i: number, streams: Streams): Problem<Shared, Given, Answer> | null {
  const full: Config = config.parse({ ...shared.like, wording: shared.wording })
  const family = full.ask === 'oldest' || full.ask === 'youngest'
  const [low, high] = family ? [0, 0] : distances(full)
  const levels = family ? {} : { distance: low + ((i * 2) % (high - low + 1)) }
  const drawn = draw(full, { stratum: 0, unit: 0, group: 0, nth: 0, levels }, streams)
  return drawn.kind === 'drawn' ? { shared, given: drawn.given, answer: drawn.answer } : null
}
