import type { Problem, Streams } from '../../../core/task.ts'
import { trainRegions } from '../../../language/partition.ts'
import { shotMaker } from '../common/shots.ts'
import { type Config, config, distances } from './config.ts'
import { draw } from './draw.ts'
import type { Given, Shared } from './question.ts'

/** Solved examples of the question's kind, made of train words; labels take turns, distances are spread. */
export const shots = (shared: Shared, count: number): readonly Problem<Shared, Given, string>[] =>
  shotMaker(shared, count, trainRegions, (i, streams) => make(shared, i, streams))

function make(shared: Shared, i: number, streams: Streams): Problem<Shared, Given, string> | null {
  const full: Config = config.parse({ ...shared.like })
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
  const drawn = draw({ ...full, pairing: 'single' }, { stratum: 0, unit: 0, group: 0, nth: 0, levels }, streams)
  return drawn.kind === 'drawn' ? { shared, given: drawn.given, answer: drawn.answer } : null
}
