/** Default limit of a line and of a whole text, in characters. */
export const MAX_LINE = 64 * 1024 * 1024

/** A line of a text. */
export interface Line {
  /** From 1; empty lines count. */
  readonly number: number
  /** Without the line end, LF or CR LF. */
  readonly text: string
  /** Why the line ends: a line break, the end of the text, or the length limit (the text is then a prefix). */
  readonly end: 'break' | 'text' | 'limit'
}

/**
 * Lines of a text that arrives in chunks, one batch per chunk. Empty lines are skipped but counted. A line longer than `longest`
 * characters is cut. Linear in the length of the text.
 */
export async function* lineBatches(pieces: AsyncIterable<string>, longest = MAX_LINE): AsyncGenerator<readonly Line[]> {
  let number = 1
  let parts: string[] = []
  let length = 0
  for await (const piece of pieces) {
    const batch: Line[] = []
    for (const [i, part] of piece.split('\n').entries()) {
      if (i > 0) {
        const text = length > longest ? '' : withoutReturn(parts.join(''))
        if (text !== '') batch.push({ number, text, end: 'break' })
        number++
        parts = []
        length = 0
      }
      if (length > longest) continue
      parts.push(part)
      length += part.length
      if (length > longest) batch.push({ number, text: parts.join('').slice(0, longest), end: 'limit' })
    }
    if (batch.length > 0) yield batch
  }
  if (length > 0 && length <= longest) yield [{ number, text: parts.join(''), end: 'text' }]
}

/** Removes a leading byte order mark. */
export async function* withoutMark(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let begun = false
  for await (const piece of pieces) {
    if (piece === '') continue
    yield !begun && piece.startsWith('\ufeff') ? piece.slice(1) : piece
    begun = true
  }
}

const withoutReturn = (text: string): string => (text.endsWith('\r') ? text.slice(0, -1) : text)

/** {@link lineBatches}, one line at a time. */
export async function* linesOf(pieces: AsyncIterable<string>, longest?: number): AsyncGenerator<Line> {
  for await (const batch of lineBatches(pieces, longest)) yield* batch
}

/** The whole text; null if it is longer than `longest` characters. */
export async function wholeText(pieces: AsyncIterable<string>, longest = MAX_LINE): Promise<string | null> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length > longest) return null
  }
  return text
}
