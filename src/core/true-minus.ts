/**
 * Numbers of a text with a true minus sign, also in their powers of ten, as pages and figures have them; Markdown, CSV, JSON and the
 * terminal are read by programs too, and keep the hyphen. What only looks like a number, such as the end of a name, stays.
 */
export const trueMinus = (text: string): string =>
  text.replaceAll(/(?<=(?:^|[\s[(])(?:-?\d(?:\.\d+)?e)?)-(?=[\d\u221E])/gu, '\u2212')
