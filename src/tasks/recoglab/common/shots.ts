import { fenceRegion } from '../../../core/fence.ts'
import { enc, sha256 } from '../../../core/hash.ts'
import { bindStreams, KeySpace } from '../../../core/streams.ts'
import type { Cell, Drawn, Levels, Problem, Streams } from '../../../core/task.ts'
import { trainRegions, wordDomain } from '../../../language/partition.ts'
import type { Shown } from './presentation.ts'

/** How often an example that cannot be made is tried again. */
const TRIES = 8

/** What kind of problem a solved example is. */
export interface ShotKind<C> {
  readonly config: C
  readonly levels: Levels
}

/**
 * Solved examples for a few-shot style: keyed by the question's own view, made of train words, shown without filler or
 * further contexts. `kindOf` says what the i-th of them is like.
 */
export const shotsBy =
  <C, S extends Shown, G, A>(
    draw: (config: C, at: Cell, draws: Streams) => Drawn<G, A>,
    kindOf: (shared: S, i: number) => ShotKind<C>,
  ) =>
  (shared: S, count: number): readonly Problem<S, G, A>[] => {
    const made: Problem<S, G, A>[] = []
    for (let i = 0; i < count; i++) {
      const { config, levels } = kindOf(shared, i)
      const cell: Cell = { stratum: 0, unit: 0, group: 0, nth: 0, levels }
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
function ofTrainWords(streams: Streams): Streams {
  return {
    stream: (label, ...indices) => streams.stream(label, ...indices),
    fork: (label, ...indices) => ofTrainWords(streams.fork(label, ...indices)),
    admits: (key) => (trainRegions & (1 << fenceRegion(wordDomain, key))) !== 0,
  }
}
