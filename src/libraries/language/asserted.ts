import { ANSWER, prepared, stanceOf } from './polarity.ts'

/** A place in a text. */
type Span = readonly [start: number, end: number]

/** Characters before and after a statement that are looked at. */
const NEAR = 240
const STOP = /[.!?;\n]/u
/** A clause of its own begins; "and that" goes on with what was said. */
const CLAUSE =
  /,? \b(?:and|but|yet)\b(?! (?:that|this|it|which)\b)|,? \b(?:so|because|since|hence|thus|therefore|while|whereas|as)\b/iu
/** Nothing but marks, "so" and an article. */
const BARE = /^[\s*_>#•\d.)(:"'`-]*(?:(?:so|thus|hence|therefore|then|also|and|now)\b,?\s*)?(?:the )?$/iu
/** A sentence that begins so says nothing of its own. */
const SUPPOSES =
  /^[\s*_>#•\d.)(:"'`-]*(?:(?:so|now|then|and|but),? )?(?:if|suppose|supposing|assume|assuming|unless|imagine|(?:is|was) it|does it)\b/iu
/** A clause with such words asks, weighs or aims at what it holds. */
const WEIGHS =
  /\b(?:if|whether|suppose|supposing|assum(?:e|ed|es|ing)|unless|maybe|perhaps|possibly|probably|may|might|could|would|should|need(?:s|ed)?|wants?|try|either|almost|nearly|only|claims?|opposite|refuse[sd]?|rejects?|rejected|question|goal|hypothesis|nobody|no one|lies?|(?:to|must|let us|let me|let's) (?:show|prove|check|decide|see|know|find|test|verify))\b|\b(?:of|most)\s*\ue000|~~/u
/** A statement that goes on so is a narrower or wider one. */
const GOES_ON = /^,? (?:or|nor|who|that|which|if|unless|when|only|except|until)\b/iu

/**
 * Does a text say what stands at a place of it, rather than deny, ask, suppose or widen it? Where that is not plain, it does not: the
 * sentence is looked at, and no farther than a bounded way.
 */
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

/** What right behind a statement goes on with a list ("older than A and B"); null: nothing does. It is for the reader to see what it is. */
export function listedAfter(text: string, end: number): string | null {
  const near = text.slice(end, end + NEAR)
  const joint = /^(?:, and|,| and) /u.exec(near)
  return joint === null ? null : near.slice(joint[0].length)
}
