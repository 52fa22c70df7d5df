import { type Imported, type Importer, importProblem } from '../../../core/importer.ts'
import type { Json } from '../../../core/json.ts'
import { keyOf, type PublishedRecord, type Read, readRecords } from './records.ts'
import { readResponses } from './responses.ts'
import { comparisonAgrees, toComparison } from './to-comparison.ts'
import { familiesAgree, toFamilies } from './to-families.ts'
import { socialAgrees, toSocial } from './to-social.ts'
import { syllogismAgrees, toSyllogism } from './to-syllogism.ts'

/**
 * Reads the records of one task out of a release (JSONL, TFRecord) and the predictions for them. Every stored answer is
 * compared with what our oracle finds; disagreements are counted problems, and the stored answer stays.
 */
function importer<S extends Json, G extends Json, A extends Json>(
  name: string,
  task: string,
  read: (record: PublishedRecord) => Read<S, G, A>,
  agrees: (shared: S, given: G, answer: A) => boolean,
): Importer {
  return {
    name,
    task,
    describe: `Published ReCogLab records of ${task}: .jsonl, .tfrecord and *_predictions/*.json`,
    async *read(files): AsyncGenerator<Imported> {
      const known = new Set<string>()
      for await (const record of readRecords(files)) {
        if ('kind' in record) {
          yield record
          continue
        }
        const found = read(record)
        if (found === null) continue
        if (found.kind === 'unread') {
          yield importProblem('unread-question', record.path, record.line ?? record.index, found.reason)
          continue
        }
        const key = keyOf(record.dataset, record.index)
        if (known.has(key)) {
          yield importProblem('repeated-item', record.path, record.line ?? record.index, `${key} was read already`)
          continue
        }
        known.add(key)
        const { shared, given, answer, features } = found
        yield { kind: 'count', name: 'labelsChecked', add: 1 }
        if (!agrees(shared, given, answer))
          yield importProblem(
            'label-mismatch',
            record.path,
            record.line ?? record.index,
            `${key}: the stored answer ${JSON.stringify(answer)} does not follow`,
          )
        yield { kind: 'group', key, shared }
        yield { kind: 'item', key, group: key, given, answer, features }
      }
      yield* readResponses(files, known)
    },
  }
}

export const importers: readonly Importer[] = [
  importer('recoglab-comparison', 'recoglab/comparison', toComparison, comparisonAgrees),
  importer('recoglab-social', 'recoglab/social', toSocial, socialAgrees),
  importer('recoglab-syllogism', 'recoglab/syllogism', toSyllogism, syllogismAgrees),
  importer('recoglab-families', 'recoglab/families', toFamilies, familiesAgree),
]
