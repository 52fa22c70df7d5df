import { fullOnly, optionalStep, type SolutionStep } from '../../../../core/index.ts'
import { applyLaw, sameWord, type Word, wordOf, wordText } from '../../../../libraries/rewriting/sounds/index.ts'
import { answerBlock } from '../prompt.ts'
import type { Answer, Given } from '../question.ts'
import { readLaws } from '../reading/read-laws.ts'

const textOf = (word: Word): string => (word.length === 0 ? '(nothing)' : wordText(word))
export const counted = (count: number): string => (count === 1 ? '1 word' : `${count} words`)

/** What a law did to the words, one by one and counted. */
export function said(before: readonly Word[], after: readonly Word[]): readonly [full: string, short: string] {
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
export const astray = (older: readonly Word[], made: readonly Word[], forms: readonly Word[]): readonly string[] =>
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
      const [full, short] = said(now, after)
      now = after
      const head = `${name} ${n + 1}. ${texts[n]}: `
      return optionalStep(`${head}${full}.`, `${head}${short}.`)
    })
    const lost = astray(older, now, forms)
    const list = texts.length === 0 ? 'none' : texts.join('; ')
    return [
      ...steps,
      ...(lost.length === 0 ? [] : [fullOnly(`No law of ${name} explains ${lost.join(', ')}.`)]),
      `In this order the laws of ${name} make ${forms.length - lost.length} of ${counted(forms.length)}: ${list}.`,
    ]
  })
  return [...lines, answerBlock(given.languages, laws)]
}
