import { PairNumbers } from './pair-numbers.ts'

/** The empty part. */
export const EMPTY = 0

/** Parts of words, numbered; each is known as a shorter one and its last letter. */
export class Parts {
  readonly texts: string[] = ['']
  /** {@link lettersOf} them. */
  readonly letters: number[] = [0]
  private readonly longer = new PairNumbers()

  id(text: string): number {
    let part = EMPTY
    for (let at = 0; at < text.length; at++) part = this.and(part, text.charCodeAt(at))
    return part
  }

  /** A part with one more letter. */
  and(part: number, letter: number): number {
    const id = this.longer.of(part, letter) + 1
    if (id === this.texts.length) {
      const text = (this.texts[part] as string) + String.fromCharCode(letter)
      this.texts.push(text)
      this.letters.push(lettersOf(text))
    }
    return id
  }
}

/** The letters of a text as bits; several letters share one. */
export function lettersOf(text: string): number {
  let bits = 0
  for (let at = 0; at < text.length; at++) bits |= 1 << (text.charCodeAt(at) & 31)
  return bits
}
