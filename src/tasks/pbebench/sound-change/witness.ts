import { fullOnly, type Json, optionalStep, type SolutionStep } from '../../../core/index.ts'
import {
  applyLaw,
  historyOf,
  sameWord,
  type Word,
  wordOf,
  wordText,
} from '../../../libraries/rewriting/sounds/index.ts'
import { states } from './oracle.ts'
import { readLaws } from './parsers.ts'
import { answerBlock } from './prompt.ts'
import type { Answer, Given } from './question.ts'

/** By language, every unseen word after each law. */
export function witness({ unseen, limits }: Given, { laws }: Answer): Json {
  return laws.map((texts) => {
    const read = readLaws(texts, limits.laws)
    return unseen.map(({ older }) =>
      historyOf(read, wordOf(older))
        .slice(1)
        .map((word) => (word === null ? null : wordText(word))),
    )
  })
}

/** Is every step what the regular expressions of the oracle make of it, and the last one the younger form? */
export function check({ languages, unseen }: Given, { laws }: Answer, proof: Json): boolean {
  const steps = proof as readonly (readonly (readonly (string | null)[])[])[]
  if (!Array.isArray(steps) || steps.length !== languages.length || laws.length !== languages.length) return false
  return languages.every((_, k) => {
    const after = states(
      laws[k] ?? [],
      unseen.map(({ older }) => older),
    )
    return unseen.every(({ older, younger }, i) => {
      const told = steps[k]?.[i]
      if (!Array.isArray(told) || told.length !== after.length) return false
      const last = told.length === 0 ? older : told.at(-1)
      return told.every((word, n) => word === after[n]?.[i]) && (younger[k] === null || younger[k] === last)
    })
  })
}

const textOf = (word: Word): string => (word.length === 0 ? '(nothing)' : wordText(word))
export const counted = (count: number): string => (count === 1 ? '1 word' : `${count} words`)

/** What a law did to the words, one by one and counted. */
export function describeStep(before: readonly Word[], after: readonly Word[]): readonly [full: string, short: string] {
  const changes = before.flatMap((word, i) => {
    const now = after[i] as Word
    return sameWord(word, now) ? [] : [`${textOf(word)} -> ${textOf(now)}`]
  })
  if (changes.length === 0) return ['no word changes', 'no word changes']
  return [changes.join(', '), `${counted(changes.length)} ${changes.length === 1 ? 'changes' : 'change'}`]
}

/** The words of a language whose younger form is known: as they were, and as they are to become. */
export function pairsOf(
  { words }: Given,
  language: number,
): { readonly older: readonly Word[]; readonly forms: readonly Word[] } {
  const known = words.flatMap(({ older, younger }) => {
    const form = younger[language] ?? null
    return form === null ? [] : [{ older: wordOf(older), form: wordOf(form) }]
  })
  return { older: known.map(({ older }) => older), forms: known.map(({ form }) => form) }
}

/** Words that do not come out, as they were. */
export const wrongForms = (older: readonly Word[], made: readonly Word[], forms: readonly Word[]): readonly string[] =>
  older.flatMap((word, i) => (sameWord(made[i] as Word, forms[i] as Word) ? [] : [textOf(word)]))

/**
 * Every law of every language in turn with the words that it changes (in short: how many); the words that no law explains; how
 * many words the laws make; then the answer.
 */
export function solution(given: Given, { laws }: Answer): readonly SolutionStep[] {
  const lines = given.languages.flatMap((name, k) => {
    const { older, forms } = pairsOf(given, k)
    const texts = laws[k] ?? []
    let now = older
    const steps = readLaws(texts, given.limits.laws).map((law, n) => {
      const after = now.map((word) => applyLaw(law, word) ?? [])
      const [full, short] = describeStep(now, after)
      now = after
      const head = `${name} ${n + 1}. ${texts[n]}: `
      return optionalStep(`${head}${full}.`, `${head}${short}.`)
    })
    const lost = wrongForms(older, now, forms)
    const list = texts.length === 0 ? 'none' : texts.join('; ')
    return [
      ...steps,
      ...(lost.length === 0 ? [] : [fullOnly(`No law of ${name} explains ${lost.join(', ')}.`)]),
      `In this order the laws of ${name} make ${forms.length - lost.length} of ${counted(forms.length)}: ${list}.`,
    ]
  })
  return [...lines, answerBlock(given.languages, laws)]
}
