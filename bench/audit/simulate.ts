import { z } from 'zod'
import {
  below,
  bindStreams,
  coin,
  float,
  KeySpace,
  rootKey,
  type Stream,
  sampleIndices,
  shuffle,
} from '../../src/core/index.ts'
import type { AnswerKind } from '../../src/datasets/audit/answer-kinds.ts'
import type { AuditedTask } from '../../src/datasets/audit/prepare.ts'
import type { Subject } from '../../src/datasets/audit/subject.ts'

/** Simulated sets: 50 items a group, group-specific vocabularies, labels dealt 25 / 25. */

export interface Cue {
  /** `token`: one word tells the label; `length`: longer or shorter than 20 words does. */
  readonly kind: 'token' | 'length'
  /** A rule that reads the cue is right this much more often than half. */
  readonly gain: number
}

const labels = ['no', 'yes']
const perGroup = 50
const vocabulary = Array.from({ length: 150 }, (_, i) => `w${i}`)
const wordsPerGroup = 50
const signal = 'signal'

/** A set of n items, every bit of it from the seed. */
export function simulated(n: number, seed: number, cue?: Cue): AnswerKind & { readonly kind: 'classes' } {
  const space = new KeySpace(rootKey('bench/audit', 1, 'test', String(seed)))
  const subjects: Subject[] = []
  for (let group = 0; subjects.length < n; group++) {
    const draws = bindStreams(space, 'group/', [group])
    const own = draws.stream('words')
    const known = sampleIndices(own, vocabulary.length, wordsPerGroup).map((i) => vocabulary[i] as string)
    const keys = shuffle(
      draws.stream('labels'),
      Array.from({ length: perGroup }, (_, i) => i % 2),
    )
    const text = draws.stream('text')
    for (const key of keys.slice(0, n - subjects.length)) {
      const index = subjects.length
      subjects.push({
        index,
        group,
        cluster: `group ${group}`,
        answerBlock: null,
        text: sentence(text, known, key === 1, cue),
        features: { noise: below(text, 1000) },
        guesses: {},
        names: new Set(),
        anonymized: null,
        twin: null,
        answer: { kind: 'class', labels, key },
      })
    }
  }
  return { kind: 'classes', labels, subjects }
}

function sentence(stream: Stream, known: readonly string[], yes: boolean, cue: Cue | undefined): string {
  const shown = float(stream) < 0.5 + (cue === undefined ? 0 : yes ? cue.gain : -cue.gain)
  const length = cue?.kind === 'length' ? (shown ? 20 : 5) + below(stream, 15) : 5 + below(stream, 30)
  const text: string[] = []
  // Two of five words come from a few: some are frequent.
  while (text.length < length) text.push(known[below(stream, below(stream, 5) < 2 ? 8 : known.length)] as string)
  if (cue?.kind === 'token' ? shown : coin(stream)) text[below(stream, text.length)] = signal
  return text.join(' ')
}

/** A task with one feature, `noise`: all the audit needs to know of it. */
export const noiseTask: AuditedTask = {
  features: z.object({ noise: z.int().describe('tells nothing').meta({ role: 'nuisance' }) }),
  styles: ['plain'],
}
