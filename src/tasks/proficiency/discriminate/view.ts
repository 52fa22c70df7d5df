import type { Json, Problem } from '../../../core/index.ts'
import { bestDerivation, constituents, heights, type Pcfg, tokensOf } from '../../../formal/pcfg/index.ts'
import { languageOf } from '../languages/compiled.ts'
import type { Given, Shared, Truth } from './types.ts'

/** The string under its constituents by level (figures 2, 12 and 13), or what was done to it (figure 3). */
export function view({ shared, given, answer }: Problem<Shared, Given, Truth>): readonly Json[] {
  const { grammar } = languageOf(shared.grammar)
  const shown = answer.inside ? given.text : answer.source
  const strip: Json[] =
    shown === null ? [] : [annotated(grammar, shown, answer.inside ? 'The string' : 'The string it was edited from')]
  if (answer.inside) return strip
  const steps = answer.edits.map(({ kind, at, token }) =>
    kind === 'delete' ? `delete token ${at + 1}` : `${kind} ${token} at ${at + 1}`,
  )
  const exchanges = (answer.twin?.exchanges ?? []).map(
    ([a, b, c, d]) => `exchange tokens ${a + 1}-${b} and ${c + 1}-${d}`,
  )
  return [
    ...strip,
    {
      kind: 'text',
      title: 'Outside the language',
      text: `${given.text}\n${[...steps, ...exchanges].join('; ') || 'a random string'}`,
    },
  ]
}

/** Tokens with one row a level of the grammar, highest first; each span is a constituent of that height. */
export function annotated(grammar: Pcfg, text: string, title: string): Json {
  const derivation = bestDerivation(grammar, tokensOf(grammar, text) ?? [])
  const known = heights(grammar)
  const all = derivation === null ? [] : constituents(grammar, derivation)
  const level = (nonterminal: number, depth: number) => (known === null ? -depth : (known[nonterminal] as number))
  const levels = [...new Set(all.map((c) => level(c.nonterminal, c.depth)))].sort((a, b) => b - a)
  return {
    kind: 'strip',
    title,
    cells: text.split(' '),
    rows: levels.map((wanted) => ({
      label: `level ${levels.length - levels.indexOf(wanted)}`,
      spans: all
        .filter((c) => level(c.nonterminal, c.depth) === wanted)
        .map((c) => ({ start: c.start, end: c.end, label: grammar.nonterminals[c.nonterminal] as string })),
    })),
  }
}
