import type { ShownRecords } from '../../../core/index.ts'
import { type Question, usedValues, valueName } from './question.ts'

/** The trains of a question, for the audit; a published prompt shows none as data. */
export const records = ({ given }: Question): ShownRecords =>
  given.kind === 'published'
    ? { records: [], parts: [] }
    : {
        records: given.trains,
        parts: usedValues(given).flatMap((values, field) =>
          values.map((value) => ({ field, value, part: valueName(field, value) })),
        ),
      }
