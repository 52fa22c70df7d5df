import { enc, LruCache, type Stream, sha256, streamFromKey } from '../../../core/index.ts'
import { type Language, languageOf, sampleText, stepsOf } from '../languages/compiled.ts'

/**
 * What new strings of a language are worth. Its strings fall into five strata of about equal probability, by length or
 * (where there are fewer than five lengths) by probability, and each pays for at most twice its share of the strings
 * requested: to write only the likeliest or the shortest strings is not to know the language.
 */

const STRATA = 5
/** Strings that a stratum pays for, over those that the language writes in it. */
const EXCESS = 2
const MIN_POOL = 600
const MAX_POOL = 6000
/** Requests answered by the language itself, to find what it earns. */
const REQUESTS = 30

interface Standard {
  /** The stratum of a string; null: it is not of the language. */
  stratumOf(text: string): number | null
  /** Distinct new strings that each stratum pays for. */
  readonly caps: readonly number[]
  /** Strings drawn from the language. */
  readonly pool: readonly string[]
}

const standards = new LruCache<Standard, string>(64)

const standardOf = (grammar: string, strings: number): Standard =>
  standards.get(`${strings}\n${grammar}`, () => makeStandard(grammar, strings))

function makeStandard(grammar: string, strings: number): Standard {
  const language = languageOf(grammar)
  const stream = streamFromKey(sha256(enc('touchstone/proficiency/standard/1', grammar, strings)))
  const size = Math.min(MAX_POOL, Math.max(MIN_POOL, REQUESTS * strings))
  const pool = Array.from({ length: size }, () => sampleText(language, stream))
  const lengths = new Set(pool.map((text) => text.split(' ').length))
  const keyOf = (text: string): number | null => {
    const bits = bitsOf(language, text)
    return bits === null ? null : lengths.size < STRATA ? bits : text.split(' ').length * MAX_BITS + bits
  }
  const keys = pool.map((text) => keyOf(text) as number)
  const sorted = keys.toSorted((a, b) => a - b)
  const cuts = Array.from(
    { length: STRATA - 1 },
    (_, q) => sorted[Math.floor(((q + 1) * sorted.length) / STRATA)] as number,
  )
  // Strings of equal keys share a stratum, which is larger then.
  const at = (key: number): number => cuts.filter((cut) => key > cut).length
  const counts = Array.from({ length: STRATA }, () => 0)
  for (const key of keys) counts[at(key)] = (counts[at(key)] as number) + 1
  return {
    stratumOf(text) {
      const key = keyOf(text)
      return key === null ? null : at(key)
    },
    caps: counts.map((count) => (EXCESS * strings * count) / size),
    pool,
  }
}

/** More than -log2 of the probability of any string that is scored. */
const MAX_BITS = 1e6
/** Equal probabilities reached by different roundings are equal. */
const ROUNDING = 1e6

/** -log2 of the probability of a string, by products alone so that every machine has the same; null: 0. */
function bitsOf(language: Language, text: string): number | null {
  const steps = stepsOf(language, text)
  if (steps === null) return null
  let [mantissa, bits] = [1, 0]
  for (const step of steps) {
    mantissa *= step
    while (mantissa < 0.5) {
      mantissa *= 2
      bits++
    }
  }
  // Between the powers of two any increasing function will do.
  return Math.round((bits + 2 * (1 - mantissa)) * ROUNDING) / ROUNDING
}

/**
 * What the strings written earn, as a share of those requested (or written, `lines`, if more): each new string of the
 * language once, up to its stratum's cap.
 */
export function earned(
  grammar: string,
  examples: readonly string[],
  written: readonly string[],
  strings: number,
  lines = written.length,
): number {
  const { stratumOf, caps } = standardOf(grammar, strings)
  const shown = new Set(examples)
  const counts = caps.map(() => 0)
  for (const text of new Set(written)) {
    const stratum = shown.has(text) ? null : stratumOf(text)
    if (stratum !== null) counts[stratum] = (counts[stratum] as number) + 1
  }
  const paid = counts.reduce((sum, count, q) => sum + Math.min(count, caps[q] as number), 0)
  return paid / Math.max(strings, lines)
}

/** What the language itself earns on average after these examples. */
export function expected(grammar: string, examples: readonly string[], strings: number): number {
  const { pool } = standardOf(grammar, strings)
  const requests = Math.floor(pool.length / strings)
  let sum = 0
  for (let n = 0; n < requests; n++)
    sum += earned(grammar, examples, pool.slice(n * strings, (n + 1) * strings), strings)
  return sum / requests
}

/** Draws from the language per string of a gold response, before old or repeated ones are taken. */
const TRIES = 60

/** Strings of the language, different and new as far as it has such, that no stratum has too many of. */
export function goldStrings(
  stream: Stream,
  grammar: string,
  examples: readonly string[],
  strings: number,
): readonly string[] {
  const language = languageOf(grammar)
  const { stratumOf, caps } = standardOf(grammar, strings)
  const shown = new Set(examples)
  const counts = caps.map(() => 0)
  const out = new Set<string>()
  for (let tries = 0; out.size < strings && tries < TRIES * strings; tries++) {
    const text = sampleText(language, stream)
    const stratum = stratumOf(text)
    if (stratum === null || shown.has(text) || out.has(text)) continue
    if ((counts[stratum] as number) + 1 > Math.max(1, caps[stratum] as number)) continue
    counts[stratum] = (counts[stratum] as number) + 1
    out.add(text)
  }
  const rest = Array.from({ length: strings - out.size }, () => sampleText(language, stream))
  return [...out, ...rest]
}
