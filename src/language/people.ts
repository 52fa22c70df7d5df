import firstNamesData from './data/first-names.json' with { type: 'json' }
import { partitioned } from './partition.ts'
import {
  streetFirst,
  streetKinds,
  surnameFirst,
  surnameSecond,
  townFirst,
  townSecond,
} from './words/family-words-data.ts'

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')
const sorted = (list: readonly string[]): string[] => [...list].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
const identity = (word: string): string => word
const compounds = (first: string, second: string): string[] =>
  sorted(words(first).flatMap((a) => words(second).map((b) => (a.endsWith(b) ? '' : a + b)))).filter(
    (word) => word !== '',
  )

/** Given names, alphabetical: none is an English word or a place, and no two are spellings of one name. */
export const firstNames = partitioned(sorted(Object.values(firstNamesData).flatMap(words)), identity)
/** Invented surnames, alphabetical. */
export const surnames = partitioned(compounds(surnameFirst, surnameSecond), identity)
/** Invented towns, alphabetical. */
export const towns = partitioned(compounds(townFirst, townSecond), identity)
/** "Cedar Lane" and the like, alphabetical. */
export const streets = partitioned(
  sorted(words(streetFirst).flatMap((first) => words(streetKinds).map((kind) => `${first} ${kind}`))),
  identity,
)
