/** Text with one spelling of each character, and the way back to the text it was made of. */
export interface NormalizedText {
  readonly text: string
  /** The span of the original text that a span of `text` was made of. */
  original(span: readonly [start: number, end: number]): readonly [start: number, end: number]
}

/** Hyphens and minus signs; dashes only before the head of an arrow, since elsewhere they are punctuation. */
const HYPHEN = /^[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]$/u
const SPACE = /^\p{Zs}$/u
const LINE_END = /^[\u0085\u2028\u2029]$/u
/** Full-width and small forms, ligatures, mathematical letters, numbers in circles. */
const FORMS =
  '[\\uFF01-\\uFF5E\\uFE50-\\uFE6B\\uFB00-\\uFB06\\u2102\\u210A-\\u2113\\u2115\\u2119-\\u211D\\u2124\\u2128\\u212C\\u212D\\u212F-\\u2131\\u2133\\u2134\\u2460-\\u2473\\u{1D400}-\\u{1D7CB}]'
const LETTERS = new RegExp(`^${FORMS}$`, 'u')

/** What may change: a character outside ASCII, a LaTeX command around text, and the braces that may end it. */
const CHANGES = new RegExp(
  [
    String.raw`[\u2013-\u2015](?=>)|[\u2010-\u2012\u2212\u0085\u2028\u2029]|(?! )\p{Zs}`,
    FORMS,
    String.raw`\p{Default_Ignorable_Code_Point}|[\u202A-\u202E\u2066-\u2069\u{E0001}]|(?![0-9])\p{Nd}`,
    String.raw`\\{1,2}(?:text(?:bf|it|rm|sf|tt|sc|up|md|normal)?|emph|underline|math(?:rm|bf|it|sf|tt|bb|cal|frak|normal)|boldsymbol|bm|operatorname\*?|[mhf]box|boxed)[ \t]{0,2}\{`,
    String.raw`\\[{}\\]|[{}]`,
  ].join('|'),
  'gu',
)

/**
 * One spelling for what models and servers write in several: hyphens, spaces, full-width and mathematical letters, decimal
 * digits of any script, without invisible characters and LaTeX commands around text (`\boxed{...}`). ASCII text without such
 * commands stays as it is. Linear in the text.
 */
export function normalizeText(text: string): NormalizedText {
  const pieces: { readonly from: number; readonly to: number; readonly as: string }[] = []
  const braces: boolean[] = []
  for (const { 0: found, index } of text.matchAll(CHANGES)) {
    const to = index + found.length
    const piece = (as: string): void => void pieces.push({ from: index, to, as })
    if (found.startsWith('\\')) {
      if (!found.endsWith('{') || found.length === 2) continue
      braces.push(true)
      piece('')
    } else if (found === '{') braces.push(false)
    else if (found === '}') {
      if (braces.pop() === true) piece('')
    } else piece(spelt(found, text, index, to))
  }
  return pieces.length === 0 ? { text, original: (span) => span } : replaced(text, pieces)
}

const WORD = /[\p{L}\p{N}]/u

/** A soft hyphen between letters stands for a hyphen; elsewhere it is not seen. */
function spelt(character: string, text: string, start: number, end: number): string {
  if (character === '\u00AD') return WORD.test(text[start - 1] ?? '') && WORD.test(text[end] ?? '') ? '-' : ''
  if (HYPHEN.test(character)) return '-'
  if (SPACE.test(character)) return ' '
  if (LINE_END.test(character)) return '\n'
  if (LETTERS.test(character)) return character.normalize('NFKC')
  return /\p{Nd}/u.test(character) ? digit(character.codePointAt(0) as number) : ''
}

/** Digits of a script stand in a row from 0 to 9; rows may follow one another. */
function digit(code: number): string {
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((code - zero) % 10)
}

function replaced(
  text: string,
  pieces: readonly { readonly from: number; readonly to: number; readonly as: string }[],
): NormalizedText {
  const starts: number[] = []
  const ends: number[] = []
  let out = ''
  let at = 0
  const keep = (to: number): void => {
    out += text.slice(at, to)
    for (; at < to; at++) {
      starts.push(at)
      ends.push(at + 1)
    }
  }
  for (const { from, to, as } of pieces) {
    keep(from)
    out += as
    for (let i = 0; i < as.length; i++) {
      starts.push(from)
      ends.push(to)
    }
    at = to
  }
  keep(text.length)
  return {
    text: out,
    original([start, end]) {
      const from = starts[start] ?? text.length
      return [from, end > start ? (ends[end - 1] as number) : from]
    },
  }
}
