/**
 * Characters that control a terminal or reorder or hide text: controls (except line feed and tab), direction marks, line separators,
 * invisible tags, unpaired surrogates.
 */
const UNSAFE = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu

const escaped = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`

/** Text for a terminal: unsafe characters are shown as in `\u{1b}`; line feeds and tabs stay. */
export const printable = (text: string): string =>
  text.replaceAll(UNSAFE, (character) => (character === '\n' || character === '\t' ? character : escaped(character)))

/** JSON text for a terminal: the same document, with unsafe characters escaped. */
export const printableJson = (json: string): string =>
  json.replaceAll(UNSAFE, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, i) => `\\u${hex4(character.charCodeAt(i))}`).join(''),
  )

const hex4 = (unit: number): string => unit.toString(16).padStart(4, '0')

/** Text for a spreadsheet cell: {@link printable}, with a leading apostrophe if it would run as a formula. */
export function cellText(text: string): string {
  const shown = printable(text)
  return /^\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]|^[\t\r\n]/u.test(shown) ? `'${shown}` : shown
}

/**
 * Invisible or reordering characters: controls, formatting, private use, unpaired surrogates. A joiner inside an emoji is part of it.
 */
export const UNSEEN =
  /[[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]--[\u200D]]|(?<!\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D|\u200D(?!\p{Extended_Pictographic})/gv

/**
 * Replaces the hyphen of negative numbers and exponents by a minus sign, for pages and figures. Markdown, CSV, JSON and the terminal
 * keep the hyphen, since programs read them.
 */
export const trueMinus = (text: string): string =>
  text.replaceAll(/(?<=(?:^|[\s[(])(?:-?\d(?:\.\d+)?e)?)-(?=[\d\u221E])/gu, '\u2212')

/** A difference of shares in whole points, with its sign; halves round away from 0, so that A - B and B - A agree. */
export function points(difference: number): string {
  const size = Math.abs(100 * difference).toFixed(0)
  return size === '0' ? '0' : `${difference > 0 ? '+' : '\u2212'}${size}`
}
