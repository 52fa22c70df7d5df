import { editDistance } from '../../../core/edit-distance.ts'
import {
  below,
  bucketsOfSplit,
  type DrawContext,
  type DrawResult,
  type EmptyDraw,
  maxPartitionRetries,
  memoize,
  partitionBucket,
  type RandomStreams,
  type Stream,
  shuffle,
  UsageError,
} from '../../../core/index.ts'
import type { LearnedSampler } from '../../../libraries/grammars/negatives/matched-pairs.ts'
import { textOf, tokensOf } from '../../../libraries/grammars/pcfg/index.ts'
import { checkFormat, type Format } from '../format.ts'
import { type Language, languageOf } from '../languages/compiled.ts'
import { planLanguages, stringKey } from '../languages/make.ts'
import { type Config, placeOf } from './config.ts'
import { featuresOf, type ItemFeatures } from './features.ts'
import { applyEdit, drawEdit, drawKinds } from './sampling/edits.ts'
import { sampleTokens, twinsOf } from './sampling/twins.ts'
import type { EditStep, Given, Plan, Shared, Truth } from './types.ts'

/** The key of the split partition: the string, or the grammar of a random language. */
export const fenceDomain = 'proficiency/string'

export function plan(config: Config, draws: RandomStreams): Plan {
  const languages = planLanguages(config.languages, draws, (key) => draws.inSplit(key))
  for (const { name, grammar } of languages)
    if (config.nearest === 'language' && languageOf(grammar).distance([0], 0) === undefined)
      throw new UsageError(
        `language ${name} is left-recursive or too large for distances to the language; set nearest to "source"`,
      )
  for (const { name, grammar } of languages)
    checkFormat(config.format as Format, languageOf(grammar).grammar.terminals, name)
  return { languages }
}

export function group(
  config: Pick<Config, 'repetitions' | 'examples' | 'disjoint' | 'pool' | 'tests' | 'format'>,
  plan: Plan,
  number: number,
  draws: RandomStreams,
): Shared | EmptyDraw {
  const planned = plan.languages[Math.floor(number / config.repetitions)] as Plan['languages'][number]
  const { name, grammar, fenced } = planned
  const language = languageOf(grammar)
  const count = Math.max(...config.examples)
  const sides =
    config.disjoint === 'published'
      ? publishedSplit(config, language, fenced, draws)
      : fencedExamples(count, language, fenced, draws.stream('examples'))
  if (sides === null || sides.examples.length < count)
    return { kind: 'unreachable', proved: false, reason: `fewer than ${count} example strings were found` }
  return {
    language: name,
    grammar,
    fenced,
    repetition: number % config.repetitions,
    examples: sides.examples.slice(0, count),
    held: sides.held,
    format: config.format as Format,
  }
}

interface Sides {
  readonly examples: readonly string[]
  readonly held: readonly string[]
}

/** Independent strings of the train region, repeats allowed: what a training set of any seed could hold. */
export function fencedExamples(
  count: number,
  language: Language,
  fenced: Shared['fenced'],
  stream: Stream,
): Sides | null {
  const train = bucketsOfSplit('train')
  const examples: string[] = []
  const most = (count + 1) * maxPartitionRetries('train')
  for (let tries = 0; examples.length < count && tries < most; tries++) {
    const text = sampleText(language, stream)
    if (fenced === 'grammar' || train.includes(partitionBucket(fenceDomain, stringKey(text)))) examples.push(text)
  }
  return { examples, held: [] }
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
): Sides | null {
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
  const distance = config.distances[at.stratum] as Distance
  const found = find(config, shared, language, distance, test, cell)
  if (found === null)
    return {
      kind: 'unreachable',
      proved: false,
      reason:
        distance === 'twin'
          ? `strings of ${shared.language} that can be paired are too few: short n-grams and places tell most of them from their twins`
          : `no string at distance ${distance} was found in ${maxTries} draws`,
    }
  const given: Given = { text: found.text, k: config.examples[k] as number }
  return { kind: 'drawn', given, answer: found.truth, features: featuresOf(shared, language, given, found.truth, test) }
}

const maxTries = 4000
type Distance = Config['distances'][number]

interface Found {
  readonly text: string
  readonly truth: Truth
}

function find(
  config: Config,
  shared: Shared,
  language: Language,
  distance: Distance,
  test: number,
  cell: RandomStreams,
): Found | null {
  if (distance === 0 && config.disjoint === 'published') {
    const text = shared.held[test]
    return text === undefined ? null : inside(text)
  }
  const examples = new Set(shared.examples)
  const fits = (text: string) => !examples.has(text) && (shared.fenced === 'grammar' || cell.inSplit(stringKey(text)))
  if (distance === 'twin' || (distance === 0 && config.distances.includes('twin'))) {
    const twins = twinsOf(language, config.order)
    if (twins.plentiful) {
      const pairs = pairsOf(shared)
      const key = `${config.order} ${test}`
      let pair = pairs.get(key)
      if (pair === undefined) {
        pair = drawPair(language, twins, fits, cell.stream('string', test))
        pairs.set(key, pair)
      }
      return pair === null ? null : distance === 0 ? inside(pair.truth.source as string) : pair
    }
    if (distance === 'twin') return null
  }
  const stream = cell.stream('string', test)
  for (let tries = 0; tries < maxTries; tries++) {
    const found = candidate(config, language, distance, stream)
    if (found !== null && fits(found.text) && (found.truth.source === null || fits(found.truth.source))) return found
  }
  return null
}

const inside = (text: string): Found => ({ text, truth: { inside: true, source: null, edits: [], twin: null } })

/** One try at a string of the wanted kind; null where it is not one. */
function candidate(config: Config, language: Language, distance: number | 'unrelated', stream: Stream): Found | null {
  if (distance === 0) return inside(sampleText(language, stream))
  return distance === 'unrelated' ? unrelated(language, stream) : edited(config, language, distance, stream)
}

/** Pairs by order and test number: every context shows the same. */
const pairsOf = memoize((_shared: Shared) => new Map<string, Found | null>())

/** A string outside with the n-gram counts of a member, both of which may be asked. */
function drawPair(
  language: Language,
  twins: LearnedSampler,
  fits: (text: string) => boolean,
  stream: Stream,
): Found | null {
  const { grammar } = language
  const written = (tokens: Int32Array) => textOf(grammar, Array.from(tokens))
  const allowed = (tokens: Int32Array) => fits(written(tokens))
  for (let tries = 0; tries < maxTries; tries++) {
    const pair = twins.draw(stream, 0, allowed)
    if (pair === null) continue
    const { member, twin, k, swap } = pair
    return {
      text: written(twin),
      truth: {
        inside: false,
        source: written(member),
        edits: [],
        twin: { order: k, exchanges: [[swap.p, swap.x, swap.q, swap.y]] },
      },
    }
  }
  return null
}

/** As long as a string of the language, tokens uniform over the alphabet. */
function unrelated(language: Language, stream: Stream): Found | null {
  const { terminals } = language.grammar
  const { length } = sampleTokens(language, stream)
  const tokens = Array.from({ length }, () => below(stream, terminals.length))
  if (language.accepts(tokens)) return null
  return { text: textOf(language.grammar, tokens), truth: { inside: false, source: null, edits: [], twin: null } }
}

/**
 * A member after `distance` edits, outside the language and not nearer to its source (nor, if required, to the
 * language).
 */
function edited(config: Config, language: Language, distance: number, stream: Stream): Found | null {
  const { grammar } = language
  const source = sampleTokens(language, stream).map((t) => grammar.terminals[t] as string)
  let tokens: readonly string[] = source
  const edits: EditStep[] = []
  for (const kind of drawKinds(config.edits, distance, stream)) {
    const edit = drawEdit(kind, tokens, grammar.terminals, stream)
    const next = edit === null ? null : applyEdit(tokens, edit)
    if (edit === null || next === null) return null
    edits.push(edit)
    tokens = next
  }
  const text = tokens.join(' ')
  const numbers = tokensOf(grammar, text) as number[]
  if (language.accepts(numbers) || editDistance(source, tokens) !== distance) return null
  if (config.nearest === 'language' && language.distance(numbers, distance) !== distance) return null
  return { text, truth: { inside: false, source: source.join(' '), edits, twin: null } }
}

/** One string of the language, tokens joined by spaces. */
export const sampleText = (language: Language, stream: Stream): string =>
  textOf(language.grammar, sampleTokens(language, stream))
