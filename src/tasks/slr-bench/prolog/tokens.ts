import { Fault } from './fault.ts'

export type Token =
  | { readonly kind: 'atom' | 'quoted' | 'variable' | 'punctuation'; readonly text: string; readonly glued: boolean }
  | { readonly kind: 'number'; readonly value: number; readonly float: boolean }
  | { readonly kind: 'end' }

const BLANK = /(?:\s|%[^\n]*)+/y
const NAME = /[a-z][A-Za-z0-9_]*/y
const VARIABLE = /[A-Z_][A-Za-z0-9_]*/y
const NUMBER = /\d+(?:\.\d+(?:[eE][+-]?\d+)?)?/y
const SYMBOL = /[-+*/\\^<>=~:.?@#&$]+/y
const SOLO = /[!;,|()[\]{}]/y
/** Longest name or number: nothing that a person writes is longer. */
const MAX_LENGTH = 256

/** Asked before a pattern is tried: most programs are long lists of facts. */
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39
const isSmall = (code: number): boolean => code >= 0x61 && code <= 0x7a
/** Printed ASCII is no blank, but for the beginning of a comment. */
const mayBeBlank = (code: number): boolean => code <= 0x20 || code === 0x25 || code >= 0x7f

/** Tokens in order, each clause closed by `end`. Linear in the text. @throws Fault (syntax) */
export function* tokens(text: string): Generator<Token> {
  let at = 0
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found === undefined) return null
    at += found.length
    return found
  }
  /** Does an argument list begin here? */
  const glued = (): boolean => text[at] === '('
  const short = (name: string): string => {
    if (name.length > MAX_LENGTH) throw new Fault('syntax', `a name is longer than ${MAX_LENGTH} characters`)
    return name
  }
  for (;;) {
    if (mayBeBlank(text.charCodeAt(at))) take(BLANK)
    if (at >= text.length) return
    if (text.startsWith('/*', at)) {
      const close = text.indexOf('*/', at + 2)
      if (close === -1) throw new Fault('syntax', 'a comment is not closed')
      at = close + 2
      continue
    }
    if (text[at] === '.' && (at + 1 >= text.length || /[\s%]/.test(text[at + 1] as string))) {
      at++
      yield { kind: 'end' }
      continue
    }
    const first = text.charCodeAt(at)
    const number = isDigit(first) ? take(NUMBER) : null
    if (number !== null) {
      const value = Number(short(number))
      const float = number.includes('.')
      if (!float && !Number.isSafeInteger(value)) throw new Fault('syntax', `${number} is too large a number`)
      yield { kind: 'number', value, float }
      continue
    }
    const variable = isSmall(first) ? null : take(VARIABLE)
    if (variable !== null) {
      yield { kind: 'variable', text: short(variable), glued: false }
      continue
    }
    const name = isSmall(first) ? take(NAME) : take(SYMBOL)
    if (name !== null) {
      yield { kind: 'atom', text: short(name), glued: glued() }
      continue
    }
    if (text[at] === "'") {
      const close = text.indexOf("'", at + 1)
      const body = close === -1 ? '' : text.slice(at + 1, close)
      // Control characters and escapes are left out: no name of ours can be written.
      if (close === -1 || body.length > MAX_LENGTH || !/^[^\\\p{Cc}]*$/u.test(body))
        throw new Fault('syntax', 'a quoted name is not closed, too long, or has escapes')
      at = close + 1
      yield { kind: 'quoted', text: body, glued: glued() }
      continue
    }
    const solo = take(SOLO)
    if (solo === null) throw new Fault('syntax', `unexpected character ${JSON.stringify(text[at])}`)
    yield { kind: 'punctuation', text: solo, glued: glued() }
  }
}
