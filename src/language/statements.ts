import type { Extracted } from '../core/task.ts'
import { LABEL, LONGEST_LINE, type Piece, visiblePieces } from './lines.ts'
import { ANSWER, changeOfMind, leadsToDenial, prepared, sentenceTakesBack, standOf, takesBack } from './polarity.ts'
import { sentencesOf } from './sentences.ts'

/** A place that names an answer. */
export interface Mention {
  readonly start: number
  readonly end: number
  readonly answer: string
  /** May be another word that is spelled alike; counts only where nothing else is said. */
  readonly faint: boolean
}

export interface Manner {
  /** All mentions in a text, in order, not overlapping. Linear. */
  find(text: string): readonly Mention[]
  /**
   * `verdict`: whoever says another one changes the answer ("Yes. No."). `named`: answers occur in explanations too ("Ann,
   * since Bob is younger").
   */
  readonly kind: 'verdict' | 'named'
  /** Of "A ... than B" the answer is A after these words; after others neither is. Absent: `than` means nothing. */
  readonly wins?: readonly string[]
  /** What joins answers to one ("3 to 4") beside commas, slashes, "or", "and", "nor". */
  readonly joins?: RegExp
  /** An answer is all that is asserted in the sentence ("chess and rowing"), but for alternatives ("or"). */
  readonly together?: boolean
  /** Answers among several in a part of a sentence that are meant, e.g. those with a unit. */
  preferred?(mention: Mention, text: string): boolean
}

/** Answers that stand in one run ("X or Y"), and how the text stands to them. */
interface Run {
  readonly mentions: readonly Mention[]
  /** Joined by "or", "nor", "/". */
  readonly alternatives: boolean
  stand: 'asserted' | 'denied' | 'idle'
  /** Begins the sentence, but for a label, and is followed by a mark or the end. */
  bare: boolean
  /** In a part that gives reasons. */
  reason: boolean
  /** Begins with "so", "therefore" and kin. */
  concludes: boolean
  /** "X is the answer", "X follows". */
  predicated: boolean
  /** Number of the part of the sentence it stands in. */
  part: number
}

const NEGATIVE = /^(?:no\b|not\b|none\b|in(?=consistent)|un(?=known))|\snot\s/i

const JOIN =
  /^(?:,? ?(?:or|and|and\/or|nor|vs\.?|versus|&|as well as) ?|, ?|\/|\||, ?(?:and )?then )(?:(?:maybe|perhaps|possibly|even|also|the|else|just|both|either|finally|lastly|for|a) ?){0,2}$/

const ALTERNATIVE = /\bn?or\b|\/|\bvs\b|versus|\|/i

function runsOf(mentions: readonly Mention[], sentence: string, manner: Manner): Mention[][] {
  const runs: Mention[][] = []
  let last: Mention | undefined
  for (const mention of mentions) {
    const gap = last === undefined ? null : sentence.slice(last.end, mention.start)
    const said =
      gap === null || gap.length > 60
        ? null
        : prepared(gap)
            .replace(/[()[\]{}]|\b(?:boxed|text|textbf)\b/g, ' ')
            .replace(/\s+/g, ' ')
            .trim()
    const joined = said !== null && said !== '' && (JOIN.test(said) || manner.joins?.test(said) === true)
    if (joined || (said === '' && !/[()[\]]/.test(gap as string))) runs.at(-1)?.push(mention)
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

/** How a sentence stands to each run of answers in it. `led`: what stands on the line above denies it. */
function weigh(sentence: string, mentions: readonly Mention[], manner: Manner, led: boolean): Run[] {
  const runs: Run[] = runsOf(mentions, sentence, manner).map((run) => ({
    mentions: run,
    alternatives: run.some(
      ({ end }, k) => k + 1 < run.length && ALTERNATIVE.test(sentence.slice(end, run[k + 1]?.start)),
    ),
    stand: 'asserted',
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
  if (manner.kind === 'verdict') whole = whole.replace(WORDS_AFTER_VERDICT, '$1, ')
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
      const back = takesBack(part)
      if (back !== 'no' && (!REASON.test(part) || part.startsWith('which')))
        deny(runs.slice(0, next), back === 'agreeing')
      neither ||= /\bneither\b|\bnone of\b/.test(part)
    } else {
      const stand = denyNext || neither || /\b(?:neither|none of)\b/.test(part) ? 'denied' : standOf(part)
      neither ||= /\b(?:neither|none of)\b/.test(part)
      const than = manner.wins === undefined ? null : compared(part, manner.wins)
      for (let k = 0; k < held; k++, next++) {
        const run = runs[next]
        if (run === undefined) break
        run.stand = asks && stand === 'asserted' ? 'idle' : stand
        if (than !== null && run.stand === 'asserted' && (than === 'neither' || k >= than)) run.stand = 'denied'
        run.reason = REASON.test(part)
        run.concludes = CONCLUDES.test(part)
        run.part = end
        run.predicated = PREDICATED.test(part.split(ANSWER)[k + 1] ?? '')
        run.bare =
          held === 1 &&
          HEAD.test(`${lead}${part.slice(0, part.indexOf(ANSWER))}`.trim()) &&
          /^[\s.!'"]*$/.test(part.slice(part.indexOf(ANSWER) + 1))
        if (turn !== null && from + part.indexOf(ANSWER) < turn) run.stand = 'denied'
        if (struck(sentence, run.mentions)) run.stand = 'denied'
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

function deny(runs: readonly Run[], unlessNegative: boolean): void {
  for (const run of runs)
    if (!unlessNegative || run.mentions.some(({ answer }) => !NEGATIVE.test(answer))) run.stand = 'denied'
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

/** How many runs stand before "than" where what does has the better of it; null where nothing is compared. */
function compared(part: string, wins: readonly string[]): number | 'neither' | null {
  const found = COMPARED.exec(part)
  if (found === null) return null
  const [before, after] = [part.slice(0, found.index), part.slice(found.index)].map(
    (side) => side.split(ANSWER).length - 1,
  )
  if (before === 0 || after === 0) return null
  return wins.some((word) => found[0].split(' ').includes(word)) ? (before as number) : 'neither'
}

type Said =
  | { readonly kind: 'nothing'; readonly denied: readonly string[] }
  | { readonly kind: 'conflict' }
  | {
      readonly kind: 'says'
      readonly mention: Mention
      readonly all?: readonly Mention[]
      readonly bare: boolean
      readonly denied: readonly string[]
    }

const answersOf = (mentions: readonly Mention[]): string[] => [...new Set(mentions.map(({ answer }) => answer))]

/** What the runs of one sentence come to. */
function verdictOf(runs: readonly Run[], sentence: string, manner: Manner, stated: boolean): Said {
  const denied = runs.filter(({ stand }) => stand === 'denied').flatMap(({ mentions }) => answersOf(mentions))
  let asserted = runs.filter(({ stand }) => stand === 'asserted')
  if (asserted.length === 0) return { kind: 'nothing', denied }
  const { preferred } = manner
  if (preferred !== undefined) {
    const better = asserted.filter(({ mentions }) => mentions.some((mention) => preferred(mention, sentence)))
    if (better.length > 0) asserted = better
  }
  if (manner.together === true) {
    if (asserted.some(({ alternatives }) => alternatives)) return { kind: 'conflict' }
    const alone = asserted.find(({ bare }) => bare)
    const all = (alone === undefined ? asserted : [alone]).flatMap(({ mentions }) => mentions)
    return { kind: 'says', mention: all.at(-1) as Mention, all, bare: false, denied }
  }
  const chosen = choose(asserted, manner, stated)
  if (chosen === null) return { kind: 'conflict' }
  const mention = chosen.mentions.at(-1) as Mention
  if (answersOf(chosen.mentions).length > 1) return { kind: 'conflict' }
  // "Ann, not Ann": whoever denies what is said says nothing.
  if (denied.includes(mention.answer) && !chosen.concludes) return { kind: 'conflict' }
  return { kind: 'says', mention, bare: chosen.bare, denied }
}

function choose(asserted: readonly Run[], { kind }: Manner, stated: boolean): Run | null {
  const last = asserted.at(-1) as Run
  if (kind === 'verdict') {
    const answers = new Set(asserted.flatMap(({ mentions }) => answersOf(mentions)))
    return answers.size === 1 || last.concludes ? last : null
  }
  const bare = asserted.find((run) => run.bare)
  if (bare !== undefined) return bare
  const plain = asserted.filter(({ reason }) => !reason)
  if (plain.length === 0) return last
  const sure = plain.findLast(({ predicated }) => predicated)
  if (sure !== undefined) return sure
  if (!stated) return plain.at(-1) as Run
  const concluding = plain.findLast(({ concludes }) => concludes)
  return concluding ?? (plain.findLast(({ part }) => part === plain[0]?.part) as Run)
}

interface Line {
  readonly sentence: Piece
  readonly mentions: readonly Mention[]
  /** The sentence begins with an answer label, or follows a line that is nothing else. */
  readonly label: 'none' | 'label' | 'final'
  /** What comes before it denies what it says. */
  readonly led: boolean
}

/** Of more sentences only the last are read. */
const MOST_SENTENCES = 1500

const TELLS = /[\p{L}\p{N}≠¬✗✘❌]/u

function linesOf(text: string, manner: Manner): Line[] {
  const out: Line[] = []
  for (const piece of visiblePieces(text)) {
    const all = sentencesOf(piece)
    out.unshift(...linesOfPiece(piece, all.slice(Math.max(0, all.length - (MOST_SENTENCES - out.length))), manner))
    if (out.length >= MOST_SENTENCES) break
  }
  return out
}

function linesOfPiece(piece: Piece, sentences: readonly Piece[], manner: Manner): Line[] {
  const from = sentences[0]?.start ?? piece.end
  const mentions = manner.find(piece.text.slice(from - piece.start))
  let k = 0
  let waiting: Line['label'] = 'none'
  let above = ''
  return sentences.map((sentence) => {
    const offset = sentence.start - from
    const own: Mention[] = []
    while (k < mentions.length && (mentions[k] as Mention).start < offset) k++
    for (; k < mentions.length && (mentions[k] as Mention).end <= offset + sentence.text.length; k++) {
      const mention = mentions[k] as Mention
      own.push({ ...mention, start: mention.start - offset, end: mention.end - offset })
    }
    const head = sentence.text.slice(0, LONGEST_LINE)
    const found = LABEL.exec(head)
    const named = found === null ? 'none' : FINAL.test(found[0]) ? 'final' : 'label'
    const label = named === 'none' ? waiting : named
    const led = own.length > 0 && leadsOn(above)
    if (own.length > 0) waiting = 'none'
    else if (found !== null && !TELLS.test(head.slice(found[0].length))) waiting = named
    else if (TELLS.test(head)) waiting = 'none'
    if (TELLS.test(head)) above = sentence.text.slice(-200)
    return { sentence, mentions: own, label, led }
  })
}

const FINAL = /final|correct|revised|actual|so\b|thus|hence|therefore/i

/** An unfinished line that denies what follows it. */
function leadsOn(above: string): boolean {
  const tail = prepared(above).trim()
  return tail !== '' && !/[.!?]$/.test(tail) && leadsToDenial(tail)
}

/**
 * The answer that a text asserts: on its last labelled line, else in the last sentence that asserts one. Unparsed where
 * that sentence names several at once, where it or a later one denies the answer or takes it back, where labelled lines
 * disagree, and where nothing is asserted. Total, linear in the text.
 */
export function assertedAnswer(text: string, manner: Manner): Extracted<string> {
  const found = asserted(text, manner)
  return found.kind === 'unparsed' ? found : { ...found, answer: (found.answer.at(-1) as Mention).answer }
}

/** All answers that the deciding sentence asserts, and bullets directly above it. */
export function assertedList(text: string, manner: Manner): Extracted<string[]> {
  const found = asserted(text, manner)
  return found.kind === 'unparsed' ? found : { ...found, answer: found.answer.map(({ answer }) => answer) }
}

function asserted(text: string, manner: Manner): Extracted<Mention[]> {
  const lines = linesOf(text, manner)
  return (
    settle(lines, manner, false) ?? settle(lines, manner, true) ?? unparsed('no answer is stated outside reasoning')
  )
}

const unparsed = (reason: string): Extracted<never> => ({ kind: 'unparsed', reason })

/** Sentences that name answers; of more only the last are read, and of more answers in one sentence too. */
const MOST = 400

/** Null: nothing is said for or against any answer. */
function settle(lines: readonly Line[], manner: Manner, faint: boolean): Extracted<Mention[]> | null {
  let left = MOST
  const said: Said[] = lines.map(() => ({ kind: 'nothing', denied: [] }))
  for (let i = lines.length - 1; i >= 0 && left > 0; i--) {
    const { sentence, mentions, led, label } = lines[i] as Line
    const own = mentions.filter((mention) => faint || !mention.faint).slice(-MOST)
    if (own.length === 0) continue
    left--
    said[i] = verdictOf(weigh(sentence.text, own, manner, led), sentence.text, manner, label !== 'none')
  }
  if (left === MOST) return null
  const heard = said.some((one) => one.kind !== 'nothing' || one.denied.length > 0)
  if (!heard) return null
  const labelled = lines.findLastIndex(
    ({ label }, i) =>
      label !== 'none' && ((said[i] as Said).kind !== 'nothing' || deniedBy(said[i] as Said).length > 0),
  )
  return labelled === -1 ? lastSaid(lines, said, 0) : labelledSaid(lines, said, labelled, manner)
}

const deniedBy = (said: Said): readonly string[] => (said.kind === 'conflict' ? [] : said.denied)

/** From the last sentence up to `first`: the first assertion met, unless what comes after it is against it. */
function lastSaid(lines: readonly Line[], said: readonly Said[], first: number): Extracted<Mention[]> {
  const denied = new Set<string>()
  let soft = false
  for (let i = lines.length - 1; i >= first; i--) {
    const [line, one] = [lines[i] as Line, said[i] as Said]
    if (one.kind === 'conflict') return unparsed('several answers are given at once')
    if (one.kind === 'says') {
      const { answer } = one.mention
      if (asked(lines[i - 1], answer)) return unparsed('an answer is asked for and denied')
      if (denied.has(answer) || (soft && !NEGATIVE.test(answer))) return unparsed('an answer is taken back')
      return extracted(lines, said, i, 'last-statement')
    }
    for (const answer of one.denied) denied.add(answer)
    const back = backOf(line)
    if (back === 'hard') break
    soft ||= back === 'soft'
  }
  return unparsed(first > 0 || denied.size > 0 ? 'answers are only denied' : 'answers are taken back')
}

/** "No? No, that is wrong." */
const asked = (before: Line | undefined, answer: string): boolean =>
  before !== undefined &&
  NEGATIVE.test(answer) &&
  before.sentence.text.trimEnd().endsWith('?') &&
  before.mentions.length > 0 &&
  before.mentions.every((mention) => mention.answer === answer)

/** "That is wrong", "Wait": only sentences that name no answer. */
const backOf = ({ sentence, mentions }: Line): ReturnType<typeof sentenceTakesBack> => {
  const head = prepared(sentence.text.slice(0, 300)).trim()
  const back = sentenceTakesBack(head)
  return mentions.length === 0 || back === 'hard' ? back : 'no'
}

function labelledSaid(
  lines: readonly Line[],
  said: readonly Said[],
  at: number,
  { kind }: Manner,
): Extracted<Mention[]> {
  const [line, one] = [lines[at] as Line, said[at] as Said]
  if (one.kind === 'conflict') return unparsed('several answers are given at once')
  if (one.kind === 'nothing') return lastSaid(lines, said, at + 1)
  const { answer } = one.mention
  for (let i = at + 1; i < lines.length; i++) {
    const [after, later] = [lines[i] as Line, said[i] as Said]
    const back = backOf(after)
    const taken = back === 'hard' || (back === 'soft' && !NEGATIVE.test(answer)) || deniedBy(later).includes(answer)
    const other = later.kind === 'says' && later.mention.answer !== answer && (later.bare || kind === 'verdict')
    if (taken || other || (later.kind === 'conflict' && kind === 'verdict')) return unparsed('an answer is taken back')
  }
  for (let i = at - 1; i >= 0 && line.label !== 'final'; i--) {
    const [before, earlier] = [lines[i] as Line, said[i] as Said]
    if (backOf(before) === 'hard') break
    if (before.label !== 'none' && earlier.kind === 'says' && earlier.mention.answer !== answer)
      return unparsed('labelled lines give different answers')
  }
  return extracted(lines, said, at, 'labelled-line')
}

/** The answer of a sentence; of a bullet with all that is said on the bullets round it, where answers stand together. */
function extracted(lines: readonly Line[], said: readonly Said[], at: number, rule: string): Extracted<Mention[]> {
  const says = (i: number): readonly Mention[] => {
    const one = said[i]
    const line = lines[i]
    if (one?.kind !== 'says' || line === undefined) return []
    const place = line.sentence.start
    return (one.all ?? [one.mention]).map((mention) => ({
      ...mention,
      start: place + mention.start,
      end: place + mention.end,
    }))
  }
  const listed = (i: number): boolean => {
    const [line, one] = [lines[i], said[i]]
    return line !== undefined && one?.kind === 'says' && one.all !== undefined && BULLET.test(line.sentence.text)
  }
  let [from, to] = [at, at]
  if (listed(at)) {
    while (listed(from - 1)) from--
    while (listed(to + 1)) to++
  }
  const all: Mention[] = []
  for (let i = from; i <= to; i++) all.push(...says(i))
  const [first, last] = [all[0] as Mention, all.at(-1) as Mention]
  return { kind: 'extracted', answer: all, rule, span: [first.start, last.end] }
}

const BULLET = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/
