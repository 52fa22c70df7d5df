import { ANSWER, changeOfMind, leadsToDenial, prepared, retracts, type Stance, stanceOf } from './polarity.ts'

/** Adjacent answers ("X or Y") and whether the text asserts them. */
export interface AnswerRun {
  readonly mentions: readonly Mention[]
  /** Joined by "or", "nor", "/". */
  readonly alternatives: boolean
  stance: Stance
  /** Begins the sentence, after an optional label, and is followed by punctuation or the end. */
  bare: boolean
  /** In a clause of reasons. */
  reason: boolean
  /** Begins with "so", "therefore" and kin. */
  concludes: boolean
  /** "X is the answer", "X follows". */
  predicated: boolean
  /** Offset of the end of its clause. */
  part: number
}

/** Negative answers. */
export const NEGATIVE = /^(?:no\b|not\b|none\b|in(?=consistent)|un(?=known))|\snot\s/i

const JOIN =
  /^(?:,? ?(?:or|and|and\/or|nor|vs\.?|versus|&|as well as) ?|, ?|\/|\||, ?(?:and )?then )(?:(?:maybe|perhaps|possibly|even|also|the|else|just|both|either|finally|lastly|for|a) ?){0,2}$/

const ALTERNATIVE = /\bn?or\b|\/|\bvs\b|versus|\|/i

function runsOf(mentions: readonly Mention[], sentence: string, vocabulary: AnswerVocabulary): Mention[][] {
  const runs: Mention[][] = []
  let last: Mention | undefined
  for (const mention of mentions) {
    const gap = last === undefined ? null : sentence.slice(last.end, mention.start)
    const between =
      gap === null || gap.length > 60
        ? null
        : prepared(gap)
            .replace(/[()[\]{}]|\b(?:boxed|text|textbf)\b/g, ' ')
            .replace(/\s+/g, ' ')
            .trim()
    const joined =
      between !== null && between !== '' && (JOIN.test(between) || vocabulary.joins?.test(between) === true)
    if (joined || (between === '' && !/[()[\]]/.test(gap as string))) runs.at(-1)?.push(mention)
    else runs.push([mention])
    last = mention
  }
  return runs
}

const CUT =
  /[,:()[\]]|\s?[–—]\s?| --? |(?<!\b(?:anything|all|nothing|everything|anyone|anybody)) (?=(?:but|so|because|since|as|hence|thus|therefore|while|whereas|though|although|however|yet|instead|which|who|whose|whom|given|due to|and (?:so|thus|therefore|hence|the|it|that|my|not|then)|rather than|in place of|other than|unlike|except|excluding|not \ue000)\b)|(?<!\b(?:think|believe|that|say|claim|claims|if|whether|doubt|sure|mean|imply|why|like|suppose|as|than|is|was|of|for|to|with) )(?=\b(?:the|my|our|your) (?:(?:final|correct|right|only|best) ){0,2}(?:answer|conclusion|verdict|result) (?:is|must be|has to be|should be|would be)\b)/g

const REASON = /^(?:because|since|as|given|due to|while|whereas|though|although|who|which|whose|whom)\b/
const CONCLUDES =
  /^(?:and |but )?(?:so|thus|hence|therefore|instead|then|consequently|accordingly|but|rather|finally|the answer|my answer|the correct answer|the final answer|it is|it's)\b/
const PREDICATED =
  /^ (?:(?:is|are|would be|must be|should be|has to be) (?:(?:also|then|indeed|clearly|therefore|thus|in fact) )?(?:the|my|our|next|correct|right|older|oldest|younger|youngest|larger|largest|bigger|biggest|true|valid|what)\b|follows\b|holds\b|must (?:hold|follow|be true)\b|has more\b|should (?:get|receive|take|have) it\b)/
const HEAD =
  /^(?:(?:so|thus|hence|therefore|ok|okay|well|right|the|my|our|your|final|correct|short|answer|conclusion|verdict|result|is|it|it's|that's|i|say|would|think|believe|be|boxed|text|textbf|mathrm|mathbf|and|then|clearly|definitely|overall|in conclusion|in short|\d{1,3}\.|[-+•=.]) ?)*$/
const WORDS_AFTER_VERDICT =
  /^(\ue000) (?=(?:it|the|this|that|they|there|she|he|we|you|i|all|some|none|given|both|one|neither)\b)/

/** The stance of a sentence on each run of answers in it. @param led - the line above denies them. */
export function stanceOfRun(
  sentence: string,
  mentions: readonly Mention[],
  vocabulary: AnswerVocabulary,
  led: boolean,
): AnswerRun[] {
  const runs: AnswerRun[] = runsOf(mentions, sentence, vocabulary).map((run) => ({
    mentions: run,
    alternatives: run.some(
      ({ end }, k) => k + 1 < run.length && ALTERNATIVE.test(sentence.slice(end, run[k + 1]?.start)),
    ),
    stance: 'asserted',
    bare: false,
    reason: false,
    concludes: false,
    predicated: false,
    part: 0,
  }))
  let text = ''
  let at = 0
  for (const { mentions: run } of runs) {
    const [first, last] = [run[0] as Mention, run.at(-1) as Mention]
    text += `${sentence.slice(at, first.start)}${ANSWER}`
    at = last.end
  }
  text += sentence.slice(at)
  const asks = /\?[\s"'”’)\]*_`]*$/.test(text)
  let whole = prepared(text)
    .trim()
    .replace(/[.!]+$/, '')
    .replace(/^["' ]+/, '')
  if (vocabulary.kind === 'verdict') whole = whole.replace(WORDS_AFTER_VERDICT, '$1, ')
  const turn = changeOfMind(whole)
  const cut = new RegExp(CUT)
  let next = 0
  let neither = false
  let denyNext = led
  let from = 0
  let lead = ''
  for (;;) {
    const hit = cut.exec(whole)
    const end = hit?.index ?? whole.length
    const mark = hit?.[0].trim() ?? ''
    const part = whole.slice(from, end).trim()
    const held = part.split(ANSWER).length - 1
    if (held === 0) {
      const back = retracts(part)
      if (back !== 'no' && (!REASON.test(part) || part.startsWith('which')))
        deny(runs.slice(0, next), back === 'agreeing')
      neither ||= /\bneither\b|\bnone of\b/.test(part)
    } else {
      const stance = denyNext || neither || /\b(?:neither|none of)\b/.test(part) ? 'denied' : stanceOf(part)
      neither ||= /\b(?:neither|none of)\b/.test(part)
      const than = vocabulary.wins === undefined ? null : compared(part, vocabulary.wins)
      for (let k = 0; k < held; k++, next++) {
        const run = runs[next]
        if (run === undefined) break
        run.stance = asks && stance === 'asserted' ? 'idle' : stance
        if (than !== null && run.stance === 'asserted' && (than === 'neither' || k >= than)) run.stance = 'denied'
        run.reason = REASON.test(part)
        run.concludes = CONCLUDES.test(part)
        run.part = end
        run.predicated = PREDICATED.test(part.split(ANSWER)[k + 1] ?? '')
        run.bare =
          held === 1 &&
          HEAD.test(`${lead}${part.slice(0, part.indexOf(ANSWER))}`.trim()) &&
          /^[\s.!'"]*$/.test(part.slice(part.indexOf(ANSWER) + 1))
        if (turn !== null && from + part.indexOf(ANSWER) < turn) run.stance = 'denied'
        if (struck(sentence, run.mentions)) run.stance = 'denied'
      }
    }
    denyNext = led || ([':', '–', '—', '-', '--'].includes(mark) && leadsToDenial(part.slice(-160)))
    if (hit === null) break
    lead = held === 0 && HEAD.test(part) ? `${part} ` : held === 0 ? 'x ' : 'x '
    from = end + (hit[0].length === 0 ? 0 : hit[0].length)
    if (hit[0] === '') {
      cut.lastIndex = end + 1
      from = end
    }
  }
  return runs
}

function deny(runs: readonly AnswerRun[], unlessNegative: boolean): void {
  for (const run of runs)
    if (!unlessNegative || run.mentions.some(({ answer }) => !NEGATIVE.test(answer))) run.stance = 'denied'
}

/** Struck out, unticked or crossed: `~~X~~`, `<del>X</del>`, `[ ] X`. */
function struck(sentence: string, run: readonly Mention[]): boolean {
  const [first, last] = [run[0] as Mention, run.at(-1) as Mention]
  const before = sentence.slice(Math.max(0, first.start - 24), first.start)
  const after = sentence.slice(last.end, last.end + 24)
  return (
    /~~[\s*_"'`]*$|<(?:s|del|strike)>[\s*_"'`]*$|[[(] [\])][\s*_"'`]*$/i.test(before) ||
    /^[\s*_"'`.]*(?:~~|<\/(?:del|strike)>)/i.test(after) ||
    /^\s*(?:❌|✗|✘|👎|\(x\))/u.test(after)
  )
}

const COMPARED = /\b(\w+)(?: [\w'-]+){0,2} than\b/

/** Number of runs before "than" if the comparison favours them; null: no comparison. */
function compared(part: string, wins: readonly string[]): number | 'neither' | null {
  const found = COMPARED.exec(part)
  if (found === null) return null
  const [before, after] = [part.slice(0, found.index), part.slice(found.index)].map(
    (side) => side.split(ANSWER).length - 1,
  )
  if (before === 0 || after === 0) return null
  return wins.some((word) => found[0].split(' ').includes(word)) ? (before as number) : 'neither'
}

/** An occurrence of an answer in a text. */
export interface Mention {
  readonly start: number
  readonly end: number
  readonly answer: string
  /** May be another word with the same spelling; counts only if there is no other mention. */
  readonly faint: boolean
}

export interface AnswerVocabulary {
  /** All mentions in a text, in order, not overlapping. Linear. */
  find(text: string): readonly Mention[]
  /** `verdict`: a later answer replaces an earlier one ("Yes. No."). `named`: answers also occur in reasons ("Ann, since Bob is younger"). */
  readonly kind: 'verdict' | 'named'
  /** After these words the answer in "A ... than B" is A, after others neither. Absent: `than` is ignored. */
  readonly wins?: readonly string[]
  /** Further joints of one answer ("3 to 4"), beside commas, slashes, "or", "and", "nor". */
  readonly joins?: RegExp
  /** The answer is everything that the sentence asserts ("chess and rowing"), except alternatives ("or"). */
  readonly together?: boolean
  /** Preferred answers among several in a clause, e.g. those with a unit. */
  preferred?(mention: Mention, text: string): boolean
}
