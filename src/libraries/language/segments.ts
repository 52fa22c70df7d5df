import type { TokenLogprob } from '../../core/index.ts'

/**
 * Start of each token's segment of `text` (a separator belongs to the token after it) and of the terminator's; null if
 * `text` is not this string. Tokens have separators of one length, or a space before every `group`-th token.
 */
export function segmentStarts(
  text: string,
  tokens: readonly string[],
  terminator: string,
  group: number,
): number[] | null {
  const tail = text.endsWith(terminator) ? terminator.length : 0
  const body = text.length - tail
  const gap = gapsOf(body - tokens.reduce((sum, token) => sum + token.length, 0), tokens.length, group)
  if (gap === null) return null
  const starts: number[] = []
  let at = 0
  for (const [i, token] of tokens.entries()) {
    const from = at + (i === 0 ? 0 : gap(i))
    if (!text.startsWith(token, from)) return null
    starts.push(at)
    at = from + token.length
  }
  if (at !== body) return null
  if (tail > 0) starts.push(body)
  return starts
}

/** Length of the separator before token i > 0, from the total length of separators. */
function gapsOf(spare: number, count: number, group: number): ((i: number) => number) | null {
  const each = count > 1 ? spare / (count - 1) : 0
  if (Number.isInteger(each) && each >= 0) return () => each
  return spare === Math.ceil(count / group) - 1 ? (i) => (i % group === 0 ? 1 : 0) : null
}

/** Loss of a model on each segment of a text, in nats; a token counts where it starts. */
export interface SegmentLosses {
  readonly losses: readonly number[]
  /** Tokens of the model that span two segments: their loss cannot be divided. */
  readonly misaligned: number
}

/** The loss of each segment, by their starts in the text of the tokens. */
export function lossBySegment(tokens: readonly TokenLogprob[], starts: readonly number[]): SegmentLosses {
  const losses = starts.map(() => 0)
  let misaligned = 0
  let at = 0
  let segment = 0
  for (const token of tokens) {
    while (segment + 1 < starts.length && at >= (starts[segment + 1] as number)) segment++
    losses[segment] = (losses[segment] as number) - token.logprob
    at += token.text.length
    if (segment + 1 < starts.length && at > (starts[segment + 1] as number)) misaligned++
  }
  return { losses, misaligned }
}
