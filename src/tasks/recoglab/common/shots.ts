import { enc, sha256 } from '../../../core/hash.ts'
import { partitionBucket } from '../../../core/split-partition.ts'
import { bindStreams, KeySpace } from '../../../core/streams.ts'
import type { DrawContext, DrawResult, Problem, RandomStreams, StratumLevels } from '../../../core/task.ts'
import { TRAIN_BUCKETS, wordDomain } from '../../../libraries/language/word-partition.ts'
import type { Shown } from './presentation.ts'

/** How often an example that cannot be made is tried again. */
const TRIES = 8

/** What kind of problem a solved example is. */
export interface ShotKind<C> {
  readonly config: C
  readonly levels: StratumLevels
}

/**
 * Solved examples for a few-shot style: keyed by the question's own view, made of train words, shown without filler or
 * further contexts. `kindOf` says what the i-th of them is like.
 */
export const shotsBy =
  <C, S extends Shown, G, A>(
    draw: (config: C, at: DrawContext, draws: RandomStreams) => DrawResult<G, A>,
    kindOf: (shared: S, i: number) => ShotKind<C>,
  ) =>
  (shared: S, count: number): readonly Problem<S, G, A>[] => {
    const made: Problem<S, G, A>[] = []
    for (let i = 0; i < count; i++) {
      const { config, levels } = kindOf(shared, i)
      const cell: DrawContext = { stratum: 0, unit: 0, group: 0, ordinal: 0, levels }
      const view = [...shared.view.slice(1), (shared.view[0] as number) ^ (i + 1)].map((word) => word >>> 0)
      for (let attempt = 0; attempt < TRIES; attempt++) {
        const key = sha256(enc('recoglab/shots/1', ...shared.view, i, attempt))
        const drawn = draw(config, cell, ofTrainWords(bindStreams(new KeySpace(key), 'shot/', [])))
        if (drawn.kind === 'unreachable') continue
        const plain = { ...shared, view, filler: 'none' as const, fillerLines: 0, padTokens: 0, modules: [] }
        made.push({ shared: plain, given: drawn.given, answer: drawn.answer })
        break
      }
    }
    return made
  }

/** The same streams with a fence that lets in train words. */
function ofTrainWords(streams: RandomStreams): RandomStreams {
  return {
    stream: (label, ...indices) => streams.stream(label, ...indices),
    fork: (label, ...indices) => ofTrainWords(streams.fork(label, ...indices)),
    inSplit: (key) => (TRAIN_BUCKETS & (1 << partitionBucket(wordDomain, key))) !== 0,
  }
}
