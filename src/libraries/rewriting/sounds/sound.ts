import table from './table.json' with { type: 'json' }

/**
 * The sounds of words: symbols of the International Phonetic Alphabet with the terms by which phonology describes them. The
 * table is our own, from general phonology: a base sound has one value of every attribute of its kind, and marks behind it
 * (length, nasality, aspiration and two more) are separate attributes.
 */
export interface Sound {
  readonly symbol: string
  /** Attribute to value, of the base: `manner` to `stop`. Empty: a sound that the table has not. */
  readonly values: Values
  /** Marks behind the base, in the order of the table. */
  readonly marks: string
  /** Every term that is true of it, wider ones (`obstruent`) too. Empty: a sound that the table has not. */
  readonly terms: ReadonlySet<string>
}

interface Values {
  readonly [attribute: string]: string
}

interface Base {
  readonly symbol: string
  readonly values: Values
}

interface Nested {
  readonly [value: string]: string | Nested
}

/** The leaves of nested values, each with the values on its way. */
function leaves(nested: string | Nested, attributes: readonly string[], before: Values): readonly Base[] {
  if (typeof nested === 'string') return [{ symbol: nested, values: before }]
  const [attribute = '', ...rest] = attributes
  return Object.entries(nested).flatMap(([value, inner]) => leaves(inner, rest, { ...before, [attribute]: value }))
}

/** Every base sound of the table. */
export const baseSounds: readonly Base[] = [
  ...leaves(table.consonants, ['manner', 'voice', 'place'], { kind: 'consonant' }),
  ...leaves(table.vowels, ['height', 'backness', 'rounding'], { kind: 'vowel' }),
]

const keyOf = (values: Values): string =>
  Object.keys(values)
    .sort()
    .map((attribute) => values[attribute])
    .join(' ')

const bySymbol = new Map(baseSounds.map((base) => [base.symbol, base]))
const byValues = new Map(baseSounds.map((base) => [keyOf(base.values), base]))
const { modifiers } = table
const wider: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(table.wider))
const synonyms: ReadonlyMap<string, string> = new Map(Object.entries(table.synonyms))

type Setting = { readonly attribute: string } | { readonly mark: string; readonly on: boolean }

/** What a term on the right of a law sets: an attribute of the base, or a mark. */
const settable: ReadonlyMap<string, Setting> = new Map<string, Setting>([
  ...baseSounds.flatMap(({ values }) =>
    Object.entries(values).flatMap(([attribute, value]): [string, Setting][] =>
      attribute === 'kind' ? [] : [[value, { attribute }]],
    ),
  ),
  ...modifiers.flatMap(({ mark, on, off }): [string, Setting][] => [
    [on, { mark, on: true }],
    [off, { mark, on: false }],
  ]),
])

/** True if a law can set the term. `obstruent` cannot be set: several values fit it. */
export const isSettable = (term: string): boolean => settable.has(term)

const known = new Set([...settable.keys(), ...wider.keys(), 'consonant', 'vowel'])

/** The term meant by a word as people write it (`+voice`, `plosive`, `-nasal`); null: no term of the table. */
export function termOf(word: string): string | null {
  const meant = synonyms.get(word) ?? word.replace(/^\+/u, '')
  return known.has(meant.replace(/^-/u, '')) ? meant : null
}

const MARK_ENDS = new RegExp(`^(.+?)([${modifiers.map(({ mark }) => mark).join('')}]*)$`, 'u')

/** Normal form of a symbol: no tie bars, one letter g, marks separate and in table order. */
export function plainSymbol(text: string): string {
  const apart = text
    .normalize('NFD')
    .replaceAll('c\u0327', 'ç')
    .replaceAll(/[\u0361\u035c]/gu, '')
    .replaceAll('ɡ', 'g')
  const [, base = apart, marks = ''] = MARK_ENDS.exec(apart) ?? []
  return base + inOrder(marks)
}

const inOrder = (marks: string): string =>
  modifiers.flatMap(({ mark }) => (marks.includes(mark) ? [mark] : [])).join('')

const sounds = new Map<string, Sound>()
/** Cached symbols; hostile texts may have many. */
const MAX_CACHED = 20_000

/** A symbol with its terms; a symbol that is not in the table has none. */
export function soundOf(text: string): Sound {
  const found = sounds.get(text)
  if (found !== undefined) return found
  const symbol = plainSymbol(text)
  const [, base = '', marks = ''] = MARK_ENDS.exec(symbol) ?? []
  const values = bySymbol.get(base)?.values
  const sound: Sound =
    values === undefined
      ? { symbol, values: {}, marks: '', terms: new Set() }
      : { symbol, values, marks, terms: termsOf(values, marks) }
  if (sounds.size >= MAX_CACHED) sounds.clear()
  sounds.set(text, sound)
  return sound
}

function termsOf(values: Values, marks: string): ReadonlySet<string> {
  const terms = new Set(Object.values(values))
  if (terms.has('vowel')) terms.add('voiced')
  for (const { mark, on, off } of modifiers) terms.add(marks.includes(mark) ? on : off)
  for (const [term, narrower] of wider) if (narrower.some((one) => terms.has(one))) terms.add(term)
  return terms
}

/** True if all terms hold of a sound; a term after `-` must be false. A sound that is not in the table fits no class. */
export const isOf = ({ terms }: Sound, wanted: readonly string[]): boolean =>
  terms.size > 0 && wanted.every((term) => (term.startsWith('-') ? !terms.has(term.slice(1)) : terms.has(term)))

/** The sound with some terms set; the same sound if there is none. */
export function changed(sound: Sound, terms: readonly string[]): Sound {
  let { values, marks } = sound
  for (const term of terms) {
    const what = settable.get(term)
    if (what === undefined) return sound
    if ('attribute' in what) {
      if (!Object.hasOwn(values, what.attribute)) return sound
      values = { ...values, [what.attribute]: term }
    } else if (sound.terms.size === 0) return sound
    else marks = what.on ? inOrder(marks + what.mark) : marks.replace(what.mark, '')
  }
  const base = byValues.get(keyOf(values))
  return base === undefined ? sound : soundOf(base.symbol + marks)
}
