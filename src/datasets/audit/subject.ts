import type { AnonymizedQuestion, Features } from '../../core/index.ts'

/** One item as the audit sees it: what is asked, as text and features, and which answer is right. */
export interface Subject {
  readonly index: number
  /** Items that share something; each index its own where a task has no groups. */
  readonly group: number
  /** Equal for items that must lie in one fold: those of a group, and of groups or items equal up to renaming. */
  readonly cluster: string
  /** Equal for the labels of a unit; null where labels are not bundled. */
  readonly unit: string | null
  /** The prompt without what is shared by a group or by all. */
  readonly text: string
  readonly features: Features
  readonly answer: AnswerKey
  /** Guesses of the task's heuristics, by name. */
  readonly guesses: { readonly [name: string]: string }
  /** The question with its names erased; null where the task gives none. */
  readonly structure: AnonymizedQuestion | null
  /** The set of twins that are asked together; null: none. */
  readonly twin: number | null
  /** Words that the question itself holds, apart from how it is put: names, tokens. */
  readonly names: ReadonlySet<string>
}

export type AnswerKey =
  /** One of the same few answers for every item: `labels[key]`. */
  | { readonly kind: 'class'; readonly labels: readonly string[]; readonly key: number }
  /** Some of the answers that this item's own question allows. */
  | { readonly kind: 'candidates'; readonly candidates: readonly string[]; readonly accepted: readonly boolean[] }
  /** Free-form: score the answer with the task itself. */
  | { readonly kind: 'free'; readonly gold: string | null; score(answer: string): number }

/** Is every index a group of its own? Then a block is the unit alone. */
export const areAlone = (subjects: readonly Subject[]): boolean =>
  subjects.every((subject) => subject.group === subject.index)

/** Splits text into words: runs of letters, digits and the signs that join them. */
export const words = (text: string): string[] => text.match(/[\p{L}\p{N}_'-]+/gu) ?? []

/** Non-empty lines, or sentences where a text has no more than one line. */
export function statements(text: string): string[] {
  const parts = text.split(/[\n.!?;]+/u)
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

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
