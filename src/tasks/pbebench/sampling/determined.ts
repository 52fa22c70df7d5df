import { type Stream, shuffle } from '../../../core/index.ts'
import { type Rule, runCascade } from '../../../libraries/rewriting/index.ts'
import { derive, fires, firingWord, heldOutWords, MIN_HELD_OUT, nearMiss, randomWord, shareRight } from '../held-out.ts'
import { lowerBound } from '../lower-bound.ts'
import { shortCascades } from '../multiplicity.ts'
import { cascadeSearch } from '../search/search.ts'
import type { Examples, Pairs } from '../types.ts'
import type { Instance, Setting } from './settings.ts'

/** Every rule fires in this many of the words shown. */
const FIRING = 2
/** Words that nearly hold its left side, per rule. */
const NEAR_MISSES = 1
/** With fewer words per rule, coincidences make a shorter or other cascade fit. */
const WORDS_PER_RULE = 4
/** Tries at the words of one cascade. */
const TRIES = 4
/** Evaluations of each of the searches whose cascades must agree. */
const STEPS = 25_000
const SEARCHES = 2

/** Word pairs of a determined item with this many rules. */
export const determinedWords = (words: number, rules: number): number => Math.max(words, WORDS_PER_RULE * rules)

/**
 * New words for a cascade, from which it can be inferred: each rule fires in two of them and misses one narrowly, the
 * cascade is proved shortest, and every shortest cascade found behaves as it does. null: no such words were found.
 */
export function determinedBy(stream: Stream, setting: Setting, rules: readonly Rule[]): Instance | null {
  for (let tries = 0; tries < TRIES; tries++) {
    const inputs = drawExamples(stream, setting, rules)
    if (inputs === null) return null
    const instance: Instance = { inputs, outputs: runCascade(inputs, rules), rules }
    if (lowerBound(instance, setting.side[1]) === rules.length && isDetermined(stream, setting, instance))
      return instance
  }
  return null
}

function drawExamples(stream: Stream, setting: Setting, rules: readonly Rule[]): readonly string[] | null {
  const writing = { letters: setting.letters, length: setting.wordLength }
  const words = new Set<string>()
  for (const k of rules.keys()) {
    for (let have = [...words].filter((word) => fires(word, rules, k)).length; have < FIRING; have++) {
      const word = firingWord(stream, writing, rules, k, words)
      if (word === null) return null
      words.add(word)
    }
    for (let n = 0; n < NEAR_MISSES; n++) {
      const word = nearMiss(stream, writing, rules, k, words)
      if (word !== null) words.add(word)
    }
  }
  if (words.size > setting.words) return null
  while (words.size < setting.words) words.add(randomWord(stream, writing))
  return shuffle(stream, [...words])
}

/**
 * Do the shortest cascades agree with the target on held-out words? All of them where they can be listed (up to two rules
 * of few letters), which is a proof; else those that two searches find, with shared edge letters kept and trimmed,
 * which is necessary for it and no proof.
 */
function isDetermined(stream: Stream, setting: Setting, instance: Instance): boolean {
  const { inputs, outputs, rules } = instance
  const letters = setting.letters.join('')
  const given: Examples = {
    inputs,
    outputs,
    limits: { rules: rules.length, side: setting.side[1], letters, count: 'code-points', determined: true },
  }
  const { changed, unchanged } = heldOutWords(given, rules)
  if (changed.inputs.length === 0 || unchanged.inputs.length === 0) return false
  const agrees = (cascade: readonly Rule[]): boolean =>
    [changed, unchanged].every((pairs) => (shareRight(cascade, pairs) ?? 0) >= MIN_HELD_OUT)
  for (let n = 0; n < SEARCHES; n++) {
    const problem = { inputs, outputs, rules: rules.length, side: setting.side[1], letters }
    const found = cascadeSearch(problem, stream, { steps: STEPS })
    if (!found.solved || found.rules === null) return false
    if (!agrees(found.rules) || !agrees(trimmed(instance, found.rules))) return false
  }
  return !isListable(setting, rules) || shortCascades(given).every(agrees)
}

/** Letters up to which all cascades of two rules are listed. */
const LISTED_LETTERS = 17

const isListable = ({ letters }: Setting, rules: readonly Rule[]): boolean =>
  rules.length <= 2 && letters.length <= LISTED_LETTERS

/** A cascade with the letters omitted that both sides of a rule begin or end with, as far as it still fits. */
export function trimmed({ inputs, outputs }: Pairs, rules: readonly Rule[]): readonly Rule[] {
  const fits = (cascade: readonly Rule[]): boolean => inputs.every((word, i) => derive(word, cascade) === outputs[i])
  let now = rules
  for (let k = 0; k < now.length; ) {
    const [left, right] = now[k] as Rule
    const shorter: Rule[] = []
    if (left.length > 1 && right.length > 1) {
      if (left[0] === right[0]) shorter.push([left.slice(1), right.slice(1)])
      if (left.at(-1) === right.at(-1)) shorter.push([left.slice(0, -1), right.slice(0, -1)])
    }
    const next = shorter.map((rule) => now.with(k, rule)).find(fits)
    if (next === undefined) k++
    else now = next
  }
  return now
}
