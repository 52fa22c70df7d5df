import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isTerminal, type PaperGrammar, paperGrammar, terminalIndex } from '../../src/libraries/grammars/pcfg/index.ts'

/** The grammars printed in the paper's figures 6-10, read from its text, against the presets, rule by rule. */
const paper = join(process.env['TOUCHSTONE_SHARED'] ?? '../shared', 'papers/formal-language-benchmark.txt')

interface PrintedRule {
  readonly left: string
  readonly right: string
  readonly probability: number
}

function printedGrammars(): Map<string, PrintedRule[]> {
  const out = new Map<string, PrintedRule[]>()
  const text = readFileSync(paper, 'utf8')
  const appendix = text.slice(text.indexOf('8 FORMAL LANGUAGES AND GRAMMARS'))
  let open: PrintedRule[][] = []
  for (const line of appendix.split('\n')) {
    const caption = /^Figure (?:\d+): Production rules of G_(\d)(?: \(left\) and G_(\d) \(right\))?/u.exec(line)
    if (caption !== null) {
      for (const [i, name] of [caption[1], caption[2]].entries())
        if (name !== undefined) out.set(`g${name}`, open[i] as PrintedRule[])
      open = []
      continue
    }
    if (!line.includes('\\rightarrow')) continue
    const columns = line.split('\t').map(readRule)
    const starts = columns.some((rule) => rule.left === 'S')
    if (columns.length === 1) {
      if (starts) open.push([])
      open.at(-1)?.push(columns[0] as PrintedRule)
    } else
      for (const [i, rule] of columns.entries()) {
        const grammar = open[i] ?? []
        open[i] = grammar
        grammar.push(rule)
      }
  }
  return out
}

function readRule(cell: string): PrintedRule {
  const plain = cell.replaceAll('$', '').trim()
  const parts = /^(\S+) \\rightarrow (.+?) ?\[([\d.]+)\]$/u.exec(plain)
  if (parts === null) throw new Error(`cannot read the printed rule ${cell}`)
  return { left: parts[1] as string, right: parts[2] as string, probability: Number(parts[3]) }
}

describe.skipIf(!existsSync(paper))('the paper’s printed grammars (skipped where the paper is absent)', () => {
  const printed = existsSync(paper) ? printedGrammars() : new Map<string, PrintedRule[]>()
  it.each(['g1', 'g2', 'g3', 'g4', 'g5', 'g6', 'g7', 'g8', 'g9'] as const)('%s rule by rule', (name: PaperGrammar) => {
    const g = paperGrammar(name)
    const ours = g.rules.map((rule) => ({
      left: g.nonterminals[rule.left],
      right: rule.right.map((s) => (isTerminal(s) ? g.terminals[terminalIndex(s)] : g.nonterminals[s])).join(' '),
      probability: expect.closeTo(rule.probability, 3),
    }))
    const key = (rule: { left: string | undefined; right: string }) => `${rule.left} ${rule.right}`
    const sorted = <T extends { left: string | undefined; right: string }>(rules: readonly T[]) =>
      rules.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
    expect(sorted(printed.get(name) ?? [])).toEqual(sorted(ours))
  })
})
