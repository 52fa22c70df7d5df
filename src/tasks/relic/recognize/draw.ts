import type { DrawResult, DrawContext as Place, RandomStreams } from '../../../core/index.ts'
import { compiled } from './compiled.ts'
import type { Config } from './config.ts'
import type { ItemFeatures } from './features.ts'
import { cellOf, type Entry } from './group/cell.ts'
import { describeString } from './group/describe.ts'
import type { Given, Shared } from './prompt.ts'

/** One string of the place's length and label, with everything that is known of it. */
export function draw(
  config: Config,
  shared: Shared,
  at: Place,
  _draws: RandomStreams,
  streams: RandomStreams,
): DrawResult<Given, boolean, ItemFeatures> {
  const label = at.levels['label'] as boolean
  const cell = cellOf(config, shared, at.levels['length'] as number, streams)
  // A matched length holds as many positives as negatives: what one class lacks is a hole in both.
  const matched = config.lengths === 'matched'
  const positive = label || matched ? cell.positive(at.ordinal) : null
  if (positive !== null && 'reason' in positive) return positive
  const negative = !label || matched ? cell.negative(at.ordinal) : null
  if (negative !== null && 'reason' in negative) return negative
  const { tokens, kind, order } = (label ? positive : negative) as Entry
  return {
    kind: 'drawn',
    given: { string: written(tokens, compiled(shared).terminals) },
    answer: label,
    features: describeString(shared, tokens, label, kind, config, order),
  }
}

function written(tokens: Int32Array, terminals: readonly string[]): string {
  let out = ''
  for (let i = 0; i < tokens.length; i++) out += (i === 0 ? '' : ' ') + terminals[tokens[i]!]!
  return out
}
