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
      if (text[at] === '\\' && at + 1 < text.length) value += escapes[text[++at] as string] ?? text[at]
      else value += text[at]
    }
    out.push(value)
  }
  return out
}

const escapes: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '\r' }

/** A repr of a dict from strings to strings. */
export function pythonDict(text: string): ReadonlyMap<string, string> {
  const strings = pythonStrings(text)
  const out = new Map<string, string>()
  for (let i = 0; i + 1 < strings.length; i += 2) out.set(strings[i] as string, strings[i + 1] as string)
  return out
}
