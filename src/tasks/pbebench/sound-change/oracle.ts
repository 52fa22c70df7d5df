import table from '../../../libraries/rewriting/sounds/table.json' with { type: 'json' }
import type { Answer, Given } from './question.ts'

/**
 * Runs laws by regular expressions, independently of the generator; only the table of sounds is shared. A word is a
 * text with a blank after each sound; a law is one global replacement with lookbehind and lookahead.
 */

/** Each sound of the table by its diacritics, with all its features. */
const SAID = new Map<string, readonly string[]>()
const walk = (node: unknown, path: readonly string[]): void => {
  if (typeof node === 'string') SAID.set(node, path)
  else for (const [name, inner] of Object.entries(node as object)) walk(inner, [...path, name])
}
walk(table.consonants, ['consonant'])
walk(table.vowels, ['vowel', 'voiced'])

const MARKS = table.modifiers
const WIDER: { readonly [term: string]: readonly string[] } = table.wider
const ANY_MARK = new RegExp(`[${MARKS.map(({ mark }) => mark).join('')}]`, 'gu')
const bare = (sound: string): string => sound.replaceAll(ANY_MARK, '')

function isTrue(sound: string, term: string): boolean {
  const said = SAID.get(bare(sound))
  if (said === undefined) return false
  if (said.includes(term) || WIDER[term]?.some((narrow) => said.includes(narrow)) === true) return true
  return MARKS.some(({ mark, on, off }) => (sound.includes(mark) ? on : off) === term)
}

const inClass = (sound: string, terms: readonly string[]): boolean =>
  SAID.has(bare(sound)) &&
  terms.every((term) => (term[0] === '-' ? !isTrue(sound, term.slice(1)) : isTrue(sound, term)))

/** The sound with terms made true, found by looking through the table. */
function withTerms(sound: string, terms: readonly string[]): string {
  const said = SAID.get(bare(sound))
  if (said === undefined) return sound
  let marks: readonly string[] = sound.match(ANY_MARK) ?? []
  const wanted = [...said]
  for (const term of terms) {
    const mark = MARKS.find(({ on, off }) => on === term || off === term)
    if (mark !== undefined) {
      marks = [...marks.filter((one) => one !== mark.mark), ...(mark.on === term ? [mark.mark] : [])]
      continue
    }
    const level = wanted.findIndex((old) => SIBLINGS.some((names) => names.has(old) && names.has(term)))
    if (level === -1) return sound
    wanted[level] = term
  }
  const match = [...SAID].find(([, path]) => path.join() === wanted.join())
  return match === undefined ? sound : match[0] + MARKS.map(({ mark }) => (marks.includes(mark) ? mark : '')).join('')
}

/** Names that exclude one another: those on one level of the table. */
const level = (depth: number, of: string): ReadonlySet<string> =>
  new Set([...SAID.values()].filter(([kind]) => kind === of).map((path) => path[depth] as string))
const SIBLINGS = [
  level(1, 'consonant'),
  level(2, 'consonant'),
  level(3, 'consonant'),
  level(2, 'vowel'),
  level(3, 'vowel'),
  level(4, 'vowel'),
]

interface SoundPlace {
  readonly text: string
  readonly terms: readonly string[] | null
  readonly list: readonly string[]
}

const PLACE = /\[[^[\]]*\]|\{[^{}]*\}|\S+/gu
const placeOf = (text: string): SoundPlace => {
  const inner = text.slice(1, -1).trim().split(/\s+/u)
  if (text === 'C' || text === 'V') return { text, terms: [text === 'C' ? 'consonant' : 'vowel'], list: [] }
  if (text[0] === '[') return { text, terms: inner, list: [] }
  return { text, terms: null, list: text[0] === '{' ? inner : [text] }
}
const places = (text: string): SoundPlace[] => (text.match(PLACE) ?? []).filter((one) => one !== '∅').map(placeOf)

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&')
/** A place as an alternation of the sounds that are there; one that none fits fits nothing. */
function pattern({ text, terms, list }: SoundPlace, sounds: readonly string[]): string {
  if (text === '#') return ''
  const fitting = terms === null ? list : sounds.filter((sound) => inClass(sound, terms))
  return fitting.length === 0 ? '(?!)' : `(?:${fitting.map((sound) => `${escaped(sound)} `).join('|')})`
}

/** What a law makes of words in which each sound has a blank behind it. */
function runLaw(law: string, words: readonly string[]): string[] {
  const [change = '', where = '_'] = law.split(' / ')
  const [from = '', to = ''] = change.split(' > ')
  const [left = '', right = ''] = where.split('_')
  const sounds = [...new Set(words.join('').split(' '))].filter((sound) => sound !== '')
  const [a, b, c, d] = [places(from), places(to), places(left), places(right)]
  const focus = a.map((place) => `(${pattern(place, sounds)})`).join('')
  const start = c[0]?.text === '#' ? '^' : '(?:^| )'
  const end = d.at(-1)?.text === '#' ? '$' : ''
  const look = `(?<=${start}${c.map((place) => pattern(place, sounds)).join('')})`
  const expression = new RegExp(`${look}${focus}(?=${d.map((place) => pattern(place, sounds)).join('')}${end})`, 'gu')
  return words.map((word) =>
    word.replaceAll(expression, (...found: unknown[]) =>
      b
        .map(({ text, terms, list }, k) => {
          const old = String(found[k + 1] ?? '').trim()
          if (terms !== null) return `${withTerms(old, terms)} `
          if (text[0] === '{') return `${list[a[k]?.list.indexOf(old) ?? -1] ?? old} `
          return `${text} `
        })
        .join(''),
    ),
  )
}

/** Words after each of some laws, by regular expressions; a word beyond 100 sounds is lost: null, from then on. */
export function states(laws: readonly string[], words: readonly string[]): readonly (readonly (string | null)[])[] {
  let now: readonly (string | null)[] = words.map((word) => `${word} `)
  return laws.map((law) => {
    const alive = now.filter((word) => word !== null)
    const after = runLaw(law, alive)
    let at = 0
    now = now.map((word) => {
      const next = word === null ? null : (after[at++] as string)
      return next === null || next.split(' ').length > 101 ? null : next
    })
    return now.map((word) => (word === null ? null : word.trimEnd()))
  })
}

/** Do the laws of every language turn every unseen word into its younger form? Laws beyond the limit are not read. */
export function oracle({ languages, unseen, limits }: Given, { laws }: Answer): boolean {
  if (laws.length !== languages.length) return false
  const older = unseen.map((descent) => descent.older)
  return languages.every((_, k) => {
    const read = (laws[k] ?? []).slice(0, limits.laws).filter(isLaw)
    const made = read.length === 0 ? older : states(read, older).at(-1)
    return unseen.every(({ younger }, i) => younger[k] === null || younger[k] === made?.[i])
  })
}

const SOUND = String.raw`(?:[^\s[\]{}<>/_#∅→+=*"'\x60()\\|,;:.!?~^$%&@A-Z\d-]{1,8})`
const UNIT = String.raw`(?:[CV]|\[[^[\]{}>/_]*[^\s[\]{}>/_][^[\]{}>/_]*\]|\{ *${SOUND}(?: +${SOUND}){0,39} *\}|${SOUND})`
const UNITS = `(?:${UNIT}(?: +${UNIT}){0,3})`
const LAW = new RegExp(`^(∅|${UNITS}) > (∅|${UNITS})(?: / (#)? ?(${UNITS})? ?_ ?(${UNITS})? ?(#)?)?$`, 'u')
const TERMS = new Set([
  ...SIBLINGS.flatMap((names) => [...names]),
  ...MARKS.flatMap(({ on, off }) => [on, off]),
  'consonant',
  'vowel',
  ...Object.keys(WIDER),
])
const SETS = new Set([...SIBLINGS.flatMap((names) => [...names]), ...MARKS.flatMap(({ on, off }) => [on, off])])

/** Are the marks behind a sound each there once, in the order of the table? */
const inSpelling = (sound: string): boolean =>
  sound === bare(sound) + MARKS.map(({ mark }) => (sound.includes(mark) ? mark : '')).join('')

/** Is a text a law that can be run, in the spelling of the truth? */
function isLaw(text: string): boolean {
  const match = text.length > 400 ? null : LAW.exec(text)
  if (match === null) return false
  const [, from = '', to = '', , left = '', right = ''] = match
  const [a, b] = [places(from), places(to)]
  const all = [...a, ...b, ...places(left), ...places(right)]
  if (a.length + b.length === 0) return false
  if (all.some(({ terms, list }) => terms === null && list.some((sound) => !inSpelling(sound)))) return false
  if (
    !all.every(
      ({ terms }) => terms === null || (terms.length <= 8 && terms.every((term) => TERMS.has(term.replace(/^-/u, '')))),
    )
  )
    return false
  return b.every(
    ({ text: said, terms, list }, k) =>
      (terms === null && said[0] !== '{') ||
      (a.length === b.length &&
        (terms === null
          ? a[k]?.text[0] === '{' && a[k]?.list.length === list.length
          : terms.every((term) => SETS.has(term)))),
  )
}
