import { below, pick, type Stream } from '../../../core/index.ts'
import { adjacency, bigramVerdict } from '../../../formal/adjacency.ts'
import type { Language } from '../../../formal/language.ts'
import { derivesLength } from '../../../formal/lengths.ts'
import type { Recognizer } from '../../../formal/recognizer.ts'
import type { NegativeKind } from './config.ts'

/** Draws one string of `length` tokens that may be a negative of this kind; the caller rejects members. */
export type Proposal = (stream: Stream, length: number) => Int32Array | null

export interface Proposals {
  readonly language: Language
  readonly recognizer: Recognizer
  readonly maxEdits: number
}

export function proposalOf(kind: NegativeKind, { language, maxEdits }: Proposals): Proposal {
  const tokens = language.grammar.terminals.map((_, t) => t)
  const tables = adjacency(language.grammar)
  const edited: Proposal = (stream, length) => {
    const edits = 1 + below(stream, maxEdits)
    if (!derivesLength(language.lengths, 0, length)) return null
    const string = Int32Array.from(language.sampler.sample(stream, length))
    for (let e = 0; e < edits; e++) string[below(stream, length)] = pick(stream, tokens)
    return string
  }
  switch (kind) {
    case 'uniform':
      return (stream, length) => Int32Array.from({ length }, () => pick(stream, tokens))
    case 'edit':
      return edited
    case 'hard':
    case 'bigram':
      return (stream, length) => {
        const string = edited(stream, length)
        return string !== null && bigramVerdict(tables, string).kind === 'legal' ? string : null
      }
  }
}
