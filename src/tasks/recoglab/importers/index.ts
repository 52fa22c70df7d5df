import { type Imported, type Importer, importProblem } from '../../../core/importer.ts'
import type { Json } from '../../../core/json.ts'
import { oracle as comparison } from '../comparison/oracle.ts'
import { oracle as families } from '../families/oracle.ts'
import { oracle as social } from '../social/oracle.ts'
import { oracle as syllogism } from '../syllogism/oracle.ts'
import { keyOf, type PublishedRecord, type Read, readRecords } from './records.ts'
import { readResponses } from './responses.ts'
import { toComparison } from './to-comparison.ts'
import { toFamilies } from './to-families.ts'
import { toSocial } from './to-social.ts'
import { toSyllogism } from './to-syllogism.ts'

/**
 * Reads the records of one task out of a release (JSONL, TFRecord) and the predictions for them. Every stored answer is
 * compared with what our oracle finds; disagreements are counted problems, and the stored answer stays.
 */
function importer<S extends Json, G extends Json, A extends Json>(
  task: string,
  read: (record: PublishedRecord) => Read<S, G, A>,
  oracle: (question: { readonly shared: S; readonly given: G }, answer: A) => boolean,
): Importer {
  return {
    name: `recoglab-${task}`,
    task: `recoglab/${task}`,
    describe: `Published ReCogLab records of recoglab/${task}: .jsonl, .tfrecord and *_predictions/*.json`,
    async *read(files): AsyncGenerator<Imported> {
      const known = new Set<string>()
      for await (const record of readRecords(files)) {
        if ('kind' in record) {
          yield record
          continue
        }
        const found = read(record)
        if (found === null) continue
        const problem = (kind: string, message: string) =>
          importProblem(kind, record.path, record.line ?? record.index, message)
        if (found.kind === 'unread') {
          yield problem('unread-question', found.reason)
          continue
        }
        const key = keyOf(record.dataset, record.index)
        if (known.has(key)) {
          yield problem('repeated-item', `${key} was read already`)
          continue
        }
        known.add(key)
        const { shared, given, answer, features } = found
        yield { kind: 'count', name: 'labelsChecked', add: 1 }
        if (!oracle({ shared, given }, answer))
          yield problem('label-mismatch', `${key}: the stored answer ${JSON.stringify(answer)} does not follow`)
        yield { kind: 'group', key, shared }
        yield { kind: 'item', key, group: key, given, answer, features }
      }
      yield* readResponses(files, known)
    },
  }
}

export const importers: readonly Importer[] = [
  importer('comparison', toComparison, comparison),
  importer('social', toSocial, social),
  importer('syllogism', toSyllogism, syllogism),
  importer('families', toFamilies, families),
]
