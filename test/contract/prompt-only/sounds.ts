/**
 * Sound laws as the prompt explains them, by a chart of the International Phonetic Alphabet written down here: nothing of
 * the project's own sounds, laws or table is used.
 */

const PLACES =
  'bilabial labiodental dental alveolar postalveolar retroflex palatal velar uvular pharyngeal glottal'.split(' ')
/** Voiceless, then voiced, by place in the order above; a dot where the alphabet has none. */
const CONSONANTS: { readonly [manner: string]: readonly [string, string] } = {
  stop: ['p . . t . ʈ c k q . ʔ', 'b . . d . ɖ ɟ g ɢ . .'],
  affricate: ['. pf . ts tʃ ʈʂ tɕ . . . .', '. . . dz dʒ ɖʐ dʑ . . . .'],
  fricative: ['ɸ f θ s ʃ ʂ ç x χ ħ h', 'β v ð z ʒ ʐ ʝ ɣ ʁ ʕ ɦ'],
  nasal: ['. . . . . . . . . . .', 'm ɱ . n . ɳ ɲ ŋ ɴ . .'],
  lateral: ['. . . ɬ . . . . . . .', '. . . l . ɭ ʎ ʟ . . .'],
  trill: ['. . . . . . . . . . .', 'ʙ . . r . . . . ʀ . .'],
  tap: ['. . . . . . . . . . .', '. . . ɾ . ɽ . . . . .'],
  approximant: ['. . . . . . . . . . .', '. ʋ . ɹ . ɻ . ɰ . . .'],
  glide: ['. . . . . . . . . . .', 'w . . . . . j . . . .'],
}
const SHAPES = [
  'front unrounded',
  'front rounded',
  'central unrounded',
  'central rounded',
  'back unrounded',
  'back rounded',
]
const VOWELS: { readonly [height: string]: string } = {
  high: 'i y ɨ ʉ ɯ u',
  'near-high': 'ɪ ʏ . . . ʊ',
  'close-mid': 'e ø ɘ ɵ ɤ o',
  'mid-central': '. . ə . . .',
  'open-mid': 'ɛ œ ɜ . ʌ ɔ',
  low: 'æ . a . ɑ ɒ',
}
const MARKS = { ʷ: 'labialised', ʲ: 'palatalised', ʰ: 'aspirated', '\u0303': 'nasalised', ː: 'long' } as const
const WITHOUT: { readonly [term: string]: string } = {
  unlabialised: 'labialised',
  unpalatalised: 'palatalised',
  unaspirated: 'aspirated',
  oral: 'nasalised',
  short: 'long',
}
const WIDER: { readonly [term: string]: string } = {
  labial: 'bilabial labiodental',
  coronal: 'dental alveolar postalveolar retroflex',
  obstruent: 'stop affricate fricative',
  rhotic: 'trill tap',
  liquid: 'lateral trill tap',
  sonorant: 'nasal lateral trill tap approximant glide vowel',
  mid: 'close-mid mid-central open-mid',
}

/** Terms of a letter without marks; each kind of term (manner, place, height ...) has its own position. */
const letters = new Map<string, readonly string[]>()
for (const [manner, rows] of Object.entries(CONSONANTS))
  for (const [k, row] of rows.entries())
    for (const [at, letter] of row.split(' ').entries())
      if (letter !== '.')
        letters.set(letter, ['consonant', manner, k === 0 ? 'voiceless' : 'voiced', PLACES[at] as string])
for (const [height, row] of Object.entries(VOWELS))
  for (const [at, letter] of row.split(' ').entries())
    if (letter !== '.') letters.set(letter, ['vowel', height, ...(SHAPES[at] as string).split(' ')])

interface Sound {
  readonly terms: readonly string[]
  readonly marks: ReadonlySet<string>
}

function sound(text: string): Sound | null {
  const marks = new Set<string>()
  let letter = ''
  for (const sign of text.normalize('NFD')) {
    const mark = MARKS[sign as keyof typeof MARKS]
    if (mark === undefined) letter += sign
    else marks.add(mark)
  }
  // ç is one letter, though it can be taken apart.
  const terms = letters.get(letter.normalize('NFC'))
  return terms === undefined ? null : { terms, marks }
}

const spell = ({ terms, marks }: Sound): string | null => {
  const found = [...letters].find(([, its]) => its.join() === terms.join())
  if (found === undefined) return null
  return (
    found[0] +
    Object.entries(MARKS)
      .map(([mark, name]) => (marks.has(name) ? mark : ''))
      .join('')
  )
}

function holds(text: string, term: string): boolean {
  const it = sound(text)
  if (it === null) return false
  if (term.startsWith('-')) return !holds(text, term.slice(1))
  if (it.terms.includes(term) || it.marks.has(term)) return true
  if (WITHOUT[term] !== undefined) return !it.marks.has(WITHOUT[term])
  if (term === 'voiced') return it.terms[0] === 'vowel'
  return WIDER[term]?.split(' ').some((narrow) => it.terms.includes(narrow)) === true
}

const MANNERS = Object.keys(CONSONANTS)
const HEIGHTS = Object.keys(VOWELS)
const KINDS = [
  MANNERS,
  ['voiceless', 'voiced'],
  PLACES,
  HEIGHTS,
  ['front', 'central', 'back'],
  ['unrounded', 'rounded'],
]

/** The sound after the terms of B; itself where the alphabet has no such sound. */
function changed(text: string, terms: readonly string[]): string {
  const it = sound(text)
  if (it === null) return text
  const marks = new Set(it.marks)
  let now = it.terms
  for (const term of terms) {
    if (WITHOUT[term] !== undefined) marks.delete(WITHOUT[term])
    else if (Object.values<string>(MARKS).includes(term)) marks.add(term)
    else {
      const kind = KINDS.find((names) => names.includes(term)) ?? []
      if (!now.some((old) => kind.includes(old))) return text
      now = now.map((old) => (kind.includes(old) ? term : old))
    }
  }
  return spell({ terms: now, marks }) ?? text
}

const placesIn = (text: string): readonly string[] =>
  (text.match(/\[[^\]]*\]|\{[^}]*\}|[^\s]+/gu) ?? []).filter((place) => place !== '∅')
const inside = (place: string): readonly string[] => place.slice(1, -1).trim().split(/\s+/u)

function fits(place: string, text: string | undefined): boolean {
  if (text === undefined) return false
  if (place === 'C' || place === 'V') return holds(text, place === 'C' ? 'consonant' : 'vowel')
  if (place.startsWith('[')) return inside(place).every((term) => sound(text) !== null && holds(text, term))
  return place.startsWith('{') ? inside(place).includes(text) : place === text
}

/** Do the places fit the word from there on? Its edges are at -1 and at its length. */
const standAt = (places: readonly string[], word: readonly string[], at: number): boolean =>
  places.every((place, k) => (place === '#' ? at + k === -1 || at + k === word.length : fits(place, word[at + k])))

function runLaw(law: string, word: readonly string[]): readonly string[] {
  const [change = '', where = '_'] = law.split(' / ')
  const [a, b] = change.split(' > ').map(placesIn) as [readonly string[], readonly string[]]
  const [c, d] = where.split('_').map(placesIn) as [readonly string[], readonly string[]]
  const made: string[] = []
  for (let at = 0; at <= word.length; at++) {
    const here = standAt(a, word, at) && standAt(c, word, at - c.length) && standAt(d, word, at + a.length)
    const became = (place: string, k: number): string => {
      const old = word[at + k] ?? ''
      if (place.startsWith('[')) return changed(old, inside(place))
      if (place.startsWith('{')) return inside(place)[inside(a[k] ?? '{}').indexOf(old)] ?? old
      return place
    }
    if (here) made.push(...b.map(became))
    if (here && a.length > 0) at += a.length - 1
    else if (at < word.length) made.push(word[at] as string)
  }
  return made
}

/** The laws given, where they keep to the limit that the prompt states and make all younger words but so many loans. */
export function tryLaws(prompt: string, answer: string, loans: number): readonly string[] {
  const lines = prompt.slice(prompt.indexOf('\nWords:\n') + 8, prompt.indexOf('\n\nEnd your answer')).split('\n')
  const most = Number(/at most (\d+) per language/u.exec(prompt)?.[1])
  const laws = new Map<string, string[]>()
  for (const line of answer.split('\n').filter((text) => !text.startsWith('```')))
    if (line.endsWith(':')) laws.set(line.slice(0, -1), [])
    else [...laws.values()].at(-1)?.push(line)
  const explained = (older: string, text: string): boolean => {
    const [name = '', form = ''] = text.split(': ')
    const made = (laws.get(name) ?? []).reduce<readonly string[]>((word, law) => runLaw(law, word), older.split(' '))
    return form === '(not known)' || made.join(' ') === (form === '(nothing)' ? '' : form)
  }
  const strange = lines.flatMap((line) => {
    const [older = '', ...younger] = line.split(' | ')
    return younger.filter((text) => !explained(older, text))
  })
  const inLimits = [...laws.values()].every((its) => its.length > 0 && its.length <= most)
  return inLimits && strange.length <= loans ? [answer] : []
}
