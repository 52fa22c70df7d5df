/**
 * Whether the text around an answer asserts or denies it. Works on prepared text: lower case, straight apostrophes, no
 * markup, single spaces, every answer replaced by {@link ANSWER}. English only.
 */

/** Placeholder of an answer, or of several joined ones ("X or Y"). */
export const ANSWER = '\ue000'

const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g

/** Prepared text; its offsets differ from those of the raw text. */
export const prepared = (text: string): string =>
  text
    .replace(INVISIBLE, '')
    .replace(/[’‘ʼ＇´]/g, "'")
    .replace(/(?<=\p{L})`(?=\p{L})/gu, "'")
    .replace(/[*_`"“”„«»{}$\\#>]/g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase()

/** Idioms that look like denials. */
const IDIOMS =
  /\b(?:(?:there(?:'s| is) |without |beyond |leaves )?(?:no|any|a) doubt(?: (?:about it|whatsoever))?|without question|no question|not only|no wonder|none other than|(?:if|unless) i(?:'m| am) (?:not )?(?:mistaken|wrong)|(?:it )?(?:cannot|can't) be denied|(?:cannot|can't) be anything (?:but|else|other than)|could(?:n't| not) be anything (?:but|else|other than)|nothing but|not hard to see|no (?:further|more) (?:steps?|checks?)|without (?:further|any) (?:ado|steps?))\b/g

const GRADE =
  '(?:(?:quite|entirely|really|actually|possibly|at all|ever|even|an?|the|my|our|be|one|of|as|necessarily) ){0,3}'
const GOOD =
  '(?:right|correct|true|so|valid|possible|acceptable|it|the case|(?:final |real |actual )?(?:answer|solution))'
const BAD =
  'wrong|incorrect|false|untrue|mistaken|mistake|erroneous|error|impossible|invalid|inadmissible|unacceptable|implausible|nonsense|refuted|rejected|excluded|discarded|dismissed|eliminated|disproved|disproven|contradicted|contradictory|a contradiction|out of the question|ruled out|unlikely|untenable|no good|off the table|a trap|a red herring|not an option'
const STRONG = `(?:${BAD}|(?:not|n't|never) ${GRADE}(?:right |correct |final )?${GOOD})`

/** Denials within the clause of the answer. */
const DENIES = new RegExp(
  [
    String.raw`\b(?:not|never|neither|nor|cannot|cant|dont|doesnt|isnt|wasnt|wont|arent|couldnt|shouldnt|wouldnt|ain't|without|barring|unlike|hardly|scarcely|barely)\b`,
    String.raw`n't\b`,
    String.raw`\b(?:rather than|instead of|in place of|in lieu of|as opposed to|other than|apart from|aside from|except(?:ing)?(?: for)?|excluding|contrary to|far from|anything but|all but|but not|no longer|by no means|in no way|no way|no chance|on no account|no reason|nothing|none|nobody would|no good)\b`,
    String.raw`\b(?:${BAD}|fails?|failed|contradicts?|violates?|ruling out|rules? out|reject(?:ing)?|exclud(?:e|es)|eliminat(?:e|es|ing)|dismiss|discard|disprov(?:e|es)|refut(?:e|es)|deny|denies|disagree|doubt(?:s|ful)?|avoid|suspicious of|against|cross(?:ed|ing)? out|lacks?|untrue)\b`,
    String.raw`\b(?:(?:i|we|one|you) (?:had |have |'d |once |initially |at first |originally |first |mistakenly |wrongly |previously |used to |almost |nearly )*(?:first|initially|originally|mistakenly|wrongly|previously|almost|nearly|formerly|once|used to) (?:had |have )?(?:thought|think|believed?|guess(?:ed)?|said|say|assumed?|considered|concluded|answered|wrote|suspected|read|took|put|had))\b`,
    String.raw`\b(?:at first|initially|originally|previously|formerly|earlier|first|initial|original|previous|old|former|tempting|naive|mistaken|superficially|at first (?:glance|sight)|seemingly)\b(?! (?:name|names|step|hop|person|one|hand))(?=.{0,80}\b(?:thought|think|guess|guessed|answer|answered|said|seems?|seemed|looks?|looked|appears?|appeared|believed|assumed|impression|attempt|conclusion|instinct|idea|response|wrote|was|were)\b)`,
    String.raw`\b(?:thought|guess|answer|said|seems?|seemed|looks?|looked|appears?|appeared|believed|assumed|impression|attempt|conclusion|instinct|idea|wrote|was|were)\b.{0,60}\b(?:at first|initially|originally|previously|formerly|tempting|superficially|seemingly)\b`,
    String.raw`\b(?:was|were|had been) (?:my|our|the) (?:first |initial |original |earlier |previous )(?:answer|guess|thought|idea|attempt)\b`,
    String.raw`\b(?:thought|supposed|believed) (?:it|that|this|the answer)\b(?=.{0,80}\bwas\b)`,
    '[≠¬✗✘❌🚫⛔👎]|!=|<>|(?:^|\\s)(?:!|~)(?=\ue000)|\\bcancel\\b|\\bneg\\b|\\bsout\\b',
  ].join('|'),
  'u',
)

/** Suppositions, questions, and answers on a condition ("yes if it parses, otherwise no"). */
const IDLE =
  /\ue000\)? ?(?:only |just )?(?:if|unless|provided(?: that)?|as long as|otherwise|else)\b|^(?:otherwise|else)\b|^(?:and |but |or )?(?:if|suppose|supposing|assum(?:e|es|ing)|unless|whether|say that|let us say|imagine|had it been|were it)\b|\b(?:whether|would (?:need|require|have (?:to|been)|imply|mean|follow))\b/

const NOUN =
  '(?:answers?|solutions?|results?|paths?|ways?|routes?|orders?|orderings?|lists?|rules?|programs?|cascades?|strings?|choices?|verdicts?|conclusions?|options?|hobbies|numbers?|sequences?|outputs?|labels?|it|this|that|these|those|following|one|ones)'
/** Ends of texts that deny the answer after a colon or line end. */
const LEADS = new RegExp(
  String.raw`(?:\b(?:not|never|neither|nor|cannot|without|than|instead of|rather than|other than|except(?: for)?|excluding|(?:cannot|can't|not|n't) be)|n't)$|\b(?:not|never|no longer|cannot|without)\b ${GRADE}(?:right |correct |final |valid |true |actual )*${NOUN}$|n't ${GRADE}(?:right |correct |final |valid |true |actual )*${NOUN}$|\b(?:wrong|incorrect|false|mistaken|invalid|rejected|discarded|failed|faulty|bad|erroneous|initial|previous|earlier|superseded)(?: \w+)? ${NOUN}$|\b(?:${BAD})$|\b${NOUN} (?:that|which) (?:is|are|was|were|do|does|did)(?: not|n't)\b[^.]{0,40}$|\b(?:at first|initially|originally|first thought|first guess|first attempt)\b[^.]{0,40}$|\b(?:do|does|did) ?(?:not|n't) (?:work|hold|belong|fit|solve|use|answer|pick|choose|take)[^.]{0,30}$|[≠¬✗✘❌🚫⛔]$`,
)

/** Clauses after an answer that retract it: "X (wrong)", "X, which is wrong", "X - not". */
const TAKES_BACK = new RegExp(
  String.raw`^(?:(?:but|and|though|although|however|yet|or|well|alas|no|only) ){0,2}(?:(?:that|this|it|which|both|either|i) ?)?(?:is|was|are|were|'s|would be|seems?|looks?|must be|can|could|turns out to be|turned out to be|am)? ?(?:\w{2,12}ly |all |just |plain |surely |quite |so )?(?:${STRONG})\b|^(?:but )?(?:not|no|nope|nah|never|or not|maybe not|perhaps not|i think not|not really|not at all|not quite|not so)$|^(?:but |and )?(?:that|this|it|which) (?:does not|doesn't|did not|didn't|cannot|can't|could not|couldn't|won't|fails?)(?: (?:work|follow|hold|fit|be (?:right|true|correct|it|so)|stand|succeed))\b|[✗✘❌🚫⛔👎]$`,
)
const AGREES_WITH_NO =
  /^(?:(?:but|and|well) )?(?:(?:that|this|it)\b|(?:not (?:valid|possible|true|so|right)|invalid|impossible|untrue|a contradiction)\b)/
const AGAINST_NO =
  /^(?:that|this)(?:'s| is| was)(?: \w+ly)? (?:wrong|incorrect|false|not right|not correct|a mistake|mistaken)\b/

/** Changes of mind, whatever came before. */
const CHANGE =
  /\b(?:wait|hold on|hang on|scratch that|strike that|disregard (?:that|this|the above)|ignore (?:that|this|the above)|i take (?:it|that|this) back|correction|i (?:was|am|stand|'m) (?:wrong|mistaken|corrected)|i(?:'ve)?(?: have)? (?:made|make) (?:a|an) (?:\w+ )?(?:mistake|error|slip)|on second thoughts?|not so fast|oops|i retract|i withdraw|let me (?:reconsider|revise|correct|rethink|redo)|my mistake)\b/

/** Sentences that deny the one before. */
const SENTENCE_TAKES_BACK = new RegExp(
  String.raw`^(?:(?:but|and|no|actually|however|well|yet|alas|in fact|though|or so i thought),? ){0,2}(?:(?:that|this|it|which|the above|my answer|this answer|that answer)(?: answer| one)? ?)?(?:is|was|'s|isn't|would be|turns out to be|must be|cannot be|can't be|can not be|seems) ?(?:\w{2,12}ly |all |just |plain |surely |quite )?(?:${STRONG}|right|correct)\b`,
)

export type Stance = 'asserted' | 'denied' | 'idle'

/** True if the text before the answer, up to a colon or on the line above, denies it. */
export const leadsToDenial = (before: string): boolean => LEADS.test(before.replace(/[\s:.–—-]+$/, ''))

/** The stance of a clause on the answers in it. */
export function stanceOf(part: string): Stance {
  const plain = part.replace(IDIOMS, ' ')
  if (DENIES.test(plain)) return 'denied'
  return IDLE.test(plain.trimStart()) ? 'idle' : 'asserted'
}

/** Whether a clause without an answer retracts the one before; `agreeing`: unless that was negative. */
export function retracts(part: string): 'no' | 'agreeing' | 'yes' {
  const plain = part.replace(IDIOMS, ' ').trim()
  if (!TAKES_BACK.test(plain)) return 'no'
  return AGREES_WITH_NO.test(plain) ? 'agreeing' : 'yes'
}

/** Whether a sentence retracts the answer before; `soft`: unless that was negative. */
export function sentenceRetracts(sentence: string): 'no' | 'soft' | 'hard' {
  const plain = sentence.replace(IDIOMS, ' ').trim()
  if (CHANGE.test(plain)) return 'hard'
  if (/^(?:is|was|'s) (?:right|correct)\b/.test(plain)) return 'no'
  if (AGAINST_NO.test(plain)) return 'hard'
  const said = SENTENCE_TAKES_BACK.exec(plain)
  if (said === null) return retracts(plain) === 'no' ? 'no' : 'soft'
  const agrees = /\b(?:right|correct)$/.test(said[0]) && !/\bnot\b|n't\b|\bnever\b|\bcannot\b/.test(said[0])
  return agrees ? 'no' : 'soft'
}

/** Offset of the end of a change of mind in a sentence; null: none. */
export function changeOfMind(sentence: string): number | null {
  const found = CHANGE.exec(sentence.replace(IDIOMS, (idiom) => ' '.repeat(idiom.length)))
  return found === null ? null : found.index + found[0].length
}
