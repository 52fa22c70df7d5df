import { below, between, enc, memoize, pick, type Stream, sha256, streamFromKey } from '../../core/index.ts'
import { type Rule, runBounded } from '../../libraries/rewriting/index.ts'
import { checkCascade, gradeCascade, strictCheck } from './grade.ts'
import { type CascadeAnswer, type Examples, isRule, type Pairs } from './types.ts'

/**
 * Words that an item does not show, to tell rules that hold from rules that patch the words shown. They depend on the
 * question and its target cascade alone, so that items keep their bytes, and stand in no prompt.
 */
interface HeldOut {
  /** Words that the target cascade changes; the rules fire in turn. */
  readonly changed: Pairs
  /** Words that hold all of a left side but its first or last letter, and that the target cascade leaves alone. */
  readonly unchanged: Pairs
}

/** Held-out words of each kind. */
const WORDS = 30
/** Tries per word. */
const TRIES = 400
/** A determined item is solved by rules that get this share of both kinds of held-out words right. */
export const MIN_HELD_OUT = 0.95

/** The letters and lengths of the words of an item. */
export interface Writing {
  readonly letters: readonly string[]
  readonly length: readonly [min: number, max: number]
}

const isFresh = (used: ReadonlySet<string>, { length }: Writing, word: string): boolean =>
  word.length >= length[0] && word.length <= length[1] + 2 && !used.has(word)

const replace = (word: string, [left, right]: Rule): string => (left === '' ? word : word.split(left).join(right))

/** What a cascade makes of a word. */
export const derive = (word: string, rules: readonly Rule[]): string => rules.reduce(replace, word)

/** Does rule k change the word on its way through the cascade? */
export function fires(word: string, rules: readonly Rule[], k: number): boolean {
  const before = derive(word, rules.slice(0, k))
  return replace(before, rules[k] as Rule) !== before
}

const letters = (stream: Stream, writing: Writing, count: number): string =>
  Array.from({ length: count }, () => pick(stream, writing.letters)).join('')

/** A random word of these letters. */
export const randomWord = (stream: Stream, writing: Writing): string =>
  letters(stream, writing, between(stream, ...writing.length))

/** A random word around a piece of text. */
function around(stream: Stream, writing: Writing, piece: string): string {
  const [low, high] = writing.length
  const rest = Math.max(
    0,
    between(stream, Math.max(low, piece.length), Math.max(high, piece.length + 1)) - piece.length,
  )
  const before = below(stream, rest + 1)
  return letters(stream, writing, before) + piece + letters(stream, writing, rest - before)
}

/** A word that is not used yet and on which rule k fires; null: none was found. */
export function firingWord(
  stream: Stream,
  writing: Writing,
  rules: readonly Rule[],
  k: number,
  used: ReadonlySet<string>,
): string | null {
  for (let tries = 0; tries < TRIES; tries++) {
    // A left side may be what an earlier rule writes.
    const planted = tries % 4 === 3 ? below(stream, k + 1) : k
    const word = around(stream, writing, (rules[planted] as Rule)[0])
    if (isFresh(used, writing, word) && fires(word, rules, k)) return word
  }
  return null
}

/** A word that is not used yet, in which a letter at the edge of the left side of rule k is another, and k does not fire. */
export function nearMiss(
  stream: Stream,
  writing: Writing,
  rules: readonly Rule[],
  k: number,
  used: ReadonlySet<string>,
): string | null {
  const [left] = rules[k] as Rule
  for (let tries = 0; tries < TRIES; tries++) {
    const at = below(stream, 2) === 0 ? 0 : left.length - 1
    const near =
      left.length === 1
        ? letters(stream, writing, 2)
        : left.slice(0, at) + pick(stream, writing.letters) + left.slice(at + 1)
    const word = around(stream, writing, near)
    if (near !== left && isFresh(used, writing, word) && !fires(word, rules, k)) return word
  }
  return null
}

/** The held-out words of a question whose target cascade is given. */
export function heldOutWords({ inputs, outputs, limits }: Examples, rules: readonly Rule[]): HeldOut {
  const stream = streamFromKey(
    sha256(enc('touchstone/pbebench/held-out/1', JSON.stringify([inputs, outputs, limits.letters, rules]))),
  )
  const lengths = inputs.map((word) => word.length)
  const writing: Writing = {
    letters: [...(limits.letters === '' ? new Set([...inputs, ...outputs].join('')) : limits.letters)],
    length: [Math.min(...lengths), Math.max(...lengths)],
  }
  const used = new Set(inputs)
  const pairs = (word: (k: number) => string | null, isWanted: (word: string) => boolean): Pairs => {
    const found: string[] = []
    for (let k = 0; found.length < WORDS && k < 10 * WORDS; k++) {
      const next = word(k % rules.length)
      if (next === null || !isWanted(next)) continue
      used.add(next)
      found.push(next)
    }
    return { inputs: found, outputs: found.map((one) => derive(one, rules)) }
  }
  if (rules.length === 0) return { changed: EMPTY, unchanged: EMPTY }
  return {
    changed: pairs(
      (k) => firingWord(stream, writing, rules, k, used),
      (word) => derive(word, rules) !== word,
    ),
    unchanged: pairs(
      (k) => nearMiss(stream, writing, rules, k, used),
      (word) => derive(word, rules) === word,
    ),
  }
}

const EMPTY: Pairs = { inputs: [], outputs: [] }

/** Worked out once for all answers to an item. */
const heldOutOf = memoize((given: Examples) =>
  memoize((truth: CascadeAnswer): HeldOut => heldOutWords(given, truth.filter(isRule))),
)

/** Words of an answer may grow to this many code units in all. */
const GROWTH = 1 << 16

/** The share of words that rules get right; null without a word. */
export function shareRight(rules: readonly Rule[], { inputs, outputs }: Pairs): number | null {
  if (inputs.length === 0) return null
  const ran = runBounded(inputs, rules, GROWTH)
  return ran.kind === 'ran' ? ran.words.filter((word, i) => word === outputs[i]).length / inputs.length : 0
}

/** The words of a question that are to change. */
export const changedPairs = ({ inputs, outputs }: Pairs): Pairs => {
  const at = [...inputs.keys()].filter((i) => inputs[i] !== outputs[i])
  return { inputs: at.map((i) => inputs[i] as string), outputs: at.map((i) => outputs[i] as string) }
}

/**
 * What rules earn as rules, beside what they earn on the words shown: `extensional`, the share right of the words shown
 * that change; `intensional`, the same of held-out words; `gap`, extensional - intensional; `specificity`, the share of
 * held-out near misses that the rules leave alone. A share of no words is absent.
 */
export const inductionParts = (
  extensional: number | null,
  intensional: number | null,
  specificity: number | null,
): { readonly [part: string]: number } => ({
  ...(extensional === null ? {} : { extensional }),
  ...(intensional === null ? {} : { intensional }),
  ...(extensional === null || intensional === null ? {} : { gap: extensional - intensional }),
  ...(specificity === null ? {} : { specificity }),
})

/** {@link inductionParts} of rules. */
export const heldOutParts = (shown: Pairs, { changed, unchanged }: HeldOut, rules: readonly Rule[]) =>
  inductionParts(shareRight(rules, changedPairs(shown)), shareRight(rules, changed), shareRight(rules, unchanged))

/**
 * As `gradeCascade`, with the subscores of {@link heldOutParts}. Where the examples determine the rules
 * (`limits.determined`), the score is 1 only if the rules also hold on held-out words of both kinds.
 */
export function gradeInduction(given: Examples, truth: CascadeAnswer, answer: CascadeAnswer) {
  const grade = gradeCascade(given, answer)
  const { rules } = checkCascade(answer, given.limits, strictCheck)
  const parts = heldOutParts(given, heldOutOf(given)(truth), rules)
  const holds = [parts['intensional'], parts['specificity']].every((share) => (share ?? 1) >= MIN_HELD_OUT)
  return {
    value: given.limits.determined === true && !holds ? 0 : grade.value,
    parts: { ...grade.parts, ...parts },
  }
}
