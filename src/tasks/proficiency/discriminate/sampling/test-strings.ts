import { editDistance } from '../../../../core/edit-distance.ts'
import {
  below,
  enc,
  memoize,
  pick,
  type RandomStreams,
  type Stream,
  sha256,
  streamFromKey,
  weighted,
} from '../../../../core/index.ts'
import type { LearnedSampler } from '../../../../libraries/grammars/negatives/matched-pairs.ts'
import { heights, type Pcfg, printPcfg, textOf, tokensOf } from '../../../../libraries/grammars/pcfg/index.ts'
import { type Language, sampleText, sampleTokens } from '../../languages/compiled.ts'
import { stringKey, symbolsOf, withRule } from '../../languages/make.ts'
import { type Config, type Distance, isMade, kindsOf } from '../config.ts'
import type { EditStep, Shared, Truth } from '../types.ts'
import { applyEdit, drawEdit, drawKinds } from './edits.ts'
import { twinsOf } from './twins.ts'

/** A test string with what is true of it. */
interface Found {
  readonly text: string
  readonly truth: Truth
}

export const maxTries = 4000
/** Tries at a string that is made of a given one, before another one is taken. */
const maxChanges = 400

type Open = (label: string, ...indices: readonly number[]) => Stream
type Fits = (text: string) => boolean

/** The string of a stratum with a test number; the same in every context. null: none was found. */
export function testString(
  config: Config,
  shared: Shared,
  language: Language,
  stratum: number,
  test: number,
  cell: RandomStreams,
): Found | null {
  const kinds = kindsOf(config)
  const { distance } = kinds[stratum] as (typeof kinds)[number]
  const { testKey } = shared
  const open: Open =
    testKey === undefined
      ? (label, ...indices) => cell.stream(label, ...indices)
      : (label, ...indices) =>
          streamFromKey(sha256(enc('touchstone/proficiency/tests/1', testKey, shared.language, label, ...indices)))
  const examples = new Set(shared.examples)
  const fits: Fits = (text) => !examples.has(text) && (shared.fenced === 'grammar' || cell.inSplit(stringKey(text)))
  if (distance === 'seen') return seen(shared, test)
  const hasMembers = config.distances.includes(0)
  if (distance === 0 || (hasMembers && isMade(config, distance))) {
    const known = madeOf(shared)
    const key = JSON.stringify([config, test])
    let made = known.get(key)
    if (made === undefined) {
      made = memberWithChanges(config, shared, language, fits, test, open)
      known.set(key, made)
    }
    return made.get(stratum) ?? null
  }
  const stream = open(testKey === undefined ? 'string' : `string ${distance}`, test)
  for (let tries = 0; tries < maxTries; tries++) {
    const found = single(config, language, distance, fits, stream)
    if (found !== null && fits(found.text)) return found
  }
  return null
}

const member = (text: string): Found => ({ text, truth: truthOf({ inside: true }) })

const truthOf = (known: Partial<Truth>): Truth => ({
  inside: false,
  source: null,
  edits: [],
  apart: null,
  twin: null,
  changed: null,
  seen: null,
  ...known,
})

function seen({ examples }: Shared, test: number): Found | null {
  const text = examples[test]
  return text === undefined ? null : { text, truth: truthOf({ inside: true, seen: test + 1 }) }
}

/** Members with what is made of them, by config and test number: every context and stratum shows the same. */
const madeOf = memoize((_shared: Shared) => new Map<string, ReadonlyMap<number, Found>>())

/** A member, and by stratum what is made of it; a member without one of them is drawn again. */
function memberWithChanges(
  config: Config,
  shared: Shared,
  language: Language,
  fits: Fits,
  test: number,
  open: Open,
): ReadonlyMap<number, Found> {
  const stream = open('string', test)
  const kinds = [...kindsOf(config).entries()].filter(([, { distance }]) => distance === 0 || isMade(config, distance))
  const twins = config.distances.includes('twin') ? twinsOf(language, config.order) : null
  const held = config.disjoint === 'published' ? shared.held[test] : undefined
  for (let tries = 0; tries < maxTries; tries++) {
    const pair = twins?.plentiful === true ? drawPair(language, twins, fits, stream) : null
    const text = held ?? pair?.truth.source ?? sampleText(language, stream)
    if (held === undefined && !fits(text)) continue
    const made = new Map<number, Found>()
    for (const [stratum, { distance }] of kinds) {
      const found =
        distance === 0
          ? member(text)
          : distance === 'twin'
            ? pair
            : edited(config, language, text, Number(distance), fits, stream)
      if (found !== null) made.set(stratum, found)
    }
    // Twins that a language lacks are no reason to look for another string.
    if (kinds.every(([stratum, { distance }]) => made.has(stratum) || distance === 'twin') || held !== undefined)
      return made
  }
  return new Map()
}

/** One try at a string that is not made of a test string. */
function single(config: Config, language: Language, distance: Distance, fits: Fits, stream: Stream): Found | null {
  if (distance === 'unrelated') return unrelated(config, language, stream)
  if (distance === 'twin') {
    const twins = twinsOf(language, config.order)
    return twins.plentiful ? drawPair(language, twins, fits, stream) : null
  }
  if (typeof distance === 'string') return ofChangedRule(language, Number(distance.slice('rule-'.length)), fits, stream)
  const source = sampleText(language, stream)
  return fits(source) ? edited(config, language, source, distance, fits, stream) : null
}

/** A string outside with the n-gram counts of a member, both of which may be asked. */
function drawPair(language: Language, twins: LearnedSampler, fits: Fits, stream: Stream): Found | null {
  const { grammar } = language
  const written = (tokens: Int32Array) => textOf(grammar, Array.from(tokens))
  for (let tries = 0; tries < maxTries; tries++) {
    const pair = twins.draw(stream, 0, (tokens) => fits(written(tokens)))
    if (pair === null) continue
    const { k, swap } = pair
    const twin = { order: k, exchanges: [[swap.p, swap.x, swap.q, swap.y] as const] }
    return { text: written(pair.twin), truth: truthOf({ source: written(pair.member), twin }) }
  }
  return null
}

/**
 * The source after `distance` edits, outside the language. Released edits are so many operations; others leave it no nearer
 * to its source (nor, if required, to the language). Only places and tokens are drawn again, not the kinds of the edits.
 */
function edited(
  config: Config,
  language: Language,
  text: string,
  distance: number,
  fits: Fits,
  stream: Stream,
): Found | null {
  const { terminals } = language.grammar
  const source = text.split(' ')
  const kinds = drawKinds(config.edits, distance, stream)
  const isReleased = config.edits === 'released'
  for (let tries = 0; tries < maxChanges; tries++) {
    let tokens: readonly string[] | null = source
    const edits: EditStep[] = []
    for (const kind of kinds) {
      const edit: EditStep | null = tokens && drawEdit(kind, tokens, terminals, isReleased, stream)
      tokens = edit && tokens && applyEdit(tokens, edit)
      if (edit !== null) edits.push(edit)
    }
    if (tokens === null) continue
    const numbers = tokensOf(language.grammar, tokens.join(' ')) as number[]
    if (!fits(tokens.join(' ')) || language.accepts(numbers)) continue
    const apart = editDistance(source, tokens)
    if (!isReleased && apart !== distance) continue
    if (config.nearest === 'language' && language.distance(numbers, distance) !== distance) continue
    return { text: tokens.join(' '), truth: truthOf({ source: text, edits, apart }) }
  }
  return null
}

function unrelated(config: Config, language: Language, stream: Stream): Found | null {
  const { terminals } = language.grammar
  const tokens = config.unrelated === 'unigram' ? unigrams(language, stream) : uniform(language, stream)
  if (language.accepts(tokens)) return null
  return { text: tokens.map((token) => terminals[token]).join(' '), truth: truthOf({}) }
}

/** As long as a string of the language, tokens uniform over the alphabet. */
function uniform(language: Language, stream: Stream): number[] {
  const { length } = sampleTokens(language, stream)
  return Array.from({ length }, () => below(stream, language.grammar.terminals.length))
}

/** Of any length from that of the shortest to that of the longest string, tokens by their frequency in the language. */
function unigrams(language: Language, stream: Stream): number[] {
  const { counts, shortest, longest } = unigramsOf(language)
  const length = shortest + below(stream, Math.max(1, longest - shortest))
  return Array.from({ length }, () => weighted(stream, counts))
}

/** From a fixed sample. */
const unigramsOf = memoize((language: Language) => {
  const { grammar } = language
  const stream = streamFromKey(sha256(enc('touchstone/proficiency/unigram/1', printPcfg(grammar))))
  const strings = Array.from({ length: 2000 }, () => sampleTokens(language, stream))
  const counts = grammar.terminals.map(() => 0)
  for (const token of strings.flat()) counts[token] = (counts[token] as number) + 1
  const lengths = strings.map(({ length }) => length)
  return { counts, shortest: Math.min(...lengths), longest: Math.max(...lengths) }
})

/** A string of the grammar with one rule of a level changed, outside the language. */
function ofChangedRule(language: Language, level: number, fits: Fits, stream: Stream): Found | null {
  const changed = changeRule(language.grammar, level, stream)
  if (changed === null) return null
  for (let tries = 0; tries < maxChanges; tries++) {
    const text = sampleText(changed, stream)
    const tokens = tokensOf(language.grammar, text)
    if (tokens !== null && !language.accepts(tokens) && fits(text))
      return { text, truth: truthOf({ changed: { rule: changed.rule, right: changed.right } }) }
  }
  return null
}

/**
 * One symbol of a rule of nonterminals `level` above the tokens is inserted, deleted or replaced, as in the released code:
 * never the last one of several, symbols of the level below. null: no such rule, or no grammar comes of it.
 */
function changeRule(grammar: Pcfg, level: number, stream: Stream) {
  const height = heights(grammar)
  const at = (wanted: number) => grammar.nonterminals.filter((_, n) => height?.[n] === wanted)
  const symbols = level === 1 ? grammar.terminals.map((name) => `'${name}'`) : at(level - 1)
  const rules = grammar.rules.flatMap(({ left }, rule) => (height?.[left] === level ? [rule] : []))
  if (rules.length === 0 || symbols.length < 2) return null
  const rule = pick(stream, rules)
  const old = symbolsOf(grammar, rule)
  const place = old.length === 1 ? 0 : below(stream, old.length - 1)
  const action = pick(stream, old.length === 1 ? ['insert', 'replace'] : ['insert', 'replace', 'delete'])
  const symbol = pick(stream, action === 'replace' ? symbols.filter((one) => one !== old[place]) : symbols)
  const right = old.toSpliced(place, action === 'insert' ? 0 : 1, ...(action === 'delete' ? [] : [symbol])).join(' ')
  const next = withRule(grammar, rule, right)
  return next === null ? null : { grammar: next, rule, right }
}
