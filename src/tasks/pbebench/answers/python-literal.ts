/** What Python's `ast.literal_eval` makes of a text, as far as lists of strings go. Nothing is evaluated. */
type Literal =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Literal[] }
  /** A number, tuple, dictionary, bytes, None: something else that is a literal. */
  | { readonly kind: 'other' }

/** Deeper nesting is refused, as a literal or not. */
const DEPTH = 64

/** null: a syntax error, or an expression that is no literal. Linear in the text. */
export function pythonLiteral(source: string): Literal | null {
  const reader = new Reader(source)
  const value = reader.tuple('', 0)
  if (value === null) return null
  reader.skip(true)
  return reader.at === source.length ? value : null
}

const ESCAPES: { readonly [letter: string]: string } = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

const HEX_LENGTH: { readonly [letter: string]: number } = { x: 2, u: 4, U: 8 }

class Reader {
  at = 0
  private readonly source: string

  constructor(source: string) {
    this.source = source
  }

  /** Blanks and comments; line ends only inside brackets (or at the end). */
  skip(lines: boolean): void {
    for (;;) {
      const letter = this.source[this.at]
      if (letter === ' ' || letter === '\t' || letter === '\f') this.at++
      else if (lines && (letter === '\n' || letter === '\r')) this.at++
      else if (letter === '\\' && /[\r\n]/.test(this.source[this.at + 1] ?? '')) this.at += 2
      else if (letter === '#') {
        const end = this.source.indexOf('\n', this.at)
        this.at = end === -1 ? this.source.length : end
      } else return
    }
  }

  /** Values separated by commas up to `close` ('' at the top level); one without a comma is itself. */
  tuple(close: string, depth: number): Literal | null {
    const inside = close !== ''
    const items: Literal[] = []
    let commas = 0
    for (;;) {
      this.skip(inside)
      if (inside && this.source[this.at] === close) break
      if (!inside && commas > 0 && this.atLineEnd()) break
      const item = this.value(inside, depth)
      if (item === null) return null
      items.push(item)
      this.skip(inside)
      if (this.source[this.at] === ':' && close === '}') {
        this.at++
        this.skip(true)
        if (this.value(true, depth) === null) return null
        this.skip(true)
      }
      if (this.source[this.at] !== ',') break
      this.at++
      commas++
    }
    if (inside) {
      if (this.source[this.at] !== close) return null
      this.at++
    }
    if (close === ']') return { kind: 'list', items }
    if (close === '}' || commas > 0 || items.length === 0)
      return close === '' && items.length === 0 ? null : { kind: 'other' }
    return items[0] as Literal
  }

  private atLineEnd(): boolean {
    return this.at >= this.source.length || this.source[this.at] === '\n' || this.source[this.at] === '\r'
  }

  private value(lines: boolean, depth: number): Literal | null {
    if (depth > DEPTH) return null
    const letter = this.source[this.at]
    if (letter === '[' || letter === '(' || letter === '{') {
      this.at++
      return this.tuple(letter === '[' ? ']' : letter === '(' ? ')' : '}', depth + 1)
    }
    let text = this.string()
    if (text === null) return this.word()
    // Neighbouring strings are one string; strings and bytes do not mix.
    let whole = ''
    let bytes = false
    for (let first = true; text !== null; text = this.string(), first = false) {
      if (!first && text.bytes !== bytes) return null
      bytes = text.bytes
      whole += text.text
      this.skip(lines)
    }
    return this.failed ? null : bytes ? { kind: 'other' } : { kind: 'text', text: whole }
  }

  private failed = false

  private word(): Literal | null {
    if (this.failed) return null
    const match = /[-+]?[ ]?(?:\d[\w.]{0,40}|\.\d[\w]{0,40}|None\b|True\b|False\b)/y
    match.lastIndex = this.at
    const found = match.exec(this.source)
    if (found === null) return null
    this.at = match.lastIndex
    return { kind: 'other' }
  }

  /** One quoted string, or null where none begins here (`failed` where it is broken). */
  private string(): { readonly text: string; readonly bytes: boolean } | null {
    const prefix = /(?:[rR][bB]?|[bB][rR]?|[uU])?(?="|')/y
    prefix.lastIndex = this.at
    const found = prefix.exec(this.source)
    if (found === null) return null
    const raw = /r/i.test(found[0])
    let at = prefix.lastIndex
    const quote = this.source[at] as string
    const long = this.source.startsWith(quote.repeat(3), at)
    const close = long ? quote.repeat(3) : quote
    at += close.length
    let text = ''
    for (;;) {
      const letter = this.source[at]
      if (letter === undefined || (!long && letter === '\n')) return this.broken()
      if (this.source.startsWith(close, at)) break
      if (letter !== '\\') {
        text += letter
        at++
        continue
      }
      const next = this.source[at + 1]
      if (next === undefined) return this.broken()
      if (raw) {
        text += letter + next
        at += 2
        continue
      }
      const escaped = this.escape(at + 1, next)
      if (escaped === null) return this.broken()
      text += escaped.text
      at += 1 + escaped.length
    }
    this.at = at + close.length
    return { text, bytes: /b/i.test(found[0]) }
  }

  private broken(): null {
    this.failed = true
    return null
  }

  private escape(at: number, letter: string): { readonly text: string; readonly length: number } | null {
    const simple = ESCAPES[letter]
    if (simple !== undefined) return { text: simple, length: 1 }
    const digits = HEX_LENGTH[letter]
    if (digits !== undefined) {
      const code = this.source.slice(at + 1, at + 1 + digits)
      if (code.length < digits || !/^[\da-fA-F]+$/.test(code)) return null
      const point = Number.parseInt(code, 16)
      return point > 0x10ffff ? null : { text: String.fromCodePoint(point), length: 1 + digits }
    }
    const octal = /^[0-7]{1,3}/.exec(this.source.slice(at, at + 3))
    if (octal !== null) return { text: String.fromCodePoint(Number.parseInt(octal[0], 8)), length: octal[0].length }
    return letter === 'N' ? null : { text: `\\${letter}`, length: 1 }
  }
}
