/**
 * What would steer a terminal, reorder or hide what is read: controls (C0 but line feed and tab, DEL, C1), marks that turn
 * the direction of writing, separators of lines, invisible tags, unpaired surrogates.
 */
const UNSAFE = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu

const escaped = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`

/** Text for a terminal: what is unsafe there is shown by its number, as in `\u{1b}`; lines and tabs stay. */
export const printable = (text: string): string =>
  text.replaceAll(UNSAFE, (character) => (character === '\n' || character === '\t' ? character : escaped(character)))

/** JSON text for a terminal: the same document, what is unsafe there written by JSON's own escapes. */
export const printableJson = (json: string): string =>
  json.replaceAll(UNSAFE, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, i) => `\\u${hex4(character.charCodeAt(i))}`).join(''),
  )

const hex4 = (unit: number): string => unit.toString(16).padStart(4, '0')

/** Text for one cell of a spreadsheet: {@link printable}, and a leading apostrophe where it would run as a formula. */
export function cellText(text: string): string {
  const shown = printable(text)
  return /^\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]|^[\t\r\n]/u.test(shown) ? `'${shown}` : shown
}

/**
 * Characters that would hide or reorder text, or steer who shows it: controls, formatting, private and unpaired ones. A joiner between two
 * pictures of one sign, as of a family, is part of that sign.
 */
export const UNSEEN =
  /[[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]--[\u200D]]|(?<!\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D|\u200D(?!\p{Extended_Pictographic})/gv

/**
 * Numbers of a text with a true minus sign, also in their powers of ten, as pages and figures have them; Markdown, CSV, JSON and the
 * terminal are read by programs too, and keep the hyphen. What only looks like a number, such as the end of a name, stays.
 */
export const trueMinus = (text: string): string =>
  text.replaceAll(/(?<=(?:^|[\s[(])(?:-?\d(?:\.\d+)?e)?)-(?=[\d\u221E])/gu, '\u2212')
