import type { Given } from '../question.ts'

/** Surnames and first names of the records. */
export function allWords({ families }: Given): string[] {
  const words: string[] = []
  for (const { surname, members } of families) {
    words.push(surname)
    for (const { name } of members) words.push(name)
  }
  return words
}
