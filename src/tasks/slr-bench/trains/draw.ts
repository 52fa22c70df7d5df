import { z } from 'zod'
import { balancedBlocks } from '../../../core/balanced-blocks.ts'
import { feature } from '../../../core/feature.ts'
import { below, between, pick, sample, shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import type { DrawContext, DrawResult, Layout, RandomStreams } from '../../../core/task.ts'
import type { Config, Tier } from './config.ts'
import {
  type Answer,
  attributeNames,
  attributes,
  comparisonNames,
  type Given,
  partitionKey,
  type Train,
  WHEELS,
} from './question.ts'
import {
  goalsOf,
  holds,
  judge,
  type Link,
  MAX_GOALS,
  type Property,
  type Rule,
  rulesOfAnyForm,
  rulesUpTo,
  ruleText,
  sizeOf,
} from './rule.ts'

export const features = z.object({
  tier: feature(
    z.string(),
    'stratum',
    'Tier of the rule: basic, easy, medium, hard (large: of nine cars or more), negation, recursion, arithmetic',
  ),
  level: feature(z.int().nullable(), 'difficulty', 'Level of the published curriculum; null: generated'),
  properties: feature(z.int().nullable(), 'difficulty', 'Properties that the rule reads; null: missing in a record'),
  trains: feature(z.int(), 'difficulty', 'Trains shown'),
  cars: feature(z.int().nullable(), 'difficulty', 'Cars per train; null: they differ'),
  first: feature(z.string().nullable(), 'nuisance', 'Attributes the rule reads of a car'),
  second: feature(z.string().nullable(), 'nuisance', 'Attributes it reads of the car behind'),
  link: feature(
    z.string().nullable(),
    'nuisance',
    'What the rule says of the two: without, later, or how wheels compare; null: coupled cars or one car',
  ),
  part: feature(z.string(), 'stratum', 'The file of a published record; generated'),
})

export type ItemFeatures = z.infer<typeof features>

const numbers = [...attributeNames.keys()]
const ones = numbers.map((a) => [a])
const twos = numbers.flatMap((a) => numbers.filter((b) => b > a).map((b) => [a, b]))

type Shape = readonly [first: readonly number[], second: readonly number[], link?: Link]

const still = ones.filter(([at]) => at !== WHEELS)

/** The attributes that the first car and the other are judged by. */
const shapes: { readonly [tier in Tier]: readonly Shape[] } = {
  basic: ones.map((first) => [first, []]),
  easy: twos.map((first) => [first, []]),
  medium: ones.flatMap((first) => ones.map((second) => [first, second] as const)),
  hard: twos.flatMap((two) => ones.flatMap((one) => [[two, one] as const, [one, two] as const])),
  negation: ones.flatMap((first) =>
    ones.filter(([at]) => at !== first[0]).map((second): Shape => [first, second, 'without']),
  ),
  recursion: ones.flatMap((first) => ones.map((second): Shape => [first, second, 'later'])),
  arithmetic: comparisonNames.flatMap((link) =>
    still.flatMap((one): Shape[] => [
      [one, [], link],
      [[], one, link],
    ]),
  ),
}

/** Tiers in which a rule may have any form. */
const hasAnyForm = (tier: Tier): boolean => shapes[tier].every(([, , link]) => link !== undefined)

const names: readonly string[] = attributeNames
const nameOf = (attributes: readonly number[]): string => attributes.map((at) => attributeNames[at]).join('+')
const attributesOf = (name: string): readonly number[] =>
  name === '' ? [] : name.split('+').map((one) => names.indexOf(one))

/** Every choice of attributes equally often. */
export const layout = ({ tier }: Config, _plan: null, draws: RandomStreams): Layout =>
  balancedBlocks(
    {
      factors: ['first', 'second', ...(hasAnyForm(tier) ? ['link'] : [])],
      units: shapes[tier].map(([first, second, link]) => ({
        levels: { first: nameOf(first), second: nameOf(second), ...(link === undefined ? {} : { link }) },
      })),
    },
    draws,
  )

/** How many rules to try for one item, and pairs for one place. */
const RULES = 60
const OFFERS = 6
/** Goals allowed beyond those that the shortest way of writing the rule takes. */
const SPARE_GOALS = 2

interface Labelled {
  readonly train: Train
  readonly east: boolean
}
type Pair = readonly [Labelled, Labelled]

/**
 * Trains in pairs: the second is the first with the values of each attribute shuffled among the cars, so that what can be
 * counted is equal in both. An item uses some values of each attribute, the rule's among them; trains are drawn from these by
 * no other regard to the rule, which only labels them: without the labels they tell nothing of it.
 * No other rule as short as the true one, or shorter, fits.
 */
export function draw(config: Config, cell: DrawContext, draws: RandomStreams): DrawResult<Given, Answer, ItemFeatures> {
  const stream = draws.stream('trains')
  for (let attempt = 0; attempt < RULES; attempt++) {
    const rule: Rule = {
      first: drawProperties(stream, String(cell.levels['first'])),
      second: drawProperties(stream, String(cell.levels['second'])),
      link: (cell.levels['link'] ?? 'next') as Link,
    }
    const drawPair = pairsOf(stream, config, rule)
    const shown = drawShown(config, rule, drawPair)
    if (shown === null) continue
    const hidden = Array.from({ length: config.hidden }, drawPair)
    const trains = shuffle(stream, shown.flat())
    const given: Given = {
      kind: 'trains',
      trains: trains.map(({ train }) => train),
      east: trains.map(({ east }) => east),
      hidden: shuffle(
        stream,
        hidden.flat().map(({ train }) => train),
      ),
      ...(hasAnyForm(config.tier)
        ? { goals: MAX_GOALS + SPARE_GOALS, anyForm: true }
        : { goals: goalsOf(rule) + SPARE_GOALS }),
    }
    if (!draws.inSplit(partitionKey(given))) continue
    return {
      kind: 'drawn',
      given,
      answer: ruleText(rule),
      features: {
        tier: config.tier === 'hard' && config.cars >= LONG ? 'large' : config.tier,
        level: null,
        properties: sizeOf(rule),
        trains: given.trains.length,
        cars: config.cars,
        first: String(cell.levels['first']),
        second: String(cell.levels['second']),
        link: rule.link === 'next' ? null : rule.link,
        part: 'generated',
      },
    }
  }
  return { kind: 'unreachable', proved: false, reason: `no trains that tell the rule in ${RULES} tries` }
}

const drawProperties = (stream: Stream, shape: string): readonly Property[] =>
  attributesOf(shape).map((attribute) => [attribute, drawValue(stream, attribute)])

const valuesOf = (attribute: number): number => attributes[attributeNames[attribute] as keyof typeof attributes].length

const drawValue = (stream: Stream, attribute: number): number => below(stream, valuesOf(attribute))

/** Cars of a train of which rules of three properties hold often enough with all values. */
const LONG = 9

/** Values of each attribute that cars of an item may have: two where the rule would else hold of few trains. */
const chooseValues = (stream: Stream, { tier, cars }: Config, rule: Rule): readonly (readonly number[])[] =>
  numbers.map((at) => {
    const read = [...rule.first, ...rule.second].flatMap(([attribute, value]) => (attribute === at ? [value] : []))
    const values = Array.from({ length: valuesOf(at) }, (_, value) => value)
    return [...new Set([...read, ...shuffle(stream, values)])].slice(
      0,
      tier === 'hard' && cars < LONG ? 2 : values.length,
    )
  })

/** Draws pairs of trains that are all different. */
function pairsOf(stream: Stream, config: Config, rule: Rule): () => Pair {
  const { tier, cars } = config
  const used = chooseValues(stream, config, rule)
  const seen = new Set<string>()
  const drawTrain = (): Train => fromColumns(used.map((values) => drawColumn(stream, cars, values, tier === 'basic')))
  const shuffled = (train: Train): Train =>
    fromColumns(
      numbers.map((at) =>
        shuffle(
          stream,
          train.map((car) => car[at] as number),
        ),
      ),
    )
  return () => {
    for (;;) {
      const train = drawTrain()
      // One property read: equal counts would put both on one side.
      const pair = [train, tier === 'basic' ? drawTrain() : shuffled(train)] as const
      const keys = new Set(pair.map((one) => JSON.stringify(one)))
      if (keys.size < 2 || [...keys].some((key) => seen.has(key))) continue
      for (const key of keys) seen.add(key)
      return [labelled(rule, pair[0]), labelled(rule, pair[1])]
    }
  }
}

const labelled = (rule: Rule, train: Train): Labelled => ({ train, east: holds(rule, train) })

/**
 * Values of an attribute for each car: all that are used, where there are cars enough. `partly`: of a random part of them, so
 * that any one is missing in half of all trains.
 */
function drawColumn(stream: Stream, cars: number, values: readonly number[], partly: boolean): readonly number[] {
  const some = sample(stream, values, partly ? between(stream, 1, values.length - 1) : values.length)
  const cells = Array.from({ length: cars }, (_, car) => (partly ? undefined : some[car]) ?? pick(stream, some))
  return partly ? cells : shuffle(stream, cells)
}

const fromColumns = (columns: readonly (readonly number[])[]): Train =>
  (columns[0] ?? []).map((_, car) => columns.map((column) => column[car] as number))

/**
 * The requested number of pairs; each is the best of several at telling rules from one another, whichever is the true one.
 * null: another rule fits.
 */
function drawShown(config: Config, rule: Rule, drawPair: () => Pair): readonly Pair[] | null {
  const rules = hasAnyForm(config.tier) ? rulesOfAnyForm() : rulesUpTo(sizeOf(rule))
  let classes: readonly number[] = rules.map(() => 0)
  const pairs: Pair[] = []
  while (pairs.length < config.pairs) {
    let best: { readonly pair: Pair; readonly classes: readonly number[]; readonly count: number } | null = null
    for (let offer = 0; offer < OFFERS; offer++) {
      const pair = drawPair()
      const split = splitClasses(classes, rules, pair)
      if (best === null || split.count > best.count) best = { pair, ...split }
    }
    if (best === null) return null
    pairs.push(best.pair)
    classes = best.classes
  }
  const fits = (other: Rule): boolean =>
    pairs.every((pair) => pair.every(({ train, east }) => holds(other, train) === east))
  return rules.filter(fits).length === 1 ? pairs : null
}

/** Numbers for the classes of rules that label all pairs so far alike, after one more. */
function splitClasses(classes: readonly number[], rules: readonly Rule[], [one, other]: Pair) {
  const numbers = new Map<number, number>()
  const [first, second] = [judge(one.train), judge(other.train)]
  const split = rules.map((rule, i) => {
    const key = 4 * (classes[i] as number) + (first(rule) ? 2 : 0) + (second(rule) ? 1 : 0)
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  })
  return { classes: split, count: numbers.size }
}
