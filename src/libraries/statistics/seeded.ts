import { enc, sha256 } from '../../core/hash.ts'
import { type Stream, streamFromKey } from '../../core/streams.ts'

/**
 * The stream of a resampling inside an analysis: a function of the report's seed and a label that says what is resampled.
 *
 * @example
 * import { analysisStream } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(analysisStream(7, 'bootstrap').u32() === analysisStream(7, 'bootstrap').u32()) // true
 */
export const analysisStream = (seed: number, label: string): Stream =>
  streamFromKey(sha256(enc('touchstone/analysis/1', String(seed), label)))
