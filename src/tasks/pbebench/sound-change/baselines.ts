import type { Baseline, CountedAnswer, Json, Question } from '../../../core/index.ts'
import {
  applyLaws,
  historyOf,
  lawSize,
  printLaw,
  type SoundLaw,
  sameWord,
  type Word,
} from '../../../libraries/rewriting/sounds/index.ts'
import { candidatesOf, distanceOf, type Focus, gainBound, variantsOf } from './candidates.ts'
import { answerBlock } from './prompt.ts'
import { type Given, pairsOf } from './question.ts'

type LawsBaseline = Extract<Baseline<Json, Given>, { kind: 'chat' }>

/** Lists of laws tried, a language: some 10,000 a second. */
const STEPS = 20_000

const search = ({ given }: Question<unknown, Given>): CountedAnswer => {
  const { languages, words, limits } = given
  const found = languages.map((_, k) => {
    const { older, forms } = pairsOf(words, k)
    return shortestDescription(older, forms, limits.laws, STEPS)
  })
  return {
    text: answerBlock(
      languages,
      found.map(({ laws }) => laws.map(printLaw)),
    ),
    steps: found.reduce((sum, { steps }) => sum + steps, 0),
  }
}

export const baselines: { readonly [name: string]: LawsBaseline } = {
  'no-laws': {
    kind: 'chat',
    note: 'no laws: every word stays as it is',
    answer: ({ given }) => answerBlock(given.languages, []),
  },
  'shortest-description': {
    kind: 'chat',
    note: `shortest description of the younger words by laws and corrections, ${STEPS} lists of laws per language`,
    answer: (question) => search(question).text,
    work: search,
  },
}

/** Laws, and how many lists of laws were tried. */
interface Found {
  readonly laws: readonly SoundLaw[]
  readonly steps: number
}

/** Candidates examined per law. */
const MAX_CANDIDATES = 400
/** Of those of the words as they are given, tried in every place. */
const MAX_FIRST = 40
const ROUNDS = 4

/** Description length of laws. */
const sizeOf = (laws: readonly SoundLaw[]): number => laws.reduce((sum, law) => sum + lawSize(law) + 1, 0)
/** What it takes to correct a word by hand. */
const errorOf = (made: Word | null, target: Word): number => (made === null ? 1000 : distanceOf(made, target))

/**
 * The shortest description of younger words by laws and corrections: laws are added, wherever they fit best, as long as
 * each saves more than it costs; then made wider, narrower, moved and dropped, and so on in turns. This is done twice, with laws that begin as
 * laws of single sounds and of classes, and the shorter description wins. It needs no chance.
 */
function shortestDescription(words: readonly Word[], targets: readonly Word[], most: number, budget: number): Found {
  const [first, second] = (['sounds', 'classes'] as const).map((focus) =>
    climb(words, targets, focus, most, budget / 2),
  )
  if (first === undefined || second === undefined) return { laws: [], steps: 0 }
  return { laws: (first.length <= second.length ? first : second).laws, steps: first.steps + second.steps }
}

/** Laws with some at a place taken out and others put in. */
interface Edit {
  readonly at: number
  readonly out: number
  readonly put: readonly SoundLaw[]
}

const edited = (laws: readonly SoundLaw[], { at, out, put }: Edit): readonly SoundLaw[] =>
  laws.toSpliced(at, out, ...put)

/** A list of laws with every word before, between and after them, so that a change is tried on those words alone that it concerns. */
class Draft {
  readonly laws: readonly SoundLaw[]
  readonly length: number
  private readonly targets: readonly Word[]
  /** By number of laws run, then by word. */
  private readonly states: readonly (readonly (Word | null)[])[]
  private readonly errors: readonly number[]

  constructor(laws: readonly SoundLaw[], words: readonly Word[], targets: readonly Word[]) {
    this.laws = laws
    this.targets = targets
    const histories = words.map((word) => historyOf(laws, word))
    this.states = Array.from({ length: laws.length + 1 }, (_, k) => histories.map((states) => states[k] ?? null))
    this.errors = histories.map((states, i) => errorOf(states.at(-1) ?? null, targets[i] as Word))
    this.length = sizeOf(laws) + this.errors.reduce((sum, error) => sum + error, 0)
  }

  get words(): readonly Word[] {
    return (this.states.at(-1) ?? []).map((word) => word ?? [])
  }

  /** What an edit makes the description longer; negative: shorter. */
  gain({ at, out, put }: Edit): number {
    const rest = this.laws.slice(at + out)
    let sum = sizeOf(put) - sizeOf(this.laws.slice(at, at + out))
    for (const [i, word] of (this.states[at] ?? []).entries()) {
      const after = word === null ? null : applyLaws(put, word)
      if (same(after, this.states[at + out]?.[i] ?? null)) continue
      const made = after === null ? null : applyLaws(rest, after)
      sum += errorOf(made, this.targets[i] as Word) - (this.errors[i] as number)
    }
    return sum
  }
}

const same = (a: Word | null, b: Word | null): boolean => a === b || (a !== null && b !== null && sameWord(a, b))

function climb(
  words: readonly Word[],
  targets: readonly Word[],
  focus: Focus,
  most: number,
  budget: number,
): Found & { readonly length: number } {
  const first = candidatesOf(words, targets, focus, MAX_FIRST)
  let draft = new Draft([], words, targets)
  let steps = 0
  for (let round = 0; round < ROUNDS && steps < budget; round++) {
    const before = draft.length
    while (draft.laws.length < most && take(bestOf(additions(draft))));
    while (take(firstOf(changesOf(draft.laws))));
    if (draft.length === before) break
  }
  return { laws: draft.laws, steps, length: draft.length }

  function take(edit: Edit | null): boolean {
    if (edit !== null) draft = new Draft(edited(draft.laws, edit), words, targets)
    return edit !== null
  }

  /**
   * Laws suggested by the unexplained rest, at the end; and laws suggested by the original words at every position, or
   * at the end before one law that hid them by creating their sounds again.
   */
  function* additions({ laws, words: now }: Draft): Generator<Edit & { readonly bound: number }> {
    for (const candidate of candidatesOf(now, targets, focus, MAX_CANDIDATES))
      yield { at: laws.length, out: 0, put: [candidate.law], bound: gainBound(candidate) }
    for (const { law } of first)
      for (const [at, other] of laws.entries()) {
        yield { at, out: 0, put: [law], bound: Number.POSITIVE_INFINITY }
        yield {
          at,
          out: laws.length - at,
          put: [...laws.slice(at + 1), law, other],
          bound: Number.POSITIVE_INFINITY,
        }
      }
  }

  function bestOf(edits: Iterable<Edit & { readonly bound: number }>): Edit | null {
    let [best, saved]: [Edit | null, number] = [null, 0]
    for (const edit of edits) {
      if (steps >= budget) break
      if (edit.bound <= saved) continue
      steps++
      const gain = -draft.gain(edit)
      if (gain > saved) [best, saved] = [edit, gain]
    }
    return best
  }

  function firstOf(edits: Iterable<Edit>): Edit | null {
    for (const edit of edits) {
      if (steps >= budget) return null
      steps++
      if (draft.gain(edit) < 0) return edit
    }
    return null
  }
}

function* changesOf(laws: readonly SoundLaw[]): Generator<Edit> {
  for (const at of laws.keys()) yield { at, out: 1, put: [] }
  for (const [at, law] of laws.entries()) for (const variant of variantsOf(law)) yield { at, out: 1, put: [variant] }
  for (const [k, law] of laws.entries())
    for (const to of laws.keys())
      if (to !== k) {
        const [at, end] = [Math.min(k, to), Math.max(k, to) + 1]
        const others = laws.slice(at, end).filter((one) => one !== law)
        yield { at, out: end - at, put: to < k ? [law, ...others] : [...others, law] }
      }
}
