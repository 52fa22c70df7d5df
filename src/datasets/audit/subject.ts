import { type AnonymizedQuestion, type Features, isArray, isObject, type Json, type Request } from '../../core/index.ts'
import type { RecordPart } from './records.ts'

/** One audited item: its question as text and features, and its correct answer. */
export interface Subject {
  readonly index: number
  /** The group; its own index for a task without groups. */
  readonly group: number
  /** Items of one cluster lie in one fold: items of a group, and of groups or items equal up to renaming. */
  readonly cluster: string
  /** Equal for items that differ only in their label; null where labels are not balanced. */
  readonly answerBlock: string | null
  /** The prompt without lines shared by the group or the set. */
  readonly text: string
  readonly features: Features
  readonly answer: AnswerKey
  /** Guesses of the task's heuristics, by name. */
  readonly guesses: { readonly [name: string]: string }
  /** Labels that the prompt shows before its last paragraph; absent: none. */
  readonly shown?: Shown
  /** What the records of the question say of the parts that its answer may name; absent: it shows none. */
  readonly parts?: readonly RecordPart[]
  /** The question with its names erased; null: the task has none. */
  readonly anonymized: AnonymizedQuestion | null
  /** The contrast set (minimal pairs) of the item; null: none. */
  readonly twin: number | null
  /** Words of the question's data, such as names and tokens. */
  readonly names: Iterable<string>
}

export interface Shown {
  readonly first: string
  readonly last: string
  readonly commonest: string
}

export type AnswerKey =
  /** The answer is `labels[key]`; all items have the same labels. */
  | { readonly kind: 'class'; readonly labels: readonly string[]; readonly key: number }
  /** The choices of this item, and which are accepted. */
  | { readonly kind: 'candidates'; readonly candidates: readonly string[]; readonly accepted: readonly boolean[] }
  /** Free-form: scored by the task. */
  | { readonly kind: 'free'; readonly gold: string | null; score(answer: string): number }

/** True if every index is its own group; then a block is an answer block alone. */
export const areUngrouped = (subjects: readonly Subject[]): boolean =>
  subjects.every((subject) => subject.group === subject.index)

/** Block of each item: group, answer block, contrast set and declared conditions (docs/audit.md#method). */
export function blockLabels(subjects: readonly Subject[], conditions: readonly string[]): string[] {
  const ungrouped = areUngrouped(subjects)
  return subjects.map((subject) =>
    JSON.stringify([
      ungrouped ? null : subject.group,
      subject.answerBlock,
      subject.twin,
      ...conditions.map((name) => subject.features[name] ?? null),
    ]),
  )
}

/** Words of a text: runs of letters, digits, `_`, `'` and `-`. */
export const words = (text: string): string[] => text.match(WORD) ?? []
const WORD = /[\p{L}\p{N}_'-]+/gu

/** Words of all strings in data. */
export function wordsIn(data: Json): ReadonlySet<string> {
  const found = new Set<string>()
  const collect = (value: Json): void => {
    if (typeof value === 'string') for (const word of words(value)) found.add(word)
    else if (isArray(value)) value.forEach(collect)
    else if (isObject(value)) Object.values(value).forEach(collect)
  }
  collect(data)
  return found
}

/** A prompt with the words of its question numbered by their first mention: equal for prompts that differ in names alone. */
export function promptForm(text: string, given: Json): string {
  const names = wordsIn(given)
  const ids = new Map<string, number>()
  return text.replace(WORD, (word) => {
    if (!names.has(word)) return word
    const id = ids.get(word) ?? ids.size
    ids.set(word, id)
    return `#${id}`
  })
}

export const requestText = (request: Request): string =>
  request.kind === 'chat' ? request.messages.map((message) => message.content).join('\n') : request.text

/** Lines and sentences of a text that are not empty. */
export function statements(text: string): string[] {
  const parts = text.split(/[\n.!?;]+/u)
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** Texts as lists of word ids. */
export interface Vocabulary {
  readonly words: readonly string[]
  /** Number of texts with each word. */
  readonly support: Int32Array
  /** Text i is `ids[start[i] .. start[i + 1]]`. */
  readonly ids: Int32Array
  readonly start: Int32Array
}

/** Words kept of a text: the end of a context padded to 100,000 words tells no more. */
const MAX_WORDS = 4000

export function vocabularyOf(texts: readonly string[]): Vocabulary {
  const numbers = new Map<string, number>()
  const support: number[] = []
  const lastSeen: number[] = []
  let ids = new Int32Array(1024)
  let count = 0
  const start = new Int32Array(texts.length + 1)
  for (const [i, text] of texts.entries()) {
    for (const word of words(text).slice(0, MAX_WORDS)) {
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
      if (count === ids.length) ids = withRoom(ids, 2 * count)
      ids[count++] = id
    }
    start[i + 1] = count
  }
  return { words: [...numbers.keys()], support: Int32Array.from(support), ids: withRoom(ids, count), start }
}

/** The same numbers in a list of this length. */
export const withRoom = (list: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> =>
  new Int32Array(list.buffer.transfer(4 * length))
