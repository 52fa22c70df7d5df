import type { TokenLogprob } from '../../core/index.ts'
import { ScoringError } from './error.ts'

/** A token of a scored prompt as a server gives it; `logprob` null for a token it cannot score (the first). */
export interface PromptToken {
  readonly text: string
  readonly logprob: number | null
}

/** Rounding of servers: log-probabilities this little above 0 are 0. */
const rounding = 1e-6

/**
 * The tokens of `text` at the end of a scored prompt `context + text`, found from the end backwards, so that a
 * beginning-of-text token in front does no harm. Everything is checked: a wrong entry is an error, never a score.
 * @throws ScoringError
 */
export function tokensOfText(tokens: readonly PromptToken[], context: string, text: string): TokenLogprob[] {
  const out: TokenLogprob[] = []
  let rest = text
  let at = tokens.length
  while (rest !== '') {
    at--
    const token = tokens[at]
    if (token === undefined) {
      const given = tokens.map((t) => t.text).join('')
      throw new ScoringError(
        'cannot-score',
        `the server's tokens spell ${show(given)}, not the prompt's end ${show(text)}: it does not score given strings (it may ignore echo), or it changes the prompt`,
      )
    }
    if (token.text === '') continue
    if (!rest.endsWith(token.text)) {
      if ((context + rest).endsWith(token.text))
        throw new ScoringError(
          'boundary',
          `token ${show(token.text)} straddles the start of ${show(text)}; put a separator between terminals and strings that the tokenizer does not merge`,
        )
      throw new ScoringError(
        'cannot-score',
        `the server's token ${show(token.text)} is not the end of ${show(rest)}: it does not score given strings (it may ignore echo), or it changes the prompt`,
      )
    }
    out.push({ text: token.text, logprob: checkLogprob(token) })
    rest = rest.slice(0, -token.text.length)
  }
  return out.reverse()
}

function checkLogprob({ text, logprob }: PromptToken): number {
  if (logprob === null)
    throw new ScoringError(
      'bad-answer',
      `token ${show(text)} has no log-probability; only the first token of a prompt may lack one, so give a context of at least one token`,
    )
  if (!Number.isFinite(logprob))
    throw new ScoringError('bad-answer', `token ${show(text)} has log-probability ${logprob}`)
  if (logprob > rounding)
    throw new ScoringError(
      'bad-answer',
      `token ${show(text)} has log-probability ${logprob}, above 0: these are not natural log-probabilities`,
    )
  return Math.min(logprob, 0)
}

/** A short quotation for messages. */
export const show = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text)
