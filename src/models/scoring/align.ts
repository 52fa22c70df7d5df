import type { TokenLogprob } from '../../core/index.ts'
import { ScoringError } from './error.ts'

/** A token of a scored prompt as a server gives it; `logprob` null for a token it cannot score (the first). */
export interface PromptToken {
  /** Empty or with U+FFFD where a character is spread over tokens. */
  readonly text: string
  readonly logprob: number | null
  /** In the vocabulary of the model; left out where the server does not say. */
  readonly id?: number
}

/** What servers write for a probability of 0, which no float of a model comes near to (OpenAI's and vLLM's -9999.0). */
const NO_PROBABILITY = -9999

/** Rounding of servers: log-probabilities this little above 0 are 0. */
const rounding = 1e-6

/**
 * The tokens of `text` at the end of a scored prompt `context + text`. Everything is checked: a wrong entry is an error, never
 * a score.
 *
 * Where the ids of the context alone are known and the prompt begins with them, what follows is the text, whatever its tokens are
 * spelled as: bytes, parts of characters, words without their space. Else by spelling, from the end backwards, so that a
 * beginning-of-text token in front does no harm. `whole`, the ids of the prompt, must be those that were scored: a server that cuts
 * a long prompt, or answers several in another order, gives other ones.
 *
 * @param before - ids of `context` alone; null: not known.
 * @throws ScoringError
 */
export function tokensOfText(
  tokens: readonly PromptToken[],
  context: string,
  text: string,
  before: readonly number[] | null = null,
  whole: readonly number[] | null = null,
): TokenLogprob[] {
  const end = context === '' || before === null ? null : endOf(before, tokens)
  const start = end === tokens.length ? null : end
  const bySpell = start === null ? bySpelling(tokens, context, text) : null
  if (whole !== null && !areWhole(tokens, whole, start === null))
    throw new ScoringError(
      'bad-answer',
      `the server scored ${tokens.length} tokens, and they are not the ${whole.length} that its tokenizer makes of the prompt: some are missing, or it scored another string`,
    )
  return bySpell ?? spelled(tokens.slice(start ?? 0), text)
}

/** Are the tokens those of a prompt? @param orNext - the tokenizer may put a token in front that the prompt has not */
function areWhole(tokens: readonly PromptToken[], whole: readonly number[], orNext: boolean): boolean {
  if (orNext && tokens.every(({ id }) => id === undefined)) return true
  return endOf(whole, tokens) === tokens.length || (orNext && endOf(whole.slice(1), tokens) === tokens.length)
}

/** Where the ids of a context end in those of a prompt, a beginning-of-text token in front or not; null: it begins otherwise. */
function endOf(before: readonly number[], tokens: readonly PromptToken[]): number | null {
  const skips = [0, 1].filter((skip) => skip === 0 || tokens[0]?.logprob === null)
  for (const skip of skips) {
    const end = skip + before.length
    if (end <= tokens.length && before.every((id, i) => tokens[skip + i]?.id === id)) return end
  }
  return null
}

/** How far behind the last token the next one may begin: what lies between was a part of a character, or a lost space. */
const GAP = 8

/** Gives each token its part of the text; a part of a character is spelled by the token that ends it. */
export function spelled(tokens: readonly PromptToken[], text: string): TokenLogprob[] {
  const out: { text: string; logprob: number }[] = []
  let at = 0
  let parts = false
  for (const token of tokens) {
    const { text: piece } = token
    const whole = piece !== '' && !piece.includes('\uFFFD')
    const found = whole ? text.slice(at, at + GAP + piece.length).indexOf(piece) : -1
    const before = out.at(-1)
    if (found > 0 && parts && before !== undefined) {
      before.text += text.slice(at, at + found)
      at += found
    }
    const end = found < 0 ? at : text.indexOf(piece, at) + piece.length
    out.push({ text: text.slice(at, end), logprob: checkLogprob(token) })
    parts = found < 0
    at = end
  }
  const last = out.at(-1)
  if (last !== undefined) last.text += text.slice(at)
  return out
}

function bySpelling(tokens: readonly PromptToken[], context: string, text: string): TokenLogprob[] {
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
    // At the end it is no part of the text; inside, a part of a character.
    if (token.text === '' && out.length === 0) continue
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
    rest = rest.slice(0, rest.length - token.text.length)
  }
  // The first character may be spread over tokens, too.
  while (context !== '' && tokens[at - 1]?.text === '' && tokens[at - 1]?.logprob !== null) {
    at--
    out.push({ text: '', logprob: checkLogprob(tokens[at]!) })
  }
  checkContext(tokens.slice(0, at), context)
  return out.reverse()
}

/** The longest first token of a context that a server may leave out, or not spell. */
const FIRST = 16

/** What a tokenizer may change in a text before it reads it. */
const plain = (text: string): string => text.normalize('NFKC').replaceAll(/\s/gu, '')

/** Special tokens that a server may put in front of every prompt. */
const SPECIAL = 2

/** What stands before the context is a special token or two: more is a template, and the string was scored behind it. */
function checkFront(pieces: readonly string[], asked: string): void {
  let rest = asked.length
  let front = pieces.length
  for (; front > 0; front--) {
    const { length } = plain(pieces[front - 1]!)
    if (rest === 0 && length > 0) break
    rest -= length
  }
  if (front > SPECIAL)
    throw new ScoringError(
      'cannot-score',
      `the server puts ${show(pieces.slice(0, front).join(''))} in front of what it scores: it may use a template for chats`,
    )
}

/** What was scored before the text is the context, as far as it is spelled. @throws ScoringError */
function checkContext(tokens: readonly PromptToken[], context: string): void {
  const unknown = tokens.findLastIndex(({ text }, i) => i > 0 && (text === '' || text.includes('\uFFFD')))
  const known = tokens.slice(unknown + 1).map(({ text }) => text)
  const [given, asked] = [plain(known.join('')), plain(context)]
  const lost = asked.length - given.length
  const [first] = tokens
  // The first token of a prompt is the one without a log-probability: where it is spelled, nothing stood before it.
  const most = first?.logprob === null && first.text !== '' && !first.text.includes('\uFFFD') ? 0 : FIRST
  if (given.endsWith(asked)) checkFront(known, asked)
  else if (!asked.endsWith(given) || (unknown < 0 && lost > most))
    throw new ScoringError(
      'cannot-score',
      `the server scored the string behind ${show(known.join(''))}, not behind ${show(context)}: it cuts long prompts, or answers several in another order`,
    )
}

/** @throws ScoringError for what is no log-probability. */
export function checkLogprob({ text, logprob }: PromptToken): number {
  if (logprob === null)
    throw new ScoringError(
      'bad-answer',
      `token ${show(text)} has no log-probability; only the first token of a prompt may lack one, so give a context of at least one token`,
    )
  if (!Number.isFinite(logprob))
    throw new ScoringError('bad-answer', `token ${show(text)} has log-probability ${logprob}`)
  if (logprob <= NO_PROBABILITY)
    throw new ScoringError(
      'bad-answer',
      `token ${show(text)} has log-probability ${logprob}, which servers write where they have none`,
    )
  if (logprob > rounding)
    throw new ScoringError(
      'bad-answer',
      `token ${show(text)} has log-probability ${logprob}, above 0: these are not natural log-probabilities`,
    )
  return Math.min(logprob, 0)
}

/** A short quotation for messages. */
export const show = (text: string, most = 60): string =>
  JSON.stringify(text.length > most ? `${text.slice(0, most - 3)}...` : text)
