import { editDistance } from '../../core/edit-distance.ts'

/** Levenshtein distance in code points. */
export const wordDistance = (a: string, b: string): number => (a === b ? 0 : editDistance([...a], [...b]))

/** The summed distance of corresponding words. */
export const totalDistance = (a: readonly string[], b: readonly string[]): number =>
  a.reduce((sum, word, i) => sum + wordDistance(word, b[i] as string), 0)
