/**
 * The strings of a Python `repr` of a dict or list of strings, in order: quoted in ' or ", with backslash escapes.
 * Linear; whatever stands between the strings is passed over.
 */
export function pythonStrings(text: string): string[] {
  const out: string[] = []
  for (let at = 0; at < text.length; at++) {
    const quote = text[at]
    if (quote !== "'" && quote !== '"') continue
    let value = ''
    for (at++; at < text.length && text[at] !== quote; at++) {
      if (text[at] !== '\\' || at + 1 >= text.length) {
        value += text[at]
        continue
      }
      const code = CODE.exec(text.slice(at + 1, at + 10))
      if (code !== null) {
        value += character(Number.parseInt((code[1] ?? code[2] ?? code[3]) as string, 16))
        at += code[0].length
      } else value += escapes[text[++at] as string] ?? text[at]
    }
    out.push(value)
  }
  return out
}

/** What Python writes for a character that it does not print. */
const CODE = /^(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))/
const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')

const escapes: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '\r' }

/** A repr of a dict from strings to strings. */
export function pythonDict(text: string): ReadonlyMap<string, string> {
  const strings = pythonStrings(text)
  const out = new Map<string, string>()
  for (let i = 0; i + 1 < strings.length; i += 2) out.set(strings[i] as string, strings[i + 1] as string)
  return out
}
