import { buildPcfg, type NamedRule, type NamedSymbol, type Pcfg, PcfgError } from './grammar.ts'
import { namedRules } from './transform.ts'

/**
 * Where the partner of each token of a word stands: behind it (`local`: x1 y1 x2 y2 .. xm ym), last in first out (`nested`:
 * x1 .. xm ym .. y1) or first in first out (`crossed`: x1 .. xm y1 .. ym).
 */
export const arrangements = ['local', 'nested', 'crossed'] as const
export type Arrangement = (typeof arrangements)[number]

const n = (name: string): NamedSymbol => ({ name, terminal: false })
const t = (name: string): NamedSymbol => ({ name, terminal: true })

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
  buildPcfg([...'abcd'].flatMap((x) => [word('S', [t(x), n('S')], 7), word('S', [t(x)], 1)]))

/** a^i b^j c^k, each count geometric with mean 4. */
export const countedWords = (): Pcfg =>
  buildPcfg([
    word('S', [t('a'), n('A')], 1),
    word('A', [t('a'), n('A')], 3),
    word('A', [t('b'), n('B')], 1),
    word('B', [t('b'), n('B')], 12),
    word('B', [t('c'), n('C')], 3),
    word('B', [t('c')], 1),
    word('C', [t('c'), n('C')], 3),
    word('C', [t('c')], 1),
  ])

const word = (left: string, right: readonly NamedSymbol[], weight: number): NamedRule => ({ left, right, weight })
