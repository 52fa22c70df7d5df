/** A line of a text file: its number from 1. */
export interface Line {
  readonly number: number
  readonly text: string
}

/** The lines of a text in pieces, without their ends; empty lines are left out but counted. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<Line> {
  let rest = ''
  let number = 0
  for await (const piece of pieces) {
    const parts = (rest + piece).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      number++
      const text = part.endsWith('\r') ? part.slice(0, -1) : part
      if (text !== '') yield { number, text }
    }
  }
  if (rest !== '') yield { number: number + 1, text: rest }
}

export async function wholeText(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}
