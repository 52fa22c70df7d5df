import { between, type Stream } from '../../../core/index.ts'
import { buildPcfg, type NamedRule, type NamedSymbol, type Pcfg, PcfgError } from './grammar.ts'

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
