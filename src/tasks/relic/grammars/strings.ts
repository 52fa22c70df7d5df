import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import { type EmptyDraw, memoize, rounded, type Stream } from '../../../core/index.ts'
import { chartItems, earleyItems, usefulItems } from '../../../libraries/grammars/recognise/work.ts'
import { isCrossed, pairChartOf, usefulPairItems } from './crossed.ts'
import { bandsOf, type Dial } from './dial.ts'
import { analyzerOf, liftedOf, type Shared, symbolsOf } from './grammar.ts'
import { drawLength, languageOf } from './languages.ts'

/** What is asked about: a string. */
export interface Given {
  /** Tokens in codes, with one blank between them. */
  readonly string: string
  readonly [key: string]: string
}

export const countFeature = (text: string, unit: string) => feature(z.int(), 'difficulty', text, unit)

/** Features of the grammar that every task has; {@link sizesOf} gives them. */
export const sizeFeatures = {
  rules: countFeature('Rules of the grammar', 'count'),
  nonterminals: countFeature('Nonterminals of the grammar, S counted', 'count'),
  tokens: countFeature('Distinct tokens of the grammar', 'count'),
}
export const formFeature = feature(z.string(), 'nuisance', 'Form of the rules')
export const bandFeature = feature(z.int(), 'stratum', 'Band of work; 0 where work is not controlled')

export const sizesOf = memoize((shared: Shared) => {
  const { nonterminals, tokens } = symbolsOf(shared)
  return { rules: liftedOf(shared).rules.length, nonterminals: nonterminals.size, tokens: tokens.size }
})

export const formOf = ({ form, grammar }: Dial): Dial['form'] | 'own' => (grammar === null ? form : 'own')

/** Most strings drawn for one whose work lies in its band and that the task accepts. */
const TRIES = 60

/**
 * Items that an exact reader of the string writes down: of a bottom-up chart, or of an Earley chart where that is smaller
 * (in Chomsky normal form it never is).
 */
export function workOf(shared: Shared, tokens: ArrayLike<number>, form: Dial['form'] | 'own'): number {
  if (isCrossed(shared)) return pairChartOf(shared, tokens).items.length
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
    const tokens = sampler.sample(stream, drawLength(config, shared, stream))
    const work = config.workBands === null ? null : workOf(shared, tokens, formOf(config))
    if ((work === null || (work >= low && work < high)) && accepts(tokens))
      return {
        tokens,
        get work() {
          return work ?? workOf(shared, tokens, formOf(config))
        },
      }
  }
  return null
}

export const notFound = (reason: string): EmptyDraw => ({ kind: 'unreachable', proved: false, reason })

export const noMember = notFound(
  `none of ${TRIES} strings of the grammar fits the band of work and withstands the shortcuts`,
)

/** Share of the chart's items that no parse of the string uses. */
export function uselessShare(shared: Shared, tokens: ArrayLike<number>): number {
  if (isCrossed(shared)) {
    const pairs = pairChartOf(shared, tokens)
    return rounded(1 - usefulPairItems(pairs) / pairs.items.length)
  }
  const chart = analyzerOf(shared).chart(tokens)
  return rounded(1 - usefulItems(liftedOf(shared).cnf, chart) / chartItems(chart))
}
