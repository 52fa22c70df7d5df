import { enc, sha256 } from '../core/hash.ts'
import { type Stream, streamFromKey } from '../core/stream.ts'

/** The stream of a resampling inside an analysis: a function of the report's seed and a label that says what is resampled. */
export const analysisStream = (seed: number, label: string): Stream =>
  streamFromKey(sha256(enc('touchstone/analysis/1', String(seed), label)))
