import type { AnonymizedQuestion, Statement } from '../../core/index.ts'

type Statements = Extract<AnonymizedQuestion, { readonly kind: 'statements' }>

/** One mention of a term: its statement, and its position there. */
export interface Mention {
  readonly at: number
  readonly place: number
  /** Position by kind of statement, e.g. `taller.0`, and by position alone. */
  readonly name: string
  readonly ofAny: string
}

/** Statements and mentions of each term. */
export interface TermGraph {
  readonly statements: readonly Statement[]
  /** By term; terms that occur only in the question have none. */
  readonly mentions: readonly (readonly Mention[])[]
  /** Counts of a term's positions by kind of statement, as one text. */
  role(term: number): string
}

export function termGraph({ statements, asked }: Statements): TermGraph {
  const mentions: Mention[][] = []
  const of = (term: number): Mention[] => {
    while (mentions.length <= term) mentions.push([])
    return mentions[term] as Mention[]
  }
  for (const [at, { kind, places }] of statements.entries())
    for (const [place, term] of places.entries())
      of(term).push({ at, place, name: `${kind}.${place}`, ofAny: `any.${place}` })
  for (const term of asked) of(term)
  const roles: (string | undefined)[] = []
  return {
    statements,
    mentions,
    role(term) {
      roles[term] ??= roleOf(mentions[term] ?? [])
      return roles[term]
    },
  }
}

function roleOf(mentions: readonly Mention[]): string {
  const own = new Map<string, number>()
  for (const { name } of mentions) own.set(name, (own.get(name) ?? 0) + 1)
  return [...own.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name}x${count}`)
    .join(' ')
}

/** Shortest distance of each term from the start, in statements; -1: unreachable within `max`. */
export function stepsFrom({ statements, mentions }: TermGraph, start: number, max = Number.POSITIVE_INFINITY) {
  const steps = new Int32Array(mentions.length).fill(-1)
  steps[start] = 0
  let ring = [start]
  for (let r = 1; ring.length > 0 && r <= max; r++) {
    const next: number[] = []
    for (const term of ring)
      for (const { at } of mentions[term] as readonly Mention[])
        for (const other of (statements[at] as Statement).places)
          if (steps[other] === -1) {
            steps[other] = r
            next.push(other)
          }
    ring = next
  }
  return steps
}

/**
 * The statements and the question with terms numbered by their first mention: equal for items that differ in names alone. null: a
 * string, whose tokens mean nothing outside their group.
 */
export function structureKey(question: AnonymizedQuestion): string | null {
  if (question.kind === 'string') return null
  const ids = new Map<number, number>()
  const number = (term: number): number => {
    const id = ids.get(term) ?? ids.size
    ids.set(term, id)
    return id
  }
  return JSON.stringify([
    question.statements.map(({ kind, places }) => [kind, ...places.map(number)]),
    question.question,
    question.asked.map(number),
  ])
}

/** The smallest locality window that holds a proof of the answer (see {@link AnonymizedQuestion}); Infinity: none does. */
export function proofRadius(structure: AnonymizedQuestion): number {
  if (structure.kind === 'string') return Number.POSITIVE_INFINITY
  if (structure.radius !== undefined) return structure.radius
  const [first, second] = structure.asked
  if (first === undefined) return Number.POSITIVE_INFINITY
  const steps = stepsFrom(termGraph(structure), first)
  if (second === undefined) return steps.reduce((most, step) => Math.max(most, step), 0)
  const way = steps[second] as number
  return way < 0 ? Number.POSITIVE_INFINITY : Math.ceil(way / 2)
}
