import { ANSWER, prepared, stanceOf } from './polarity.ts'

/** Offsets in a text. */
type Span = readonly [start: number, end: number]

/** Characters examined before and after a statement. */
const NEAR = 240
const STOP = /[.!?;\n]/u
/** Start of a new clause; "and that" continues the old one. */
const CLAUSE =
  /,? \b(?:and|but|yet)\b(?! (?:that|this|it|which)\b)|,? \b(?:so|because|since|hence|thus|therefore|while|whereas|as)\b/iu
/** Only punctuation, "so" and an article. */
const BARE = /^[\s*_>#•\d.)(:"'`-]*(?:(?:so|thus|hence|therefore|then|also|and|now)\b,?\s*)?(?:the )?$/iu
/** Beginnings of sentences that assert nothing. */
const SUPPOSES =
  /^[\s*_>#•\d.)(:"'`-]*(?:(?:so|now|then|and|but),? )?(?:if|suppose|supposing|assume|assuming|unless|imagine|(?:is|was) it|does it)\b/iu
/** Words of clauses that ask, weigh or aim at their content. */
const WEIGHS =
  /\b(?:if|whether|suppose|supposing|assum(?:e|ed|es|ing)|unless|maybe|perhaps|possibly|probably|may|might|could|would|should|need(?:s|ed)?|wants?|try|either|almost|nearly|only|claims?|opposite|refuse[sd]?|rejects?|rejected|question|goal|hypothesis|nobody|no one|lies?|(?:to|must|let us|let me|let's) (?:show|prove|check|decide|see|know|find|test|verify))\b|\b(?:of|most)\s*\ue000|~~/u
/** Continuations that narrow or widen a statement. */
const GOES_ON = /^,? (?:or|nor|who|that|which|if|unless|when|only|except|until)\b/iu

/** True if a text asserts the statement at a span, rather than denies, asks, supposes or widens it; false in doubt. Linear. */
export function isAsserted(text: string, [start, end]: Span): boolean {
  const sentence =
    text
      .slice(Math.max(0, start - NEAR), start)
      .split(STOP)
      .at(-1) ?? ''
  const after = STOP.test(text[end - 1] ?? '') ? '' : text.slice(end, end + NEAR)
  if (SUPPOSES.test(sentence) || GOES_ON.test(after)) return false
  const before = sentence.split(CLAUSE).at(-1) ?? ''
  const stop = after.search(STOP)
  if (after[stop] === '?') return false
  const [rest = ''] = (stop === -1 ? after : after.slice(0, stop)).split(CLAUSE)
  if (BARE.test(before) && BARE.test(rest)) return true
  const clause = prepared(`${before}${ANSWER}${rest}`)
  return !WEIGHS.test(clause) && stanceOf(clause) === 'asserted'
}

/** The text right after a statement that continues it as a list ("older than A and B"); null: none. */
export function listedAfter(text: string, end: number): string | null {
  const near = text.slice(end, end + NEAR)
  const joint = /^(?:, and|,| and) /u.exec(near)
  return joint === null ? null : near.slice(joint[0].length)
}
