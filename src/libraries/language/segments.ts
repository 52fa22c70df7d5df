import type { TokenLogprob } from '../../core/index.ts'

/**
 * Start of each token's stretch of `text` (what stands between two tokens belongs to the one after it) and of the
 * terminator's; null where `text` is not the string. Between all tokens stands a separator of one length, or a space before
 * every `group`-th token.
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

/** What stands before token i > 0, by how much there is in all. */
function gapsOf(spare: number, count: number, group: number): ((i: number) => number) | null {
  const each = count > 1 ? spare / (count - 1) : 0
  if (Number.isInteger(each) && each >= 0) return () => each
  return spare === Math.ceil(count / group) - 1 ? (i) => (i % group === 0 ? 1 : 0) : null
}

/** What a model loses on each stretch of a text, in nats; a token counts where it starts. */
export interface StretchLosses {
  readonly losses: readonly number[]
  /** Tokens of the model that span two stretches: their loss cannot be shared out. */
  readonly misaligned: number
}

/** The loss of each stretch, by where they start in the text that the tokens spell. */
export function lossBySegment(tokens: readonly TokenLogprob[], starts: readonly number[]): StretchLosses {
  const losses = starts.map(() => 0)
  let misaligned = 0
  let at = 0
  let stretch = 0
  for (const token of tokens) {
    while (stretch + 1 < starts.length && at >= (starts[stretch + 1] as number)) stretch++
    losses[stretch] = (losses[stretch] as number) - token.logprob
    at += token.text.length
    if (stretch + 1 < starts.length && at > (starts[stretch + 1] as number)) misaligned++
  }
  return { losses, misaligned }
}
