import type { Problem, Streams } from '../../../core/task.ts'
import { trainRegions } from '../../../language/partition.ts'
import { shotMaker } from '../common/shots.ts'
import { config, hops } from './config.ts'
import { draw } from './draw.ts'
import { labelsOf } from './labels.ts'
import type { Given, Shared } from './question.ts'

/** Solved examples of the question's kind with few families, made of train words. */
export const shots = (shared: Shared, count: number): readonly Problem<Shared, Given, string>[] =>
  shotMaker(shared, count, trainRegions, (i, streams) => make(shared, i, streams))

function make(shared: Shared, i: number, streams: Streams): Problem<Shared, Given, string> | null {
  const full = { ...config.parse({ ...shared.like, hopLength: 0 }), families: 3 }
  const labels = labelsOf(full)
  const distances = hops(full)
  const levels = {
    hop: distances[i % distances.length] as number,
    tie: false,
    label: labels[(i + (shared.view[0] as number)) % labels.length] as string,
  }
  const drawn = draw(full, { stratum: 0, unit: 0, group: 0, nth: 0, levels }, streams)
  return drawn.kind === 'drawn' ? { shared, given: drawn.given, answer: drawn.answer } : null
}
