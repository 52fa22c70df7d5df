import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import {
  between,
  type DrawContext,
  type DrawResult,
  LruCache,
  memoize,
  type RandomStreams,
  type Stream,
  shuffle,
} from '../../../core/index.ts'
import { type Continuations, continuations } from '../../../libraries/grammars/recognise/prefix.ts'
import { earleyItems } from '../../../libraries/grammars/recognise/work.ts'
import { bandsOf } from '../grammars/dial.ts'
import { isOwn, liftedOf, namesOf, type Shared, textOf } from '../grammars/grammar.ts'
import { drawLength, languageOf } from '../grammars/languages.ts'
import { END } from '../grammars/sequences.ts'
import { bandFeature, countFeature, formFeature, formOf, notFound, sizeFeatures, sizesOf } from '../grammars/strings.ts'
import type { Config } from './task.ts'

export interface Given {
  /** Tokens in codes, with one blank between them. */
  readonly beginning: string
  readonly [key: string]: string
}
/** Tokens in codes, in order of their number, then END where the beginning is a string of the language. */
export type Answer = readonly string[]

export const features = z.object({
  length: countFeature('Tokens in the beginning', 'tokens'),
  ...sizeFeatures,
  form: formFeature,
  work: countFeature('Items of an Earley chart of the beginning', 'items'),
  band: bandFeature,
  size: feature(z.int(), 'nuisance', 'Tokens that may follow, END counted', 'tokens'),
  end: feature(z.boolean(), 'truth', 'Is the beginning a string of the language?'),
  alternatives: feature(z.int(), 'nuisance', 'Different answers to beginnings that end in the same tokens', 'count'),
})

/** Most beginnings drawn for a grammar; after every PORTION it is seen whether they are enough. */
const MAX_POOL = 600
const PORTION = 40
/** Tokens that strings have beyond a beginning, at least. */
const BEYOND = 2
/** Shortest beginning. */
const MIN_BEGINNING = 3

interface Beginning {
  readonly tokens: readonly number[]
  readonly found: Continuations
  readonly work: number
  readonly alternatives: number
}

export const answerOf = (shared: Shared, { tokens, end }: Continuations): Answer => [
  ...namesOf(shared, tokens),
  ...(end ? [END] : []),
]

/**
 * One beginning of each window in random order: a window is the last tokens of a beginning, and has beginnings with at least
 * two different answers, of which one is taken. Whoever reads only the window is right at most once in `alternatives`.
 */
function beginnings(config: Config, shared: Shared, band: number, stream: Stream): readonly Beginning[] {
  const windows = new Map<string, Map<string, Omit<Beginning, 'alternatives'>>>()
  const several = () => [...windows.values()].filter((answers) => answers.size > 1)
  const wanted = isOwn(shared) ? MAX_POOL : Math.ceil(config.perGrammar / bandsOf(config).length)
  for (let k = 0; k < MAX_POOL; k++) {
    if (k % PORTION === 0 && several().length >= wanted) break
    const one = beginning(config, shared, band, stream)
    if (one === null) continue
    const window = windowOf(config, one)
    const answers = windows.get(window) ?? new Map<string, Omit<Beginning, 'alternatives'>>()
    windows.set(window, answers)
    const answer = answerOf(shared, one.found).join(' ')
    if (!answers.has(answer)) answers.set(answer, one)
  }
  return shuffle(stream, several()).map((answers) => {
    const options = [...answers.values()]
    return { ...options[between(stream, 0, options.length - 1)]!, alternatives: options.length }
  })
}

/** A beginning of a random string, with what may follow; null: outside the band, or nearly everything may follow. */
function beginning(
  config: Config,
  shared: Shared,
  band: number,
  stream: Stream,
): Omit<Beginning, 'alternatives'> | null {
  const { cnf } = liftedOf(shared)
  const [low, high] = bandsOf(config)[band] as readonly [number, number]
  const string = languageOf(shared, config.maxLength).sampler.sample(stream, drawLength(config, shared, stream))
  const length = between(
    stream,
    Math.min(MIN_BEGINNING, string.length),
    Math.max(MIN_BEGINNING, string.length - BEYOND),
  )
  const tokens = Array.from(string.subarray(0, length))
  const work = earleyItems(cnf, tokens)
  if (work < low || work >= high) return null
  const found = continuations(cnf, tokens)
  const most = isOwn(shared) ? cnf.terminals.length : cnf.terminals.length / 2
  return found.tokens.length + Number(found.end) > most ? null : { tokens, found, work }
}

/** All items of a grammar and band come from one pool, which is drawn from streams that they share. */
const pools = memoize((_shared: Shared) => new LruCache<readonly Beginning[], string>(64))

const windowOf = ({ window }: Config, { tokens }: Pick<Beginning, 'tokens'>): string => tokens.slice(-window).join(' ')

/** Of a grammar of one's own a window is asked about again and again: a beginning in one of the pool's windows. */
function inWindows(config: Config, shared: Shared, band: number, pool: readonly Beginning[], stream: Stream) {
  const known = new Map(pool.map((one) => [windowOf(config, one), one.alternatives]))
  for (let tries = 0; tries < PORTION; tries++) {
    const one = beginning(config, shared, band, stream)
    const alternatives = one === null ? undefined : known.get(windowOf(config, one))
    if (one !== null && alternatives !== undefined) return { ...one, alternatives }
  }
  return null
}

export function draw(
  config: Config,
  shared: Shared,
  at: DrawContext,
  draws: RandomStreams,
  cell: RandomStreams,
): DrawResult<Given, Answer, z.infer<typeof features>> {
  const band = at.levels['band'] as number
  const stream = cell.stream('beginnings')
  const key = JSON.stringify([config, band])
  const pool = pools(shared).get(key, () => beginnings(config, shared, band, stream))
  const chosen = isOwn(shared) ? inWindows(config, shared, band, pool, draws.stream('beginning')) : pool[at.ordinal]
  if (chosen == null)
    return notFound(`of ${MAX_POOL} beginnings too few share their last tokens with one that goes on differently`)
  const { tokens, found, work, alternatives } = chosen
  const answer = answerOf(shared, found)
  return {
    kind: 'drawn',
    given: { beginning: textOf(shared, tokens) },
    answer,
    features: {
      length: tokens.length,
      ...sizesOf(shared),
      form: formOf(config),
      work,
      band,
      size: answer.length,
      end: found.end,
      alternatives,
    },
  }
}
