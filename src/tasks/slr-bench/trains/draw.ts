import { z } from 'zod'
import { balancedBlocks } from '../../../core/balanced-blocks.ts'
import { feature } from '../../../core/feature.ts'
import { below, pick, shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import type { DrawContext, DrawResult, Layout, RandomStreams } from '../../../core/task.ts'
import type { Config, Tier } from './config.ts'
import { type Answer, attributeNames, attributes, type Given, partitionKey, type Train } from './question.ts'
import { goalsOf, holds, type Property, type Rule, rulesUpTo, ruleText, sizeOf } from './rule.ts'

export const features = z.object({
  tier: feature(z.string(), 'stratum', 'Tier of the rule: basic, easy, medium, hard'),
  level: feature(z.int().nullable(), 'difficulty', 'Level of the published curriculum; null: generated'),
  properties: feature(z.int().nullable(), 'difficulty', 'Properties that the rule reads; null: missing in a record'),
  trains: feature(z.int(), 'difficulty', 'Trains shown'),
  cars: feature(z.int().nullable(), 'difficulty', 'Cars per train; null: they differ'),
  first: feature(z.string().nullable(), 'nuisance', 'Attributes the rule reads of a car'),
  second: feature(z.string().nullable(), 'nuisance', 'Attributes it reads of the car behind'),
  part: feature(z.string(), 'stratum', 'The file of a published record; generated'),
})

export type ItemFeatures = z.infer<typeof features>

const numbers = [...attributeNames.keys()]
const ones = numbers.map((a) => [a])
const twos = numbers.flatMap((a) => numbers.filter((b) => b > a).map((b) => [a, b]))

/** The attributes that the first car and the car behind it are judged by. */
const shapes: { readonly [tier in Tier]: readonly (readonly [first: readonly number[], second: readonly number[]])[] } =
  {
    basic: ones.map((first) => [first, []]),
    easy: twos.map((first) => [first, []]),
    medium: ones.flatMap((first) => ones.map((second) => [first, second] as const)),
    hard: twos.flatMap((two) => ones.flatMap((one) => [[two, one] as const, [one, two] as const])),
  }

const names: readonly string[] = attributeNames
const nameOf = (attributes: readonly number[]): string => attributes.map((at) => attributeNames[at]).join('+')
const attributesOf = (name: string): readonly number[] =>
  name === '' ? [] : name.split('+').map((one) => names.indexOf(one))

/** Every choice of attributes equally often. */
export const layout = ({ tier }: Config, _plan: null, draws: RandomStreams): Layout =>
  balancedBlocks(
    {
      factors: ['first', 'second'],
      units: shapes[tier].map(([first, second]) => ({ levels: { first: nameOf(first), second: nameOf(second) } })),
    },
    draws,
  )

/** How many rules to try for one item, trains for one pair, and pairs for one place. */
const RULES = 60
const TRAINS = 4000
const OFFERS = 6
/** Goals allowed beyond those that the shortest way of writing the rule takes. */
const SPARE_GOALS = 2

type Pair = readonly [east: Train, west: Train]

/**
 * Trains in pairs: a westbound one is an eastbound one in which two cars have changed places in one property that the rule reads,
 * so that everything that can be counted is equal in both. Where the rule reads a single property, that is another one.
 * No other rule as short as the true one, or shorter, fits.
 */
export function draw(config: Config, cell: DrawContext, draws: RandomStreams): DrawResult<Given, Answer, ItemFeatures> {
  const stream = draws.stream('trains')
  for (let attempt = 0; attempt < RULES; attempt++) {
    const rule: Rule = {
      first: drawProperties(stream, String(cell.levels['first'])),
      second: drawProperties(stream, String(cell.levels['second'])),
    }
    const shown = drawPairs(stream, config, rule)
    if (shown === null) continue
    const used = new Set(shown.flat().map((train) => JSON.stringify(train)))
    const hidden = drawHidden(stream, config, rule, used)
    if (hidden === null) continue
    const labelled = shuffle(
      stream,
      shown.flatMap(([east, west]) => [
        { train: east, east: true },
        { train: west, east: false },
      ]),
    )
    const given: Given = {
      kind: 'trains',
      trains: labelled.map(({ train }) => train),
      east: labelled.map(({ east }) => east),
      hidden: shuffle(stream, hidden.flat()),
      goals: goalsOf(rule) + SPARE_GOALS,
    }
    if (!draws.inSplit(partitionKey(given))) continue
    return {
      kind: 'drawn',
      given,
      answer: ruleText(rule),
      features: {
        tier: config.tier,
        level: null,
        properties: sizeOf(rule),
        trains: given.trains.length,
        cars: config.cars,
        first: String(cell.levels['first']),
        second: String(cell.levels['second']),
        part: 'generated',
      },
    }
  }
  return { kind: 'unreachable', proved: false, reason: `no trains that tell the rule in ${RULES} tries` }
}

const drawProperties = (stream: Stream, shape: string): readonly Property[] =>
  attributesOf(shape).map((attribute) => [attribute, drawValue(stream, attribute)])

const drawValue = (stream: Stream, attribute: number): number =>
  below(stream, attributes[attributeNames[attribute] as keyof typeof attributes].length)

/**
 * The requested number of pairs; each is the best of several at excluding other rules. null: another rule still fits.
 */
function drawPairs(stream: Stream, config: Config, rule: Rule): readonly Pair[] | null {
  let open = rulesUpTo(sizeOf(rule))
  const pairs: Pair[] = []
  const seen = new Set<string>()
  while (pairs.length < config.pairs) {
    let best: { readonly pair: Pair; readonly left: readonly Rule[] } | null = null
    for (let offer = 0; offer < OFFERS; offer++) {
      const pair = drawPair(stream, config, rule, seen)
      if (pair === null) return null
      const left = open.filter((other) => holds(other, pair[0]) && !holds(other, pair[1]))
      if (best === null || left.length < best.left.length) best = { pair, left }
    }
    if (best === null) return null
    pairs.push(best.pair)
    for (const train of best.pair) seen.add(JSON.stringify(train))
    open = best.left
  }
  return open.length === 1 ? pairs : null
}

function drawHidden(stream: Stream, config: Config, rule: Rule, seen: Set<string>): readonly Pair[] | null {
  const pairs: Pair[] = []
  while (pairs.length < config.hidden) {
    const pair = drawPair(stream, config, rule, seen)
    if (pair === null) return null
    pairs.push(pair)
    for (const train of pair) seen.add(JSON.stringify(train))
  }
  return pairs
}

/** An eastbound train and a similar westbound one, both new. */
function drawPair(stream: Stream, { cars }: Config, rule: Rule, seen: ReadonlySet<string>): Pair | null {
  for (let attempt = 0; attempt < TRAINS; attempt++) {
    const train: Train = Array.from({ length: cars }, () => attributeNames.map((_, at) => drawValue(stream, at)))
    if (!holds(rule, train) || seen.has(JSON.stringify(train))) continue
    const twins = twinsOf(train, rule).filter((twin) => !holds(rule, twin) && !seen.has(JSON.stringify(twin)))
    if (twins.length > 0) return [train, pick(stream, twins)]
  }
  return null
}

/** Trains that differ in one attribute that the rule reads: of two cars the values are exchanged; of one it is another. */
function twinsOf(train: Train, rule: Rule): readonly Train[] {
  const [only] = rule.first
  if (sizeOf(rule) === 1 && only !== undefined) {
    const [attribute] = only
    const values = attributes[attributeNames[attribute] as keyof typeof attributes].length
    return train.flatMap((car, i) =>
      Array.from({ length: values }, (_, value) => withValue(train, i, attribute, value)).filter(
        (_, value) => value !== car[attribute],
      ),
    )
  }
  const read = [...new Set([...rule.first, ...rule.second].map(([attribute]) => attribute))]
  return read.flatMap((attribute) =>
    train.flatMap((car, i) =>
      train.slice(i + 1).flatMap((other, k) => {
        const [mine, theirs] = [car[attribute] as number, other[attribute] as number]
        return mine === theirs ? [] : [withValue(withValue(train, i, attribute, theirs), i + 1 + k, attribute, mine)]
      }),
    ),
  )
}

const withValue = (train: Train, at: number, attribute: number, value: number): Train =>
  train.map((car, i) => (i === at ? car.map((old, k) => (k === attribute ? value : old)) : car))
