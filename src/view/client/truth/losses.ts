import { lossBySegment, segmentStarts } from '../../../libraries/language/segments.ts'
import type { ShownResponse } from '../../api/index.ts'
import type { DrawingOf } from './kinds.ts'

type Token = NonNullable<ShownResponse['logprobs']>[number]
/** A string that models score: its cells, and what the language itself loses on each. */
export interface Scored {
  readonly cells: readonly string[]
  readonly scored: NonNullable<DrawingOf<'strip'>['scored']>
}

/** What one model lost on every cell of a string. */
export interface LossRow {
  readonly label: string
  readonly losses: readonly number[]
  readonly misaligned: number
}

/** The losses of a model's tokens by the cells of the string; null where they spell something else. */
export function lossRow(label: string, tokens: readonly Token[], { cells, scored }: Scored): LossRow | null {
  const starts = segmentStarts(tokens.map(({ text }) => text).join(''), cells, scored.end, scored.group)
  return starts === null || starts.length !== scored.floor.length ? null : { label, ...lossBySegment(tokens, starts) }
}
