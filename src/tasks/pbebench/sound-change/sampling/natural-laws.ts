import { parseLaw, type SoundLaw } from '../../../../libraries/rewriting/sounds/index.ts'

/** Laws that ran one after the other, with a word of a language that has them. */
export interface NaturalChange {
  readonly laws: readonly SoundLaw[]
  readonly example: string
}

/** Changes of one kind. */
interface Kind {
  readonly kind: string
  readonly changes: readonly NaturalChange[]
}

/**
 * Changes that languages have had, in the environments that they need. Each is one law, or a chain of laws (`;`) where the
 * first one alone would merge a class or leave what no language keeps.
 */
const written: { readonly [kind: string]: string } = {
  weakening: `
    {p t k} > {b d g} / V _ V = Latin vita, Spanish vida
    {b d g} > {β ð ɣ} / V _ V = Spanish lado
    b > v / V _ V = Latin habere, Italian avere
    s > z / V _ V = Northern Italian rosa
    z > r / V _ V = Latin *genesis, generis
    s > h / _ C = Andalusian Spanish mismo
    s > h / _ # = Andalusian Spanish los
    s > h / # _ V = *septm, Greek hepta
    f > h / # _ V = Latin filium, Old Spanish hijo
    h > ∅ = Latin homo, Italian uomo
    t > ʔ / V _ # = London cat
    k > ʔ / _ # = Malay anak
    g > ∅ / V _ V = Latin magistrum, Italian maestro
    x > h / # _ = Germanic *hundred, English hundred
    {t d} > {ɾ ɾ} / V _ V = American English atom`,
  shift: `
    {p t k} > {f θ x} ; {b d g} > {p t k} = Latin pater, decem, English father, ten
    t > ts / # _ V = English ten, German zehn
    ts > s = Old French cent, French cent
    θ > t = English thing, Swedish ting
    tʃ > ʃ = Old French chambre, French chambre
    dʒ > ʒ = Old French jour, French jour
    ʃ > x = Old Spanish dixo, Spanish dijo
    w > v / # _ = Latin vinum, Italian vino
    j > dʒ / # _ V = Latin iocum, Italian gioco
    l > w / _ C = Latin alterum, French autre
    x > k / _ s = Germanic *fuxs, English fox`,
  palatalisation: `
    k > tʃ / _ [front vowel] = Latin centum, Italian cento
    g > dʒ / _ [front vowel] = Latin gentem, Italian gente
    k > ts / _ [front vowel] = Slavic *kaina, cena
    t > tʃ / _ i = Japanese ti, chi
    s > ʃ / _ i = Japanese si, shi
    t > ts / _ u = Japanese tu, tsu
    d > dʒ / _ j V = Latin diurnum, Italian giorno
    n > ɲ / _ j V = Latin vinea, Italian vigna
    l > ʎ / _ j V = Latin filia, Italian figlia
    g > j / _ [front vowel] = Old English geard, English yard`,
  assimilation: `
    [nasal] > [bilabial] / _ [bilabial stop] = Latin in-possibilis, impossibilis
    [nasal] > [velar] / _ [velar stop] = English thank
    m > n / _ [alveolar stop] = Latin semita, Spanish senda
    {p k} > {t t} / _ t = Latin septem, octo, Italian sette, otto
    m > n / _ n = Latin somnus, Italian sonno
    n > l / _ l = Germanic *fulnaz, English full
    {p t k} > {b d g} / [nasal] _ = Greek panta, Modern Greek panda
    [voiceless obstruent] > [voiced] / _ [voiced obstruent] = Russian prosba
    [voiced obstruent] > [voiceless] / _ [voiceless obstruent] = Russian vodka
    V > [nasalised] / _ [nasal] # ; [nasal] > ∅ / [nasalised vowel] _ # = Latin bonum, French bon
    V > [nasalised] / _ [nasal] C ; [nasal] > ∅ / [nasalised vowel] _ C = Latin cantat, French chante`,
  dissimilation: `
    r > l / _ V r = Latin peregrinus, pelegrinus
    r > l / r V _ = Latin marmor, Spanish mármol
    l > r / l V _ = Latin *solalis, solaris
    l > r / _ V l = Latin *caeluleus, caeruleus
    {t k} > {d g} / _ V [voiceless stop] = Kikuyu *katatu, gatatu
    n > l / _ V n = Latin Bononia, Italian Bologna`,
  metathesis: `
    r a > a r / C _ = Old English græs, gærs
    r i > i r / C _ = Old English bridd, English bird
    r o > o r / C _ = Old English frost, forst
    e r > r e / C _ # = Latin semper, Italian sempre
    a r > r a / C _ C = Slavic *gardu, South Slavic grad
    o l > l o / C _ C = Slavic *golva, Polish głowa
    s k > k s / V _ V = Old English ascian, acsian
    s p > p s / _ # = Old English wæsp, wæps
    d l > l d / V _ V = Old Spanish *tidle, tilde`,
  harmony: `
    a > e / [front vowel] C _ = Turkish evler
    u > y / [front vowel] C _ = Turkish gözüm
    i > u / u C _ = Warlpiri kurdukurlu
    e > i / _ C i = Neapolitan *mesi, mise
    o > u / _ C i = Neapolitan *nipoti, nipute
    a > e / _ C i = Germanic *matiz, Old English mete
    u > y / _ C i = Germanic *mūsi, Old English mȳs
    o > ø / _ C i = Old High German oli, German Öl`,
  ends: `
    [voiced obstruent] > [voiceless] / _ # = German Tag
    m > ∅ / _ # = Latin lunam, Italian luna
    s > ∅ / _ # = Latin tempus, Italian tempo
    {a e o u} > {ə ə ə ə} / _ # ; ə > ∅ / _ # = Old English nama, English name
    e > ∅ / [liquid] _ # = Latin mare, Spanish mar
    e > ∅ / n _ # = Latin panem, Spanish pan`,
  vowels: `
    {eː oː} > {iː uː} = English meet, moon
    a u > oː = Latin aurum, Italian oro
    a i > eː = Indo-Iranian *ai, Sanskrit e
    {i u} > {e o} / _ C C = Latin pisces, Italian pesce
    e > i / _ [nasal] C = Germanic *bendan, English bind
    o > u / _ [nasal] C = Latin montem, Romanian munte
    o > u / _ # = Latin amo, Sicilian amu
    e > i / _ # = Latin mare, Sicilian mari
    V > [long] / _ [nasal] s ; [nasal] > ∅ / [long vowel] _ s = Germanic *gans, English goose
    V > [long] / _ h C ; h > ∅ / [long vowel] _ C = Middle English night
    [long vowel] > [short] / _ # = Latin amō, Italian amo`,
  loss: `
    i > ∅ / V C _ C V = Latin calidus, caldus
    u > ∅ / V C _ C V = Latin oculus, oclus
    k > ∅ / # _ n = English knee
    h > ∅ / # _ [liquid] = Old English hlaf, English loaf
    w > ∅ / s _ [rounded vowel] = English sword
    w > ∅ / _ [rounded vowel] = English two
    r > ∅ / _ C = Southern English card
    ʔ > ∅ = Proto-Polynesian *ʔate, Hawaiian ake
    ə > ∅ / V C _ C V = French samedi`,
  insertion: `
    ∅ > e / # _ s C = Latin schola, Spanish escuela
    ∅ > b / m _ r = Latin camera, French chambre
    ∅ > d / n _ r = Latin cinerem, French cendre
    ∅ > e / C _ [liquid] # = Old English æcr, æcer
    ∅ > p / m _ t = English Hampton
    ∅ > j / i _ a = Malay dia
    ∅ > w / u _ a = Malay dua
    ∅ > ʔ / # _ V = German Apfel`,
}

function lawOf(text: string): SoundLaw {
  const read = parseLaw(text)
  if (read.kind === 'none') throw new TypeError(`${text}: ${read.reason}`)
  return read.law
}

function changeOf(line: string): NaturalChange {
  const [laws = '', example = ''] = line.split(' = ')
  return { laws: laws.split(' ; ').map(lawOf), example }
}

/** By kind, so that kinds are drawn equally often however many changes each has. */
export const naturalChanges: readonly Kind[] = Object.entries(written).map(([kind, text]) => ({
  kind,
  changes: text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [changeOf(line.trim())])),
}))
