import type { Given } from './question.ts'

/** Surnames and first names of the records. */
export const allWords = ({ families }: Given): string[] =>
  families.flatMap((family) => [family.surname, ...family.members.map((member) => member.name)])
