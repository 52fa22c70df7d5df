import { below, coin, pick, type Stream, shuffle } from '../../../../core/index.ts'
import type { Word } from '../../../../libraries/rewriting/sounds/index.ts'

/** An older language: its sounds, and which of them may stand where in a syllable. */
export interface OlderLanguage {
  readonly onsets: readonly string[]
  readonly vowels: readonly string[]
  /** Consonants that may close a syllable; empty: every syllable is open. */
  readonly codas: readonly string[]
  /** Liquids and glides that may follow a stop in the onset. */
  readonly seconds: readonly string[]
  /** Of ten syllables, how many begin with two consonants, end with one, and (of those that begin a word) begin with none. */
  readonly often: { readonly second: number; readonly coda: number; readonly bare: number }
}

const VOWELS = [
  ['i', 'a', 'u'],
  ['i', 'e', 'a', 'o', 'u'],
  ['i', 'e', 'a', 'o', 'u'],
  ['i', 'e', 'a', 'o', 'u', 'aː', 'eː', 'oː'],
  ['i', 'e', 'ɛ', 'a', 'ɔ', 'o', 'u'],
  ['i', 'e', 'a', 'o', 'u', 'ə'],
] as const
const STOPS = ['p', 't', 'k'] as const
const VOICED = ['b', 'd', 'g'] as const
const MORE = ['ʔ', 'h', 'f', 'x', 'z', 'ʃ', 'ŋ', 'tʃ', 'ts', 'θ'] as const
const STOPLIKE: ReadonlySet<string> = new Set([...STOPS, ...VOICED])

/** Every language has p t k, m n and s; what else it has, and its syllables, differ. */
export function drawLanguage(stream: Stream): OlderLanguage {
  const voiced = below(stream, 4) > 0 ? VOICED : []
  const liquids = shuffle(stream, ['r', 'l']).slice(0, 1 + below(stream, 2))
  const glides = shuffle(stream, ['w', 'j']).slice(0, below(stream, 3))
  const more = shuffle(stream, MORE).slice(0, 1 + below(stream, 4))
  const onsets = [...STOPS, ...voiced, 'm', 'n', 's', ...liquids, ...glides, ...more]
  const codas = pick(stream, [
    [],
    ['n', 'm', 's', ...liquids],
    [...STOPS, 'n', 's', ...liquids],
    [...STOPS, ...voiced, 'm', 'n', 's', ...liquids],
    ['n', 'm', ...voiced, 's'],
  ])
  return {
    onsets,
    vowels: pick(stream, VOWELS),
    codas,
    seconds: coin(stream) ? [...liquids, ...glides] : [],
    often: { second: 1 + below(stream, 4), coda: 2 + below(stream, 5), bare: below(stream, 3) },
  }
}

function syllable(stream: Stream, language: OlderLanguage, first: boolean, last: boolean): Word {
  const { onsets, vowels, codas, seconds, often } = language
  const out: string[] = []
  if (!(first && below(stream, 10) < often.bare)) {
    const onset = pick(stream, onsets)
    out.push(onset)
    if (seconds.length > 0 && STOPLIKE.has(onset) && below(stream, 10) < often.second) out.push(pick(stream, seconds))
  }
  out.push(pick(stream, vowels))
  if (codas.length > 0 && below(stream, 10) < (last ? often.coda + 1 : often.coda - 1)) out.push(pick(stream, codas))
  return out
}

/** A word of two or three syllables, now and then of one or four. */
function drawWord(stream: Stream, language: OlderLanguage): Word {
  const count = pick(stream, [1, 2, 2, 2, 2, 3, 3, 3, 4])
  return Array.from({ length: count }, (_, k) => syllable(stream, language, k === 0, k === count - 1)).flat()
}

/** Different words. */
export function drawWords(stream: Stream, language: OlderLanguage, count: number): readonly Word[] {
  const words = new Map<string, Word>()
  while (words.size < count) {
    const word = drawWord(stream, language)
    if (word.length > 1) words.set(word.join(' '), word)
  }
  return [...words.values()]
}
