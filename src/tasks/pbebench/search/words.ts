import { EMPTY, lettersOf, type Parts } from './parts.ts'

/** The empty word. */
export const NOTHING = 0

/** Words on the way from inputs to outputs, numbered. */
export class Words {
  readonly texts: string[] = ['']
  /** {@link lettersOf} them. */
  readonly letters: number[] = [0]
  private readonly ids = new Map<string, number>([['', NOTHING]])
  private readonly found: Int32Array[] = []
  private readonly parts: Parts
  private readonly side: number

  /** `side`: length of the longest parts that are asked for. */
  constructor(parts: Parts, side: number) {
    this.parts = parts
    this.side = side
  }

  get size(): number {
    return this.texts.length
  }

  id(text: string): number {
    let id = this.ids.get(text)
    if (id === undefined) {
      id = this.texts.length
      this.texts.push(text)
      this.letters.push(lettersOf(text))
      this.ids.set(text, id)
    }
    return id
  }

  /** The parts of a word that can be left sides, each once. */
  partsOf(id: number): Int32Array {
    let found = this.found[id]
    if (found === undefined) {
      const word = this.texts[id] as string
      const all = new Set<number>()
      for (let at = 0; at < word.length; at++) {
        let part = EMPTY
        for (let end = at; end < Math.min(word.length, at + this.side); end++) {
          part = this.parts.and(part, word.charCodeAt(end))
          all.add(part)
        }
      }
      found = Int32Array.from(all)
      this.found[id] = found
    }
    return found
  }
}
