import { between, memoize, rounded, type Stream } from '../../../core/index.ts'
import { chartItems, earleyItems, usefulItems } from '../../../libraries/grammars/recognise/work.ts'
import { type Language, language } from '../../../libraries/grammars/sample/language.ts'
import { bandsOf, type Dial } from './dial.ts'
import { analyzerOf, liftedOf, type Shared, symbolsOf } from './grammar.ts'

/** Most strings drawn for one whose work lies in its band and that the task accepts. */
const TRIES = 60

/** Strings up to a length; a task may ask for prefixes or strings of other lengths than the config's. */
const languages = memoize((_shared: Shared) => new Map<number, Language>())
export function languageOf(shared: Shared, maxLength: number): Language {
  const known = languages(shared)
  const found = known.get(maxLength) ?? language(liftedOf(shared).cnf, maxLength)
  known.set(maxLength, found)
  return found
}

/**
 * Items that an exact reader of the string writes down: of a bottom-up chart, or of an Earley chart where that is smaller
 * (in Chomsky normal form it never is).
 */
export function workOf(shared: Shared, tokens: ArrayLike<number>, { form }: Pick<Dial, 'form'>): number {
  const items = chartItems(analyzerOf(shared).chart(tokens))
  return form === 'cnf' ? items : Math.min(items, earleyItems(liftedOf(shared).cnf, tokens))
}

/**
 * A string of the language with a random length of the config and work in the band, for which `accepts` holds; null where
 * none is found.
 */
export function drawMember(
  config: Dial,
  shared: Shared,
  band: number,
  stream: Stream,
  accepts: (tokens: Int32Array) => boolean,
): { readonly tokens: Int32Array; readonly work: number } | null {
  const { sampler } = languageOf(shared, config.maxLength)
  const [low, high] = bandsOf(config)[band] as readonly [number, number]
  for (let tries = 0; tries < TRIES; tries++) {
    const tokens = sampler.sample(stream, between(stream, config.minLength, config.maxLength))
    const work = workOf(shared, tokens, config)
    if (work >= low && work < high && accepts(tokens)) return { tokens, work }
  }
  return null
}

export const notFound = {
  kind: 'unreachable',
  proved: false,
  reason: `none of ${TRIES} strings of the grammar fits the band of work and withstands the shortcuts`,
} as const

/** Features of the grammar and of the work that every task has. */
export const grammarFeatures = memoize((shared: Shared) => {
  const { nonterminals, tokens } = symbolsOf(shared)
  return { rules: liftedOf(shared).rules.length, nonterminals: nonterminals.size, tokens: tokens.size }
})

/** Share of the chart's items that no parse of the string uses. */
export function uselessShare(shared: Shared, tokens: ArrayLike<number>): number {
  const chart = analyzerOf(shared).chart(tokens)
  return rounded(1 - usefulItems(liftedOf(shared).cnf, chart) / chartItems(chart))
}

/** Tokens as text. */
export const textOf = (shared: Shared, tokens: ArrayLike<number>): string =>
  Array.from(tokens, (token) => liftedOf(shared).cnf.terminals[token]).join(' ')
