import type { Json, JsonObject, Problem } from '../../../core/index.ts'
import {
  bestDerivation,
  constituents,
  heights,
  ln,
  type Pcfg,
  tokensOf,
} from '../../../libraries/grammars/pcfg/index.ts'
import { languageOf } from '../languages/compiled.ts'
import { groupWidth } from './string-format.ts'
import type { Given, Shared, Truth } from './types.ts'

/** The string under its constituents by level (figures 2, 12 and 13), or what was done to it (figure 3). */
export function drawings({ shared, given, answer }: Problem<Shared, Given, Truth>): readonly Json[] {
  const { grammar } = languageOf(shared.grammar)
  const scored = floors({ shared, given })
  if (answer.inside) return [{ ...annotated(grammar, given.text, 'The string', separators(shared)), scored }]
  const source =
    answer.source === null
      ? []
      : [annotated(grammar, answer.source, 'The string it was edited from', separators(shared))]
  const steps = answer.edits.map(({ kind, at, token }) =>
    kind === 'delete' ? `delete token ${at + 1}` : `${kind} ${token} at ${at + 1}`,
  )
  const exchanges = (answer.twin?.exchanges ?? []).map(
    ([a, b, c, d]) => `exchange tokens ${a + 1}-${b} and ${c + 1}-${d}`,
  )
  return [
    {
      kind: 'strip',
      title: 'Outside the language',
      caption: [...steps, ...exchanges].join('; ') || 'a random string',
      cells: given.text.split(' '),
      rows: [],
      scored,
    },
    ...source,
  ]
}

/**
 * What the language itself loses on each token after those before it, and on the end where that is scored: -ln P. Over the language no
 * model loses less. null from the first token on that no string of the language goes on with.
 */
function floors({ shared, given }: Pick<Problem<Shared, Given, Truth>, 'shared' | 'given'>): Json {
  const language = languageOf(shared.grammar)
  const { scoreEnd, terminator } = shared.format
  const known = language.conditionals(tokensOf(language.grammar, given.text) ?? [])
  const length = given.text.split(' ').length + (scoreEnd ? 1 : 0)
  const floor = Array.from({ length }, (_, i) => ((known[i] ?? 0) > 0 ? -ln(known[i] as number) : null))
  const group = groupWidth(language.grammar.terminals.length)
  return { floor, end: scoreEnd ? terminator : '', group }
}

/** How the prompts of an item separate tokens. */
const separators = ({ format }: Shared): readonly string[] => [...new Set([format.separator, ' '])]

/**
 * Tokens with one row a level of the grammar, highest first; each span is a constituent of that height, found again in the examples
 * wherever they have the same tokens.
 */
function annotated(grammar: Pcfg, text: string, title: string, separators: readonly string[]): JsonObject {
  const derivation = bestDerivation(grammar, tokensOf(grammar, text) ?? [])
  const known = heights(grammar)
  const all = derivation === null ? [] : constituents(grammar, derivation)
  const level = (nonterminal: number, depth: number) => (known === null ? -depth : (known[nonterminal] as number))
  const cells = text.split(' ')
  const levels = [...new Set(all.map((c) => level(c.nonterminal, c.depth)))].sort((a, b) => b - a)
  // Single tokens stand everywhere.
  const byText = Map.groupBy(
    all.filter(({ start, end }) => end - start > 1),
    ({ start, end }) => cells.slice(start, end).join(' '),
  )
  const partOf = (c: (typeof all)[number]): string => `span/${levels.indexOf(level(c.nonterminal, c.depth))}/${c.start}`
  return {
    kind: 'strip',
    title,
    cells,
    rows: levels.map((wanted) => ({
      label: `level ${levels.length - levels.indexOf(wanted)}`,
      spans: all
        .filter((c) => level(c.nonterminal, c.depth) === wanted)
        .map((c) => ({ start: c.start, end: c.end, label: grammar.nonterminals[c.nonterminal] as string })),
    })),
    links: [...byText].flatMap(([own, spans]) =>
      separators.map((separator) => ({
        text: own.replaceAll(' ', separator),
        parts: spans.map(partOf),
        inside: separator === '',
      })),
    ),
  }
}
