import { z } from 'zod'
import {
  below,
  type DrawContext,
  type DrawResult,
  float,
  memoize,
  type RandomStreams,
  type Stream,
  sampleIndices,
} from '../../../core/index.ts'
import { ngramProbabilities } from '../../../libraries/grammars/negatives/ngram-model.ts'
import { BLANK } from '../../../libraries/grammars/recognise/template.ts'
import { liftedOf, namesOf, type Shared, symbolsOf } from '../grammars/grammar.ts'
import { recognizerOf } from '../grammars/languages.ts'
import {
  bandFeature,
  countFeature,
  drawMember,
  formFeature,
  formOf,
  noMember,
  sizeFeatures,
  sizesOf,
} from '../grammars/strings.ts'
import type { Config } from './task.ts'

export interface Given {
  /** Tokens in codes and blanks (`_`), with one space between them. */
  readonly template: string
  readonly [key: string]: string
}
/** The whole string, tokens in codes. */
export type Answer = readonly string[]

export const features = z.object({
  length: countFeature('Tokens of the string', 'tokens'),
  blanks: countFeature('Blanks', 'tokens'),
  ...sizeFeatures,
  form: formFeature,
  work: countFeature('Items that an exact parser of the original string writes down', 'items'),
  band: bandFeature,
})

/** Fillings that each attacker tries, and how many may be right. */
const ATTACKS = 40
const MAX_RIGHT = 2
/** Fewest blanks: one blank is guessed too often. */
const MIN_BLANKS = 2

const bigramsOf = memoize((shared: Shared) => ngramProbabilities(liftedOf(shared).cnf))

/** Numbers of a template's tokens; {@link BLANK} for blanks. */
export function templateOf(shared: Shared, { template }: Given): readonly number[] {
  const { tokens } = symbolsOf(shared)
  return template.split(' ').map((name) => (name === '_' ? BLANK : (tokens.get(name) ?? -2)))
}

/** A random filling, evenly or by the grammar's probabilities of neighbouring tokens. */
export function guess(
  shared: Shared,
  template: readonly number[],
  kind: 'uniform' | 'bigram',
  stream: Stream,
): number[] {
  const size = liftedOf(shared).cnf.terminals.length
  const { first, last, next } = bigramsOf(shared)
  const out: number[] = []
  for (const [at, token] of template.entries()) {
    if (token !== BLANK || kind === 'uniform') {
      out.push(token === BLANK ? below(stream, size) : token)
      continue
    }
    const before = out.at(-1)
    const behind = template[at + 1]
    const weights = Array.from({ length: size }, (_, t) => {
      const from = before === undefined ? first[t]! : next[before * size + t]!
      const to = at === template.length - 1 ? last[t]! : behind === BLANK ? 1 : next[t * size + behind!]!
      return from * to
    })
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    let left = float(stream) * total
    const chosen = weights.findIndex((weight) => {
      left -= weight
      return weight > 0 && left <= 0
    })
    out.push(chosen === -1 ? below(stream, size) : chosen)
  }
  return out
}

/** A string with blanks that guessing seldom fills. */
export function draw(
  config: Config,
  shared: Shared,
  at: DrawContext,
  draws: RandomStreams,
): DrawResult<Given, Answer, z.infer<typeof features>> {
  const stream = draws.stream('string')
  const band = at.levels['band'] as number
  const { accepts } = recognizerOf(shared)
  let template: readonly number[] = []
  const found = drawMember(config, shared, band, stream, (tokens) => {
    const size = Math.max(MIN_BLANKS, Math.round(config.blanks * tokens.length))
    const blank = new Set(sampleIndices(stream, tokens.length, Math.min(size, tokens.length)))
    template = Array.from(tokens, (token, place) => (blank.has(place) ? BLANK : token))
    return (['uniform', 'bigram'] as const).every((kind) => {
      let right = 0
      for (let k = 0; k < ATTACKS; k++) if (accepts(guess(shared, template, kind, stream))) right++
      return right <= MAX_RIGHT
    })
  })
  if (found === null) return noMember
  const answer = namesOf(shared, found.tokens)
  return {
    kind: 'drawn',
    given: { template: answer.map((name, place) => (template[place] === BLANK ? '_' : name)).join(' ') },
    answer,
    features: {
      length: template.length,
      blanks: template.filter((token) => token === BLANK).length,
      ...sizesOf(shared),
      form: formOf(config),
      work: found.work,
      band,
    },
  }
}
