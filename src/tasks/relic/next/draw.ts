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
import { languageOf, liftedOf, namesOf, type Shared, textOf } from '../grammars/grammar.ts'
import { END } from '../grammars/sequences.ts'
import { bandFeature, countFeature, formFeature, notFound, sizeFeatures, sizesOf } from '../grammars/strings.ts'
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
  const { cnf } = liftedOf(shared)
  const { sampler } = languageOf(shared, config.maxLength)
  const [low, high] = bandsOf(config)[band] as readonly [number, number]
  const windows = new Map<string, Map<string, Omit<Beginning, 'alternatives'>>>()
  const several = () => [...windows.values()].filter((answers) => answers.size > 1)
  const wanted = Math.ceil(config.perGrammar / bandsOf(config).length)
  for (let k = 0; k < MAX_POOL; k++) {
    if (k % PORTION === 0 && several().length >= wanted) break
    const string = sampler.sample(stream, between(stream, config.minLength, config.maxLength))
    const length = between(
      stream,
      Math.min(MIN_BEGINNING, string.length),
      Math.max(MIN_BEGINNING, string.length - BEYOND),
    )
    const tokens = Array.from(string.subarray(0, length))
    const work = earleyItems(cnf, tokens)
    if (work < low || work >= high) continue
    const found = continuations(cnf, tokens)
    if (found.tokens.length + Number(found.end) > cnf.terminals.length / 2) continue
    const window = tokens.slice(-config.window).join(' ')
    const answers = windows.get(window) ?? new Map<string, Omit<Beginning, 'alternatives'>>()
    windows.set(window, answers)
    const answer = answerOf(shared, found).join(' ')
    if (!answers.has(answer)) answers.set(answer, { tokens, found, work })
  }
  return shuffle(stream, several()).map((answers) => {
    const options = [...answers.values()]
    return { ...options[between(stream, 0, options.length - 1)]!, alternatives: options.length }
  })
}

/** All items of a grammar and band come from one pool, which is drawn from streams that they share. */
const pools = memoize((_shared: Shared) => new LruCache<readonly Beginning[], string>(64))

export function draw(
  config: Config,
  shared: Shared,
  at: DrawContext,
  _draws: RandomStreams,
  cell: RandomStreams,
): DrawResult<Given, Answer, z.infer<typeof features>> {
  const band = at.levels['band'] as number
  const stream = cell.stream('beginnings')
  const key = JSON.stringify([config, band])
  const chosen = pools(shared).get(key, () => beginnings(config, shared, band, stream))[at.ordinal]
  if (chosen === undefined)
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
      form: config.form,
      work,
      band,
      size: answer.length,
      end: found.end,
      alternatives,
    },
  }
}
