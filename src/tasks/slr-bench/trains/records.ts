import type { ShownRecords } from '../../../core/index.ts'
import { attributeNames, attributes, type Question } from './question.ts'

/** The trains of a question, for the audit; a published prompt shows none as data. */
export const records = ({ given }: Question): ShownRecords => ({
  records: given.kind === 'trains' ? given.trains : [],
  parts: attributeNames.flatMap((name, field) => attributes[name].map((part, value) => ({ field, value, part }))),
})
