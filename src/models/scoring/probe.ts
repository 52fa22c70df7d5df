import { checkLogprob, type PromptToken, show, tokensOfText } from './align.ts'
import type { ScorePrompt, ScorePrompts } from './batches.ts'
import { ScoringError } from './error.ts'

const short = '\n1 2 3\n1 2'
const long = `${short} 3\n`
const other = '\n1 2 3\nx q'

/**
 * All tokens that finding out how a server scores can take and bring: each shape is tried with three prompts, and the one
 * that fits with four more; a prompt of so few bytes has fewer tokens than this whatever is put around it.
 */
export const probing = (shapes: number): { readonly input: number; readonly output: number } => {
  const prompts = 3 * shapes + 4
  return { input: prompts * 128, output: prompts }
}

/** What servers may differ by between two runs of one prompt, in nats. */
export const noise = 0.05

/**
 * Can the server score given strings? null, or why not. It must give every token of the prompt (the first without a
 * log-probability), finite and not above 0; the same beginning must score the same in a longer prompt; and other strings
 * must score otherwise.
 */
export async function probe(score: ScorePrompt, signal?: AbortSignal): Promise<string | null> {
  try {
    const [first, longer, changed] = [await score(short, signal), await score(long, signal), await score(other, signal)]
    const [a, b, c] = [scored(first, short), scored(longer, long), scored(changed, other)]
    const shared = a.slice(0, -1)
    const moved = shared.findIndex(
      (token, i) => b[i]?.text === token.text && Math.abs(b[i].logprob - token.logprob) > noise,
    )
    if (moved >= 0)
      return `token ${show(shared[moved]?.text ?? '')} has another log-probability in a longer prompt: these are not conditional log-probabilities`
    const same = (x: readonly Probed[], y: readonly Probed[]) => x.every((token, i) => token.logprob === y[i]?.logprob)
    if (same(a, c) && a.length === c.length) return 'different strings have the same log-probabilities'
    if ([a, b, c].every(falls))
      return 'each log-probability is at most the one before: they may be sums over the string'
    return shifted(a, c)
  } catch (error) {
    // A wrong key says nothing of what the server can do.
    if (error instanceof ScoringError && !error.retryable && error.status !== 401) return error.message
    throw error
  }
}

/** Long enough that no model's numbers fall all along it by chance. */
const SUMS = 6

const falls = (tokens: readonly Probed[]): boolean =>
  tokens.length >= SUMS && tokens.every(({ logprob }, i) => i === 0 || logprob <= tokens[i - 1]!.logprob)

/**
 * Of two strings that begin alike: does each log-probability belong to its own token? A token before they part knows nothing of
 * what follows it, and the two at which they part are not equally likely.
 */
function shifted(x: readonly Probed[], y: readonly Probed[]): string | null {
  const at = x.findIndex((token, i) => token.text !== y[i]?.text)
  const moved = x.slice(0, Math.max(at, 0)).find((token, i) => Math.abs(token.logprob - y[i]!.logprob) > noise)
  if (moved !== undefined)
    return `token ${show(moved.text)} has another log-probability where another token follows: it may be that of the next token`
  if (at > 0 && x[at]!.logprob === y[at]?.logprob)
    return `tokens ${show(x[at]!.text)} and ${show(y[at]!.text)} have one log-probability: it may be that of the token before`
  return null
}

/** Does the server score a list of prompts as it scores each alone? Anything but equal numbers says no. */
export async function probeBatch(score: ScorePrompts, signal?: AbortSignal): Promise<boolean> {
  try {
    const prompts = [long, other]
    const together = await score(prompts, signal)
    for (const [i, prompt] of prompts.entries()) {
      const [alone = []] = await score([prompt], signal)
      const list = together[i] ?? []
      const equal = (token: PromptToken, j: number) =>
        token.text === list[j]?.text && Math.abs((token.logprob ?? 0) - (list[j].logprob ?? 0)) <= noise
      if (list.length !== alone.length || !alone.every(equal)) return false
    }
    return true
  } catch (error) {
    if (error instanceof ScoringError && !error.retryable) return false
    throw error
  }
}

/** All tokens after the first one of the prompt, which may lack a log-probability (as may a beginning-of-text token). */
function scored(tokens: readonly PromptToken[], prompt: string): readonly Probed[] {
  try {
    return spelledOut(tokens, prompt)
  } catch (error) {
    // Ids tell tokens apart whatever they are spelled as.
    const known = tokens.slice(tokens.findLastIndex((token, i) => i < 2 && token.logprob === null) + 1)
    if (!(error instanceof ScoringError) || known.length < 2 || known.some(({ id }) => id === undefined)) throw error
    return known.map((token) => ({ text: `#${token.id}`, logprob: checkLogprob(token) }))
  }
}

interface Probed {
  readonly text: string
  readonly logprob: number
}

function spelledOut(tokens: readonly PromptToken[], prompt: string): readonly Probed[] {
  const leading = tokens.findLastIndex((token, i) => i < 2 && token.logprob === null) + 1
  const tail = tokens
    .slice(leading)
    .map((token) => token.text)
    .join('')
  const known = tail !== '' && prompt.endsWith(tail) && 2 * tail.length > prompt.length
  const text = known ? tail : prompt.slice(1)
  const out = tokensOfText(tokens, prompt.slice(0, prompt.length - text.length), text)
  if (out.length < 2)
    throw new ScoringError('cannot-score', `the server scored ${out.length} tokens of ${show(prompt)}`)
  return out
}
