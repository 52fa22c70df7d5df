import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Line, linesOf, MAX_LINE, wholeText, withoutMark } from '../../../src/core/index.ts'

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

const read = async (text: string, size: number, longest?: number): Promise<Line[]> => {
  const found: Line[] = []
  for await (const line of linesOf(inPieces(text, size), longest)) found.push(line)
  return found
}

const texts = fc
  .array(fc.constantFrom('a', 'bc', '\n', '\r\n', '\r', ' ', '\u{1f600}'), { maxLength: 30 })
  .map((parts) => parts.join(''))
const sizes = fc.integer({ min: 1, max: 9 })

/** The definition: what stands between line feeds, less one return before each. */
const lines = (text: string, longest: number): Line[] => {
  const all = text.split('\n')
  return all.flatMap((whole, i): Line[] => {
    const last = i === all.length - 1
    if (whole.length > longest) return [{ number: i + 1, text: whole.slice(0, longest), end: 'limit' }]
    const line = last ? whole : whole.replace(/\r$/, '')
    return line === '' ? [] : [{ number: i + 1, text: line, end: last ? 'text' : 'break' }]
  })
}

it('lines are the same whatever the pieces, numbered through, cut at the limit', async () => {
  await fc.assert(
    fc.asyncProperty(texts, sizes, fc.integer({ min: 1, max: 12 }), async (text, size, longest) => {
      expect(await read(text, size)).toEqual(lines(text, Number.POSITIVE_INFINITY))
      expect(await read(text, size, longest)).toEqual(lines(text, longest))
    }),
  )
})

it('a byte order mark is left out at the beginning, whatever the pieces, and nowhere else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), texts, sizes, async (marked, text, size) => {
      const whole = `${text}\ufeff${text}`
      let read = ''
      for await (const piece of withoutMark(inPieces(marked ? `\ufeff${whole}` : `x${whole}`, size))) read += piece
      expect(read).toBe(marked ? whole : `x${whole}`)
    }),
  )
})

it('a line is cut as soon as it is too long', async () => {
  let given = 0
  async function* endless() {
    for (; ; given++) yield 'xxxx'
  }
  for await (const line of linesOf(endless(), 10)) {
    expect(line).toEqual({ number: 1, text: 'x'.repeat(10), end: 'limit' })
    break
  }
  expect(given).toBe(2)
})

it('a whole text is the pieces joined', async () => {
  await fc.assert(
    fc.asyncProperty(texts, sizes, fc.nat(20), async (text, size, longest) => {
      expect(await wholeText(inPieces(text, size))).toBe(text)
      expect(await wholeText(inPieces(text, size), longest)).toBe(text.length > longest ? null : text)
    }),
  )
})

it('a text is given up as soon as it is too long', async () => {
  let given = 0
  async function* endless() {
    for (; ; given++) yield 'xxxx'
  }
  expect(await wholeText(endless(), 10)).toBeNull()
  expect(given).toBe(2)
})

it('lines and texts are read up to 64 MiB', async () => {
  expect(MAX_LINE).toBe(2 ** 26)
  async function* pieces() {
    yield 'x'.repeat(2 ** 26)
    yield 'y'
  }
  expect(await wholeText(pieces())).toBeNull()
})
