import type { Json } from '../../../core/index.ts'
import { isCrossed } from './crossed.ts'
import { cellsOf, type Derivation, derivationNodes, over } from './derivation.ts'
import { analyzerOf, liftedOf, type Shared, symbolsOf, tokensOf } from './grammar.ts'
import { clauseOfRule } from './present.ts'

/** A derivation as a drawn tree; the rules that it uses are found again in the lines of the grammar. */
export function treeDrawing(shared: Shared, derivation: Derivation): readonly Json[] {
  const { tokens } = symbolsOf(shared)
  const notes = new Set<string>()
  /** Finished nodes, the next child uppermost. */
  const built: Json[] = []
  for (const { rule, parts } of (derivationNodes(shared, derivation) ?? []).toReversed()) {
    const [label = '', ...right] = rule
    const note = isCrossed(shared)
      ? clauseOfRule(shared, rule)
      : `${label} -> ${right.map((name) => (tokens.has(name) ? `'${name}'` : name)).join(' ')}`
    const children = parts.map(({ name, isToken, bounds }) =>
      isToken ? { label: name, note: `token ${bounds[0]! + 1}`, children: [] } : (built.pop() as Json),
    )
    notes.add(note)
    built.push({ label, note, children })
  }
  const [root] = built
  const links = [...notes].map((text) => ({ text, parts: [`note/${text}`] }))
  return root === undefined ? [] : [{ kind: 'tree', title: 'A derivation', root, links }]
}

/** Longer strings have charts too large to draw, and longer lists are not shown whole. */
const MAX = { tokens: 40, lines: 200 } as const

/** The chart of a string: which symbols derive which part of it; of a long string a note. */
export function chartDrawing(shared: Shared, string: string): Json {
  const names = string.split(' ')
  if (isCrossed(shared)) {
    const lines = cellsOf(shared, tokensOf(shared, string)).map(
      (cell) => `${over(shared, '', cell.bounds)}: ${cell.names.join(', ')}`,
    )
    const more = lines.length > MAX.lines ? `\n${lines.length - MAX.lines} more` : ''
    const text = `${lines.slice(0, MAX.lines).join('\n')}${more}`
    return { kind: 'text', title: 'What derives which pair of parts', text }
  }
  return names.length <= MAX.tokens
    ? {
        kind: 'chart',
        title: 'What derives which part',
        tokens: names,
        goal: liftedOf(shared).start,
        cells: drawnCells(shared, string, names),
      }
    : { kind: 'text', title: 'The chart', text: `A chart of ${names.length} tokens is too large to be drawn.` }
}

/** The non-empty spans, each with its symbols and the rules that derive it, with the first split point. */
function drawnCells(shared: Shared, string: string, names: readonly string[]): readonly Json[] {
  const { cnf } = liftedOf(shared)
  const chart = analyzerOf(shared).chart(tokensOf(shared, string))
  const printed = new Set(symbolsOf(shared).nonterminals.values())
  const name = (symbol: number): string => cnf.nonterminals[symbol] as string
  const binary = Array.from({ length: cnf.binary.length / 3 }, (_, rule) => cnf.binary.slice(3 * rule, 3 * rule + 3))
  return chart.cells().flatMap(([from = 0, to = 0, ...all]) => {
    const symbols = all.filter((symbol) => printed.has(symbol))
    const splits =
      to - from === 1
        ? symbols.map((symbol) => ({ rule: `${name(symbol)} -> '${names[from]}'` }))
        : binary.flatMap(([head = -1, left = -1, right = -1]) => {
            const at = symbols.includes(head) ? chart.firstSplit(left, right, from, to) : null
            return at === null ? [] : [{ rule: `${name(head)} -> ${name(left)} ${name(right)}`, at }]
          })
    return symbols.length === 0 ? [] : [{ from, to, symbols: symbols.map(name), splits }]
  })
}
