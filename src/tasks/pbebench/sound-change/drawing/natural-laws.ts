import { parseLaw, type SoundLaw } from '../../../../libraries/rewriting/sounds/index.ts'

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
