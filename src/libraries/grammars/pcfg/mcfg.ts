import { crossSerialRules } from './crossed.ts'
import type { Pcfg } from './grammar.ts'

/**
 * A multiple context-free grammar (Seki, Matsumura, Fujii and Kasami 1991): a nonterminal derives a tuple of strings, and a
 * rule writes the components of its left side out of tokens and components of its children, each used once.
 */
export interface Mcfg {
  readonly start: number
  readonly rules: readonly McfgRule[]
}

export interface McfgRule {
  readonly left: number
  readonly children: readonly number[]
  readonly components: readonly (readonly Part[])[]
}

interface Component {
  readonly kind: 'component'
  readonly child: number
  readonly component: number
}
export type Part = { readonly kind: 'token'; readonly token: number } | Component

const token = (t: number): Part => ({ kind: 'token', token: t })
const component = (child: number, index: number): Part => ({ kind: 'component', child, component: index })

/** What a grammar read crossed stands for: S(u v) <- Q(u, v), and Q(x u, y v) <- N(u, v) for each rule Q -> x N y. */
export function mcfgOf(grammar: Pcfg): Mcfg {
  const start = grammar.nonterminals.length
  const rules = crossSerialRules(grammar).flatMap((list, left) =>
    list.map(({ first, second, next }): McfgRule => {
      const inner = (index: number) => (next === null ? [] : [component(0, index)])
      return {
        left,
        children: next === null ? [] : [next],
        components: [
          [token(first), ...inner(0)],
          [token(second), ...inner(1)],
        ],
      }
    }),
  )
  return { start, rules: [{ left: start, children: [0], components: [[component(0, 0), component(0, 1)]] }, ...rules] }
}

type Span = readonly [start: number, end: number]

/** A nonterminal whose components are read over these spans. */
interface Item {
  readonly nonterminal: number
  readonly spans: readonly Span[]
}

/**
 * Is the string of the language? By deduction from the bottom (Shieber, Schabes and Pereira 1995): what is found is
 * combined, by every rule, with what was found before, until nothing new comes. It knows nothing of halves or pairs.
 */
export function mcfgAccepts(grammar: Mcfg, tokens: readonly number[]): boolean {
  const rulesOver = new Map<number, McfgRule[]>()
  for (const rule of grammar.rules)
    for (const child of new Set(rule.children)) rulesOver.set(child, [...(rulesOver.get(child) ?? []), rule])
  const found = new Map<number, Item[]>()
  const seen = new Set<string>()
  const agenda: Item[] = []
  const add = (item: Item) => {
    const name = `${item.nonterminal} ${item.spans.join(' ')}`
    if (seen.has(name)) return
    seen.add(name)
    agenda.push(item)
  }
  for (const rule of grammar.rules)
    if (rule.children.length === 0)
      for (const spans of placements(rule, [], tokens)) add({ nonterminal: rule.left, spans })
  for (let item = agenda.pop(); item !== undefined; item = agenda.pop()) {
    const list = found.get(item.nonterminal) ?? []
    found.set(item.nonterminal, list)
    list.push(item)
    for (const rule of rulesOver.get(item.nonterminal) ?? [])
      for (const children of choices(rule.children, item, found))
        for (const spans of placements(rule, children, tokens)) add({ nonterminal: rule.left, spans })
  }
  return seen.has(`${grammar.start} 0,${tokens.length}`)
}

/** Items for the children of a rule, one of them the new one. */
function* choices(
  children: readonly number[],
  item: Item,
  found: ReadonlyMap<number, readonly Item[]>,
): Generator<readonly Item[]> {
  for (const [place, nonterminal] of children.entries()) {
    if (nonterminal !== item.nonterminal) continue
    let lists: readonly (readonly Item[])[] = [[]]
    for (const [i, child] of children.entries()) {
      const known = i === place ? [item] : (found.get(child) ?? [])
      lists = lists.flatMap((before) => known.map((one) => [...before, one]))
    }
    yield* lists
  }
}

/** Spans of the left side's components over which a rule can be read, its children being read over theirs. */
function placements(
  rule: McfgRule,
  children: readonly Item[],
  tokens: readonly number[],
): readonly (readonly Span[])[] {
  let out: readonly (readonly Span[])[] = [[]]
  for (const parts of rule.components) {
    const spans = startsOf(parts, children, tokens.length).flatMap((start) => {
      const end = endOf(parts, start, children, tokens)
      return end === null ? [] : [[start, end] as const]
    })
    out = out.flatMap((before) => spans.map((span) => [...before, span]))
  }
  return out
}

const spanOf = ({ child, component }: Component, children: readonly Item[]): Span =>
  (children[child] as Item).spans[component] as Span

/** Where a component can start: where its first child does, else anywhere. */
function startsOf(parts: readonly Part[], children: readonly Item[], length: number): readonly number[] {
  const before = parts.findIndex((part) => part.kind === 'component')
  const part = parts[before]
  if (part?.kind !== 'component') return Array.from({ length: Math.max(0, length - parts.length + 1) }, (_, i) => i)
  const [start] = spanOf(part, children)
  return start < before ? [] : [start - before]
}

function endOf(
  parts: readonly Part[],
  start: number,
  children: readonly Item[],
  tokens: readonly number[],
): number | null {
  let at = start
  for (const part of parts)
    if (part.kind === 'token') {
      if (tokens[at] !== part.token) return null
      at++
    } else {
      const [from, to] = spanOf(part, children)
      if (from !== at) return null
      at = to
    }
  return at
}
