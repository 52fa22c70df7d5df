import type { AnonymizedQuestion, Statement } from '../../core/index.ts'
import { type Mention, stepsFrom, type TermGraph } from './graph.ts'

type Statements = Extract<AnonymizedQuestion, { readonly kind: 'statements' }>
/** Counts by name; absent means 0. */
export type Counts = Map<string, number>

const add = (counts: Counts, name: string, by = 1): void => void counts.set(name, (counts.get(name) ?? 0) + by)
const most = (counts: Counts, name: string, value: number): void =>
  void counts.set(name, Math.max(counts.get(name) ?? 0, value))

/**
 * Counts over the anonymized statements of an item. Level 0: all statements and the kind of question, but not the terms in
 * the question. Level r: also each term of the question (and the candidate, if any) with its surroundings up to r statements.
 */
export function statementCounts(structure: Statements, graph: TermGraph, level: number): Counts {
  const counts: Counts = new Map()
  add(counts, `question ${structure.question}`)
  overall(graph, counts)
  inOrder(structure.statements, counts)
  if (level > 0) {
    for (const [i, term] of structure.asked.entries()) around(graph, term, level, `asked${i}`, counts)
    compared(graph, structure.asked, counts)
  }
  return counts
}

/** Counts of a candidate, added to those of its item, for levels from 1. */
export function candidateCounts({ asked: terms }: Statements, graph: TermGraph, term: number, level: number): Counts {
  const counts: Counts = new Map()
  around(graph, term, level, 'candidate', counts)
  for (const [i, asked] of terms.entries()) {
    const steps = stepsFrom(graph, asked, level)[term] as number
    add(counts, `candidate steps from asked${i}`, steps < 0 ? level + 1 : steps)
    together(graph, asked, term, `candidate with asked${i}`, counts)
  }
  return counts
}

const mentionsOf = ({ mentions }: TermGraph, term: number): readonly Mention[] => mentions[term] ?? []
/** The role of one term among those counted under a name: its histogram, sums, maxima, sources, sinks and links. */
function counted(graph: TermGraph, term: number, under: string, counts: Counts): void {
  const mentions = mentionsOf(graph, term)
  add(counts, `${under} role ${graph.role(term)}`)
  add(counts, `${under} degree ${Math.min(mentions.length, 6)}`)
  const places = new Map<string, number>()
  for (const { name, ofAny } of mentions) {
    places.set(ofAny, (places.get(ofAny) ?? 0) + 1)
    places.set(name, (places.get(name) ?? 0) + 1)
  }
  for (const [name, count] of places) {
    add(counts, `${under} having ${name}`)
    most(counts, `${under} most ${name}`, count)
  }
  if (!places.has('any.0')) add(counts, `${under} never first`)
  if (!places.has('any.1')) add(counts, `${under} never second`)
  if (places.has('any.0') && places.has('any.1')) add(counts, `${under} both`)
  add(counts, `${under} mixed`, (places.get('any.0') ?? 0) * (places.get('any.1') ?? 0))
  for (let i = 0; i < mentions.length; i++)
    for (let j = i + 1; j < mentions.length && j < 6; j++) {
      const [a, b] = [(mentions[i] as Mention).name, (mentions[j] as Mention).name]
      add(counts, `${under} link ${a < b ? `${a} ${b}` : `${b} ${a}`}`)
    }
}

function overall(graph: TermGraph, counts: Counts): void {
  for (const { kind } of graph.statements) add(counts, `kind ${kind}`)
  const unseen = new Set<number>()
  for (const [term, mentions] of graph.mentions.entries()) {
    if (mentions.length === 0) continue
    unseen.add(term)
    add(counts, 'terms')
    counted(graph, term, 'all', counts)
  }
  for (const term of unseen) {
    const steps = stepsFrom(graph, term)
    let size = 0
    for (const [other, step] of steps.entries()) if (step >= 0 && unseen.delete(other)) size++
    add(counts, 'components')
    most(counts, 'largest component', size)
    add(counts, 'squares of components', size * size)
  }
}

/** The order of the text: kinds at its ends, and how neighbouring statements hang together. */
function inOrder(statements: readonly Statement[], counts: Counts): void {
  for (const [i, statement] of statements.entries()) {
    if (i === 0) add(counts, `begins ${statement.kind}`)
    if (i === statements.length - 1) add(counts, `ends ${statement.kind}`)
    const before = statements[i - 1]
    if (before === undefined) continue
    for (const [p, term] of before.places.entries())
      for (const [q, other] of statement.places.entries()) if (term === other) add(counts, `neighbours share ${p}${q}`)
    if (before.kind !== statement.kind) add(counts, 'neighbours of other kinds')
  }
}

/** What lies within `level` statements of a term. */
function around(graph: TermGraph, term: number, level: number, under: string, counts: Counts): void {
  counted(graph, term, under, counts)
  const own = mentionsOf(graph, term)
  add(counts, `${under} mentions`, own.length)
  for (const { name } of own) add(counts, `${under} is ${name}`)
  const first = own[0]
  const last = own.at(-1)
  if (first !== undefined && last !== undefined) {
    add(counts, `${under} first mention`, first.at)
    add(counts, `${under} last mention`, last.at)
  }
  const steps = stepsFrom(graph, term, level)
  for (const [other, step] of steps.entries()) {
    if (step < 1) continue
    add(counts, `${under} ring${step}`)
    // Statements about a term count only inside the window.
    if (step < level) counted(graph, other, `${under} ring${step}`, counts)
  }
  for (const [at, { kind, places }] of graph.statements.entries()) {
    const seen = places.map((place) => steps[place] as number)
    const inner = Math.min(...seen.filter((step) => step >= 0), level)
    if (inner >= level) continue
    add(counts, `${under} edge${inner} ${kind} ${seen.map((step) => (step < 0 ? 'x' : step - inner)).join('')}`)
    most(counts, `${under} farthest edge${inner}`, at)
  }
  walks(graph, term, level, under, counts)
}

const maxWalk = 3

/** Walks away from a term by the places they pass: the forms of chains. */
function walks(graph: TermGraph, start: number, level: number, under: string, counts: Counts): void {
  const step = (term: number, from: number, path: string, left: number): void => {
    for (const { at, place } of mentionsOf(graph, term)) {
      if (at === from) continue
      const { kind, places } = graph.statements[at] as Statement
      for (const [other, next] of places.entries()) {
        if (other === place) continue
        const name = `${path} ${kind}.${place}${other}`
        add(counts, `${under} walk${name}`)
        if (left > 1) step(next, at, name, left - 1)
      }
    }
  }
  step(start, -1, '', Math.min(level, maxWalk))
}

/** Comparison of the first two terms of the question. */
function compared(graph: TermGraph, [a, b]: readonly number[], counts: Counts): void {
  if (a === undefined || b === undefined) return
  for (const { name, ofAny } of mentionsOf(graph, a)) {
    add(counts, `difference ${name}`)
    add(counts, `difference ${ofAny}`)
  }
  for (const { name, ofAny } of mentionsOf(graph, b)) {
    add(counts, `difference ${name}`, -1)
    add(counts, `difference ${ofAny}`, -1)
  }
  add(counts, `roles ${graph.role(a)} | ${graph.role(b)}`)
  const [first, second] = [mentionsOf(graph, a), mentionsOf(graph, b)]
  if (first.length > 0 && second.length > 0) {
    if ((first[0] as Mention).at < (second[0] as Mention).at) add(counts, 'first asked is mentioned first')
    if ((first.at(-1) as Mention).at < (second.at(-1) as Mention).at) add(counts, 'second asked is mentioned last')
  }
  together(graph, a, b, 'asked', counts)
}

/** Statements that name both terms. */
function together(graph: TermGraph, a: number, b: number, under: string, counts: Counts): void {
  for (const { at, place } of mentionsOf(graph, a)) {
    const { kind, places } = graph.statements[at] as Statement
    for (const [other, term] of places.entries())
      if (term === b) add(counts, `${under} together ${kind}.${place}${other}`)
  }
}
