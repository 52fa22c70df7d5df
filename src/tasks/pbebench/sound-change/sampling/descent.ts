import { below, pick, type Stream } from '../../../../core/index.ts'
import {
  applyLaw,
  applyLaws,
  Derivations,
  type Interaction,
  parseLaw,
  printLaw,
  type SoundLaw,
  type Word,
  wordText,
} from '../../../../libraries/rewriting/sounds/index.ts'

/** Requirements of a list of laws on the words shown. */
interface Wanted {
  readonly laws: number
  /** Words that each law changes, and that come out otherwise without it. */
  readonly changed: number
  /** Two laws with this relation in two words; null: any. */
  readonly interaction: Interaction | null
}

/** Maximum tries of natural laws per position in a list. */
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

/** The positions of a given number of loans. */
export function loansOf(stream: Stream, words: number, share: number): ReadonlySet<number> {
  const wanted = Math.floor(words * share)
  const out = new Set<number>()
  while (out.size < wanted) out.add(below(stream, words))
  return out
}

/** Laws of one kind, as the languages of the world have them again and again. */
interface Kind {
  readonly kind: string
  readonly laws: readonly SoundLaw[]
}

const written: { readonly [kind: string]: string } = {
  lenition: `
    [voiceless stop] > [voiced] / V _ V
    [voiceless stop] > [voiced] / [sonorant] _ V
    [voiced stop] > [fricative] / V _ V
    [voiced bilabial stop] > [fricative] / V _
    [voiceless stop] > [fricative] / V _ #
    k > x / V _ V
    p > f
    p > h / # _
    s > h / V _ V
    s > h / _ #
    s > z / V _ V
    s > r / V _ V
    f > h
    x > h
    b > w / V _ V
    g > j / _ [front]
    d > l / V _ V
    t > ʔ / _ #
    k > ʔ / _ #
    [voiceless stop] > ʔ / _ #`,
  palatalisation: `
    k > tʃ / _ [front]
    g > dʒ / _ [front]
    {k g} > {tʃ dʒ} / _ i
    t > tʃ / _ i
    t > ts / _ [high]
    d > dz / _ i
    s > ʃ / _ i
    s > ʃ / i _
    {s z} > {ʃ ʒ} / _ [front]
    {t d} > {tʃ dʒ} / _ j
    n > ɲ / _ [front high]
    l > ʎ / _ i
    x > ç / [front] _`,
  devoicing: `
    [voiced obstruent] > [voiceless] / _ #
    [voiced stop] > [voiceless] / # _
    [voiced obstruent] > [voiceless] / _ [voiceless]
    [voiced stop] > [voiceless]`,
  shift: `
    [voiceless stop] > [fricative]
    {p t k} > {f θ x} / # _
    [voiced stop] > [fricative]
    θ > t
    θ > s
    ʃ > s
    tʃ > ʃ
    ts > s
    dʒ > ʒ
    w > v
    j > dʒ / # _
    r > l
    l > r
    r > ʀ
    ŋ > n
    ŋ > g / # _
    h > ʔ
    f > p
    z > r
    b > v
    β > v
    ð > d
    ɣ > g
    x > k`,
  assimilation: `
    [nasal] > [bilabial] / _ [bilabial]
    [nasal] > [velar] / _ [velar]
    n > m / _ [labial]
    [voiceless stop] > [voiced] / [nasal] _
    [voiceless obstruent] > [voiced] / _ [voiced obstruent]
    n > l / _ l
    l > n / _ [nasal]
    [stop] > [velar] / _ [velar]
    V > [nasalised] / _ [nasal] #
    V > [nasalised] / _ [nasal] C`,
  vowels: `
    e > i
    o > u
    [close-mid] > [high] / _ #
    [close-mid] > [high] / _ [nasal]
    [close-mid] > [high] / _ C [high]
    [high] > [close-mid] / _ C #
    a > e / _ C i
    a > o / _ C u
    a > ɛ / _ i
    u > y / _ C i
    o > ø / _ C i
    [back rounded] > [front] / _ C i
    a > ɔ / [bilabial] _
    a > ə / _ #
    a > ɑ / _ [velar]
    u > ɨ
    y > i
    ø > e
    ɛ > e
    ɔ > o
    ə > a
    a i > eː
    a u > oː
    [short] > [long] / _ h C
    V > [long] / _ [voiced] #
    V > [long] / _ ʔ
    [long vowel] > [short]
    eː > iː
    oː > uː
    aː > oː
    [long] > [short] / _ #`,
  loss: `
    V > ∅ / _ #
    [high short] > ∅ / _ #
    a > ∅ / _ #
    ə > ∅
    i > ∅ / C _ C V
    [high] > ∅ / V C _ C V
    V > ∅ / V C _ C V
    h > ∅
    h > ∅ / # _
    h > ∅ / V _ V
    ʔ > ∅
    ʔ > ∅ / _ #
    w > ∅ / # _
    w > ∅ / _ [rounded]
    j > ∅ / _ i
    s > ∅ / _ #
    t > ∅ / _ #
    [nasal] > ∅ / _ #
    n > ∅ / [nasalised] _
    [nasal] > ∅ / [nasalised] _
    n > ∅ / _ s
    r > ∅ / _ C
    [liquid] > ∅ / _ #
    g > ∅ / V _ V
    ɣ > ∅
    x > ∅ / _ #
    k > ∅ / _ #
    C > ∅ / _ C #`,
  insertion: `
    ∅ > e / # _ s C
    ∅ > i / C _ C #
    ∅ > ə / C _ C #
    ∅ > j / i _ a
    ∅ > w / u _ a
    ∅ > b / m _ r
    ∅ > d / n _ r
    ∅ > h / # _ V
    ∅ > ʔ / # _ V
    ∅ > a / _ #
    ∅ > t / n _ s`,
}

function lawOf(text: string): SoundLaw {
  const read = parseLaw(text)
  if (read.kind === 'none') throw new TypeError(`${text}: ${read.reason}`)
  return read.law
}

/** By kind, so that kinds are drawn equally often however many laws each has. */
export const naturalLaws: readonly Kind[] = Object.entries(written).map(([kind, text]) => ({
  kind,
  laws: text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [lawOf(line.trim())])),
}))
