import { expect, it } from 'vitest'
import { editDistance } from '../../../src/core/edit-distance.ts'
import { type CfgRule, nonterminal, terminal } from '../../../src/libraries/grammars/grammar/cfg.ts'
import { liftGrammar } from '../../../src/libraries/grammars/grammar/lift.ts'
import { trim } from '../../../src/libraries/grammars/grammar/trim.ts'
import { nearestMember } from '../../../src/libraries/grammars/recognise/distance.ts'
import { parseAnalyzer } from '../../../src/libraries/grammars/recognise/parses.ts'
import { continuations } from '../../../src/libraries/grammars/recognise/prefix.ts'
import { BLANK, templateAnalyzer } from '../../../src/libraries/grammars/recognise/template.ts'
import { strings, subsets } from './enumerate.ts'

const rules: readonly CfgRule[] = ['S', 'A'].flatMap((left) =>
  ['x', 'y'].flatMap((token) =>
    [0, 1, 2].map((size) => ({
      left,
      right: [terminal(token), ...Array.from({ length: size }, () => nonterminal('A'))],
      weight: null,
    })),
  ),
)
/** By the printed rules alone: of each symbol the sizes of what follows a token. */
type Printed = ReadonlyMap<string, readonly number[]>
const printedOf = (some: readonly CfgRule[]): Printed =>
  new Map(
    [...Map.groupBy(some, ({ left, right }) => `${left} ${right[0]!.name}`)].map(([key, own]) => [
      key,
      own.map(({ right }) => right.length - 1),
    ]),
  )

/** Leftmost derivations of a string: from S, by the number of A that are still to be rewritten behind each token. */
function derivations(printed: Printed, names: readonly string[]): ReadonlyMap<number, number> {
  let open = new Map<number, number>([[0, 1]])
  for (const [at, name] of names.entries()) {
    const next = new Map<number, number>()
    for (const [left, ways] of open)
      if (at === 0 || left > 0)
        for (const size of printed.get(`${at === 0 ? 'S' : 'A'} ${name}`) ?? []) {
          const rest = (at === 0 ? 0 : left - 1) + size
          next.set(rest, (next.get(rest) ?? 0) + ways)
        }
    open = next
  }
  return open
}

const all = [1, 2, 3, 4, 5, 6].flatMap((length) => [...strings(2, length)])
const templates = [...strings(3, 4)].map((places) => places.map((place) => (place === 2 ? BLANK : place)))

it('grammars in Greibach form of two symbols, two tokens and four rules: trees, continuations, distances and fillings as by hand', () => {
  for (const some of subsets(rules, 4)) {
    const ends = some.some(({ left, right }) => left === 'A' && right.length === 1)
    const starts = some.filter(({ left }) => left === 'S')
    const cnf = starts.length > 0 ? trim(liftGrammar({ start: 'S', rules: some }).cnf) : null
    expect(cnf !== null).toBe(starts.some(({ right }) => ends || right.length === 1))
    if (cnf === null) continue
    const printed = printedOf(some)
    const namesOf = (tokens: readonly number[]): string[] => tokens.map((token) => cnf.terminals[token] as string)
    const own = all.filter((tokens) => tokens.every((token) => token < cnf.terminals.length))
    const { countExactly } = parseAnalyzer(cnf)
    const members = own.filter((tokens) => derivations(printed, namesOf(tokens)).has(0))
    for (const tokens of own)
      expect(countExactly(tokens)).toBe(BigInt(derivations(printed, namesOf(tokens)).get(0) ?? 0))
    /** Can a string of the language begin so? Every A can end, or none may be left. */
    const begins = (tokens: readonly number[]): boolean =>
      [...derivations(printed, namesOf(tokens)).keys()].some((left) => left === 0 || ends)
    for (const tokens of own.filter(({ length }) => length <= 4).filter(begins))
      expect(continuations(cnf, tokens)).toEqual({
        tokens: [...cnf.terminals.keys()].filter((token) => begins([...tokens, token])),
        end: derivations(printed, namesOf(tokens)).has(0),
      })
    for (const tokens of own.filter(({ length }) => length <= 3)) {
      const least = Math.min(...members.map((member) => editDistance(namesOf(tokens), namesOf(member))))
      expect(nearestMember(cnf, tokens, 3)?.distance ?? Number.POSITIVE_INFINITY).toBe(
        least > 3 ? Number.POSITIVE_INFINITY : least,
      )
    }
    for (const template of templates) {
      if (template.some((token) => token >= cnf.terminals.length)) continue
      const fits = (tokens: readonly number[]) =>
        tokens.length === 4 && template.every((place, at) => place === BLANK || place === tokens[at])
      const filled = templateAnalyzer(cnf).fill(template)
      expect(filled !== null).toBe(members.some(fits))
      if (filled !== null) expect(members.filter(fits)).toContainEqual([...filled.tokens])
    }
  }
})
