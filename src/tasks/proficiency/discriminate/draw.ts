import {
  below,
  type DrawContext,
  type DrawResult,
  type EmptyDraw,
  maxPartitionRetries,
  type RandomStreams,
  shuffle,
  UsageError,
} from '../../../core/index.ts'
import { checkFormat, type Format } from '../format.ts'
import { type Language, languageOf, sampleText } from '../languages/compiled.ts'
import { planLanguages, stringKey } from '../languages/make.ts'
import { trainingTexts, trainRegion } from '../training.ts'
import { type Config, kindsOf, placeOf } from './config.ts'
import { featuresOf, type ItemFeatures } from './features.ts'
import { maxTries, testString } from './sampling/test-strings.ts'
import type { Given, Plan, Shared, Truth } from './types.ts'

export function plan(config: Config, draws: RandomStreams): Plan {
  const languages = planLanguages(config.languages, draws, (key) => draws.inSplit(key))
  for (const { name, grammar } of languages) {
    const language = languageOf(grammar)
    if (config.nearest === 'language' && language.distance([0], 0) === undefined)
      throw new UsageError(
        `language ${name} is left-recursive or too large for distances to the language; set nearest to "source"`,
      )
    checkFormat(config.format as Format, language.grammar.terminals, name)
  }
  return { languages, ...(config.sharedTests ? { testKey: String(below(draws.stream('tests'), 2 ** 32)) } : {}) }
}

type GroupConfig = Pick<
  Config,
  'repetitions' | 'examples' | 'distances' | 'disjoint' | 'examplesFrom' | 'repeats' | 'pool' | 'tests' | 'format'
>

export function group(config: GroupConfig, plan: Plan, number: number, draws: RandomStreams): Shared | EmptyDraw {
  const planned = plan.languages[Math.floor(number / config.repetitions)] as Plan['languages'][number]
  const { name, grammar, fenced, learnt } = planned
  const repetition = number % config.repetitions
  const count = Math.max(...config.examples, ...(config.distances.includes('seen') ? [config.tests] : []))
  const language = languageOf(learnt ?? grammar)
  const of = { grammar, fenced, repetition, ...(learnt === undefined ? {} : { learnt }) }
  const examplesOf = () =>
    config.examplesFrom === 'training'
      ? trainingTexts(of, count)
      : trainRegion(language, fenced, count, draws.stream('examples'))
  const sides =
    config.disjoint === 'published'
      ? publishedSplit(config, language, fenced, draws)
      : { examples: examplesOf(), held: [] }
  if (sides === null || sides.examples.length < count)
    return { kind: 'unreachable', proved: false, reason: `fewer than ${count} example strings were found` }
  return {
    language: name,
    ...of,
    examples: sides.examples.slice(0, count),
    held: sides.held,
    format: config.format as Format,
    ...(config.repeats === undefined ? {} : { repeats: config.repeats }),
    ...(plan.testKey === undefined ? {} : { testKey: plan.testKey }),
  }
}

/**
 * The paper's split (section 8): a random distinct string of a finite sample goes with all its occurrences to training,
 * the next to test, and so on. The sample lies in the split's partition bucket, and grows until both sides have enough
 * strings.
 */
function publishedSplit(
  config: Pick<Config, 'examples' | 'pool' | 'tests'>,
  language: Language,
  fenced: Shared['fenced'],
  draws: RandomStreams,
): Pick<Shared, 'examples' | 'held'> | null {
  const stream = draws.stream('pool')
  const counts = new Map<string, number>()
  const grow = () => {
    const most = (config.pool + 1) * maxPartitionRetries('exam')
    for (let tries = 0, found = 0; tries <= most; tries++) {
      const text = sampleText(language, stream)
      if (fenced === 'string' && !draws.inSplit(stringKey(text))) continue
      counts.set(text, (counts.get(text) ?? 0) + 1)
      if (++found === config.pool) return true
    }
    return false
  }
  for (let size = 1; size <= maxPools && grow(); size++) {
    const order = shuffle(draws.stream('sides', size), [...counts])
    const side = (parity: number) =>
      shuffle(
        draws.stream('occurrences', parity, size),
        order.filter((_, i) => i % 2 === parity).flatMap(([text, count]) => Array.from({ length: count }, () => text)),
      )
    const [examples, held] = [side(0), side(1)]
    if (examples.length >= Math.max(...config.examples) && held.length >= config.tests) return { examples, held }
  }
  return null
}

/** How many times `pool` strings the published split draws before it gives up. */
const maxPools = 16

export function draw(
  config: Config,
  shared: Shared,
  at: DrawContext,
  _draws: RandomStreams,
  cell: RandomStreams,
): DrawResult<Given, Truth, ItemFeatures> {
  const language = languageOf(shared.grammar)
  const { test, k } = placeOf(config, at.ordinal)
  const found = testString(config, shared, language, at.stratum, test, cell)
  const { distance, copy } = kindsOf(config)[at.stratum] as ReturnType<typeof kindsOf>[number]
  if (found === null) {
    const reason =
      distance === 'twin'
        ? `strings of ${shared.language} that can be paired are too few: short n-grams and places tell most of them from their twins`
        : `no string at distance ${distance} was found in ${maxTries} draws`
    return { kind: 'unreachable', proved: false, reason }
  }
  const given: Given = { text: found.text, k: config.examples[k] as number }
  return {
    kind: 'drawn',
    given,
    answer: found.truth,
    features: featuresOf(shared, language, given, found.truth, { test, copy }),
  }
}
