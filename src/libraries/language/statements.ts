import type { Extraction } from '../../core/task.ts'
import type { AnswerVocabulary, Mention } from './answer-runs.ts'
import { type AnswerRun, NEGATIVE, stanceOfRun } from './answer-runs.ts'
import { programs } from './fences.ts'
import { LABEL, MAX_LINE, type Piece, sentencesOf, visiblePieces } from './lines.ts'
import { leadsToDenial, prepared, sentenceRetracts } from './polarity.ts'

type SentenceAnswer =
  | { readonly kind: 'nothing'; readonly denied: readonly string[] }
  | { readonly kind: 'conflict' }
  | {
      readonly kind: 'answer'
      readonly mention: Mention
      readonly all?: readonly Mention[]
      readonly bare: boolean
      readonly denied: readonly string[]
    }

const answersOf = (mentions: readonly Mention[]): string[] => [...new Set(mentions.map(({ answer }) => answer))]

/** The answer of the runs of one sentence. */
function answerOfRuns(
  runs: readonly AnswerRun[],
  sentence: string,
  vocabulary: AnswerVocabulary,
  stated: boolean,
): SentenceAnswer {
  const denied = runs.filter(({ stance }) => stance === 'denied').flatMap(({ mentions }) => answersOf(mentions))
  let asserted = runs.filter(({ stance }) => stance === 'asserted')
  if (asserted.length === 0) return { kind: 'nothing', denied }
  const { preferred } = vocabulary
  if (preferred !== undefined) {
    const better = asserted.filter(({ mentions }) => mentions.some((mention) => preferred(mention, sentence)))
    if (better.length > 0) asserted = better
  }
  if (vocabulary.together === true) {
    if (asserted.some(({ alternatives }) => alternatives)) return { kind: 'conflict' }
    const alone = asserted.find(({ bare }) => bare)
    const all = (alone === undefined ? asserted : [alone]).flatMap(({ mentions }) => mentions)
    return { kind: 'answer', mention: all.at(-1) as Mention, all, bare: false, denied }
  }
  const chosen = choose(asserted, vocabulary, stated)
  if (chosen === null) return { kind: 'conflict' }
  const mention = chosen.mentions.at(-1) as Mention
  if (answersOf(chosen.mentions).length > 1) return { kind: 'conflict' }
  // "Ann, not Ann": asserting and denying one answer is a conflict.
  if (denied.includes(mention.answer) && !chosen.concludes) return { kind: 'conflict' }
  return { kind: 'answer', mention, bare: chosen.bare, denied }
}

function choose(asserted: readonly AnswerRun[], { kind }: AnswerVocabulary, stated: boolean): AnswerRun | null {
  const last = asserted.at(-1) as AnswerRun
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
  if (!stated) return plain.at(-1) as AnswerRun
  const concluding = plain.findLast(({ concludes }) => concludes)
  return concluding ?? (plain.findLast(({ part }) => part === plain[0]?.part) as AnswerRun)
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
const MAX_SENTENCES = 1500

const TELLS = /[\p{L}\p{N}≠¬✗✘❌]/u

function linesOf(text: string, vocabulary: AnswerVocabulary): Line[] {
  const out: Line[] = []
  const code = programs(text)
  for (const piece of visiblePieces(text)) {
    const all = sentencesOf(piece)
    out.unshift(
      ...linesOfPiece(piece, all.slice(Math.max(0, all.length - (MAX_SENTENCES - out.length))), vocabulary, code),
    )
    if (out.length >= MAX_SENTENCES) break
  }
  return out
}

function linesOfPiece(
  piece: Piece,
  sentences: readonly Piece[],
  vocabulary: AnswerVocabulary,
  code: readonly (readonly [start: number, end: number])[],
): Line[] {
  const from = sentences[0]?.start ?? piece.end
  const mentions = vocabulary.find(piece.text.slice(from - piece.start))
  let k = 0
  let waiting: Line['label'] = 'none'
  let above = ''
  return sentences.map((sentence) => {
    const offset = sentence.start - from
    const own: Mention[] = []
    const quoted = quotationOf(sentence.text)
    const isCode = code.some(([start, end]) => start <= sentence.start && sentence.end <= end + 1)
    while (k < mentions.length && (mentions[k] as Mention).start < offset) k++
    for (; k < mentions.length && (mentions[k] as Mention).end <= offset + sentence.text.length; k++) {
      const mention = mentions[k] as Mention
      const start = mention.start - offset
      if (!isCode && !(quoted[0] <= start && start < quoted[1]))
        own.push({ ...mention, start, end: mention.end - offset })
    }
    const head = sentence.text.slice(0, MAX_LINE)
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

const QUESTION =
  '(?:(?:original|given|full|exact) )?(?:question|prompt|problem|puzzle|task|instructions?|options|choices|query)'
const IS_QUESTION = new RegExp(String.raw`^[\s*_>#"'-]{0,12}(?:the |your )?${QUESTION}[\s*_"']{0,6}:`, 'i')
const ASKS = new RegExp(
  String.raw`\b(?:${QUESTION}|you|i (?:am|was)|i'm)\b[^"“\n]{0,40}\b(?:ask(?:s|ed)?|says?|said|reads?|states?|was|is|told|want(?:s|ed)?|write|end)\b[^"“\n]{0,40}["“]`,
  'i',
)

/** The part of a sentence that repeats the question: "Question: ...", `You ask "..."`. */
function quotationOf(sentence: string): readonly [start: number, end: number] {
  const head = sentence.slice(0, MAX_LINE)
  if (IS_QUESTION.test(head)) return [0, sentence.length]
  const asks = ASKS.exec(head)
  if (asks === null) return [0, 0]
  const start = asks.index + asks[0].length
  const end = start + (QUOTES.exec(head.slice(start))?.[0].length ?? 0)
  return [start, end === head.length ? sentence.length : end]
}

/** The rest of a quotation, and quotations joined to it: `Yes" or "No`. */
const QUOTES = /^[^"“”]*(?:["”],?\s{0,3}(?:(?:or|and|\/)\s{0,3})?["“][^"“”]*)*/

const FINAL = /final|correct|revised|actual|so\b|thus|hence|therefore/i

/** An unfinished line that denies what follows it. */
function leadsOn(above: string): boolean {
  const tail = prepared(above).trim()
  return tail !== '' && !/[.!?]$/.test(tail) && leadsToDenial(tail)
}

/**
 * The answer that a text asserts: on its last labelled line, else in the last sentence that asserts one. Unparsed if that
 * sentence has several at once, if it or a later one denies or retracts the answer, if labelled lines disagree, or if no
 * answer is asserted. Never throws; linear in the text.
 */
export function assertedAnswer(text: string, vocabulary: AnswerVocabulary): Extraction<string> {
  const found = asserted(text, vocabulary)
  return found.kind === 'unparsed' ? found : { ...found, answer: (found.answer.at(-1) as Mention).answer }
}

/** All answers that the deciding sentence asserts, and bullets directly above it. */
export function assertedList(text: string, vocabulary: AnswerVocabulary): Extraction<string[]> {
  const found = asserted(text, vocabulary)
  return found.kind === 'unparsed' ? found : { ...found, answer: found.answer.map(({ answer }) => answer) }
}

function asserted(text: string, vocabulary: AnswerVocabulary): Extraction<Mention[]> {
  const lines = linesOf(text, vocabulary)
  return (
    settle(lines, vocabulary, false) ??
    settle(lines, vocabulary, true) ??
    unparsed('no answer is stated outside reasoning')
  )
}

const unparsed = (reason: string): Extraction<never> => ({ kind: 'unparsed', reason })

/** Most sentences with answers, and answers of a sentence, that are parsed: the last ones. */
const MAX = 400

/** null: no answer is asserted or denied. */
function settle(lines: readonly Line[], vocabulary: AnswerVocabulary, faint: boolean): Extraction<Mention[]> | null {
  let left = MAX
  const answers: SentenceAnswer[] = lines.map(() => ({ kind: 'nothing', denied: [] }))
  for (let i = lines.length - 1; i >= 0 && left > 0; i--) {
    const { sentence, mentions, led, label } = lines[i] as Line
    const own = mentions.filter((mention) => faint || !mention.faint).slice(-MAX)
    if (own.length === 0) continue
    left--
    answers[i] = answerOfRuns(
      stanceOfRun(sentence.text, own, vocabulary, led),
      sentence.text,
      vocabulary,
      label !== 'none',
    )
  }
  if (left === MAX) return null
  const hasAnswer = answers.some((one) => one.kind !== 'nothing' || one.denied.length > 0)
  if (!hasAnswer) return null
  const labelled = lines.findLastIndex(
    ({ label }, i) =>
      label !== 'none' &&
      ((answers[i] as SentenceAnswer).kind !== 'nothing' || deniedBy(answers[i] as SentenceAnswer).length > 0),
  )
  return labelled === -1 ? lastAnswer(lines, answers, 0) : labelledAnswer(lines, answers, labelled, vocabulary)
}

const deniedBy = (answers: SentenceAnswer): readonly string[] => (answers.kind === 'conflict' ? [] : answers.denied)

/** From the last sentence up to `first`: the first assertion met, unless what comes after it is against it. */
function lastAnswer(lines: readonly Line[], answers: readonly SentenceAnswer[], first: number): Extraction<Mention[]> {
  const denied = new Set<string>()
  let soft = false
  for (let i = lines.length - 1; i >= first; i--) {
    const [line, one] = [lines[i] as Line, answers[i] as SentenceAnswer]
    if (one.kind === 'conflict') return unparsed('several answers are given at once')
    if (one.kind === 'answer') {
      const { answer } = one.mention
      if (isQuestioned(lines[i - 1], answer)) return unparsed('an answer is asked for and denied')
      if (denied.has(answer) || (soft && !NEGATIVE.test(answer))) return unparsed('an answer is taken back')
      return extracted(lines, answers, i, 'last-statement')
    }
    for (const answer of one.denied) denied.add(answer)
    const back = retractionOf(line)
    if (back === 'hard') break
    soft ||= back === 'soft'
  }
  return unparsed(first > 0 || denied.size > 0 ? 'answers are only denied' : 'answers are taken back')
}

/** "No? No, that is wrong." */
const isQuestioned = (before: Line | undefined, answer: string): boolean =>
  before !== undefined &&
  NEGATIVE.test(answer) &&
  before.sentence.text.trimEnd().endsWith('?') &&
  before.mentions.length > 0 &&
  before.mentions.every((mention) => mention.answer === answer)

/** "That is wrong", "Wait": only sentences that name no answer. */
const retractionOf = ({ sentence, mentions }: Line): ReturnType<typeof sentenceRetracts> => {
  const head = prepared(sentence.text.slice(0, 300)).trim()
  const back = sentenceRetracts(head)
  return mentions.length === 0 || back === 'hard' ? back : 'no'
}

function labelledAnswer(
  lines: readonly Line[],
  answers: readonly SentenceAnswer[],
  at: number,
  { kind }: AnswerVocabulary,
): Extraction<Mention[]> {
  const [line, one] = [lines[at] as Line, answers[at] as SentenceAnswer]
  if (one.kind === 'conflict') return unparsed('several answers are given at once')
  if (one.kind === 'nothing') return lastAnswer(lines, answers, at + 1)
  const { answer } = one.mention
  let explains = false
  for (let i = at + 1; i < lines.length; i++) {
    const [after, later] = [lines[i] as Line, answers[i] as SentenceAnswer]
    const back = retractionOf(after)
    explains ||= EXPLAINS.test(after.sentence.text)
    if (explains && back !== 'hard' && !(later.kind === 'answer' && later.bare)) continue
    const taken = back === 'hard' || (back === 'soft' && !NEGATIVE.test(answer)) || deniedBy(later).includes(answer)
    const other = later.kind === 'answer' && later.mention.answer !== answer && (later.bare || kind === 'verdict')
    if (taken || other || (later.kind === 'conflict' && kind === 'verdict')) return unparsed('an answer is taken back')
  }
  for (let i = at - 1; i >= 0 && line.label !== 'final'; i--) {
    const [before, earlier] = [lines[i] as Line, answers[i] as SentenceAnswer]
    if (retractionOf(before) === 'hard') break
    if (before.label !== 'none' && earlier.kind === 'answer' && earlier.mention.answer !== answer)
      return unparsed('labelled lines give different answers')
  }
  return extracted(lines, answers, at, 'labelled-line')
}

/** "Explanation: ..." names other answers as reasons. */
const EXPLAINS =
  /^[\s*_#>"'`-]{0,12}(?:(?:brief|short|my) )?(?:explanation|reason(?:s|ing)?|justification|derivation|proof|rationale)\b[*_"'` ]{0,4}(?::|$)/i

/** The answer of a sentence; of a bullet, with the answers of adjacent bullets if answers are lists. */
function extracted(
  lines: readonly Line[],
  answers: readonly SentenceAnswer[],
  at: number,
  rule: string,
): Extraction<Mention[]> {
  const mentionsAt = (i: number): readonly Mention[] => {
    const one = answers[i]
    const line = lines[i]
    if (one?.kind !== 'answer' || line === undefined) return []
    const offset = line.sentence.start
    return (one.all ?? [one.mention]).map((mention) => ({
      ...mention,
      start: offset + mention.start,
      end: offset + mention.end,
    }))
  }
  const listed = (i: number): boolean => {
    const [line, one] = [lines[i], answers[i]]
    return line !== undefined && one?.kind === 'answer' && one.all !== undefined && BULLET.test(line.sentence.text)
  }
  let [from, to] = [at, at]
  if (listed(at)) {
    while (listed(from - 1)) from--
    while (listed(to + 1)) to++
  }
  const all: Mention[] = []
  for (let i = from; i <= to; i++) all.push(...mentionsAt(i))
  const [first, last] = [all[0] as Mention, all.at(-1) as Mention]
  return { kind: 'extracted', answer: all, rule, span: [first.start, last.end] }
}

const BULLET = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/
