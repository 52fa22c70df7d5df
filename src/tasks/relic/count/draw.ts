import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import {
  between,
  coin,
  type DrawContext,
  type DrawResult,
  LruCache,
  memoize,
  type RandomStreams,
  type Stream,
  shuffle,
} from '../../../core/index.ts'
import { parentsOf, preterminals } from '../../../libraries/grammars/grammar/cnf.ts'
import { applySwap, swapFinder } from '../../../libraries/grammars/negatives/segment-swap.ts'
import { ln } from '../../../libraries/grammars/pcfg/ln.ts'
import { bandsOf } from '../grammars/dial.ts'
import { analyzerOf, liftedOf, type Shared, textOf, tokensOf } from '../grammars/grammar.ts'
import { languageOf } from '../grammars/languages.ts'
import { countFeature, type Given, notFound, sizeFeatures, sizesOf, workOf } from '../grammars/strings.ts'
import type { Config } from './task.ts'

/** The possible answers: numbers of derivations. */
export const ANSWERS = [0, 1, 2, 3, 4, 5] as const

export const features = z.object({
  length: countFeature('Tokens in the string', 'tokens'),
  ...sizeFeatures,
  work: feature(z.int(), 'truth', 'Items of a bottom-up chart', 'items'),
  derivations: feature(z.int(), 'truth', 'Number of derivations'),
})

/** Most members drawn for a grammar's sets, and after how many it is seen whether they are enough. */
const MAX_MEMBERS = 9000
const PORTION = 100
/** Swaps tried for a string whose number of derivations changes. */
const SWAPS = 12

const tablesOf = memoize((shared: Shared) => {
  const { cnf } = liftedOf(shared)
  return { above: preterminals(cnf), join: parentsOf(cnf) }
})

/** Bins of a number of ways: `fine` for each doubling. */
const bin = (fine: number, ways: number): number => Math.round((fine * ln(1 + ways)) / ln(2))

/** How many ways there are to join two neighbouring tokens, and three, over the string. */
function joins(shared: Shared, tokens: ArrayLike<number>): readonly [two: number, three: number] {
  const { above, join } = tablesOf(shared)
  let [two, three] = [0, 0]
  const pairs: Map<number, number>[] = []
  for (let at = 0; at + 1 < tokens.length; at++) {
    const here = new Map<number, number>()
    for (const left of above[tokens[at]!]!)
      for (const right of above[tokens[at + 1]!]!)
        for (const parent of join(left, right)) here.set(parent, (here.get(parent) ?? 0) + 1)
    for (const ways of here.values()) two += ways
    pairs.push(here)
  }
  for (let at = 0; at + 1 < pairs.length; at++) {
    for (const [symbol, ways] of pairs[at]!)
      for (const right of above[tokens[at + 2]!]!) three += ways * join(symbol, right).length
    for (const [symbol, ways] of pairs[at + 1]!)
      for (const left of above[tokens[at]!]!) three += ways * join(left, symbol).length
  }
  return [two, three]
}

/** Number of derivations, at most one more than the largest answer. */
export function derivationsOf(shared: Shared, tokens: ArrayLike<number>): number {
  const { mantissa, exponent } = analyzerOf(shared).count(tokens)
  return exponent > 0 ? ANSWERS.length : Math.min(mantissa, ANSWERS.length)
}

/** Strings of a trial, and how many of them must have each number of derivations from 1 on. */
const TRIAL = 300
const MIN_EACH = 6

/** Have strings of the grammar every number of derivations, often enough? */
export function isAmbiguous(config: Config, shared: Shared, stream: Stream): boolean {
  const { sampler } = languageOf(shared, config.maxLength)
  const found = ANSWERS.map(() => 0)
  for (let k = 0; k < TRIAL; k++) {
    const derivations = derivationsOf(
      shared,
      sampler.sample(stream, between(stream, config.minLength, config.maxLength)),
    )
    if (derivations < ANSWERS.length) found[derivations]!++
  }
  return found.slice(1).every((times) => times >= MIN_EACH)
}

/** Strings of each length that are tried for their work. */
const PILOT = 20

/** Of the strings with so many tokens most lie in a band of work, with few enough derivations. */
function lengthFor(config: Config, shared: Shared, [low, high]: readonly [number, number], stream: Stream): number {
  const { sampler } = languageOf(shared, config.maxLength)
  let best = { length: config.minLength, inside: 0 }
  for (let length = config.minLength; length <= config.maxLength; length++) {
    const strings = Array.from({ length: PILOT }, () => sampler.sample(stream, length))
    const works = strings.map((tokens) => workOf(shared, tokens, 'cnf'))
    const inside = strings.filter(
      (tokens, k) => works[k]! >= low && works[k]! < high && derivationsOf(shared, tokens) < ANSWERS.length,
    ).length
    if (inside > best.inside) best = { length, inside }
    if (Math.min(...works) >= high) break
  }
  return best.length
}

/**
 * Sets of six strings of one length and one local ambiguity, one for each answer. Every string comes from a pair with equal
 * counts of neighbouring tokens and different numbers of derivations.
 */
function setsOf(
  config: Config,
  shared: Shared,
  [low, high]: readonly [number, number],
  stream: Stream,
): readonly (readonly string[])[] {
  const { sampler } = languageOf(shared, config.maxLength)
  const find = swapFinder(liftedOf(shared).cnf.terminals.length)
  const length = config.workBands === null ? null : lengthFor(config, shared, [low, high], stream)
  const bins = new Map<string, string[][]>()
  const seen = new Set<string>()
  const sets: string[][] = []
  for (let k = 0; k < MAX_MEMBERS && (k % PORTION !== 0 || sets.length < config.setsPerGrammar); k++) {
    const member = sampler.sample(stream, length ?? between(stream, config.minLength, config.maxLength))
    const derivations = derivationsOf(shared, member)
    if (derivations >= ANSWERS.length) continue
    const swaps = find(member, 2)
    for (let tries = 0; swaps !== null && tries < SWAPS; tries++) {
      const swap = swaps(stream)
      if (swap === null) continue
      const other = applySwap(member, swap)
      const changed = derivationsOf(shared, other)
      if (changed === derivations || changed >= ANSWERS.length) continue
      const [tokens, answer] = coin(stream) ? [member, derivations] : [other, changed]
      const work = workOf(shared, tokens, 'cnf')
      const string = textOf(shared, tokens)
      if (work < low || work >= high || seen.has(string)) break
      seen.add(string)
      const [two, three] = joins(shared, tokens)
      const key = `${tokens.length} ${bin(4, two)} ${bin(3, three)}`
      const own = bins.get(key) ?? ANSWERS.map((): string[] => [])
      bins.set(key, own)
      own[answer]!.push(string)
      if (own.every((list) => list.length > 0)) sets.push(own.map((list) => list.pop() as string))
      break
    }
  }
  return shuffle(stream, sets)
}

/** All items of a grammar come from the same sets, which are drawn from streams that they share. */
const knownSets = memoize((_shared: Shared) => new LruCache<readonly (readonly string[])[], string>(16))

export function draw(
  config: Config,
  shared: Shared,
  at: DrawContext,
  _draws: RandomStreams,
  cell: RandomStreams,
): DrawResult<Given, number, z.infer<typeof features>> {
  const stream = cell.stream('sets')
  const derivations = at.levels['derivations'] as number
  const band = (at.levels['band'] ?? 0) as number
  const sets = knownSets(shared).get(JSON.stringify([config, band]), () =>
    setsOf(config, shared, bandsOf(config)[band] as readonly [number, number], stream),
  )
  const string = sets[at.ordinal]?.[derivations]
  if (string === undefined) return notFound(`of ${MAX_MEMBERS} strings too few are alike and have 0 to 5 derivations`)
  const tokens = tokensOf(shared, string)
  return {
    kind: 'drawn',
    given: { string },
    answer: derivations,
    features: { length: tokens.length, ...sizesOf(shared), work: workOf(shared, tokens, 'cnf'), derivations },
  }
}
