import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import {
  type DrawContext,
  type DrawResult,
  type Layout,
  type RandomStreams,
  rounded,
  type Stream,
  sampleIndices,
  shuffle,
} from '../../../core/index.ts'
import { type Cascade, symbolCount } from '../../../libraries/rewriting/index.ts'
import { checkCascade, graphemeCount, lettersHold, strictCheck, wordDistance } from '../grade.ts'
import { cascadeIsRight } from '../oracle.ts'
import { problemOf } from '../search/baselines.ts'
import { cascadeSearch } from '../search/search.ts'
import type { CascadeAnswer, Examples } from '../types.ts'
import { type Config, languagesOf } from './config.ts'
import { chunked, type WordPair } from './word-pairs.ts'

const number = (what: string, unit: string, role = 'difficulty') => z.number().describe(what).meta({ role, unit })

export const features = z.object({
  language: feature(z.string(), 'stratum', 'which word list'),
  chunk: feature(z.int(), 'id', 'number of the chunk in its list, from 0'),
  words: number('word pairs shown', 'pairs'),
  wordsChanged: number('words shown that differ from their output', 'words'),
  heldOut: number('word pairs kept out of the question', 'pairs'),
  longest: number('longest word, counted as the limits count', 'characters'),
  distanceMean: number('edit distance of a word to its output, mean', 'code points'),
  knownRules: feature(z.int(), 'truth', 'rules of the reference cascade: known laws, or found by search', 'rules'),
  slack: number('rules allowed minus words to change: above zero, a rule for each word is enough', 'rules'),
})

export type ItemFeatures = z.infer<typeof features>

/** Evaluations of the search for a reference cascade. */
const REFERENCE_STEPS = 20_000

/** The truth: a cascade that works, the known laws or one that a search found, and the words kept out of the question. */
export type LawsAnswer = {
  readonly rules: CascadeAnswer
  readonly heldOut: readonly WordPair[]
}

interface Chunk {
  readonly language: string
  readonly laws: Cascade | null
  readonly chunk: number
  readonly pairs: readonly WordPair[]
}

function chunksOf(config: Config): readonly Chunk[] {
  return languagesOf(config).flatMap(({ name, pairs, laws }) =>
    chunked(pairs, config.chunk).map((part, chunk) => ({ language: name, laws, chunk, pairs: part })),
  )
}

export function layout(config: Config): Layout {
  const chunks = chunksOf(config)
  const languages = [...new Set(chunks.map(({ language }) => language))]
  return {
    size: chunks.length,
    strata: languages.map((language) => ({ language })),
    layout: 'none',
    at(index) {
      const chunk = chunks[index] as Chunk
      const stratum = languages.indexOf(chunk.language)
      return { stratum, unit: stratum, group: index, ordinal: chunk.chunk }
    },
  }
}

export function draw(
  config: Config,
  at: DrawContext,
  draws: RandomStreams,
): DrawResult<Examples, LawsAnswer, ItemFeatures> {
  const { language, laws, chunk, pairs } = chunksOf(config)[at.group] as Chunk
  const kept = new Set(sampleIndices(draws.stream('held-out'), pairs.length, Math.floor(pairs.length * config.heldOut)))
  const left = pairs.filter((_, i) => !kept.has(i))
  const shown = config.order === 'file' ? left : shuffle(draws.stream('order'), left)
  const count = config.count === 'graphemes' ? graphemeCount : symbolCount
  const given: Examples = {
    inputs: shown.map(([earlier]) => earlier),
    outputs: shown.map(([, later]) => later),
    limits: { rules: config.rules, side: config.side, letters: config.letters, count: config.count },
  }
  const reference = works(given, laws) ?? works(given, searched(given, draws.stream('reference')))
  if (reference === null)
    return {
      kind: 'unreachable',
      proved: false,
      reason: `no cascade within the limits was found in ${REFERENCE_STEPS} steps; allow more rules or longer sides`,
    }
  const changed = shown.filter(([earlier, later]) => earlier !== later)
  const distance = shown.reduce((sum, [earlier, later]) => sum + wordDistance(earlier, later), 0)
  return {
    kind: 'drawn',
    given,
    answer: { rules: reference, heldOut: pairs.filter((_, i) => kept.has(i)) },
    features: {
      language,
      chunk,
      words: shown.length,
      wordsChanged: changed.length,
      heldOut: kept.size,
      longest: Math.max(...shown.map(([earlier, later]) => Math.max(count(earlier), count(later)))),
      distanceMean: rounded(distance / shown.length),
      knownRules: reference.length,
      slack: config.rules - changed.length,
    },
  }
}

const searched = (given: Examples, stream: Stream): Cascade | null =>
  cascadeSearch(problemOf(given), stream, { steps: REFERENCE_STEPS }).rules

/** A cascade, if it answers the question within the limits and the stated letters. */
function works(given: Examples, rules: Cascade | null): Cascade | null {
  if (rules === null || !lettersHold(given.limits, rules)) return null
  if (checkCascade(rules, given.limits, strictCheck).valid < rules.length) return null
  return cascadeIsRight(given, rules) ? rules : null
}
