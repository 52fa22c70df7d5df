import { isSettable, plainSymbol, termOf } from './sound.ts'

/**
 * Laws as historical linguistics writes them: `A > B / C _ D`. Sounds are separated by spaces, other segments need none: a sound
 * (`tʃ`), terms in brackets (`[voiceless stop]`; `C` and `V` for short), sounds in braces, `#` for the edge of a word, `∅` for
 * nothing. Any arrow, a reconstruction's asterisk and a remark behind the law are read too.
 */
export type ParsedLaw =
  | { readonly kind: 'law'; readonly law: SoundLaw }
  | { readonly kind: 'none'; readonly reason: string }

const none = (reason: string): ParsedLaw => ({ kind: 'none', reason })

/** Most characters of a law. */
export const MAX_LAW = 400

const SHAPE = /^([^>/_]+)>([^>/_]+)(?:\/([^>/_]*)_([^>/_]*))?$/u
const UNIT = /\s*(?:\[([^[\]{}]*)\]|\{([^[\]{}]*)\}|([#CV])|([^\s[\]{}#CV]+))\s*/uy
/** Not a sound: what laws are written with, marks alone, and capitals other than C and V. */
const SYMBOL = /^(?![\p{Lm}\p{M}]+$)[^\s[\]{}<>/_#∅→+=*"'`()\\|,;:.!?~^$%&@A-Z\d-]{1,8}$/u

/** Arrows; not the brackets of `<p>`, and not the reversed `<` of etymologies. */
const ARROW =
  /\\(?:to|(?:long)?rightarrow|Rightarrow|Longrightarrow|mapsto)(?![a-z])|[-=~–—−]*>{1,2}|[→⟶⟹⇒➔➜➝➞➡↦⇾⭢⟼›»]|\bbecomes\b/gu
const BACK = /<{1,2}[-=–—−]*|[←⟵⇐⟸‹«]/u
/** Environments named by words instead of notation. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/^\s*(?:word[- ]?)?initial(?:ly)?\s*$/iu, '# _'],
  [/^\s*(?:word[- ]?)?final(?:ly)?\s*$/iu, '_ #'],
  [/^\s*(?:intervocalic(?:ally)?|between vowels)\s*$/iu, 'V _ V'],
]

/** One spelling of what handbooks write in several: `*p → h / #__`, `/p/ -> [h] / V__V`, `p > Ø`, `h < *p`. */
function spelt(text: string): string {
  const plain = text
    .normalize('NFC')
    .replaceAll(/\\(?:varnothing|emptyset)(?![a-z])/gu, '∅')
    .replaceAll(/\\(?:_|#|\[|\]|\{|\}|\*)/gu, (escaped) => escaped.slice(1))
    .replaceAll(/^\s*\$+|\$+\s*$/gu, '')
    .replaceAll(/[`"“”]|\*{2,}|(?<![\p{L}\p{M}\]})])\*|(?<=^\s*\*[^*]*)\*\s*$/gu, ' ')
    .replaceAll(/(?<=\p{L}\p{M}?):(?=\s*(?:[>/_#,]|$))/gu, 'ː')
    .replaceAll(/[∕⁄]/gu, '/')
    .replaceAll(ARROW, '>')
    .replaceAll(/(?<=^\s*|>\s*)\/([^/_>\s]{1,8})\/(?=\s*(?:>|\/|$))/gu, '$1')
    .replaceAll(/_+/gu, '_')
  const [change = '', ...places] = plain.split('/')
  const turned = change.includes('>') ? change : change.split(BACK).toReversed().join('>')
  const place = places.join('/')
  const worded = PLACES.find(([pattern]) => pattern.test(place))?.[1]
  const between = place.includes('_') ? place : place.replace(/[–—―]+/u, '_')
  return places.length === 0 ? turned : `${turned}/${worded ?? between}`
}

/** What stands behind a law: a remark in brackets or after a mark of comments, a full stop. */
const REMARKS = [
  /[ \t]*[.;,]+[ \t]*$/u,
  /[ \t]+(?:\/\/|#[ \t]+(?=\p{L}{3})|%|--|;|[–—][ \t]).*$/u,
  // "(Grimm)", "(2)"; "(C)" and "(i|e)" are parts of an environment.
  /[ \t]*(?:\((?=[^()]*[A-Za-z]{3}|\d+\))[^()]*\)[ \t]*)+[.;,]?$/u,
  /[,;][ \t]+(?=\p{L}{3})[^\]}]*$/u,
]

/** Remarks that narrow a law, and those that only do so where the law has no environment. */
const NARROWS = /\b(?:except|unless|only|not|but|optional\w*|sometimes|often|(?:un)?stressed)\b/iu
const PLACED =
  /\b(?:before|after|between|when|if|where|in|near|next|(?:word[- ]?)?(?:initial|final|medial)\w*|intervocalic\w*)\b/iu

/** Parses one law, with or without a remark behind it; says what of it is not understood. Linear in the text. */
export function parseLaw(text: string): ParsedLaw {
  if (text.length > MAX_LAW) return none(`a law has at most ${MAX_LAW} characters`)
  const whole = parseBareLaw(text)
  if (whole.kind === 'law') return whole
  for (const remark of REMARKS) {
    const without = text.replace(remark, '')
    if (without === text) continue
    for (const part of [without, without.replace(REMARKS[0] as RegExp, '')]) {
      const parsed = parseBareLaw(part)
      if (parsed.kind === 'none') continue
      const said = text.slice(part.length)
      if (/^\s*\(/u.test(said) && said.match(/[\p{L}+-]+/gu)?.every((word) => termOf(word) !== null)) return whole
      if (NARROWS.test(said) || (PLACED.test(said) && !part.includes('/')))
        return none(`"${said.trim()}" narrows the law: write it as / C _ D`)
      return parsed
    }
  }
  return whole
}

/** Parses one law with nothing behind it: a statement about a law must not swallow what retracts it. */
export function parseBareLaw(text: string): ParsedLaw {
  if (text.length > MAX_LAW) return none(`a law has at most ${MAX_LAW} characters`)
  const shape = SHAPE.exec(spelt(text))
  if (shape === null) return none('a law reads A > B or A > B / C _ D')
  const [from, to, before, after] = [
    placesOf(shape[1]),
    placesOf(shape[2]),
    placesOf(shape[3] ?? ''),
    placesOf(shape[4] ?? ''),
  ]
  for (const part of [from, to, before, after])
    if ('unknown' in part)
      return none(`"${part.unknown}" is no place: a place is a sound, [terms], {sounds}, #, C or V; ∅ stands alone`)
  return lawOf(from as Places, to as Places, before as Places, after as Places)
}

function lawOf(from: Places, to: Places, before: Places, after: Places): ParsedLaw {
  if (
    [from, to].some((part) => part.edges.length > 0) ||
    from.empty !== (from.units.length === 0) ||
    to.empty !== (to.units.length === 0)
  )
    return none('A and B are sounds, or ∅ alone; # stands outside of the places of C and D')
  const start = edgeAt(before, 0)
  const end = edgeAt(after, after.units.length)
  if (start === null || end === null) return none('# stands at the beginning of C or at the end of D')
  const law: SoundLaw = { from: from.units, to: to.units, before: before.units, after: after.units, start, end }
  const wrong = faultOf(law)
  return wrong === null ? { kind: 'law', law } : none(wrong)
}

interface Places {
  readonly units: readonly SegmentPattern[]
  /** Index of the segment after each `#`. */
  readonly edges: readonly number[]
  /** The part is `∅`. */
  readonly empty: boolean
}

/** `unknown`: text that is no segment. Sounds with commas between them are a list without its braces. */
function placesOf(part: string | undefined): Places | { readonly unknown: string } {
  const text = (part ?? '').replaceAll(/##+/gu, '#').replace(COMMAS, '{$1}')
  const units: SegmentPattern[] = []
  const edges: number[] = []
  let empty = false
  UNIT.lastIndex = 0
  for (let at = 0; at < text.trimEnd().length; at = UNIT.lastIndex) {
    UNIT.lastIndex = at
    const match = UNIT.exec(text)
    if (match === null) return { unknown: text.slice(at).trim() }
    const [, terms, list, mark, symbol] = match
    if (mark === '#') edges.push(units.length)
    else if (symbol !== undefined && EMPTY.test(symbol)) empty = true
    else {
      const unit = unitOf(terms, list, mark ?? symbol)
      if (unit === null) return { unknown: match[0].trim() }
      units.push(unit)
    }
  }
  return empty && units.length > 0 ? { unknown: text.trim() } : { units, edges, empty }
}

const COMMAS = /^\s*([^\s[\]{},#CV]+(?:\s*,\s*[^\s[\]{},#CV]+)+)\s*$/u
const EMPTY = /^(?:∅|Ø|0|zero|null|nothing)$/u

function unitOf(
  terms: string | undefined,
  list: string | undefined,
  symbol: string | undefined,
): SegmentPattern | null {
  if (symbol === 'C') return { kind: 'class', terms: ['consonant'] }
  if (symbol === 'V') return { kind: 'class', terms: ['vowel'] }
  if (symbol !== undefined) return SYMBOL.test(symbol) ? { kind: 'sound', symbol: plainSymbol(symbol) } : null
  const words = (terms ?? list ?? '').split(/[\s,]+/u).filter((word) => word !== '')
  if (words.length === 0) return null
  if (list !== undefined)
    return words.length <= MAX_SOUNDS && words.every((word) => SYMBOL.test(word))
      ? { kind: 'list', symbols: words.map(plainSymbol) }
      : null
  const meant = words.map((word) => termOf(word.replaceAll(/[‐-―−]/gu, '-')))
  if (meant.length <= MAX_TERMS && meant.every((term) => term !== null)) return { kind: 'class', terms: meant }
  // A phone in square brackets.
  const [only = ''] = words
  return words.length === 1 && only.length <= 3 && SYMBOL.test(only)
    ? { kind: 'sound', symbol: plainSymbol(only) }
    : null
}

const edgeAt = ({ edges }: Places, place: number): boolean | null =>
  edges.length === 0 ? false : edges.length === 1 && edges[0] === place ? true : null

/** Why a law with valid segments cannot be run; null: it can. */
function faultOf({ from, to, before, after }: SoundLaw): string | null {
  if ([from, to, before, after].some((units) => units.length > MAX_UNITS))
    return `A, B, C and D have at most ${MAX_UNITS} places each`
  if (from.length === 0 && to.length === 0) return 'nothing becomes nothing'
  for (const [i, unit] of to.entries()) {
    if (unit.kind === 'sound') continue
    if (from.length !== to.length) return 'B is of sounds where it has other places than A'
    if (unit.kind === 'class' && !unit.terms.every(isSettable))
      return `a sound cannot be made [${unit.terms.join(' ')}]: say which`
    const opposite = from[i]
    if (unit.kind === 'list' && (opposite?.kind !== 'list' || opposite.symbols.length !== unit.symbols.length))
      return 'a list in B stands opposite a list of as many sounds in A'
  }
  return null
}

/** The normal spelling of a law. */
export function printLaw({ from, to, before, after, start, end }: SoundLaw): string {
  const change = `${placesText(from)} > ${placesText(to)}`
  if (before.length + after.length === 0 && !start && !end) return change
  const left = [...(start ? ['#'] : []), ...before.map(unitText)]
  const right = [...after.map(unitText), ...(end ? ['#'] : [])]
  return [change, '/', ...left, '_', ...right].join(' ')
}

const placesText = (units: readonly SegmentPattern[]): string =>
  units.length === 0 ? '∅' : units.map(unitText).join(' ')

function unitText(unit: SegmentPattern): string {
  if (unit.kind === 'sound') return unit.symbol
  if (unit.kind === 'list') return `{${unit.symbols.join(' ')}}`
  const [only] = unit.terms
  if (unit.terms.length === 1 && (only === 'consonant' || only === 'vowel')) return only === 'vowel' ? 'V' : 'C'
  return `[${unit.terms.join(' ')}]`
}

/** A segment of a law: a sound, the class of sounds for which all terms are true, or a list of sounds. */
export type SegmentPattern =
  | { readonly kind: 'sound'; readonly symbol: string }
  | { readonly kind: 'class'; readonly terms: readonly string[] }
  | { readonly kind: 'list'; readonly symbols: readonly string[] }

/**
 * A sound law: `from` becomes `to` between `before` and `after`. An empty left side inserts, an empty right side deletes. With
 * as many segments on both sides each becomes its counterpart (a class on the right changes features of the sound, a list
 * gives the sound of the same position); otherwise the right side replaces the left as a whole.
 */
export interface SoundLaw {
  readonly from: readonly SegmentPattern[]
  readonly to: readonly SegmentPattern[]
  readonly before: readonly SegmentPattern[]
  readonly after: readonly SegmentPattern[]
  /** `before` must begin at the start of the word, `after` must end at its end. */
  readonly start: boolean
  readonly end: boolean
}

/** Most segments of each part of a law, sounds of a list, and terms of a class. */
export const MAX_UNITS = 4
export const MAX_SOUNDS = 40
export const MAX_TERMS = 8

/** Number of sounds, terms, word edges and `∅` of a law: its length, whatever its spelling. */
export function lawSize({ from, to, before, after, start, end }: SoundLaw): number {
  const sizes = [from, to, before, after].map((units) =>
    units.reduce(
      (sum, unit) => sum + (unit.kind === 'sound' ? 1 : unit.kind === 'list' ? unit.symbols.length : unit.terms.length),
      0,
    ),
  )
  return (
    sizes.reduce((sum, size) => sum + size, 0) +
    Number(from.length === 0) +
    Number(to.length === 0) +
    Number(start) +
    Number(end)
  )
}
