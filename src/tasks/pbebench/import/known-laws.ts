/** Laws by which linguistics explains the words of a language, in the order in which they must have run. */
interface KnownLaws {
  /** The older language, as word lists name it: in small letters, without `Proto-`. */
  readonly older: readonly string[]
  readonly younger: string
  readonly laws: readonly string[]
  /** Which must have come first, and why: the chronology of the rest is not known, and their order here says nothing. */
  readonly order: string
  readonly source: string
}

const BIGGS = 'B. Biggs, The history of Polynesian phonology (Pacific Linguistics C-61, 1978)'
const POLYNESIAN = ['atr', 'polynesian'] as const

/**
 * Facts of published reconstructions, the consonants of Proto-Polynesian in five languages. What happened to single words, to vowels and their length
 * is not of them: they explain two words in three.
 */
export const knownLaws: readonly KnownLaws[] = [
  {
    older: POLYNESIAN,
    younger: 'hawaiian',
    laws: ['h > ∅', 'ʔ > ∅', 'f > h', 's > h', 'r > l', 'ŋ > n', 'k > ʔ', 't > k'],
    order: 'old h was lost before f and s became h, the old glottal stop before k became one, k before t became k',
    source: `${BIGGS}; S. Elbert, Hawaiian reflexes of Proto-Malayo-Polynesian and Proto-Polynesian reconstructed forms (1964)`,
  },
  {
    older: POLYNESIAN,
    younger: 'samoan',
    laws: ['h > ∅', 'ʔ > ∅', 'r > l', 'w > v', 'k > ʔ'],
    order: 'the old glottal stop was lost before k became one',
    source: BIGGS,
  },
  {
    older: POLYNESIAN,
    younger: 'rarotongan',
    laws: ['h > ∅', 'ʔ > ∅', 'f > ʔ', 's > ʔ', 'l > r', 'w > v'],
    order: 'the old glottal stop was lost before f and s became one',
    source: BIGGS,
  },
  {
    older: POLYNESIAN,
    younger: 'tongan',
    laws: ['s > h', 'r > ∅', 'w > v'],
    order: 'they do not meet',
    source: BIGGS,
  },
  {
    older: POLYNESIAN,
    younger: 'niue',
    laws: ['s > h', 'r > ∅', 'w > v', 'ʔ > ∅'],
    order: 'they do not meet',
    source: BIGGS,
  },
]

const plain = (name: string): string => name.toLowerCase().replace(/^(?:\*|proto-?\s*)/u, '')

/** The known laws of a younger language; empty: none are known here. */
export function lawsKnown(older: string, younger: string): readonly string[] {
  const found = knownLaws.find(
    (known) => plain(younger).startsWith(known.younger) && known.older.includes(plain(older)),
  )
  return found?.laws ?? []
}
