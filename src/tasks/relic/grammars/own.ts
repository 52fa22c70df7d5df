import { z } from 'zod'
import {
  balancedBlocks,
  type DrawContext,
  type DrawResult,
  enc,
  type Features,
  hex,
  type Json,
  type Layout,
  LruCache,
  memoize,
  type RandomStreams,
  sha256,
  UsageError,
} from '../../../core/index.ts'
import { type CfgRule, terminal } from '../../../libraries/grammars/grammar/cfg.ts'
import { liftGrammar } from '../../../libraries/grammars/grammar/lift.ts'
import { readGrammar } from '../../../libraries/grammars/notation/file.ts'
import { parseNltkGrammar, printNltkGrammar } from '../../../libraries/grammars/notation/nltk.ts'
import { attainableLengths } from '../../../libraries/grammars/sample/lengths.ts'
import { isOwn, type Shared } from './grammar.ts'
import { type LengthRange, languageOf, lengthsOf } from './languages.ts'

/** The parameter of a grammar of one's own. */
export const grammar = z
  .string()
  .max(1_000_000)
  .nullable()
  .default(null)
  .superRefine((text, check) => {
    if (text === null) return
    try {
      readOwn(text)
    } catch (error) {
      check.addIssue({ code: 'custom', message: (error as Error).message })
    }
  })
  .describe('Your grammar (VALUE or @FILE) in the notation of NLTK, BNF, EBNF or Lark, instead of random ones')

/** Items that a grammar of one's own is asked for, of which a small language fills some. */
const OWN_ITEMS = 10_000

/** The rules of NLTK and BNF as they stand, those of other notations without their groups and patterns. */
function plainOrConverted(text: string) {
  try {
    const cfg = parseNltkGrammar(text)
    const symbols = new Set(cfg.rules.map(({ left }) => left))
    const right = cfg.rules.flatMap((rule) => rule.right)
    return {
      cfg,
      isAsWritten: cfg.rules.every(({ weight }) => weight === null),
      undefinedNames: right.flatMap(({ kind, name }) => (kind === 'nonterminal' && !symbols.has(name) ? [name] : [])),
    }
  } catch {
    const { grammar, groups, undefinedNames, omitted } = readGrammar(text)
    const isImported = (name: string) =>
      text.split('\n').some((line) => /^%import\b/u.test(line) && line.includes(name))
    const isAsWritten = Object.keys(groups).length === 0 && omitted.length === 0
    return {
      cfg: isAsWritten ? grammar : { ...grammar, rules: withoutPatterns(grammar.start, grammar.rules) },
      isAsWritten,
      undefinedNames: undefinedNames.filter((name) => !isImported(name)),
    }
  }
}

/** A symbol whose only rule is the token of its own name, as of a pattern, is that token. */
function withoutPatterns(start: string, rules: readonly CfgRule[]): readonly CfgRule[] {
  const isPattern = ({ left, right: [one, ...others] }: CfgRule) =>
    left !== start && others.length === 0 && one?.kind === 'terminal' && one.name === left
  const bySymbol = Map.groupBy(rules, ({ left }) => left)
  const patterns = new Set(
    [...bySymbol].flatMap(([left, [rule, ...others]]) => (others.length === 0 && isPattern(rule!) ? left : [])),
  )
  return rules
    .filter(({ left }) => !patterns.has(left))
    .map((rule) => ({ ...rule, right: rule.right.map((one) => (patterns.has(one.name) ? terminal(one.name) : one)) }))
}

/** The rules that some derivation of some string uses. */
export function usefulRules(start: string, rules: readonly CfgRule[]): readonly CfgRule[] {
  const grown = (names: Set<string>, more: () => Iterable<string>): ReadonlySet<string> => {
    for (let size = -1; size < names.size; ) {
      size = names.size
      for (const name of more()) names.add(name)
    }
    return names
  }
  const ends = new Set<string>()
  const isDone = ({ right }: CfgRule) => right.every(({ kind, name }) => kind === 'terminal' || ends.has(name))
  grown(ends, () => rules.filter(isDone).map(({ left }) => left))
  const done = rules.filter(isDone)
  const reached = new Set([start])
  grown(reached, () => done.flatMap(({ left, right }) => (reached.has(left) ? right.map(({ name }) => name) : [])))
  return done.filter(({ left }) => reached.has(left))
}

const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ')

/**
 * A grammar of one's own as the items of a group share it: plain rules, which alone decide, and the text as it is shown: as it
 * was written, or where groups, patterns or weights were replaced by plain rules, those.
 *
 * @throws an error that says what cannot be asked, and what to change.
 */
export function readOwn(text: string): Shared {
  const { cfg, isAsWritten, undefinedNames } = plainOrConverted(text)
  const rules = [...new Map(cfg.rules.map((rule) => [JSON.stringify([rule.left, rule.right]), rule])).values()]
  const symbols = new Set(rules.map(({ left }) => left))
  const right = rules.flatMap((rule) => rule.right)
  const tokens = [...new Set(right.flatMap(({ kind, name }) => (kind === 'terminal' ? [name] : [])))]
  const refuse = (names: readonly string[], problem: string): void => {
    if (names.length > 0) throw new UsageError(`${quoted([...new Set(names)])}: ${problem}`)
  }
  refuse(undefinedNames, 'expected a rule for each symbol, got none. Add one, or put tokens in quotes')
  refuse(
    tokens.filter((name) => symbols.has(name)),
    'expected different names for symbols and tokens. Rename one',
  )
  refuse(
    tokens.filter((name) => name === '' || /\s/u.test(name)),
    'expected tokens without blanks, because strings are written with blanks between tokens. Split or rename them',
  )
  refuse(
    tokens.filter((name) => name === '_' || name === 'END'),
    'these stand for a blank and for the end of a string. Rename the token',
  )
  const plain = usefulRules(cfg.start, rules).map((rule) => ({ ...rule, weight: null }))
  if (plain.length === 0 || liftGrammar({ start: cfg.start, rules: plain }).cnf.lexical.length === 0)
    throw new UsageError(`expected strings of one token or more from ${cfg.start}, got none. Check the rules`)
  const printed = printNltkGrammar({ start: cfg.start, rules: plain })
  return { grammar: printed, shown: isAsWritten ? text.trim() : printed }
}

/** @throws {UsageError} where the language has no strings of these lengths. */
export function requireLengths(config: LengthRange, shared: Shared): readonly number[] {
  const found = lengthsOf(config, shared)
  if (found.length > 0) return found
  const others = attainableLengths(languageOf(shared, 100).lengths).slice(0, 10)
  throw new UsageError(
    `the grammar has no string of ${config.minLength} to ${config.maxLength} tokens, only of ${others.join(', ')}${others.length < 10 ? '' : ' and more'}. ` +
      'Change minLength and maxLength',
  )
}

interface OwnConfig extends LengthRange {
  readonly grammar: string | null
  readonly perGrammar: number
}

/** Kinds of items in every grammar, equally often. */
export type Kinds = readonly { readonly [factor: string]: number }[]

/** Endless grammars with `perGrammar` items each, spread evenly over kinds; or the one grammar that was given. */
function layout({ grammar, perGrammar }: OwnConfig, kinds: Kinds, draws: RandomStreams): Layout {
  const items = grammar === null ? perGrammar : OWN_ITEMS
  return balancedBlocks(
    {
      factors: Object.keys(kinds[0]!),
      units: kinds.map((levels) => ({ levels, capacity: Math.ceil(items / kinds.length) })),
      groups: { layout: 'group-major', count: grammar === null ? null : 1 },
    },
    draws,
  )
}

type Draw<C, G, A, F extends Features> = (
  config: C,
  shared: Shared,
  at: DrawContext,
  draws: RandomStreams,
  cell: RandomStreams,
) => DrawResult<G, A, F>

/** Draws for a question that was not asked before, and trials of each kind before anything runs. */
const TRIES = 60
const TRIALS = 4

/**
 * A task's layout, its `draw`, and a `plan` that says what cannot be asked. Of random grammars every item is drawn by itself. All items of a
 * grammar of one's own are different questions, and no question belongs to two splits.
 */
export function withOwn<C extends OwnConfig, G extends Json, A, F extends Features>(
  draw: Draw<C, G, A, F>,
  kinds: (config: C) => Kinds,
) {
  const lists = memoize(
    (_shared: Shared) => new LruCache<{ found: DrawResult<G, A, F>[]; seen: Set<string> }, string>(64),
  )
  /** The n-th different question of its kind. */
  const drawOwn: Draw<C, G, A, F> = (config, shared, at, _draws, cell) => {
    const { found, seen } = lists(shared).get(JSON.stringify([config, at.levels]), () => ({
      found: [],
      seen: new Set(),
    }))
    while (found.length <= at.ordinal && found.at(-1)?.kind !== 'unreachable') {
      let next: DrawResult<G, A, F> = {
        kind: 'unreachable',
        proved: false,
        reason: `${TRIES} questions in a row were not new`,
      }
      for (let tries = 0, missed = 0; tries < TRIES && missed < TRIALS; tries++) {
        const streams = cell.fork('own', found.length, tries)
        const one = draw(config, shared, at, streams, streams.fork('shared'))
        const key = questionKey(one)
        if (one.kind === 'unreachable') {
          missed++
          next = one
        } else if (!seen.has(key) && cell.inSplit(splitKey(shared, key))) {
          seen.add(key)
          next = one
          break
        }
      }
      found.push(next)
    }
    return found[Math.min(at.ordinal, found.length - 1)]!
  }
  return {
    layout: (config: C, _plan: unknown, draws: RandomStreams) => layout(config, kinds(config), draws),
    draw: ((config, shared, at, draws, cell) =>
      (isOwn(shared) ? drawOwn : draw)(config, shared, at, draws, cell)) satisfies Draw<C, G, A, F>,
    /** @throws {UsageError} */
    plan(config: C, draws: RandomStreams): null {
      if (config.grammar === null) return null
      const shared = readOwn(config.grammar)
      requireLengths(config, shared)
      const reasons = new Set<string>()
      for (const [kind, levels] of kinds(config).entries())
        for (let k = 0; k < TRIALS; k++) {
          const at: DrawContext = { group: 0, unit: kind, stratum: kind, ordinal: 0, levels }
          const streams = draws.fork('trial', kind, k)
          const one = draw(config, shared, at, streams, streams.fork('shared'))
          if (one.kind === 'drawn') return null
          reasons.add(one.reason)
        }
      throw new UsageError(`the grammar cannot be used like this: ${[...reasons].join('; ')}. ${REMEDY}`)
    },
  }
}

const REMEDY = 'Take longer strings (minLength, maxLength), or a grammar with more choice'

const questionKey = (one: DrawResult<Json, unknown, Features>): string =>
  one.kind === 'drawn' ? JSON.stringify(one.given) : ''
const splitKey = (shared: Shared, key: string): string =>
  hex(sha256(enc('relic/own', shared.grammar, key))).slice(0, 32)
