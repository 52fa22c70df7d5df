import { words } from './subject.ts'

/** Texts as lists of word numbers, with document counts. */
export interface Vocabulary {
  readonly words: readonly string[]
  /** In how many texts each word occurs. */
  readonly support: Int32Array
  /** Text i is `ids[start[i] .. start[i + 1]]`. */
  readonly ids: Int32Array
  readonly start: Int32Array
}

/** A text longer than this is cut for the probes: a context padded to 100,000 words tells no more by its end. */
const longest = 4000

export function vocabularyOf(texts: readonly string[]): Vocabulary {
  const numbers = new Map<string, number>()
  const support: number[] = []
  const lastSeen: number[] = []
  const ids: number[] = []
  const start = new Int32Array(texts.length + 1)
  for (const [i, text] of texts.entries()) {
    for (const word of words(text).slice(0, longest)) {
      let id = numbers.get(word)
      if (id === undefined) {
        id = numbers.size
        numbers.set(word, id)
        support.push(0)
        lastSeen.push(-1)
      }
      if (lastSeen[id] !== i) {
        lastSeen[id] = i
        support[id] = (support[id] as number) + 1
      }
      ids.push(id)
    }
    start[i + 1] = ids.length
  }
  return { words: [...numbers.keys()], support: Int32Array.from(support), ids: Int32Array.from(ids), start }
}
