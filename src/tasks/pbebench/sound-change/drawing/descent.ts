import { below, pick, type Stream } from '../../../../core/index.ts'
import {
  applyLaw,
  applyLaws,
  Derivations,
  type Interaction,
  printLaw,
  type SoundLaw,
  type Word,
  wordText,
} from '../../../../libraries/rewriting/sounds/index.ts'
import { naturalLaws } from './natural-laws.ts'

/** What a list of laws must do to the words shown. */
export interface Wanted {
  readonly laws: number
  /** Words that each law changes, and that come out otherwise without it. */
  readonly changed: number
  /** Two laws that meet so in two words; null: whatever comes. */
  readonly interaction: Interaction | null
}

/** Natural laws are tried for one place in a list, so many times. */
const TRIES = 60
/** Words in which a wanted interaction is to be seen. */
const SEEN = 2

/** Laws in their order; null: this attempt came to nothing. */
export function drawLaws(stream: Stream, words: readonly Word[], wanted: Wanted): readonly SoundLaw[] | null {
  const laws: SoundLaw[] = []
  const texts = new Set<string>()
  let now = words
  for (let tries = 0; laws.length < wanted.laws && tries < TRIES; tries++) {
    const law = pick(stream, pick(stream, naturalLaws).laws)
    const text = printLaw(law)
    if (texts.has(text)) continue
    const after = changedBy(law, now, wanted.changed)
    if (after === null) continue
    texts.add(text)
    laws.push(law)
    now = after
  }
  return laws.length === wanted.laws &&
    eachNeeded(laws, words, wanted.changed) &&
    shows(laws, words, wanted.interaction)
    ? laws
    : null
}

/** Words after a law; null where it changes too few, or leaves one of them without a second sound. */
function changedBy(law: SoundLaw, words: readonly Word[], least: number): readonly Word[] | null {
  let count = 0
  const out: Word[] = []
  for (const word of words) {
    const after = applyLaw(law, word)
    if (after === null || after.length < 2) return null
    if (wordText(after) !== wordText(word)) count++
    out.push(after)
  }
  return count < least ? null : out
}

/** Does every law leave its trace in as many words? */
function eachNeeded(laws: readonly SoundLaw[], words: readonly Word[], least: number): boolean {
  const outcomes = outcomesOf(laws, words)
  return laws.every((_, k) => {
    const without = outcomesOf(laws.toSpliced(k, 1), words)
    return without.filter((word, i) => word !== outcomes[i]).length >= least
  })
}

const outcomesOf = (laws: readonly SoundLaw[], words: readonly Word[]): readonly string[] =>
  words.map((word) => wordText(applyLaws(laws, word) ?? []))

function shows(laws: readonly SoundLaw[], words: readonly Word[], interaction: Interaction | null): boolean {
  if (interaction === null) return true
  const derivations = new Derivations(laws, words)
  return laws.some((_, later) =>
    laws.slice(0, later).some((_, earlier) => derivations.pair(earlier, later).words[interaction] >= SEEN),
  )
}

/** Which words are loans: so many of them. */
export function loansOf(stream: Stream, words: number, share: number): ReadonlySet<number> {
  const wanted = Math.floor(words * share)
  const out = new Set<number>()
  while (out.size < wanted) out.add(below(stream, words))
  return out
}
