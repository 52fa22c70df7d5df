import { below, coin, pick, type Stream } from '../../../core/index.ts'
import { categoryBits, type Rule, relate, replaceAll } from '../../../libraries/rewriting/index.ts'
import { type Independent, independentOf, letterChanges, lowerBound } from '../lower-bound.ts'
import { type Corpus, corpusOf, drawLeft, wordsOf } from './left-sides.ts'
import { drawPair, relationCount } from './pair-shapes.ts'
import { drawRight, drawWords, type Instance, type Setting } from './settings.ts'

/** Attempts without planting before a short cascade of a rare category is planted. */
const PLAIN = 24
/** Above this length the plain attempts alone are fast enough for every category. */
const PLANTED_UP_TO = 6

/**
 * An instance of exactly this length and category, or null after `attempts` (counted in `tally`). Longer cascades are drawn sequentially;
 * of up to {@link PLANTED_UP_TO} rules the first attempts are too, and the rest is planted (two rules: from patterns
 * of equal letters), so common categories keep the plain distribution.
 */
export function drawConditional(
  stream: Stream,
  setting: Setting,
  length: number,
  category: number,
  attempts: number,
  tally: { attempts: number } = { attempts: 0 },
): Instance | null {
  for (let attempt = 0; attempt < attempts; attempt++) {
    tally.attempts++
    const plain = length > PLANTED_UP_TO || attempt < PLAIN
    const drawn =
      plain || length > 2
        ? drawSequential(stream, setting, length, category, !plain)
        : drawPair(stream, setting, category)
    if (drawn !== null && (!setting.minimal || isMinimal(drawn, setting))) return drawn
  }
  return null
}

const isMinimal = (instance: Instance, { side }: Setting): boolean =>
  lowerBound(instance, side[1]) === instance.rules.length

/** Draws of one step before the last rules are removed. */
const TRIES = 400
/** Maximum draws without any left side per step. */
const BARREN = 4
/** Maximum backtracks before new words are drawn. */
const BACKTRACKS = 40

/** A cascade under construction; `states[k]` is the corpus after k rules, `bits[k]` the relations among them. */
interface Draft {
  readonly rules: Rule[]
  readonly states: Corpus[]
  readonly bits: number[]
  /** Of a cascade that is to be minimal: what each rule adds to the proof. */
  readonly proof: Proof[]
}

/** How often a rule fires in each word, and how it changes the letters: each independent of the rules before it. */
interface Proof {
  readonly fires: Independent
  readonly changes: Independent
}

/**
 * One attempt at an instance of this length and category: rule by rule, each from the proposal conditioned on "forms no
 * forbidden relation with the rules so far", with backtracking. `planted` steps are also conditioned on adding a
 * missing relation, which rare categories of short cascades need; it inflates the number of related pairs. null:
 * failed.
 */
export function drawSequential(
  stream: Stream,
  setting: Setting,
  length: number,
  category: number,
  planted: boolean,
): Instance | null {
  const inputs = drawWords(stream, setting)
  // A bound of two rules may hold for other reasons than the rank, so it is checked on complete cascades.
  const needed = length > 2 ? setting : { ...setting, minimal: false }
  const first = corpusOf(inputs)
  const draft: Draft = { rules: [], states: [first], bits: [0], proof: [] }
  let backtracks = 0
  while (draft.rules.length < length) {
    const done = draft.rules.length
    const missing = category & ~(draft.bits[done] as number)
    const force = planted && done > 0 && missing !== 0 && below(stream, length - done) < relationCount(missing)
    const step = drawStep(stream, needed, draft, category, force ? missing : 0)
    if (step !== null) {
      accept(draft, step)
      continue
    }
    if (++backtracks > BACKTRACKS || done === 0) return null
    takeBack(draft, Math.min(done, 1 + below(stream, 2 + Math.floor(backtracks / 4))))
  }
  const last = draft.states[length] as Corpus
  if (draft.bits[length] !== category || last === first) return null
  return { inputs, outputs: wordsOf(last), rules: draft.rules }
}

interface Step {
  readonly rule: Rule
  readonly bits: number
  readonly proof: Proof | null
}

function drawStep(stream: Stream, setting: Setting, draft: Draft, category: number, missing: number): Step | null {
  const test = relate(setting.classifier)
  const { rules } = draft
  const now = draft.states[rules.length] as Corpus
  let barren = 0
  for (let tries = 0; tries < TRIES; tries++) {
    const hinted = missing !== 0 && coin(stream) ? pick(stream, rules) : null
    const left = drawLeft(stream, now, draft.states[0] as Corpus, setting)
    if (left === null) {
      if (++barren > BARREN) return null
      continue
    }
    if (hinted !== null && !sharesLetter(left, hinted)) continue
    // What earlier rules do to the new left side does not depend on its right side.
    let forward = 0
    for (const rule of rules) forward |= categoryBits(test(rule, left), 0, 1)
    if ((forward & ~category) !== 0) continue
    const drawn = drawRight(stream, setting)
    const right = hinted === null ? drawn : borrow(stream, drawn, left, hinted[0])
    if (right === left) continue
    const rule: Rule = [left, right]
    let bits = forward
    for (const earlier of rules) {
      bits |= categoryBits(test(rule, earlier[0]), 1, 0)
      if ((bits & ~category) !== 0) break
    }
    if ((bits & ~category) !== 0 || (missing !== 0 && (bits & missing) === 0)) continue
    const proof = setting.minimal ? proofOf(rule, now, setting, draft.proof) : null
    if (setting.minimal && proof === null) continue
    return { rule, bits, proof }
  }
  return null
}

/**
 * Independent firings and independent changes of letters make the rank of all changes the number of rules, which proves
 * it minimal (`lowerBound`); a rule that lacks either makes the rank stay behind for good.
 */
function proofOf(rule: Rule, now: Corpus, { letters }: Setting, before: readonly Proof[]): Proof | null {
  const changes = independentOf(
    before.map((proof) => proof.changes),
    letterChanges(letters, ...rule),
  )
  if (changes === null) return null
  const fires = independentOf(
    before.map((proof) => proof.fires),
    wordsOf(now).map((word) => word.split(rule[0]).length - 1),
  )
  return fires === null ? null : { fires, changes }
}

function accept(draft: Draft, { rule, bits, proof }: Step): void {
  const at = draft.rules.length
  draft.states.push(replaceAll(draft.states[at] as Corpus, rule))
  draft.bits.push((draft.bits[at] as number) | bits)
  draft.rules.push(rule)
  if (proof !== null) draft.proof.push(proof)
}

function takeBack(draft: Draft, count: number): void {
  const kept = draft.rules.length - count
  draft.rules.length = kept
  draft.states.length = kept + 1
  draft.bits.length = kept + 1
  draft.proof.length = Math.min(draft.proof.length, kept)
}

const sharesLetter = (text: string, [left, right]: Rule): boolean =>
  [...text].some((letter) => left.includes(letter) || right.includes(letter))

/** Each letter is, with probability 1/4 each, replaced by a letter of the new or of the earlier left side. */
function borrow(stream: Stream, text: string, left: string, earlier: string): string {
  let out = ''
  for (const letter of text) {
    const from = below(stream, 4)
    out += from === 0 ? pick(stream, [...left]) : from === 1 ? pick(stream, [...earlier]) : letter
  }
  return out
}
