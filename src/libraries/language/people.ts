import { enc, sha256 } from '../../core/hash.ts'
import { pick } from '../../core/random.ts'
import { streamFromKey } from '../../core/streams.ts'
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

const onsets = 'bl br cl cr d dr f fl fr g gl gr j k kl kr l m n p pl pr qu r s sl sn sp st str t tr v w y z zw'.split(
  ' ',
)
const middles =
  'a e i o u ab ack ad ag am arb av eb eck eg elm emb erg ib iff ig imb irp ob og olm omp onk orv ub uff ulg unk urm'.split(
    ' ',
  )
const ends = 'bles dons fers gits kers lops mins nacks pets rals sooms tives vids wugs zons'.split(' ')

/** Invented plural nouns ("blickers"), in code-unit order; none is a word of the taxonomy. */
export const nonsense = withBuckets(
  [
    ...new Set(
      onsets.flatMap((a) =>
        middles.map((b, i) => `${a}${b}${ends[(i * 7 + a.length * 3 + a.charCodeAt(0)) % ends.length]}`),
      ),
    ),
  ].sort((a, b) => (a < b ? -1 : 1)),
  (word) => word,
)

const symbols = [...'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789']

/** Distinct meaningless strings of five letters and digits (none that are easily misread), in code-unit order. */
export const randomStrings = withBuckets(makeCodes(8000), (code) => code)

function makeCodes(count: number): string[] {
  const stream = streamFromKey(sha256(enc('recoglab/codes/1')))
  const made = new Set<string>()
  while (made.size < count) {
    let code = ''
    for (let i = 0; i < 5; i++) code += pick(stream, symbols)
    // At least one digit, so that none is an English word.
    if (/\d/.test(code)) made.add(code)
  }
  return [...made].sort((a, b) => (a < b ? -1 : 1))
}
