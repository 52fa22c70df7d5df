import { PairMap } from './pair-map.ts'

/** The empty part. */
export const EMPTY = 0

/** Parts of words, numbered; each is known as a shorter one and its last letter. */
export class Parts {
  readonly texts: string[] = ['']
  private readonly longer = new PairMap()

  id(text: string): number {
    let part = EMPTY
    for (let at = 0; at < text.length; at++) part = this.and(part, text.charCodeAt(at))
    return part
  }

  /** A part with one more letter. */
  and(part: number, letter: number): number {
    const known = this.longer.get(part, letter)
    if (known !== -1) return known
    const id = this.texts.length
    this.texts.push((this.texts[part] as string) + String.fromCharCode(letter))
    this.longer.set(part, letter, id)
    return id
  }
}

/** The letters of a text as bits; several letters share one. */
export function lettersOf(text: string): number {
  let bits = 0
  for (let at = 0; at < text.length; at++) bits |= 1 << (text.charCodeAt(at) & 31)
  return bits
}
