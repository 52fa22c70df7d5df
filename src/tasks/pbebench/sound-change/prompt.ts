import type { ChatRequest, Json, Question, TemplateParts } from '../../../core/index.ts'
import { applyLaws, baseSounds, parseLaw, wordOf, wordText } from '../../../libraries/rewriting/sounds/index.ts'
import table from '../../../libraries/rewriting/sounds/table.json' with { type: 'json' }
import type { Given } from './question.ts'

export const styles = ['standard', 'plain'] as const

/** Laws by language as a response gives them. */
export const answerBlock = (languages: readonly string[], laws: readonly (readonly string[])[]): string =>
  ['```', ...languages.flatMap((name, k) => [`${name}:`, ...(laws[k] ?? [])]), '```'].join('\n')

const EXAMPLE_LAWS = ['[voiceless stop] > [voiced] / V _ V', 'V > ∅ / _ #', '{e o} > {i u} / _ C #']
const EXAMPLE_WORDS = ['t a p o', 'k e t e', 's o p']
const exampleOf = (word: string): string => {
  const laws = EXAMPLE_LAWS.map(parseLaw).flatMap((read) => (read.kind === 'law' ? [read.law] : []))
  return `${word} becomes ${wordText(applyLaws(laws, wordOf(word)) ?? [])}`
}

const NOTATION = `A law is written A > B / X _ Y: A becomes B between X and Y. Without "/ X _ Y" it happens everywhere.
- A, B, X and Y are sequences of at most four segments, separated by spaces. A segment is a sound (p, tʃ, aː); or terms in brackets, for any sound that all of them describe ([voiceless stop], [front vowel]; a minus excludes a term: [stop -labial]); or a list of sounds in braces ({p t k}). C stands for any consonant and V for any vowel.
- # at the beginning of X or at the end of Y is the edge of the word.
- ∅ in place of A inserts B; ∅ in place of B deletes A.
- Terms in B change the sound: with [voiced] as B, t becomes d. Sounds in braces in B correspond to those in A, one by one: {p t} > {b d}. A sound without such a counterpart stays as it is.
- A law applies everywhere in a word at once, to the word as the previous law left it. The laws of a language apply in the order of your list.
- For example, the laws ${EXAMPLE_LAWS.join(' and then ')} give: ${EXAMPLE_WORDS.map(exampleOf).join('; ')}.`

const list = (attribute: string): string =>
  [...new Set(baseSounds.flatMap(({ values }) => values[attribute] ?? []))].join(', ')
const wider = Object.entries(table.wider).map(([term, narrower]) => `${term} (${narrower.join(', ')})`)

const TERMS = `Terms for consonants: voiceless, voiced; ${list('manner')}; ${list('place')}. For vowels: ${list('height')}; ${list('backness')}; ${list('rounding')}. For both: ${table.modifiers.map(({ on, off, mark }) => `${on} (${mark.startsWith('\u0303') ? 'ã' : mark}) or ${off}`).join(', ')}. Wider terms, not for B: consonant, vowel, ${wider.join(', ')}. Vowels are voiced.`

/** A line a word: what it was, and what it became. */
const lineOf = ({ older, younger }: Given['words'][number], languages: readonly string[]): string =>
  [older, ...languages.map((name, k) => `${name}: ${formText(younger[k] ?? null)}`)].join(' | ')
const formText = (form: string | null): string => (form === null ? '(not known)' : form === '' ? '(nothing)' : form)

export const parts: TemplateParts<Json, Given> = {
  texts: {
    words: ({ given }) => given.words.map((descent) => lineOf(descent, given.languages)).join('\n'),
    languages: ({ given }) => given.languages.join(', '),
    laws: ({ given }) => String(given.limits.laws),
    notation: () => NOTATION,
    terms: () => TERMS,
  },
  needs: ['words'],
}

export function request({ given }: Question<unknown, Given>, style: string): ChatRequest {
  const { languages, words, limits } = given
  const heads = languages.map((name) => `${name}:`).join(' and ')
  const content = [
    `Each line below has a word of an older language and what it became in ${languages.length === 1 ? 'a younger language' : `${languages.length} younger languages`}. Spaces separate the sounds. Find the sound laws of ${languages.length === 1 ? 'the younger language' : 'each younger language'}, in the order in which they applied.`,
    `Sound laws are regular and few. Yours will be tested on other words of the older language.${limits.loans === true ? ' Some of the younger words may be loans, which the laws do not explain: they came from a related language or from elsewhere.' : ''}`,
    '',
    NOTATION,
    ...(style === 'plain' ? [] : [TERMS]),
    '',
    'Words:',
    ...words.map((descent) => lineOf(descent, languages)),
    '',
    `End your answer with one fenced block that holds only ${languages.length === 1 ? `the line ${heads} and under it` : `the lines ${heads} and under each`} its laws, one per line, at most ${limits.laws} per language.`,
  ].join('\n')
  return { kind: 'chat', messages: [{ role: 'user', content }] }
}
