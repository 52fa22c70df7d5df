import type { ChatRequest, Question } from '../../../core/index.ts'
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

const NOTATION = `A law is written A > B / C _ D: A becomes B between C and D. Without "/ C _ D" it becomes so everywhere.
- A, B, C and D are places parted by blanks, at most four each: a sound (p, tʃ, aː), terms in brackets for every sound of which all of them are true ([voiceless stop], [front vowel], with a minus for what must not be true: [stop -labial]), or sounds in braces ({p t k}). C is any consonant, V any vowel.
- # at the beginning of C or at the end of D is the edge of the word.
- ∅ for A puts something in, ∅ for B loses A.
- Terms in B change the sound that stands there: [voiced] makes t to d. Sounds in braces in B answer to those in A, one by one: {p t} > {b d}. Where there is no such sound, it stays.
- A law applies everywhere in a word at once, to the word as the law before it left it. The laws of a language run in the order of your list.
- For example, of the laws ${EXAMPLE_LAWS.join(' and then ')}: ${EXAMPLE_WORDS.map(exampleOf).join('; ')}.`

const list = (attribute: string): string =>
  [...new Set(baseSounds.flatMap(({ values }) => values[attribute] ?? []))].join(', ')
const wider = Object.entries(table.wider).map(([term, narrower]) => `${term} (${narrower.join(', ')})`)

const TERMS = `Terms of consonants: voiceless, voiced; ${list('manner')}; ${list('place')}. Of vowels: ${list('height')}; ${list('backness')}; ${list('rounding')}. Of both: ${table.modifiers.map(({ on, off, mark }) => `${on} (${mark.startsWith('\u0303') ? 'ã' : mark}) or ${off}`).join(', ')}. Wider ones, not in B: consonant, vowel, ${wider.join(', ')}. Vowels are voiced.`

/** A line a word: what it was, and what it became. */
const lineOf = ({ older, younger }: Given['words'][number], languages: readonly string[]): string =>
  [older, ...languages.map((name, k) => `${name}: ${formText(younger[k] ?? null)}`)].join(' | ')
const formText = (form: string | null): string => (form === null ? '(not known)' : form === '' ? '(nothing)' : form)

export function request({ given }: Question<unknown, Given>, style: string): ChatRequest {
  const { languages, words, limits } = given
  const heads = languages.map((name) => `${name}:`).join(' and ')
  const content = [
    `Each line below has a word of an older language and what became of it in ${languages.length === 1 ? 'a younger language' : `${languages.length} younger languages`}, sounds parted by blanks. Find the sound laws of ${languages.length === 1 ? 'the younger language' : 'each younger language'}, in the order in which they ran.`,
    'Sound laws are regular and few. Yours will be tried on other words of the older language. A word may be a loan that no law explains.',
    '',
    NOTATION,
    ...(style === 'plain' ? [] : [TERMS]),
    '',
    'Words:',
    ...words.map((descent) => lineOf(descent, languages)),
    '',
    `End your answer with one fenced block that holds only ${languages.length === 1 ? `the line ${heads} and under it` : `the lines ${heads} and under each`} its laws, one a line, at most ${limits.laws} of a language.`,
  ].join('\n')
  return { kind: 'chat', messages: [{ role: 'user', content }] }
}
