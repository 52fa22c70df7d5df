import families from './data/families.json' with { type: 'json' }
import firstNamesData from './data/first-names.json' with { type: 'json' }
import { withBuckets } from './word-partition.ts'

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')
const sorted = (list: readonly string[]): string[] => [...list].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
const identity = (word: string): string => word
const compounds = (first: string, second: string): string[] =>
  sorted(words(first).flatMap((a) => words(second).map((b) => (a.endsWith(b) ? '' : a + b)))).filter(
    (word) => word !== '',
  )

/** Given names, alphabetical: none is an English word or a place, and no two are spellings of one name. */
export const firstNames = withBuckets(sorted(Object.values(firstNamesData).flatMap(words)), identity)
/** Invented surnames, alphabetical. */
export const surnames = withBuckets(compounds(families.surnames.first, families.surnames.second), identity)
/** Invented towns, alphabetical. */
export const towns = withBuckets(compounds(families.towns.first, families.towns.second), identity)
/** "Cedar Lane" and the like, alphabetical. */
export const streets = withBuckets(
  sorted(
    words(families.streets.first).flatMap((first) => words(families.streets.kind).map((kind) => `${first} ${kind}`)),
  ),
  identity,
)
/** What people in a family record like doing, alphabetical; no name is inside another. */
export const hobbies: readonly string[] = sorted(words(families.hobbies))
