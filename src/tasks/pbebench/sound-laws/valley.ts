import { type Cascade, runCascade } from '../../../libraries/rewriting/index.ts'
import type { Language } from './word-pairs.ts'

/**
 * Words of an invented language, "Old Valley", and of two languages that came of it by known sound changes. Small data
 * of our own, for a first run and for tests: here the true laws are known.
 */
const OLD_VALLEY =
  'pateka kalami tosuni bekota munapi sakito delumi ngatapo kipasa lotemi panuko tikela samudo nekapa bolati ' +
  'katusi mepano dukila sotape latomi pikatu nasolu gatemi kobadu tulapa simeko ranuti pokela metasu kudani ' +
  'talipo nomeka sapiti lukado benasi katomu pesila gonuta milape toraku sekani dapolu nitema kulaso paremi ' +
  'tukopa lasime konati bidela'

/** Lowland: ng loses its g, k and t soften before i, stops weaken between certain vowels, s becomes h. */
export const LOWLAND: Cascade = [
  ['ng', 'n'],
  ['ki', 'tʃi'],
  ['ti', 'tʃi'],
  ['api', 'abi'],
  ['apo', 'abo'],
  ['apa', 'aba'],
  ['ate', 'ade'],
  ['ato', 'ado'],
  ['ako', 'ago'],
  ['oka', 'oga'],
  ['eka', 'ega'],
  ['s', 'h'],
]

/**
 * Highland: l and d turn to r, b to v, k to a glottal stop; s is lost between certain vowels, ai and au merge; t becomes an
 * affricate before u.
 */
export const HIGHLAND: Cascade = [
  ['l', 'r'],
  ['b', 'v'],
  ['d', 'r'],
  ['k', 'ʔ'],
  ['asi', 'ai'],
  ['asu', 'au'],
  ['usi', 'ui'],
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
