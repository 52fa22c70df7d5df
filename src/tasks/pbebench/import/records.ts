import {
  type ImportedItem,
  type Importer,
  importProblem,
  type JsonObject,
  jsonRecords,
  loneItem,
} from '../../../core/index.ts'
import type { Rule } from '../../../libraries/rewriting/index.ts'
import { publishedRule } from '../answers/published.ts'

export const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

type Content = Pick<ImportedItem, 'given' | 'answer' | 'features'>

/** What is wrong with a record, and its item, if it makes one. */
export interface Read {
  readonly problems: readonly (readonly [kind: string, message: string])[]
  /** What is to be counted of it, by name. */
  readonly counts?: { readonly [name: string]: number }
  readonly item: Content | null
}

interface Layout extends Pick<Importer, 'name' | 'task' | 'describe'> {
  /** Whether a file of this name holds records of the layout. */
  readonly wanted: (name: string) => boolean
  /** The count of items without one kind of problem. */
  readonly agreement: { readonly count: string; readonly unless: string }
  read(record: JsonObject, path: string): Read
}

/** An importer of files that hold one record an item. */
export const recordImporter = ({ wanted, agreement, read, ...named }: Layout): Importer => ({
  ...named,
  async *read(files) {
    const counts = new Map([[agreement.count, 0]])
    const count = (name: string, add: number) => counts.set(name, (counts.get(name) ?? 0) + add)
    const isWanted = (path: string) => {
      const name = fileName(path)
      return /\.jsonl?$/.test(name) && !name.includes('stats') && wanted(name)
    }
    for await (const entry of jsonRecords(files, isWanted, 'an object with inputs, outputs and programs')) {
      if ('problem' in entry) {
        yield entry
        continue
      }
      const { path, line } = entry
      const { problems, item, counts: own = {} } = read(entry.record, path)
      for (const [kind, message] of problems) yield importProblem(kind, path, line, message)
      if (item === null) continue
      yield* loneItem(`${path}:${line}`, item)
      if (problems.every(([kind]) => kind !== agreement.unless)) count(agreement.count, 1)
      for (const [name, add] of Object.entries(own)) count(name, add)
    }
    for (const [name, add] of counts) yield { kind: 'count', name, add }
  },
})

/** A list of strings; null: the field is something else. */
export const texts = (value: unknown): readonly string[] | null =>
  Array.isArray(value) && value.every((part) => typeof part === 'string') ? value : null

/** Published programs; some files carry stray backslashes before the quotes. */
export function rulesOf(value: unknown): readonly Rule[] | null {
  const rules = texts(value)?.map((program) => publishedRule(program.replaceAll('\\', '')))
  return rules?.every((rule) => rule !== null) === true ? rules : null
}
