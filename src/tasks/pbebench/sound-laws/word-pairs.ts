import { UsageError } from '../../../core/index.ts'
import { type Cascade, runCascade } from '../../../libraries/rewriting/index.ts'

/** A word and what it became. */
export type WordPair = readonly [earlier: string, later: string]

/** Words of one language pair. */
export interface WordList {
  readonly name: string
  readonly pairs: readonly WordPair[]
}

export interface Language extends WordList {
  /** The laws that made the later words; null where they are not known. */
  readonly laws: Cascade | null
}

/** Largest text of one source, in code units. */
const MAX = 5_000_000

const linesOf = (text: string): string[] => {
  const lines = text.split(/\r?\n/)
  while (lines.at(-1) === '') lines.pop()
  return lines
}

/** Two aligned texts, one word per line. @throws UsageError where they do not line up. */
export function alignedPairs(name: string, earlier: string, later: string): WordPair[] {
  const size = earlier.length + later.length
  if (size > MAX) throw new UsageError(`${name}: at most ${MAX} characters of words, got ${size}; split the list`)
  const [a, b] = [linesOf(earlier), linesOf(later)]
  if (a.length !== b.length)
    throw new UsageError(
      `${name}: the two word lists must have the same number of lines, got ${a.length} and ${b.length}`,
    )
  return a.map((word, i) => checked(name, i + 1, word, b[i] as string))
}

/** The pairs as they are given. @throws UsageError where one is no pair of words. */
export const givenPairs = (name: string, pairs: readonly WordPair[]): WordPair[] =>
  pairs.map(([earlier, later], i) => checked(name, i + 1, earlier, later))

function checked(name: string, line: number, earlier: string, later: string): WordPair {
  if (earlier === '') throw new UsageError(`${name}, line ${line}: the earlier word is empty`)
  if (/[\ud800-\udfff]/.test(earlier + later))
    throw new UsageError(`${name}, line ${line}: letters above U+FFFF are not supported`)
  if (/[\r\n]/.test(earlier + later)) throw new UsageError(`${name}, line ${line}: a word must not hold a line break`)
  return [earlier, later]
}

/** Chunks in file order, the last one short. */
export function chunked<T>(list: readonly T[], size: number): (readonly T[])[] {
  const out: (readonly T[])[] = []
  for (let at = 0; at < list.length; at += size) out.push(list.slice(at, at + size))
  return out
}

/**
 * Words of an invented language, "Old Valley", and of two languages that came of it by known sound changes. Small data
 * of our own, for a first run and for tests: here the true laws are known.
 */
const OLD_VALLEY =
  'pateka kalami tosuni bekota munapi sakito delumi ngatapo kipasa lotemi panuko tikela samudo nekapa bolati ' +
  'katusi mepano dukila sotape latomi pikatu nasolu gatemi kobadu tulapa simeko ranuti pokela metasu kudani ' +
  'talipo nomeka sapiti lukado benasi katomu pesila gonuta milape toraku sekani dapolu nitema kulaso paremi ' +
  'tukopa lasime konati bidela'

/** Lowland: ng loses its g, k t s soften before i, t before u, other s become h, p becomes f. */
export const LOWLAND: Cascade = [
  ['ng', 'n'],
  ['ki', 'tʃi'],
  ['ti', 'tʃi'],
  ['si', 'ʃi'],
  ['s', 'h'],
  ['tu', 't͡su'],
  ['p', 'f'],
]

/** Highland: l and d merge in r, b becomes v, k a glottal stop, s is lost, then ai and au merge; t becomes an affricate before u. */
export const HIGHLAND: Cascade = [
  ['l', 'r'],
  ['b', 'v'],
  ['d', 'r'],
  ['k', 'ʔ'],
  ['s', ''],
  ['ai', 'eː'],
  ['au', 'oː'],
  ['tu', 't͡su'],
]

function daughter(name: string, laws: Cascade): Language {
  const earlier = OLD_VALLEY.split(' ')
  const later = runCascade(earlier, laws)
  return { name, pairs: earlier.map((word, i) => [word, later[i] as string] as const), laws }
}

export const valleyLanguages: readonly Language[] = [
  daughter('old-valley to lowland', LOWLAND),
  daughter('old-valley to highland', HIGHLAND),
]
