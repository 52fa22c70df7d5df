import type { Json, Problem } from '../../../core/index.ts'
import { bigramVerdict } from '../../../libraries/grammars/grammar/adjacency.ts'
import type { Cnf } from '../../../libraries/grammars/grammar/cnf.ts'
import type { ParseChart } from '../../../libraries/grammars/recognise/chart.ts'
import { adjacencyOf, analyzerOf, compiled, tokensOf } from './compiled.ts'
import type { Given, Shared } from './prompt.ts'

/** Longer strings have charts too large to draw. */
const MAX = 40

/** A positive as its derivation, and every string as its chart: which symbols derive which part of it. */
export function drawings(problem: Problem<Shared, Given, boolean>): readonly Json[] {
  const cnf = compiled(problem.shared)
  const tokens = tokensOf(problem)
  const names = Array.from(tokens, (token) => cnf.terminals[token] ?? '?')
  const derivation = problem.answer ? analyzerOf(problem.shared).derivation(tokens) : null
  const verdict = problem.answer ? null : bigramVerdict(adjacencyOf(problem.shared), tokens)
  return [
    ...(derivation === null ? [] : [derived(treeOf(cnf, derivation, names))]),
    ...(verdict !== null && 'at' in verdict ? [illegal(names, verdict.at)] : []),
    chartDrawing(cnf, analyzerOf(problem.shared).chart(tokens), names),
  ]
}

/** The chart of a string; of a long one a note. */
export const chartDrawing = (cnf: Cnf, chart: ParseChart, names: readonly string[]): Json =>
  names.length <= MAX
    ? {
        kind: 'chart',
        title: 'What derives which part',
        tokens: names,
        goal: cnf.nonterminals[0] ?? 'S',
        cells: cellsOf(cnf, chart, names),
      }
    : { kind: 'text', title: 'The chart', text: `A chart of ${names.length} tokens is too large to be drawn.` }

/** The non-empty spans, each with its symbols and the rules that derive it, with the first split point. */
function cellsOf(cnf: Cnf, chart: ParseChart, names: readonly string[]): readonly Json[] {
  const name = (symbol: number | undefined): string => cnf.nonterminals[symbol ?? -1] ?? '?'
  const binary = Array.from({ length: cnf.binary.length / 3 }, (_, rule) => cnf.binary.slice(3 * rule, 3 * rule + 3))
  return chart.cells().map(([from = 0, to = 0, ...symbols]) => ({
    from,
    to,
    symbols: symbols.map(name),
    splits:
      to - from === 1
        ? symbols.map((symbol) => ({ rule: `${name(symbol)} -> '${names[from]}'` }))
        : binary.flatMap(([head = -1, left = -1, right = -1]) => {
            const at = symbols.includes(head) ? chart.firstSplit(left, right, from, to) : null
            return at === null ? [] : [{ rule: `${name(head)} -> ${name(left)} ${name(right)}`, at }]
          }),
  }))
}

/** A derivation whose nodes are found again in the lines of the grammar that they use. */
const derived = (root: Node): Json => ({
  kind: 'tree',
  title: 'A derivation',
  root: plain(root),
  links: [...new Set(notes(root))].map((text) => ({ text, parts: [`note/${text}`] })),
})

const notes = ({ note, children }: Node): readonly string[] =>
  children.length === 0 ? [] : [note, ...children.flatMap(notes)]

const illegal = (names: readonly string[], at: number): Json => ({
  kind: 'text',
  title: 'Why not',
  text:
    at === 0
      ? `No string begins with ${names[0]}.`
      : at === names.length - 1
        ? `${names[at]} in the last place: no string has it right after ${names[at - 1]}, or none ends with it.`
        : `No string has ${names[at]} right after ${names[at - 1]} (place ${at + 1}).`,
})

interface Node {
  readonly label: string
  readonly note: string
  readonly children: readonly Node[]
}

/** Rule numbers in leftmost order as a tree. */
function treeOf(cnf: Cnf, rules: readonly number[], tokens: readonly string[]): Node {
  const binary = cnf.binary.length / 3
  let next = 0
  let read = 0
  const name = (symbol: number | undefined): string => cnf.nonterminals[symbol ?? -1] ?? '?'
  const grow = (): Node => {
    const rule = rules[next] ?? 0
    next++
    if (rule >= binary) {
      const label = name(cnf.lexical[2 * (rule - binary)])
      const token = tokens[read] ?? '?'
      read++
      return {
        label,
        note: `${label} -> '${token}'`,
        children: [{ label: token, note: `token ${read}`, children: [] }],
      }
    }
    const [label = '?', left = '?', right = '?'] = [0, 1, 2].map((i) => name(cnf.binary[3 * rule + i]))
    return { label, note: `${label} -> ${left} ${right}`, children: [grow(), grow()] }
  }
  return grow()
}

const plain = ({ label, note, children }: Node): Json => ({ label, note, children: children.map(plain) })
