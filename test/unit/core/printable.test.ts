import { describe, expect, it } from 'vitest'
import { cellText, printable, printableJson } from '../../../src/core/index.ts'

const ESC = String.fromCodePoint(0x1b)
const hostile = [
  `${ESC}]0;owned\u0007`,
  `${ESC}[2J`,
  '\u009b31m',
  'a\rb',
  'over\u202Ewritten',
  'is\u2066olate',
  '\u2028line',
  '\u{E0041}tag',
  '\uD800',
  '\u007f',
]

describe('printable', () => {
  it.each(hostile)('shows what would steer a terminal by its number: %j', (text) => {
    expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cs}\u202E\u2066\u2028\u{E0041}]/u)
    expect(printable(text)).toMatch(/\\u\{[0-9a-f]+\}/u)
  })

  it('writes the number in hexadecimal digits', () => {
    expect(printable(`a${ESC}b\r\u{E0041}\uD800`)).toBe('a\\u{1b}b\\u{d}\\u{e0041}\\u{d800}')
    expect(printableJson(`"${ESC}\u{E0041}"\n`)).toBe('"\\u001b\\udb40\\udc41"\n')
  })

  it('leaves words of any script, emoji, lines and tabs as they are', () => {
    for (const text of ['Zürich ✓\n\tweiter', '漢字', 'שלום', 'क्ष', '👩‍🔬', 'it’s']) expect(printable(text)).toBe(text)
  })

  it('keeps a JSON document the same document', () => {
    const value = { ...hostile, [hostile[0] as string]: 1 }
    const shown = printableJson(JSON.stringify(value, null, 1))
    expect(JSON.parse(shown)).toEqual(value)
    expect(shown).toBe(printable(shown))
  })

  it('lets no cell run as a formula', () => {
    for (const text of ['=1+1', '+1', '-1+cmd', '@SUM(A1)', '\t=1', ' =1', '\n=1', '＝1'])
      expect(cellText(text)).toMatch(/^'/u)
    for (const text of ['a=b', '1-2', '']) expect(cellText(text)).toBe(text)
  })
})
