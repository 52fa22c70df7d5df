import { between, type Stream } from '../../../core/index.ts'
import { buildPcfg, type NamedRule, type NamedSymbol, type Pcfg, PcfgError } from './grammar.ts'
import { namedRules } from './transform.ts'

/** Languages of other classes than the paper's, as probabilistic grammars without empty right-hand sides. */

const n = (name: string): NamedSymbol => ({ name, terminal: false })
const t = (name: string): NamedSymbol => ({ name, terminal: true })
const rule = (left: string, right: readonly NamedSymbol[], weight: number): NamedRule => ({ left, right, weight })

const brackets = ['()', '[]', '{}', '<>'] as const

/**
 * Non-empty balanced strings over `kinds` pairs of brackets, 1..4, in finite expected length. What may follow an open
 * bracket is decided only when it is read, so a prefix leaves few possibilities.
 */
export function dyck(kinds: number): Pcfg {
  if (!Number.isInteger(kinds) || kinds < 1 || kinds > brackets.length)
    throw new PcfgError('unsupported', `Dyck-k has 1..${brackets.length} kinds of brackets, got ${kinds}`)
  const pairs = brackets.slice(0, kinds).map((pair, i) => {
    const [open, close] = [...pair] as [string, string]
    return { open: t(open), close: t(close), inside: n(`B${i + 1}`) }
  })
  return buildPcfg([
    ...pairs.flatMap(({ open, inside }) => [rule('S', [open, inside], 5), rule('S', [open, inside, n('S')], 3)]),
    ...pairs.flatMap((outer) => [
      rule(outer.inside.name, [outer.close], 3 * kinds),
      ...pairs.map((inner) => rule(outer.inside.name, [inner.open, inner.inside, outer.inside], 2)),
    ]),
  ])
}

/** a^m b^m with m geometric of mean 5. */
export function counting(): Pcfg {
  return buildPcfg([rule('S', [t('a'), n('S'), t('b')], 4), rule('S', [t('a'), t('b')], 1)])
}

/** w c w with w over {a, b} of length 1..`longest`, all lengths and words of a length equally likely: a finite copy language. */
export function copy(longest: number): Pcfg {
  if (!Number.isInteger(longest) || longest < 1 || longest > 8)
    throw new PcfgError('unsupported', `the copy language has words of length 1..8, got ${longest}`)
  const rules: NamedRule[] = []
  for (let length = 1; length <= longest; length++)
    for (let code = 0; code < 1 << length; code++) {
      const word = Array.from({ length }, (_, i) => t((code >> i) % 2 === 0 ? 'a' : 'b'))
      rules.push(rule('S', [...word, t('c'), ...word], 1 << (longest - length)))
    }
  return buildPcfg(rules)
}

/** w c reverse(w): the context-free sister of the copy language. */
export function mirror(): Pcfg {
  return buildPcfg([
    rule('S', [t('a'), n('S'), t('a')], 2),
    rule('S', [t('b'), n('S'), t('b')], 2),
    rule('S', [t('c')], 1),
  ])
}

export interface RegularParameters {
  readonly states: number
  readonly tokens: readonly string[]
  /** Arcs out of each state. */
  readonly degree: number
  /** Percent of stopping after each token. */
  readonly stop: number
}

/** A random probabilistic finite automaton as a right-linear grammar; deterministic, so unambiguous. */
export function regular(parameters: RegularParameters, stream: Stream): Pcfg {
  const { states, tokens, degree, stop } = parameters
  if (states < 1 || states > 200 || degree < 1 || degree > tokens.length || stop < 1 || stop > 99)
    throw new PcfgError(
      'unsupported',
      `a regular language needs 1..200 states, a degree of 1..${tokens.length} and a stop of 1..99 percent`,
    )
  if (new Set(tokens).size < tokens.length)
    throw new PcfgError('unsupported', `tokens are different names, got ${tokens.join(' ')}`)
  const arcs = Array.from({ length: states }, (_, q) =>
    tokens
      .map((token) => ({ token, order: stream.u32() }))
      .sort((a, b) => a.order - b.order)
      .slice(0, degree)
      .map(({ token }, i) => ({
        token,
        // The first arc leads to the next state, so that every state is reached.
        to: i === 0 ? (q + 1) % states : between(stream, 0, states - 1),
        weight: between(stream, 1, 20),
      })),
  )
  return buildPcfg(
    arcs.flatMap((list, q) =>
      list.flatMap(({ token, to, weight }) => [
        rule(`Q${q}`, [t(token), n(`Q${to}`)], weight * (100 - stop)),
        rule(`Q${q}`, [t(token)], weight * stop),
      ]),
    ),
  )
}

/**
 * The position of each token's partner in a word: behind it (`local`: x1 y1 x2 y2 .. xm ym), last in first out (`nested`:
 * x1 .. xm ym .. y1) or first in first out (`crossed`: x1 .. xm y1 .. ym).
 */
export const arrangements = ['local', 'nested', 'crossed'] as const
export type Arrangement = (typeof arrangements)[number]

/** The partner of a lower-case letter is its capital. */
const partner = (letter: string): string => letter.toUpperCase()

/**
 * The language of the words of a regular source (rules `A -> 'x' B` and `A -> 'x'`), each token with its partner, in one of
 * three arrangements. A word goes to one string of each: so the three have equal probabilities string by string, and with
 * them entropy, lengths and counts of tokens. Only the class differs, where infinitely many words have different beginnings
 * of one length: `local` is regular, `nested` context-free and not regular, `crossed` multiple context-free and not
 * context-free (unless the words are powers of few).
 * @throws PcfgError where the source has other rules or tokens that are no lower-case letters
 */
export function arrangedLanguage(source: Pcfg, arrangement: Arrangement): Pcfg {
  const bad = source.terminals.find((name) => !/^[a-z]$/u.test(name))
  if (bad !== undefined)
    throw new PcfgError('unsupported', `words with partners are over the letters a to z, got ${JSON.stringify(bad)}`)
  const rules = namedRules(source).map(({ left, right, weight }): NamedRule => {
    const [first, ...rest] = right
    if (first?.terminal !== true || rest.length > 1 || rest[0]?.terminal === true)
      throw new PcfgError('unsupported', `words come from rules A -> 'x' B and A -> 'x'; ${left} has another`)
    const second = t(partner(first.name))
    return { left, weight, right: arrangement === 'local' ? [first, second, ...rest] : [first, ...rest, second] }
  })
  return buildPcfg(rules, { reading: arrangement === 'crossed' ? 'crossed' : 'plain' })
}

/** The source of a grammar that {@link arrangedLanguage} made, else null. */
export function sourceOf(grammar: Pcfg): Pcfg | null {
  const rules: NamedRule[] = []
  for (const { left, right, weight } of namedRules(grammar)) {
    const [first, second] = right.filter(({ terminal }) => terminal)
    const rest = right.filter(({ terminal }) => !terminal)
    if (first === undefined || second?.name !== partner(first.name) || second.name === first.name) return null
    if (right[0] !== first || rest.length > 1 || right.length !== rest.length + 2) return null
    rules.push({ left, weight, right: [first, ...rest] })
  }
  return buildPcfg(rules)
}

/** Words over four letters, all of a length equally likely; lengths geometric with mean 8. */
export const letterWords = (): Pcfg =>
  buildPcfg([...'abcd'].flatMap((x) => [rule('S', [t(x), n('S')], 7), rule('S', [t(x)], 1)]))

/** a^i b^j c^k, each count geometric with mean 4. */
export const countedWords = (): Pcfg =>
  buildPcfg([
    rule('S', [t('a'), n('A')], 1),
    rule('A', [t('a'), n('A')], 3),
    rule('A', [t('b'), n('B')], 1),
    rule('B', [t('b'), n('B')], 12),
    rule('B', [t('c'), n('C')], 3),
    rule('B', [t('c')], 1),
    rule('C', [t('c'), n('C')], 3),
    rule('C', [t('c')], 1),
  ])
